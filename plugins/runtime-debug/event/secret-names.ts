/** What a value becomes, or the part of a text that is a secret. */
export const REDACTED = "[redacted]";

/** Ends of names whose values are secrets, in lower case without separators; a plural `s` may follow. */
const ENDS: readonly string[] = [
  "password",
  "passwd",
  "pwd",
  "passphrase",
  "passcode",
  "secret",
  "token",
  "jwt",
  "apikey",
  "privatekey",
  "secretkey",
  "accesskey",
  "signingkey",
  "encryptionkey",
  "authorization",
  "authheader",
  "cookie",
  "credential",
  "sessid",
  "jsessionid",
  "connectsid",
];

/** The same, for values that are secrets as numbers too. */
const NUMERIC_ENDS: readonly string[] = [
  "cardnumber",
  "cardnum",
  "cardno",
  "ccnumber",
  "creditcard",
  "cvv",
  "cvv2",
  "cvc",
  "securitycode",
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
const WHOLE: ReadonlySet<string> = new Set(["pass"]);
const SECRET = ending(ENDS);
const NUMERIC = ending(NUMERIC_ENDS);

/** How much of the value of a key may be a secret, by the key's name. */
export function secrecy(name: string): Secrecy {
  const plain = name.toLowerCase().replace(SEPARATORS, "");
  if (NUMERIC.test(plain)) return 2;
  return SECRET.test(plain) || WHOLE.has(plain) ? 1 : 0;
}

function ending(names: readonly string[]): RegExp {
  return new RegExp(`(?:${names.join("|")})s?$`);
}
