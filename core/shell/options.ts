import type { Word } from "./words.ts";

interface Option {
  readonly name: string;
  readonly value?: Word;
}

/** The words of a call as its program reads them. */
export interface CallWords {
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
  readonly has: (...names: readonly string[]) => boolean;
  /** Values of options of these names, in order. */
  readonly values: (...names: readonly string[]) => readonly Word[];
}

/** How the values of options are given: `needed` in the same word or the next one, `attached` in the same word only. */
export type OptionValues = ReadonlyMap<string, "needed" | "attached">;

/** Reads words as getopt does: bundles, `--name=value`, `--`. With `stops` the first operand ends the options. */
export function readWords(args: readonly Word[], values: OptionValues, stops = false): CallWords {
  const options: Option[] = [];
  const operands: Word[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? { text: "", known: true };
    if (word.text === "--" || !/^-./s.test(word.text)) {
      if (word.text !== "--") operands.push(word);
      if (!stops && word.text !== "--") continue;
      operands.push(...args.slice(index + 1));
      break;
    }
    const found = word.text.startsWith("--") ? long(word, values) : short(word, values);
    options.push(...found.options);
    if (found.waits === undefined) continue;
    const value = args[++index];
    options.push({ name: found.waits, ...(value && { value }) });
  }
  const has: CallWords["has"] = (...names) => options.some(({ name }) => names.includes(name));
  const valuesOf: CallWords["values"] = (...names) =>
    options.flatMap(({ name, value }) => (names.includes(name) && value ? [value] : []));
  return { options, operands, has, values: valuesOf };
}

interface Found {
  readonly options: readonly Option[];
  /** The option whose value is the next word. */
  readonly waits?: string;
}

function long({ text, known }: Word, values: OptionValues): Found {
  const [, name = "", value] = /^--([^=]*)(?:=([^]*))?$/.exec(text) ?? [];
  if (value !== undefined) return { options: [{ name, value: { text: value, known } }] };
  return values.get(name) === "needed" ? { options: [], waits: name } : { options: [{ name }] };
}

function short({ text, known }: Word, values: OptionValues): Found {
  const whole = text.slice(1);
  // `-name`, as find, java and openssl have it.
  if (whole.length > 1 && values.has(whole)) return { options: [], waits: whole };
  const options: Option[] = [];
  for (const [at, name] of [...whole].entries()) {
    const kind = values.get(name);
    const rest = whole.slice(at + 1);
    if (kind === undefined || (kind === "attached" && rest === "")) options.push({ name });
    else if (rest === "") return { options, waits: name };
    else return { options: [...options, { name, value: { text: rest, known } }] };
  }
  return { options };
}
