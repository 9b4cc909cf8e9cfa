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

/** By the last two letters of a name, five bits each: 1 where it may be a secret's. */
const LAST_LETTERS = new Uint8Array(1024);
for (const end of [...ENDS, ...NUMERIC_ENDS, ...WHOLE, ...SUFFIXES]) {
  for (const form of [end, `${end}s`])
    LAST_LETTERS[pair(form.charCodeAt(form.length - 2), form.charCodeAt(form.length - 1))] = 1;
}

/** Whether a name that ends in these two bytes may be a secret's. A digit or a separator can follow any. */
export function mayEndSecretName(before: number, last: number): boolean {
  if (!isLetter(last)) return isPartOfName(last);
  return isLetter(before) ? LAST_LETTERS[pair(before, last)] === 1 : isPartOfName(before);
}

function pair(before: number, last: number): number {
  return ((before & 31) << 5) | (last & 31);
}

function isLetter(byte: number): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

/** A digit, `-`, `.` or `_`. */
function isPartOfName(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x5f;
}
