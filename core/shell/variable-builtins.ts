import { assign } from "./assignments.ts";
import type { Builtin, BuiltinCall } from "./builtin.ts";
import { knownOutput } from "./known-output.ts";
import { parameter } from "./parameters.ts";
import type { Word } from "./programs/effects.ts";
import { MUTE, OPEN } from "./reader.ts";
import { reckoned, reckonedIndex } from "./reckoned.ts";
import { toldBy } from "./telling-variables.ts";
import { concatenated, NOT_KNOWN, UNKNOWN_VARIABLE, UNSET } from "./variable.ts";

const NAME = /^([A-Za-z_]\w*)(?:(\+)?=([^]*))?$/;

/** `export`, `declare`, `read` and whatever else gives names a value. */
export const VARIABLE_BUILTINS: readonly (readonly [string, Builtin])[] = [
  ...["export", "readonly", "declare", "typeset", "local"].map((name): [string, Builtin] => [name, declared]),
  ["unset", unset],
  ["read", forgetNames],
  ["mapfile", forgetNames],
  ["readarray", forgetNames],
  ["getopts", forgetNames],
  [
    "printf",
    (call) => {
      const { args, state, reader } = call;
      if (args[0]?.text !== "-v" && !args[0]?.text?.startsWith("-v")) {
        const output = knownOutput("printf", args, reader, state);
        return output === undefined ? OPEN : { ok: true, output };
      }
      const [name, ...rest] =
        args[0].text === "-v" ? args.slice(1) : [{ text: args[0].text.slice(2) }, ...args.slice(1)];
      const output = knownOutput("printf", rest, reader, state);
      give(call, name, output === undefined ? NOT_KNOWN : { text: output });
      return MUTE;
    },
  ],
  ["set", optionsSet],
  [
    "shift",
    ({ args, state }) => {
      const text = args.length === 0 ? "1" : args[0]?.text;
      const known = text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : undefined;
      const count = state.positional?.length ?? 0;
      state.positional = known === undefined || known > count ? undefined : state.positional?.slice(known);
      return { output: "", ok: false };
    },
  ],
];

/** `set`: options, and parameters behind them. */
function optionsSet({ args, reader, state }: BuiltinCall): typeof MUTE {
  if (args.length === 0) reader.facts.use("*");
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at] ?? {};
    const dashes = text === "--" || text === "-";
    if (text !== undefined && !dashes && /^[-+]/.test(text)) {
      const option = text.includes("o") ? args[(at += 1)]?.text : "";
      if (text.includes("f") || option === undefined || /^(noglob|posix)$/.test(option))
        state.oddWords = true;
      // All words that look like one are assignments then; folders are other folders.
      if (/[kP]/.test(text) || /^(keyword|physical)$/.test(option ?? "")) reader.facts.unknown("syntax");
      continue;
    }
    const rest = dashes ? args.slice(at + 1) : args.slice(at);
    if (text !== "-" || rest.length > 0)
      state.positional = rest.some((word) => word.text === undefined) ? undefined : rest;
    break;
  }
  return args.length === 0 ? OPEN : MUTE;
}

/** A word `NAME=value`, or a name alone. */
function declared(call: BuiltinCall): typeof MUTE {
  const { name, args, reader, state } = call;
  for (const word of args) {
    const text = word.text ?? word.known ?? "";
    if (/^[-+]/.test(text)) {
      if (/^[-+][a-zA-Z]*[niulcA]/.test(text) && name !== "export") state.oddWords ||= /n/.test(text);
      if (/^-[a-zA-Z]*[niulc]/.test(text) && name !== "export") reader.facts.unknown("syntax");
      if (/^-[a-zA-Z]*p/.test(text)) reader.facts.use("*");
      continue;
    }
    const found = NAME.exec(text);
    if (!found) {
      const indexed = /^([A-Za-z_]\w*)\[/.exec(text)?.[1];
      if (indexed !== undefined) {
        reckonedIndex(word, reader, state);
        toldBy(indexed, NOT_KNOWN, reader, state);
      }
      if (indexed !== undefined) state.variables.set(indexed, { kind: "list", items: undefined });
      else if (word.text === undefined) reader.facts.unknown("syntax");
      continue;
    }
    const [, key = "", append, value] = found;
    const local = name === "local" || (/^(declare|typeset)$/.test(name) && !args.some(isGlobal));
    if (local && state.locals && !state.locals.has(key)) state.locals.set(key, state.variables.get(key));
    if (name === "export" || args.some(({ text: other }) => /^-[a-zA-Z]*x/.test(other ?? "")))
      state.exported.add(key);
    // The value of an array is read once more.
    if (value?.startsWith("(") && args.some(({ text: other }) => /^-[a-zA-Z]*[aA]/.test(other ?? "")))
      reckoned({ text: value }, reader, state);
    if (value !== undefined) {
      const given: Word = word.text === undefined ? { text: undefined, known: value } : { text: value };
      give(call, { text: key }, append ? concatenated([valueNow(call, key), given]) : given);
    } else if (word.text === undefined) reader.facts.unknown("syntax");
    else if (name === "local") state.variables.set(key, UNSET);
    else if (name === "export") reader.facts.set(key, valueNow(call, key));
  }
  const lists = args.every(({ text }) => /^-[a-eg-zA-EG-Z]*$/.test(text ?? ""));
  if (lists && name !== "local") reader.facts.use("*");
  return args.length === 0 ? OPEN : MUTE;
}

function isGlobal({ text }: Word): boolean {
  return /^-[a-zA-Z]*g/.test(text ?? "");
}

function valueNow({ reader, state }: BuiltinCall, name: string): Word {
  const held = parameter(name, reader, state);
  return "value" in held ? held.value : NOT_KNOWN;
}

function give({ reader, state }: BuiltinCall, name: Word | undefined, value: Word): void {
  const text = name?.text;
  if (text === undefined || !/^[A-Za-z_]\w*$/.test(text)) {
    const indexed = /^([A-Za-z_]\w*)\[[^$`]*\]$/.exec(text ?? "")?.[1];
    if (indexed === undefined) reader.facts.unknown("code");
    else {
      reckonedIndex({ text }, reader, state);
      toldBy(indexed, NOT_KNOWN, reader, state);
      state.variables.set(indexed, { kind: "list", items: undefined });
    }
  } else assign(text, { kind: "text", value }, reader, state, true);
}

function unset({ args, reader, state }: BuiltinCall): typeof MUTE {
  const functions = args.some(({ text }) => text === "-f");
  for (const { text } of args) {
    if (text === undefined) reader.facts.unknown("code");
    else if (!text.startsWith("-")) {
      reckonedIndex({ text }, reader, state);
      if (!functions)
        state.variables.set(text.replace(/\[.*/s, ""), /\[/.test(text) ? UNKNOWN_VARIABLE : UNSET);
      state.functions.delete(text);
      if (text === "IFS") state.oddWords ||= false;
    }
  }
  return MUTE;
}

/** Names that come from input: their value is not known. */
function forgetNames({ name, args, reader, state }: BuiltinCall): typeof OPEN {
  const takes = name === "read" ? /^-[a-zA-Z]*[adinNptu]$/ : /^-[a-zA-Z]*[dnOsuCc]$/;
  let plain = 0;
  for (const [index, { text }] of args.entries()) {
    if (text === undefined) {
      // The value of an option (`read -t $t`) names nothing.
      if (!takes.test(args[index - 1]?.text ?? "")) reader.facts.unknown("code");
      continue;
    }
    if (name !== "read" && /^-[a-zA-Z]*C/.test(text)) reader.facts.unknown("code");
    if (/^\w+\[/.test(text)) reckonedIndex({ text }, reader, state);
    const key = /^[A-Za-z_]\w*/.exec(text)?.[0];
    if (key === undefined) continue;
    plain += 1;
    state.variables.set(
      key,
      name === "read" || name === "getopts" ? UNKNOWN_VARIABLE : { kind: "list", items: undefined },
    );
    if (args.some(({ text: flag }) => /^-[a-zA-Z]*a$/.test(flag ?? "")))
      state.variables.set(key, { kind: "list", items: undefined });
    if (key === "IFS") state.oddWords = true;
    if (/^(PATH|BASH_ENV|BASH_ALIASES|BASH_CMDS|ENV|LD_|PROMPT_COMMAND|PS[0-4]|GIT_)/.test(key))
      reader.facts.unknown("code");
  }
  if (plain === 0) state.variables.set(name === "read" ? "REPLY" : "MAPFILE", UNKNOWN_VARIABLE);
  state.variables.set("OPTARG", UNKNOWN_VARIABLE);
  return OPEN;
}
