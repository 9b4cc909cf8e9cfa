import type { ShellFacts } from "../contract.ts";

/**
 * The facts about a command beyond the limits of the reader: everything is unknown, and the whole command is in
 * `unread`.
 */
export function unreadFacts(command: string): ShellFacts {
  return {
    programs: [],
    writes: [],
    reads: [],
    urls: [],
    scripts: [],
    sets: [],
    uses: [],
    unknown: ["limit", "program", "code", "syntax", "write", "read", "address"],
    unread: [command],
  };
}
