import type { ParameterExpansionPart, SimpleExpansionPart } from "unbash";
import type { Expansion, Operand } from "./expansion.ts";
import { operated } from "./parameter-operations.ts";
import { GAP, type Word } from "./programs/effects.ts";
import { reckoned } from "./reckoned.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";
import { NOT_KNOWN } from "./variable.ts";
import { oneText } from "./word-fields.ts";

/** Set by the shell itself; nothing of the environment. */
const OF_THE_SHELL = new Set(
  (
    "RANDOM SRANDOM SECONDS LINENO UID EUID PPID BASHPID HOSTNAME HOSTTYPE MACHTYPE OSTYPE BASH BASH_VERSION BASH_VERSINFO " +
    "BASH_SOURCE BASH_LINENO BASH_COMMAND BASH_SUBSHELL BASH_REMATCH FUNCNAME DIRSTACK PIPESTATUS GROUPS SHLVL OPTARG " +
    "OPTIND REPLY EPOCHSECONDS EPOCHREALTIME COPROC IFS OLDPWD COLUMNS LINES ZSH_VERSION SHELLOPTS BASHOPTS"
  ).split(" "),
);

export function expandedParameter(
  part: SimpleExpansionPart | ParameterExpansionPart,
  reader: Reader,
  state: ShellState,
  operand: Operand,
): Expansion {
  if (part.type === "SimpleExpansion") {
    return parameter(part.text.replaceAll("\\\n", "").slice(1), reader, state);
  }
  const base = indexed(part, reader, state, operand);
  if (part.prefix === "#") return { value: lengthOf(base) };
  return part.operation ? operated(base, part, { reader, state, operand }) : base;
}

/** The value of a name or a number. */
export function parameter(name: string, reader: Reader, state: ShellState): Expansion {
  if (name === "@" || name === "*") return { items: state.positional };
  if (name === "#") return { value: { text: state.positional?.length.toString() } };
  if (/^\d+$/.test(name)) {
    if (name === "0") return { value: state.calledAs };
    if (!state.positional) return { value: NOT_KNOWN };
    return { value: state.positional[Number(name) - 1] ?? { text: "" } };
  }
  if (!/^[A-Za-z_]\w*$/.test(name) || name === "_") return { value: NOT_KNOWN };
  const variable = state.variables.get(name);
  if (variable?.kind === "text") return { value: variable.value };
  if (variable?.kind === "list")
    return { value: variable.items ? (variable.items[0] ?? { text: "" }) : NOT_KNOWN };
  if (name === "PWD") return { value: { text: state.cwds?.length === 1 ? state.cwds[0] : undefined } };
  if (name === "HOME") return { value: { text: reader.home } };
  if (name === "BASH_SOURCE") return { value: state.calledAs };
  if (OF_THE_SHELL.has(name)) return { value: NOT_KNOWN };
  reader.facts.use(name);
  return { value: { text: undefined, gapped: GAP } };
}

function indexed(
  part: ParameterExpansionPart,
  reader: Reader,
  state: ShellState,
  operand: Operand,
): Expansion {
  if (part.prefix === "!") {
    if (part.index) reckoned(oneText(operand(part.index)), reader, state);
    if (part.operation?.type === "Names" || part.index) return { items: undefined };
    const name = parameter(part.parameter, reader, state);
    const text = "value" in name ? name.value.text : undefined;
    if (text !== undefined && /^\w+$/.test(text)) return parameter(text, reader, state);
    reader.facts.use("*");
    if (text !== undefined) reader.facts.unknown("code");
    return { value: NOT_KNOWN };
  }
  if (!part.index) return parameter(part.parameter, reader, state);
  const variable = state.variables.get(part.parameter);
  const spoken = oneText(operand(part.index));
  const index = spoken.text;
  if (index !== "@" && index !== "*") reckoned(spoken, reader, state);
  if (!variable) parameter(part.parameter, reader, state);
  const items = variable?.kind === "list" ? variable.items : undefined;
  if (index === "@" || index === "*") return { items: variable?.kind === "text" ? [variable.value] : items };
  if (!items || index === undefined || !/^\d+$/.test(index)) return { value: NOT_KNOWN };
  return { value: items[Number(index)] ?? { text: "" } };
}

function lengthOf(base: Expansion): Word {
  if ("items" in base) return { text: base.items?.length.toString() };
  const { text } = base.value;
  return { text: text === undefined ? undefined : [...text].length.toString() };
}
