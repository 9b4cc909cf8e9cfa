/** What a value becomes, or the part of a text that is a secret. */
export const REDACTED = "[redacted]";

/** What is kept of a value because of its name. */
export type Secrecy =
  /** All of it. */
  | 0
  /** Numbers, booleans and null: `tokens: 12` counts, `hasToken: true` says. */
  | 1
  /** Booleans and null. */
  | 2;

/** Ends of names whose values are secrets, in lower case without separators. */
const ENDS = [
  ..."token jwt apikey privatekey secretkey accesskey accountkey signingkey encryptionkey".split(" "),
  ..."authorization bearer cookie credential sessid jsessionid connectsid".split(" "),
];
/** The same, for values that are secrets as numbers too; `pass` and its like only as whole names, not in `bypass`. */
const NUMERIC_ENDS = [
  ..."password passwd pwd passphrase passcode secret otpcode mfacode".split(" "),
  ..."cardnumber cardnum cardno ccnumber creditcard cvv cvc securitycode ^pass ^pw ^otp ^totp".split(" "),
];
/** What may follow. */
const TAIL = "(?:value|string|plain|raw|hash|confirm|confirmation|repeat|header|pem)?\\d*$";

const NUMERIC = new RegExp(`(?:${NUMERIC_ENDS.join("|")})${TAIL}`);
const SECRET = new RegExp(`(?:${[...ENDS, ...NUMERIC_ENDS].join("|")})s?${TAIL}`);

/** Most names are done with it. */
const ANY = /tok|jwt|key|auth|bear|cook|cred|sess|conn|pass|pwd|sec|code|card|cc|cv|otp|^pw/i;

/** How much of the value of a key may be a secret, by the key's name. */
export function secrecy(name: string): Secrecy {
  if (!ANY.test(name)) return 0;
  const plain = name.toLowerCase().replace(/[-_.\s:]+/g, "");
  if (NUMERIC.test(plain)) return 2;
  return SECRET.test(plain) ? 1 : 0;
}

/** Names of headers that carry secrets. */
export const SECRET_HEADER = "(?:proxy-)?authorization|(?:set-)?cookie|x-[\\w-]{0,64}(?:key|token|secret)";
const WHOLE_HEADER = new RegExp(`^(?:${SECRET_HEADER})$`, "i");

/**
 * Whether an element of a list says that the next one is a secret: a pair of name and value, an option of a command
 * line (`["--password", "…"]`), a header in a list of names and values in turn.
 */
export function announces(element: string, next: string, at: number, count: number): boolean {
  if (!/^[\w.-]{1,64}$/.test(element) || secrecy(element) === 0) return false;
  if (/^--?[A-Za-z]/.test(element)) return !next.startsWith("-");
  return at % 2 === 0 && (count === 2 || (count % 2 === 0 && WHOLE_HEADER.test(element)));
}
