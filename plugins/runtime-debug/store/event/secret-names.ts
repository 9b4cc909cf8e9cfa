/** What a value becomes, or the part of a text that is a secret. */
export const REDACTED = "[redacted]";

/** Ends of names whose values are secrets, in lower case without separators. */
const ENDS = [
  ..."token jwt apikey privatekey secretkey accesskey accountkey signingkey encryptionkey".split(" "),
  ..."authorization bearer cookie credential sessid jsessionid connectsid".split(" "),
];

/** The same, for values that are secrets as numbers too. */
const NUMERIC_ENDS = [
  ..."password passwd pwd passphrase passcode secret otpcode mfacode".split(" "),
  ..."cardnumber cardnum cardno ccnumber creditcard cvv cvc securitycode".split(" "),
];

/** Whole names; as ends they belong to other words, such as `bypass`. */
const WHOLE = ["pass", "pw", "otp", "totp"];

/** What may follow. */
const SUFFIXES = [
  "value",
  "string",
  "plain",
  "raw",
  "hash",
  "confirm",
  "confirmation",
  "repeat",
  "header",
  "pem",
];

/** What is kept of a value because of its name. */
export type Secrecy =
  /** All of it. */
  | 0
  /** Numbers, booleans and null: `tokens: 12` counts, `hasToken: true` says. */
  | 1
  /** Booleans and null. */
  | 2;

const SEPARATORS = /[-_.\s:]+/g;
const TAIL = `(?:${SUFFIXES.join("|")})?\\d*$`;
const NUMERIC = new RegExp(`(?:(?:${NUMERIC_ENDS.join("|")})|^(?:${WHOLE.join("|")}))${TAIL}`);
const SECRET = new RegExp(`(?:${[...ENDS, ...NUMERIC_ENDS].join("|")})s?${TAIL}`);

/** Programs send the same few names over and over. */
const MOST_KNOWN = 2000;
const LONGEST_KNOWN = 64;
const known = new Map<string, Secrecy>();

/** How much of the value of a key may be a secret, by the key's name. */
export function secrecy(name: string): Secrecy {
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = judged(name);
  if (name.length <= LONGEST_KNOWN && known.size < MOST_KNOWN) known.set(name, found);
  return found;
}

function judged(name: string): Secrecy {
  const plain = name.toLowerCase().replace(SEPARATORS, "");
  if (NUMERIC.test(plain)) return 2;
  return SECRET.test(plain) ? 1 : 0;
}

/** Names of headers that carry secrets. */
export const SECRET_HEADER = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]*(?:key|token|secret))$/i;

/**
 * Whether an element of a list says that the next one is a secret: a pair of name and value, an option of a command
 * line (`["--password", "…"]`), a header in a list of names and values in turn.
 */
export function announces(element: string, next: string, at: number, count: number): boolean {
  if (!/^[\w.-]{1,64}$/.test(element) || secrecy(element) === 0) return false;
  if (/^--?[A-Za-z]/.test(element)) return !next.startsWith("-");
  if (at % 2 !== 0) return false;
  return count === 2 || (count % 2 === 0 && SECRET_HEADER.test(element));
}
