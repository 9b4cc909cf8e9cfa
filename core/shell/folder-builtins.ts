import type { Builtin, BuiltinCall } from "./builtin.ts";
import type { Folders } from "./facts.ts";
import { joined, tidied } from "./paths.ts";
import { MUTE, OPEN, type Outcome } from "./reader.ts";
import { eitherFolder } from "./shell-state.ts";
import { homeOf } from "./tilde.ts";
import type { Word } from "./programs/effects.ts";

/** `cd`, `pushd` and `popd`. */
export const FOLDER_BUILTINS: readonly (readonly [string, Builtin])[] = [
  ["cd", (call) => change(call, target(call))],
  ["chdir", (call) => change(call, target(call))],
  [
    "pushd",
    (call) => {
      const { state, args } = call;
      const before = state.cwds;
      if (args.length !== 1 || /^[-+]/.test(args[0]?.text ?? "+")) return lost(call);
      state.stack = [...state.stack, before];
      return { ...change(call, args[0]), output: undefined };
    },
  ],
  [
    "popd",
    (call) => {
      const { state, args } = call;
      const before = state.stack.at(-1);
      if (args.length > 0 || !before) return lost(call);
      state.stack = state.stack.slice(0, -1);
      state.cwds = before;
      return OPEN;
    },
  ],
];

function target({ args, reader, state }: BuiltinCall): Word | undefined {
  const words = args.filter(
    ({ text }, index) => !(text && /^-[LPe@]+$/.test(text)) && !(text === "--" && index === 0),
  );
  if (words.length > 1) return undefined;
  const [word] = words;
  if (!word) return homeOf(reader, state)[""];
  return word.text === "-" ? homeOf(reader, state)["-"] : word;
}

function lost({ state }: BuiltinCall): Outcome {
  state.cwds = undefined;
  state.stack = [];
  return OPEN;
}

/** Goes there: for certain when it is a folder now, else perhaps. */
function change(call: BuiltinCall, to: Word | undefined): Outcome {
  const { reader, state } = call;
  const before = state.cwds;
  const text = to?.text;
  const searched = state.variables.has("CDPATH") && !/^\.{0,2}\//.test(text ?? "");
  if (text === undefined || searched || text === "") {
    const home = text === "" ? before : undefined;
    state.cwds = home;
    return OPEN;
  }
  let after: Folders = [];
  let sure = true;
  const physical = call.args.some((arg) => /^-[a-zA-Z]*P/.test(arg.text ?? ""));
  for (const cwd of before ?? [undefined]) {
    const whole = joined(text, cwd);
    if (whole === undefined) return lost(call);
    const path = tidied(whole);
    // Links are followed before `..` is, or after it.
    const real = reader.files.realPath(physical ? whole : path);
    sure &&= real !== undefined && reader.files.kind(real) === "folder" && !reader.facts.touched(path);
    after = eitherFolder(after, [physical && real !== undefined ? real : path]);
  }
  state.variables.set("OLDPWD", {
    kind: "text",
    value: { text: before?.length === 1 ? before[0] : undefined },
  });
  state.cwds = after;
  return sure ? MUTE : { output: undefined, ok: false, elsewhere: before };
}
