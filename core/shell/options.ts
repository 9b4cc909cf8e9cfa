import { tailOf, type Word } from "./word.ts";

/** An option with its value, and the role of that value in `programs.json`. */
interface Option {
  readonly name: string;
  readonly value?: Word;
  readonly role?: string | undefined;
}

/** The words of a call as its program reads them. */
export interface CallWords {
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
  /** Whether one of the options in this list is there, as `NAME`, or as `NAME=VALUE` with that value. */
  readonly has: (list: string | undefined) => boolean;
  /** The value of the first option in this list that has one. */
  readonly valueOf: (list: string) => Word | undefined;
}

/** How a program reads its words. */
export interface WordRules {
  /** Options with a value, as `NAME:ROLE`; `NAME?` has its value in the same word only. */
  readonly options?: string;
  /** Options with several letters have one hyphen, and stand alone. */
  readonly single?: boolean;
  /** The first operand ends the options. */
  readonly stops?: boolean;
  /** A lone `-` ends the options. */
  readonly dash?: boolean;
  /** Words that begin with `+` are options too. */
  readonly plus?: boolean;
  /** The first word may be options without a hyphen, as in `tar xf a.tar`. */
  readonly bare?: boolean;
}

type OptionValues = ReadonlyMap<string, { readonly role?: string | undefined; readonly isAttached: boolean }>;

/** Reads words as getopt does: bundles, `--name=value`, shortened names, `--`. */
export function readWords(args: readonly Word[], rules: WordRules): CallWords {
  const values: OptionValues = new Map(
    listed(rules.options).map((part) => {
      const [name = "", role] = part.split(":");
      return [name.replace("?", ""), { role, isAttached: name.endsWith("?") }];
    }),
  );
  const options: Option[] = [];
  const operands: Word[] = [];
  for (let index = 0; index < args.length; index++) {
    const written = args[index];
    if (!written) break;
    const isBare = rules.bare === true && index === 0 && /^[a-zA-Z]+$/.test(written.text);
    const word = isBare ? { ...written, text: `-${written.text}` } : written;
    const isEnd = word.text === "--" || (rules.dash === true && word.text === "-");
    const isOption = (rules.plus === true ? /^[-+]./s : /^-./s).test(word.text);
    if (isEnd || (!isOption && rules.stops === true)) {
      operands.push(...args.slice(isEnd ? index + 1 : index));
      break;
    }
    if (!isOption) {
      operands.push(word);
      continue;
    }
    const own = word.text.startsWith("--")
      ? [longOption(word, values)]
      : shortOptions(word, values, rules.single);
    const last = own.at(-1);
    const needsValue = last && !last.value && values.get(last.name)?.isAttached === false;
    const value = needsValue ? args[++index] : undefined;
    options.push(...own.slice(0, value ? -1 : undefined), ...(last && value ? [{ ...last, value }] : []));
  }
  const whole = options.map((one) => ({ ...one, role: values.get(one.name)?.role }));
  return {
    options: whole,
    operands,
    has: (list) =>
      listed(list).some((one) =>
        whole.some(({ name, value }) => one === name || one === `${name}=${value?.text}`),
      ),
    valueOf: (list) => whole.find(({ name, value }) => value && listed(list).includes(name))?.value,
  };
}

function longOption(word: Word, values: OptionValues): Option {
  const end = word.text.indexOf("=");
  const name = word.text.slice(2, end < 0 ? undefined : end);
  if (end < 0) return { name };
  const full = values.has(name)
    ? name
    : [...values.keys()].find((one) => name.length > 2 && one.startsWith(name));
  return { name: full ?? name, value: tailOf(word, end + 1) };
}

function shortOptions(word: Word, values: OptionValues, isSingle = false): readonly Option[] {
  const whole = word.text.slice(1);
  // `-name`, as in find, java and openssl.
  if (whole.length > 1 && values.has(whole)) return [{ name: whole }];
  if (isSingle && whole.length > 1 && !values.has(whole.charAt(0))) return [{ name: whole }];
  const options: Option[] = [];
  for (const [at, name] of whole.split("").entries()) {
    const isLast = at + 1 === whole.length;
    if (values.has(name) && !isLast) return [...options, { name, value: tailOf(word, at + 2) }];
    options.push({ name });
  }
  return options;
}

/** The words of a list in `programs.json`. */
export function listed(text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : text.split(" ");
}
