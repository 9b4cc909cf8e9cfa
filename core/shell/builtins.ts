import { FOLDER_BUILTINS } from "./folder-builtins.ts";
import type { Builtin } from "./builtin.ts";
import { CODE_BUILTINS } from "./code-builtins.ts";
import { knownOutput } from "./known-output.ts";
import { reckonedIndex } from "./reckoned.ts";
import { MUTE, OPEN } from "./reader.ts";
import { VARIABLE_BUILTINS } from "./variable-builtins.ts";

const quiet: Builtin = () => MUTE;
/** They do nothing that counts; an index in a name may hold commands. */
const plain: Builtin = ({ name, args, reader, state }) => {
  if (/^(test|\[)$/.test(name))
    for (const [at, word] of args.entries())
      if (args[at - 1]?.text === "-v") reckonedIndex(word, reader, state);
  const output = knownOutput(name, args, reader, state);
  return output === undefined ? OPEN : { ok: name !== "false", output };
};

/** The commands that the shell does itself. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ...["echo", "pwd", "true", "false", ":", "test", "["].map((name): [string, Builtin] => [name, plain]),
  ...["umask", "ulimit", "times", "wait", "disown", "suspend", "caller"].map((name): [string, Builtin] => [
    name,
    quiet,
  ]),
  ...["type", "help", "jobs", "fg", "bg", "dirs", "compopt", "logout"].map((name): [string, Builtin] => [
    name,
    () => OPEN,
  ]),
  ...FOLDER_BUILTINS,
  ...VARIABLE_BUILTINS,
  ...CODE_BUILTINS,
]);
