import type { Subject } from "skillctl";
import type { SessionEntry } from "../session/entry.ts";
import { fieldsOf } from "./edited-text.ts";
import { inside } from "./paths.ts";
import type { Site } from "./sites.ts";

/** A command of this skill that a shell command calls. */
export interface OwnCommand {
  readonly name: string;
  /** The words behind the name. */
  readonly words: readonly string[];
  /** The folder that it is called in, where that is known. */
  readonly cwd: string | undefined;
}

/** The calls of `skillctl run runtime-debug`, and of its tools through MCP; those that only ask for help are none. */
export function ownCommands({ shell, cwd, tool, name = "", input }: Subject): readonly OwnCommand[] {
  const [, called] = (tool === "mcp" && /(?:__|:)runtime-debug_([a-z-]+)$/.exec(name)) || [];
  if (called !== undefined) {
    const given = Object.values(fieldsOf(input)).filter((value) => typeof value === "string");
    return [{ name: called, words: given, cwd }];
  }
  return (shell?.programs ?? []).flatMap((program): readonly OwnCommand[] => {
    if (program.name !== "skillctl" || program.args.some((word) => word === "--help" || word === "-h"))
      return [];
    const at = program.args.indexOf("run");
    const [skill, name, ...words] = program.args.slice(at + 1).filter((word) => !/^--?json$/.test(word));
    if (at < 0 || skill !== "runtime-debug" || name === undefined) return [];
    return [{ name, words, cwd: program.cwd ?? cwd }];
  });
}

/** The sessions of a site that a command may be about: the one that it names, else all. */
export function meant({ words, cwd }: OwnCommand, { root, sessions }: Site): readonly SessionEntry[] {
  if (cwd !== undefined && inside(root, cwd) === undefined) return [];
  const said = words.map((word) => word.replace(/^--session=/, ""));
  const named = sessions.filter(({ id }) => said.includes(id));
  return named.length > 0 ? named : sessions;
}
