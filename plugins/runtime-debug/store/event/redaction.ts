import { REDACTED, SECRET_HEADER, secrecy, type Secrecy } from "./secret-names.ts";

/** A shorter secret would be taken for words of a text. */
const SHORTEST = 8;
/** So many names and texts are remembered, and none that is longer. */
const MOST_KNOWN = 2_000;
const LONGEST_KNOWN = 80;

/** Takes secrets out of texts: those with a name or a form, and those whose text is known. */
export class Redaction {
  #known = "";
  #patterns: readonly RegExp[] = [];
  /** Programs send the same few names and texts over and over: those in which nothing was found. */
  readonly #plain = new Set<string>();

  constructor(known: readonly string[] = []) {
    this.know(known);
  }

  /** Secrets that this machine holds now: they are found as they are, in percent-encoding and in Base64. */
  know(secrets: readonly string[]): void {
    const known = secrets.filter((secret) => secret.length >= SHORTEST);
    if (known.join("\n") === this.#known) return;
    this.#known = known.join("\n");
    this.#patterns = known.map(patternOf);
    this.#plain.clear();
  }

  /** Whether there is no secret in a text. */
  isPlain(text: string): boolean {
    if (this.#plain.has(text)) return true;
    const isPlain = this.text(text) === text;
    if (isPlain && text.length <= LONGEST_KNOWN) {
      if (this.#plain.size === MOST_KNOWN) this.#plain.clear();
      this.#plain.add(text);
    }
    return isPlain;
  }

  /** The text without the secrets in it: each becomes `[redacted]`, what is around it stays. Takes time in line with the length. */
  text(text: string): string {
    let clean = text;
    for (const pattern of this.#patterns) clean = clean.replace(pattern, REDACTED);
    return redactText(clean);
  }
}

function patternOf(secret: string): RegExp {
  const percent = [...Buffer.from(secret)].map((byte) => {
    const [high = "", low = ""] = byte.toString(16).padStart(2, "0");
    return `(?:${literal(String.fromCharCode(byte))}|%${either(high)}${either(low)})`;
  });
  return new RegExp([percent.join(""), ...base64Of(secret)].join("|"), "g");
}

/** What is the same of a secret's Base64 whatever stands before and after it: one text for each of three places. */
function base64Of(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64url");
    const own = whole.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + bytes.length) * 4) / 3));
    return own.replaceAll("-", "[-+]").replaceAll("_", "[_/]");
  });
}

function either(digit: string): string {
  return /[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit;
}

function literal(character: string): string {
  return character.replace(/[^\w]/, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** The text without the secrets that are told by a name before them or by their form. Takes time in line with the length. */
function redactText(text: string): string {
  return redactShapes(redactPairs(text));
}

/** What may stand before a `:` or `=`: a name, and the quote it ends with, escaped as often as the text was quoted. */
const NAME = /([\w.-]{1,64})(\\*["'])?\s{0,2}$/;
const LONGEST_NAME = 80;
const SIGN = /(?<=[\w.\-"'\s])[:=]/g;
const GAP = /\s{0,8}/y;
const QUOTE = /\\*["']/y;
const BARE = /[^\s&;,"'<>()[\]{}\\]*/y;
const LINE = /[^\r\n"'\\]*/y;
/** A word behind the name of a token that is no token says something about it: `token=expired`. */
const TOKEN = /^(?=.*\d)(?![\d.]*$).{8}|^.{16}/;

/**
 * A text without the secrets that a name in it announces: members of JSON that is a text itself, parts of addresses and
 * forms (`token=…`), headers. Only what is behind the name becomes `[redacted]`.
 */
function redactPairs(text: string): string {
  let clean = "";
  let copied = 0;
  SIGN.lastIndex = 0;
  for (let sign = SIGN.exec(text); sign !== null; sign = SIGN.exec(text)) {
    const [found, name = "", quote] =
      NAME.exec(text.slice(Math.max(copied, sign.index - LONGEST_NAME), sign.index)) ?? [];
    const secret = found === undefined ? 0 : secrecy(name);
    if (secret === 0) continue;
    const value = valueAt(text, SIGN.lastIndex, quote, sign[0] === "=", name);
    if (value === undefined || !isSecret(text.slice(value.start, value.end), secret, value.quoted)) continue;
    clean += text.slice(copied, value.start) + REDACTED;
    copied = value.end;
    SIGN.lastIndex = value.end;
  }
  return copied === 0 ? text : clean + text.slice(copied);
}

interface ValuePlace {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

function valueAt(
  text: string,
  at: number,
  quote: string | undefined,
  equals: boolean,
  name: string,
): ValuePlace | undefined {
  const start = at + matched(GAP, text, at).length;
  const opened = matched(QUOTE, text, start);
  if (opened !== "") {
    const from = start + opened.length;
    return { start: from, end: closed(text, from, opened), quoted: true };
  }
  const rest = equals || quote !== undefined ? BARE : SECRET_HEADER.test(name) ? LINE : undefined;
  if (rest === undefined || (equals && start > at)) return undefined;
  return { start, end: start + matched(rest, text, start).length, quoted: rest === LINE };
}

/**
 * Where a quoted value ends, or the text with it. Quoting doubles the backslashes before a quote and adds one: the closing
 * quote has as many as the opening one, and what else is before it comes in even portions.
 */
function closed(text: string, from: number, opened: string): number {
  const depth = opened.length - 1;
  for (let at = text.indexOf(opened.slice(-1), from); at >= 0; at = text.indexOf(opened.slice(-1), at + 1)) {
    let slashes = 0;
    while (at - slashes > from && text[at - slashes - 1] === "\\") slashes++;
    if (slashes >= depth && (slashes - depth) % (2 * opened.length) === 0) return at - depth;
  }
  return text.length;
}

function isSecret(value: string, secret: Secrecy, quoted: boolean): boolean {
  if (value === "" || value === REDACTED) return false;
  if (quoted) return true;
  if (/^(?:null|undefined|none|nil|true|false)$/i.test(value)) return false;
  if (secret === 2) return true;
  return TOKEN.test(value);
}

function matched(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

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
function redactShapes(text: string): string {
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

/** Digits as cards show them: in one piece, or in groups with one separator. */
const DIGITS =
  /(?<![A-Za-z0-9]|\d\.)(?:\d{14,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{2,7}|\d{4}([ -])\d{6}\2\d{4,5})(?![A-Za-z0-9]|\.\d)/g;
const GROUP = 4;

/** Numbers of the networks that issue cards, by length: Visa, Mastercard, Discover, JCB, UnionPay, American Express, Diners. */
const NETWORKS: readonly RegExp[] = [
  /^4(?:\d{15}|\d{18})$/,
  /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/,
  /^(?:6011|65\d\d|64[4-9]\d|35(?:2[89]|[3-8]\d))\d{12}$/,
  /^62\d{14,17}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|[68]\d)\d{11}$/,
];

/** The text without the numbers of cards in it. */
function redactCards(text: string): string {
  let clean = "";
  let copied = 0;
  DIGITS.lastIndex = 0;
  for (let found = DIGITS.exec(text); found !== null; found = DIGITS.exec(text)) {
    if (isCardNumber(found[0].replace(/[ -]/g, ""))) {
      clean += text.slice(copied, found.index) + REDACTED;
      copied = DIGITS.lastIndex;
    } else if (found[1] ?? found[2]) {
      // A card can begin with the next group.
      DIGITS.lastIndex = found.index + GROUP;
    }
  }
  return copied === 0 ? text : clean + text.slice(copied);
}

/** Whether digits are a card's number: of a network, and right by its check digit (Luhn). Times and counts are not. */
function isCardNumber(digits: string): boolean {
  return NETWORKS.some((network) => network.test(digits)) && luhn(digits) % 10 === 0;
}

function luhn(digits: string): number {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const weighted = place % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum;
}
