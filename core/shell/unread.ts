import type { ShellFacts } from "../contract.ts";

/** What is known of a command that nobody has read: nothing. */
export const UNREAD: ShellFacts = {
  programs: [],
  writes: [],
  reads: [],
  urls: [],
  scripts: [],
  sets: [],
  uses: [],
  unknown: ["program", "code", "syntax", "write", "read", "address"],
};
