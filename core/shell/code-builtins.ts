import type { Builtin, BuiltinCall } from "./builtin.ts";
import { MUTE, OPEN, type Outcome } from "./reader.ts";
import { trapRead } from "./traps.ts";
import { isMissing, readStored, scriptText, whyUnread } from "./script-texts.ts";

/** Built-in commands that run text, or change what other words mean. */
export const CODE_BUILTINS: readonly (readonly [string, Builtin])[] = [
  ["eval", evaluated],
  ["source", sourced],
  [".", sourced],
  ["command", (call) => onceMore(call, /^-p*[vV]/, /^-p$/)],
  ["builtin", (call) => onceMore(call, /^$/, /^$/)],
  [
    "exec",
    (call) => {
      const { args, reader } = call;
      const named = args.findIndex(({ text }) => text === undefined || !/^-[cl]*$/.test(text));
      if (named < 0) return MUTE;
      const at = /^-[cl]*a$/.test(args[named]?.text ?? "")
        ? named + 2
        : args[named]?.text === "--"
          ? named + 1
          : named;
      if (args[at]?.text?.startsWith("-")) reader.facts.unknown("program");
      const child = call.state.clone();
      return args[at] ? call.again(args.slice(at), child) : OPEN;
    },
  ],
  ["alias", aliased],
  [
    "unalias",
    ({ args, state }) => {
      for (const { text } of args) if (text !== undefined) state.aliases.delete(text);
      return MUTE;
    },
  ],
  ["trap", trapped],
  [
    "shopt",
    ({ args, state }) => {
      const odd = /^(dotglob|extglob|nocaseglob|nocasematch|globasciiranges|direxpand|nullglob|failglob)$/;
      if (args.some(({ text }) => text === undefined || odd.test(text))) state.oddWords = true;
      return { output: undefined, ok: false };
    },
  ],
  [
    "let",
    ({ args, reader, state }) => {
      for (const { text } of args) {
        if (text === undefined || /[`$]/.test(text)) reader.facts.unknown("code");
        else reader.deeper(() => reader.text(`((${text}))`, state));
      }
      return OPEN;
    },
  ],
  ["hash", (call) => flagged(call, /^-[a-zA-Z]*p/, "program")],
  ["enable", (call) => flagged(call, /^-[a-zA-Z]*[fdn]/, "code")],
  ["bind", (call) => flagged(call, /^-/, "code")],
  ["compgen", (call) => flagged(call, /^-[a-zA-Z]*[CFW]/, "code")],
  ["complete", (call) => flagged(call, /^-[a-zA-Z]*[CW]/, "code")],
  ["fc", (call) => flagged(call, /^(?!-[lnr]+$)/, "code")],
  ["history", (call) => flagged(call, /^-[a-zA-Z]*[anrwps]/, "write")],
  [
    "break",
    ({ state }) => {
      for (const loop of state.loops) loop.push(state.clone());
      return OPEN;
    },
  ],
  [
    "continue",
    ({ state }) => {
      for (const loop of state.loops) loop.push(state.clone());
      return OPEN;
    },
  ],
  [
    "return",
    ({ state }) => {
      state.returns?.push(state.clone());
      return OPEN;
    },
  ],
  ["exit", () => OPEN],
];

function evaluated({ args, reader, state }: BuiltinCall): Outcome {
  const words = args[0]?.text === "--" ? args.slice(1) : args;
  if (words.some(({ text }) => text === undefined)) {
    reader.facts.unknown("code");
    return OPEN;
  }
  return reader.deeper(() => reader.text(words.map(({ text }) => text ?? "").join(" "), state));
}

function sourced({ args, reader, state }: BuiltinCall): Outcome {
  const [path, ...rest] = args[0]?.text === "--" ? args.slice(1) : args;
  if (path?.text === undefined) {
    reader.facts.unknown("code");
    return OPEN;
  }
  reader.facts.script(path.text, state.cwds);
  const text = scriptText(path.text, reader, state);
  if (text === undefined) {
    if (isMissing(path.text, reader, state)) return OPEN;
    reader.facts.unknown(whyUnread(path.text, reader, state));
    state.forget();
    return OPEN;
  }
  const { positional, calledAs, returns } = state;
  if (rest.length > 0) state.positional = rest;
  state.calledAs = { text: path.text };
  state.returns = [];
  let outcome = OPEN;
  readStored(path.text, rest, reader, state, () => {
    outcome = reader.deeper(() => reader.text(text, state));
  });
  for (const other of state.returns) state.join(other);
  Object.assign(state, { positional: rest.length > 0 ? positional : state.positional, calledAs, returns });
  return outcome;
}

function onceMore({ args, state, again }: BuiltinCall, asks: RegExp, flags: RegExp): Outcome {
  const at = args.findIndex(({ text }) => text === undefined || !(flags.test(text) || text === "--"));
  if (at < 0 || asks.test(args[at]?.text ?? "\0")) return OPEN;
  return again(args.slice(at), state);
}

function aliased({ args, reader, state }: BuiltinCall): Outcome {
  for (const { text } of args) {
    const found = /^([^=]+)=([^]*)$/.exec(text ?? "");
    if (text === undefined) reader.facts.unknown("code");
    if (!found) continue;
    const [, name = "", value = ""] = found;
    // What changes the words of the grammar itself is not followed.
    if (!/^[\w.+-]+$/.test(name) || name.startsWith("-") || /[({]\s*$|^\s*[)}]/.test(value))
      reader.facts.unknown("syntax");
    state.aliases.set(name, value);
  }
  return args.length === 0 ? OPEN : MUTE;
}

function trapped({ args, reader, state }: BuiltinCall): Outcome {
  const [action, ...signals] = args[0]?.text === "--" ? args.slice(1) : args;
  if (signals.length === 0 || action?.text === "-" || action?.text === "") return OPEN;
  if (action?.text === undefined) reader.facts.unknown("code");
  else if (!/^-[lp]$/.test(action.text)) {
    const { text } = action;
    const last = !state.locals && signals.every((signal) => /^(EXIT|0)$/i.test(signal.text ?? ""));
    trapRead(text, last, reader, state);
    state.traps = [...state.traps, { text, last }];
  }
  return MUTE;
}

function flagged({ args, reader }: BuiltinCall, flag: RegExp, why: "code" | "program" | "write"): Outcome {
  if (args.some(({ text }) => text === undefined || flag.test(text))) reader.facts.unknown(why);
  return OPEN;
}
