import { tailOf, type Word } from "./word.ts";

/** An option with its value, and the role of that value in `programs.json`. */
interface Option {
  readonly name: string;
  readonly value?: Word;
  readonly role?: string | undefined;
  /** Its hyphens. */
  readonly dash: string;
  /** The value stands in the same word. */
  readonly isGlued?: boolean;
  /** Role `program`: the words after the value. */
  readonly rest?: readonly Word[];
}

/** The words of a call as its program reads them. */
export interface CallWords {
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
  /** The options with their full names, separated, each followed by its value. */
  readonly spelled: readonly string[];
  /** Whether a long option is shortened, or a short one shares its word with its value or others. */
  readonly isShort: boolean;
  /** Whether the list contains one of the options, as `NAME`, or as `NAME=VALUE` with that value. */
  readonly has: (list: string | undefined) => boolean;
  /** The value of the first option in this list that has one. */
  readonly valueOf: (list: string) => Word | undefined;
}

/** How a program reads its arguments. */
export interface WordRules {
  /**
   * Options with a value, as `NAME:ROLE`. `NAME?` has its value in the same word only; `NAME#` may have digits there,
   * followed by further options; `NAME+` has its value in the next word, even if further options follow it.
   */
  readonly options?: string;
  /** Further options: long ones may be shortened to any unambiguous beginning. */
  readonly flags?: string;
  /** Options with several letters have one hyphen and cannot be combined. */
  readonly single?: boolean;
  /** The first operand ends the options. */
  readonly stops?: boolean;
  /** Options after `--` count too: the program passes them on to another one. */
  readonly passes?: boolean;
  /** A lone `-` ends the options. */
  readonly dash?: boolean;
  /** Words that begin with `+` are options too. */
  readonly plus?: boolean;
  /** The first word may be options without a hyphen, as in `tar xf a.tar`; their values follow in their order. */
  readonly bare?: boolean;
}

interface OptionForm {
  readonly role: string | undefined;
  readonly form: string;
}
type OptionForms = ReadonlyMap<string, OptionForm>;

/** Reads words as getopt does: bundles, `--name=value`, shortened names, `--`. */
export function readWords(args: readonly Word[], rules: WordRules): CallWords {
  const forms: OptionForms = new Map(
    listed(rules.options).map((part) => {
      const [, name = "", form = "", role] = /^([^:?#+]+)([?#+]?)(?::(.*))?$/.exec(part) ?? [];
      return [name, { role, form }];
    }),
  );
  const names = [...new Set([...forms.keys(), ...listed(rules.flags)])].filter((name) => name.length > 1);
  const options: Option[] = [];
  let operands: readonly Word[] = [];
  let isShort = false;
  for (let index = 0; index < args.length; index++) {
    const written = args[index];
    if (!written) break;
    if (rules.passes === true && written.text === "--") continue;
    const isBare = rules.bare === true && index === 0 && /^[a-zA-Z]+$/.test(written.text);
    const word = isBare ? { ...written, text: `-${written.text}` } : written;
    const isEnd = word.text === "--" || (rules.dash === true && word.text === "-");
    const isOption = (rules.plus === true ? /^[-+]./s : /^-./s).test(word.text);
    if (isEnd || (!isOption && rules.stops === true)) {
      operands = [...operands, ...args.slice(isEnd ? index + 1 : index)];
      break;
    }
    if (!isOption) {
      operands = [...operands, word];
      continue;
    }
    const isLong = word.text.startsWith("--");
    const own = isLong ? longOptions(word, names) : shortOptions(word, forms, { ...rules, bare: isBare });
    const isCut = isLong && own.every(({ name }) => !word.text.startsWith(`--${name}`));
    isShort ||=
      isCut ||
      own.some((one) => !isLong && (one.isGlued === true || (own.length > 1 && forms.has(one.name))));
    // The beginning of a name may be a name that the table lacks: the next word then stays a word too.
    const isOne = !isCut || own.length === 1;
    const isSure = isOne && (!isCut || rules.stops === true);
    let next = index;
    for (const one of own) {
      const { form, role: named } = forms.get(one.name) ?? {};
      const role = named === "folder" && !isOne ? "read" : named;
      const value = one.value ?? (form === "" || form === "+" ? args[isSure ? ++next : next + 1] : undefined);
      const rest = role === "program" && value ? { rest: args.slice(next + 1) } : {};
      options.push({ ...one, ...(value && { value }), role, ...rest });
    }
    if (options.at(-1)?.rest) break;
    index = next;
  }
  const spelled = options.flatMap(({ name, value, dash, isGlued }) => {
    const whole = dash + name;
    return !value
      ? whole
      : isGlued === true && dash === "--"
        ? `${whole}=${value.text}`
        : [whole, value.text];
  });
  return {
    options,
    operands,
    spelled,
    isShort,
    has: (list) =>
      listed(list).some((one) =>
        options.some(({ name, value }) => one === name || one === `${name}=${value?.text}`),
      ),
    valueOf: (list) => options.find(({ name, value }) => value && listed(list).includes(name))?.value,
  };
}

/** The options that a long one may be: itself, or all that begin with its name. */
function longOptions(word: Word, names: readonly string[]): readonly Option[] {
  const end = word.text.indexOf("=");
  const name = word.text.slice(2, end < 0 ? undefined : end);
  const longer = names.includes(name) ? [] : names.filter((one) => one.startsWith(name));
  const value = end < 0 ? {} : { value: tailOf(word, end + 1), isGlued: true };
  return (longer.length > 0 ? longer : [name]).map((one) => ({ name: one, dash: "--", ...value }));
}

function shortOptions(word: Word, forms: OptionForms, { single, bare }: WordRules): readonly Option[] {
  const whole = word.text.slice(1);
  const dash = word.text.charAt(0);
  // `-name`, as in find, java and openssl.
  const [name = ""] = whole.split("=", 1);
  if (name.length > 1 && forms.has(name)) {
    const value = name === whole ? {} : { value: tailOf(word, name.length + 2) };
    return [{ name, dash, ...value }];
  }
  if (single === true && whole.length > 1 && !forms.has(whole.charAt(0))) return [{ name: whole, dash }];
  const options: Option[] = [];
  for (let at = 0; at < whole.length; at += 1) {
    const letter = whole.charAt(at);
    const form = bare === true ? undefined : forms.get(letter)?.form;
    const hasRest = at + 1 < whole.length;
    if (hasRest && (form === "" || form === "?"))
      return [...options, { name: letter, dash, value: tailOf(word, at + 2), isGlued: true }];
    options.push({ name: letter, dash });
    if (form === "#") at += /^\d*/.exec(whole.slice(at + 1))?.[0].length ?? 0;
  }
  return options;
}

/** The words of a list in `programs.json`. */
export function listed(text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : text.split(" ");
}
