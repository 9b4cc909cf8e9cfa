import { redactCards } from "./card-number.ts";
import { REDACTED } from "./secret-names.ts";

/** A text that is a secret by its form. */
interface Shape {
  /** How it begins; what the group `kept` matches stays. */
  readonly start: RegExp;
  /** What follows, as far as it goes. */
  readonly rest: RegExp;
  /** Fewest characters that follow. */
  readonly least: number;
  /** What else is asked of what follows. Holds for a text whenever it holds for an end of it. */
  readonly holds?: (rest: string) => boolean;
}

const WORD = /[A-Za-z0-9]*/y;
const URL_SAFE = /[\w-]*/y;
const DOTTED = /[\w.~-]*/y;

/** Each is looked for in one pass: what follows a start is read once, however many further starts are in it. */
const SHAPES: readonly Shape[] = [
  { start: /eyJ/g, rest: DOTTED, least: 14, holds: (rest) => /\.[^.]{4}/.test(rest) },
  { start: /A[KS]IA/g, rest: /[A-Z0-9]*/y, least: 16 },
  { start: /gh[pousr]_/g, rest: DOTTED, least: 20 },
  { start: /github_pat_/g, rest: URL_SAFE, least: 22 },
  { start: /glpat-/g, rest: DOTTED, least: 16 },
  { start: /x(?:ox[a-z]|app)-/g, rest: URL_SAFE, least: 10 },
  { start: /[sr]k_(?:live|test)_|whsec_/g, rest: WORD, least: 16 },
  { start: /(?<![A-Za-z0-9])hf_/g, rest: WORD, least: 30 },
  { start: /(?<![A-Za-z0-9])SG\./g, rest: DOTTED, least: 60 },
  { start: /(?<![A-Za-z0-9])sk-/g, rest: URL_SAFE, least: 20, holds: mixed },
  { start: /AIza/g, rest: URL_SAFE, least: 35 },
  { start: /npm_/g, rest: WORD, least: 36 },
  { start: /(?<kept>bearer\s{1,8})/gi, rest: /[\w.~+/-]*=*/y, least: 8, holds: mixed },
  { start: /(?<kept>basic\s{1,8})/gi, rest: /[A-Za-z0-9+/]*=*/y, least: 4, holds: nameAndPassword },
  { start: /(?<kept>:\/\/[^\s/?#@:]{0,256}:)(?=[^\s/?#]*@)/g, rest: /[^\s/?#]*(?=@)/y, least: 1 },
  { start: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/g, rest: /[^]*?(?:-----END [A-Z ]{0,40}-----|$)/y, least: 0 },
];

/** Longest start, so that one that begins in what follows a failed one is not passed over. */
const OVERLAP = 20;

/** Whether any shape may be in a text: most texts are done with it. */
const ANY =
  /eyJ|A[KS]IA|gh[pousr]_|pat[-_]|xox|xapp-|k_(?:live|test)_|whsec_|hf_|SG\.|sk-|AIza|npm_|bearer|basic|:\/\/|-----BEGIN|\d[ -]?\d[ -]?\d/i;

/** The text without what is a secret by its form alone. */
export function redactShapes(text: string): string {
  if (!ANY.test(text)) return text;
  let clean = text;
  for (const shape of SHAPES) clean = redactShape(clean, shape);
  return redactCards(clean);
}

function redactShape(text: string, { start, rest, least, holds }: Shape): string {
  let clean = "";
  let copied = 0;
  start.lastIndex = 0;
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const begun = start.lastIndex;
    rest.lastIndex = begun;
    const followed = rest.exec(text)?.[0] ?? "";
    const end = begun + followed.length;
    if (followed.length >= least && (holds === undefined || holds(followed))) {
      clean += text.slice(copied, found.index) + (found.groups?.["kept"] ?? "") + REDACTED;
      copied = end;
      start.lastIndex = end;
    } else {
      start.lastIndex = Math.max(begun, end - OVERLAP);
    }
  }
  return copied === 0 ? text : clean + text.slice(copied);
}

/** Not a word of a sentence: with a digit, or long and of both cases. */
function mixed(text: string): boolean {
  return /\d/.test(text) || (text.length >= 20 && /[a-z]/.test(text) && /[A-Z]/.test(text));
}

/** Whether Base64 holds what HTTP's basic authentication sends: a name, a colon, a password. */
function nameAndPassword(text: string): boolean {
  return /^[^\0-\x1f\x7f:]*:[^\0-\x1f\x7f]*$/.test(Buffer.from(text, "base64").toString("latin1"));
}
