import { REDACTED } from "./secret-names.ts";
import { redactText } from "./secret-texts.ts";

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
