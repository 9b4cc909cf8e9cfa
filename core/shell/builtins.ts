import { FOLDER_BUILTINS } from "./folder-builtins.ts";
import type { Builtin } from "./builtin.ts";
import { CODE_BUILTINS } from "./code-builtins.ts";
import { knownOutput } from "./known-output.ts";
import { MUTE, OPEN } from "./reader.ts";
import { VARIABLE_BUILTINS } from "./variable-builtins.ts";

const quiet: Builtin = () => MUTE;
/** They do nothing that counts; an index in a name may hold commands. */
const plain: Builtin = ({ name, args, reader, state }) => {
  if (args.some(({ text }) => /\[.*[$`]/s.test(text ?? "")) && /^(test|\[)$/.test(name))
    reader.facts.unknown("code");
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
  ...["type", "help", "jobs", "fg", "bg", "dirs", "complete", "compopt", "logout"].map(
    (name): [string, Builtin] => [name, () => OPEN],
  ),
  ...FOLDER_BUILTINS,
  ...VARIABLE_BUILTINS,
  ...CODE_BUILTINS,
]);
