import { Buffer } from "node:buffer";
import { KnownSecrets } from "skillctl";

/** The replacement for a secret value, or for a secret part of a text. */
export const REDACTED = "[redacted]";

/** The values of a key that are kept, depending on its name. */
export type Secrecy =
  /** All values. */
  | 0
  /** Numbers, booleans and null are not secrets: `tokens: 12`, `hasToken: true`. */
  | 1
  /** Only booleans and null. */
  | 2;

/** Ends of names whose values are secrets, in lower case without separators. */
const ENDS = [
  ..."token jwt apikey privatekey secretkey accesskey accountkey signingkey encryptionkey".split(" "),
  ..."authorization bearer cookie credential sessid jsessionid connectsid".split(" "),
];
/**
 * The same for values that are secret even as numbers; `pass` and similar words only as whole names, not in `bypass`.
 */
const NUMERIC_ENDS = [
  ..."password passwd pwd passphrase passcode secret otpcode mfacode".split(" "),
  ..."cardnumber cardnum cardno ccnumber creditcard cvv cvc securitycode ^pass ^pw ^otp ^totp".split(" "),
];
/** The text that may follow such an ending. */
const TAIL = "(?:value|string|plain|raw|hash|confirm|confirmation|repeat|header|pem)?\\d*$";

const NUMERIC = new RegExp(`(?:${NUMERIC_ENDS.join("|")})${TAIL}`);
const SECRET = new RegExp(`(?:${[...ENDS, ...NUMERIC_ENDS].join("|")})s?${TAIL}`);

/** A quick test that excludes most names. */
const ANY_NAME = /tok|jwt|key|auth|bear|cook|cred|sess|conn|pass|pwd|sec|code|card|cc|cv|otp|^pw/i;

/** Which values of a key may be secret, judged by its name. */
export function secrecy(name: string): Secrecy {
  if (!ANY_NAME.test(name)) return 0;
  const plain = name.toLowerCase().replace(/[-_.\s:]+/g, "");
  if (NUMERIC.test(plain)) return 2;
  return SECRET.test(plain) ? 1 : 0;
}

/** Names of headers that carry secrets. */
const SECRET_HEADER = "(?:proxy-)?authorization|(?:set-)?cookie|x-[\\w-]{0,64}(?:key|token|secret)";
const WHOLE_HEADER = new RegExp(`^(?:${SECRET_HEADER})$`, "i");

/**
 * Whether an element of a list indicates that the next one is a secret: a pair of name and value, an option of a command
 * line (`["--password", "…"]`), a header in a list of names and values in turn.
 */
export function announces(element: string, next: string, at: number, count: number): boolean {
  if (!/^[\w.-]{1,64}$/.test(element) || secrecy(element) === 0) return false;
  if (/^--?[A-Za-z]/.test(element)) return !next.startsWith("-");
  return at % 2 === 0 && (count === 2 || (count % 2 === 0 && WHOLE_HEADER.test(element)));
}

/** A name, or key, without secrets in it, and which of its values may be secret. */
interface Name {
  readonly clean: string;
  readonly secrecy: Secrecy;
}

/** The number and the length of cached names, since most events have the names of earlier events. */
const MOST_NAMES = 1_000;
const LONGEST_NAME = 64;

/** Removes secrets from texts: secrets with a typical name or form, and known secrets. */
export class Redaction {
  readonly #known = new KnownSecrets(REDACTED);
  readonly #names = new Map<string, Name>();

  constructor(known: readonly string[] = []) {
    this.know(known);
  }

  /** Replaces the list of known secrets of this machine. */
  know(secrets: readonly string[]): void {
    this.#known.know(secrets);
    this.#names.clear();
  }

  name(sent: string): Name {
    let name = this.#names.get(sent);
    if (name) return name;
    name = { clean: this.text(sent), secrecy: secrecy(sent) };
    if (this.#names.size === MOST_NAMES) this.#names.clear();
    if (sent.length <= LONGEST_NAME) this.#names.set(sent, name);
    return name;
  }

  /** The text with each secret replaced by `[redacted]`. Runs in linear time. */
  text(text: string): string {
    return redactForms(redactPairs(this.#known.without(text)));
  }
}

/** A name before a `:` or `=`, and its closing quote, escaped as often as the text was quoted. */
const NAME = /(?<![\w.-])([\w.-]{1,64})(\\*["'])?\s{0,2}([:=])/g;
/** The value after it: up to the same quote, or one word. */
const VALUE = /(\s{0,8})(?:(\\*["'])((?:(?!\2)(?:\\.|[^\\]))+)|([^\s&;,"'<>()[\]{}\\]+))/sy;
/** A word after the name of a token that describes the token: `token=expired`. */
const TOKEN = /^(?=.*\d)(?![\d.]*$).{8}|^.{16}/;
const HEADER = new RegExp(`(?<![\\w-])((?:${SECRET_HEADER})\\s{0,2}:\\s{0,8})[^\\r\\n"'\\\\]+`, "gi");

/**
 * A text without the secrets that follow a name: members of JSON within a text, parts of addresses and
 * forms (`token=…`), headers. Only the value after the name becomes `[redacted]`.
 */
function redactPairs(text: string): string {
  if (!/[:=]/.test(text)) return text;
  let [clean, copied] = ["", 0];
  NAME.lastIndex = 0;
  for (let found = NAME.exec(text); found !== null; found = NAME.exec(text)) {
    const [, name = "", quote, sign] = found;
    const secret = secrecy(name);
    if (secret === 0) continue;
    VALUE.lastIndex = NAME.lastIndex;
    const [all = "", gap = "", opened = "", quoted = "", bare = ""] = VALUE.exec(text) ?? [];
    // In prose, a colon or an equals sign before a space does not precede a secret: `invalid password: too short`.
    const isPart = sign === "=" ? gap === "" : quote !== undefined;
    if (quoted === "" && !(isPart && isSecret(bare, secret === 2))) continue;
    const start = NAME.lastIndex + gap.length + opened.length;
    clean += text.slice(copied, start) + REDACTED;
    copied = NAME.lastIndex += all.length;
  }
  return (clean + text.slice(copied)).replace(HEADER, `$1${REDACTED}`);
}

function isSecret(word: string, always: boolean): boolean {
  if (word === "" || word === REDACTED || /^(?:null|undefined|none|nil|true|false)$/i.test(word))
    return false;
  return always || TOKEN.test(word);
}

/** Secrets by their form: tokens in three parts, keys of AWS, GitHub, GitLab, Slack, Stripe, Hugging Face, SendGrid, OpenAI, Google and npm, private keys. */
const FORMS = new RegExp(
  [
    /(?<![\w-])eyJ[\w-]{8,}\.[\w.~-]{4,}/,
    /A[KS]IA[A-Z0-9]{16,}/,
    /gh[pousr]_[\w.~-]{20,}|github_pat_[\w-]{22,}|glpat-[\w.~-]{16,}/,
    /x(?:ox[a-z]|app)-[\w-]{10,}/,
    /(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}/,
    /(?<![A-Za-z0-9])(?:hf_[A-Za-z0-9]{30,}|SG\.[\w.~-]{60,})/,
    /(?<![\w-])sk-(?=[\w-]*\d)[\w-]{20,}/,
    /AIza[\w-]{35,}|npm_[A-Za-z0-9]{36,}/,
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY[^]*?(?:-----END [A-Z ]{0,40}-----|$)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);
const BEARER = /(bearer\s{1,8})(?=[\w.~+/-]*\d|[\w.~+/-]{20})[\w.~+/-]{8,}=*/gi;
const BASIC = /(basic\s{1,8})([A-Za-z0-9+/]{4,}=*)/gi;
const IN_ADDRESS = /(:\/\/[^\s/?#@:]{0,256}:)[^\s/?#]+(?=@)/g;
/** Digits as cards show them: in one piece, or in groups with one separator; timestamps do not begin with 3 to 6. */
const CARD =
  /(?<![A-Za-z0-9]|\d\.)(?:[3-6]\d{13,18}|[3-6]\d{3}([ -])\d{4}\1\d{4}\1\d{2,7}|3\d{3}([ -])\d{6}\2\d{4,5})(?![A-Za-z0-9]|\.\d)/g;

/** A quick test that excludes most texts. */
const ANY_FORM =
  /eyJ|A[KS]IA|gh[pousr]_|pat[-_]|xox|xapp-|k_(?:live|test)_|whsec_|hf_|SG\.|sk-|AIza|npm_|bearer|basic|:\/\/|-----BEGIN|\d[ -]?\d{3}[ -]?\d/i;

/** The text without secrets that are recognised by their form. */
function redactForms(text: string): string {
  if (!ANY_FORM.test(text)) return text;
  return text
    .replace(FORMS, REDACTED)
    .replace(BEARER, `$1${REDACTED}`)
    .replace(BASIC, (all: string, kept: string, word: string) =>
      isNameAndPassword(word) ? kept + REDACTED : all,
    )
    .replace(IN_ADDRESS, `$1${REDACTED}`)
    .replace(CARD, (digits) => (isCardNumber(digits.replace(/[ -]/g, "")) ? REDACTED : digits));
}

/** Whether Base64 contains the credentials of HTTP basic authentication: a name, a colon, a password. */
function isNameAndPassword(word: string): boolean {
  return /^[^\0-\x1f\x7f:]*:[^\0-\x1f\x7f]*$/.test(Buffer.from(word, "base64").toString("latin1"));
}

/** Whether the check digit of a card number is correct (Luhn). */
function isCardNumber(digits: string): boolean {
  const weighted = [...digits].toReversed().map((digit, place) => Number(digit) * (1 + (place % 2)));
  return weighted.reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0) % 10 === 0;
}
