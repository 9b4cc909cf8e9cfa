import type { Call } from "./call.ts";
import { joined, tidied } from "./paths.ts";
import type { ShellState } from "./shell-state.ts";
import type { Word } from "./words.ts";

/** What a command of the shell itself does to the shell and to the facts. Answers false for anything else. */
export function builtin(call: Call, state: ShellState): boolean {
  const { args, name, reader } = call;
  const operands = args.filter(({ text }) => !/^[-+]./.test(text));
  switch (name) {
    case "cd":
    case "pushd":
    case "popd":
      changeFolder(name, operands[0], state, reader.home);
      return true;
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
    case "set":
      // Without names they list what there is.
      if (args.every(({ text }) => /^-[px]+$/.test(text))) reader.facts.add("uses", "*");
      return true;
    case "unset":
    case "read":
    case "mapfile":
    case "readarray":
    case "getopts":
      for (const { text } of operands) state.variables.set(text, undefined);
      return true;
    case "eval":
      call.text({ text: args.map(({ text }) => text).join(" "), known: args.every(({ known }) => known) });
      return true;
    case "trap":
      if (operands.length > 1 && operands[0]) call.text(operands[0]);
      return true;
    case ".":
    case "source":
      if (args[0]) call.script(args[0]);
      call.unknown("code");
      return true;
    case "exec":
    case "command":
    case "builtin":
      if (!args.some(({ text }) => /^-[vV]$/.test(text)))
        call.start(args.slice(args.findIndex(({ text }) => !text.startsWith("-"))));
      return true;
    default:
      return false;
  }
}

function changeFolder(name: string, word: Word | undefined, state: ShellState, home: string): void {
  const before = state.cwd;
  const isBack = name === "popd" || (word === undefined && name === "pushd");
  const target = word?.text === "-" ? state.variables.get("OLDPWD") : (word?.text ?? home);
  const isKnown = !isBack && target !== undefined && (word?.known ?? true);
  const path = isKnown ? joined(target, before) : undefined;
  state.cwd = path === undefined ? undefined : tidied(path);
  state.variables.set("OLDPWD", before);
}
