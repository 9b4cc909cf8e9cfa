/** The minimum length of a secret, in characters and in letters and digits: shorter ones could be ordinary words. */
const SHORTEST = 8;

/** A place in a text: from `start` up to `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces known secrets in texts. Only letters and digits are compared, in any letter case, so that punctuation, spaces, line
 * ends, invisible characters and backslashes between them hide nothing. Escapes of JSON, URLs (`%61`, `%2561`) and HTML
 * (`&#97;`) are decoded; Base64 at any offset, hexadecimal digits and the reversed secret are found too. Takes time in
 * proportion to the length of the text.
 */
export class KnownSecrets {
  #secrets: readonly string[] = [];
  /** Letters and digits of each form. */
  #forms: readonly string[] = [];
  /** Secrets with too few letters and digits, which are only found literally. */
  #literals: readonly string[] = [];
  #shortest = Number.POSITIVE_INFINITY;

  /** `mark` replaces each secret. */
  constructor(
    private readonly mark: string,
    secrets: readonly string[] = [],
  ) {
    this.know(secrets);
  }

  /** Replaces the list of secrets. Secrets of fewer than 8 characters are ignored. */
  know(secrets: readonly string[]): void {
    const known = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST);
    if (known.length === this.#secrets.length && known.every((each, at) => each === this.#secrets[at]))
      return;
    const isLong = (text: string): boolean => text.length >= SHORTEST;
    this.#secrets = known;
    this.#forms = [...new Set(known.flatMap(formsOf))].filter(isLong);
    this.#literals = known.filter((secret) => !isLong(lettersOf(secret)));
    this.#shortest = Math.min(...[...this.#forms, ...this.#literals].map(({ length }) => length));
  }

  /** Returns the text with the mark in place of each secret. */
  without(text: string): string {
    if (text.length < this.#shortest) return text;
    let clean = "";
    let from = 0;
    for (const { start, end } of this.#spansIn(text)) {
      if (start > from || from === 0) clean += text.slice(from, start) + this.mark;
      from = Math.max(from, end);
    }
    return from === 0 ? text : clean + text.slice(from);
  }

  /** In the order of the text; they may overlap. */
  #spansIn(text: string): readonly Span[] {
    const found = lettersOf(text);
    const spans: Span[] = [];
    const forms = this.#forms.filter((form) => found.includes(form));
    if (forms.length > 0) {
      const starts = new Uint32Array(found.length);
      const ends = new Uint32Array(found.length);
      let count = 0;
      lettersOf(text, (start, end) => {
        starts[count] = start;
        ends[count] = end;
        count += 1;
      });
      for (const form of forms)
        for (const at of placesOf(form, found))
          spans.push({ start: starts[at] ?? 0, end: ends[at + form.length - 1] ?? text.length });
    }
    for (const secret of this.#literals)
      for (const start of placesOf(secret, text)) spans.push({ start, end: start + secret.length });
    return spans.toSorted((one, other) => one.start - other.start);
  }
}

/** The letters and digits of every form in which a secret is looked for. */
function formsOf(secret: string): readonly string[] {
  const bytes = utf8(secret);
  const base64 = [0, 1, 2].map((shift) => {
    const whole = base64Url([...Array.from({ length: shift }, () => 0), ...bytes]);
    // The first and last character may contain bits of the neighbouring bytes.
    return whole.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + bytes.length) * 4) / 3));
  });
  const plain = lettersOf(secret);
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [plain, [...plain].toReversed().join(""), hex, ...base64.map(lettersAlone)];
}

// Skills compile against this file without the types of Node, so neither UTF-8 nor Base64 is encoded with Buffer.
function utf8(text: string): readonly number[] {
  const written = encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, ""));
  return [...written.matchAll(/%(..)|[^%]/g)].map(([char, hex]) =>
    hex === undefined ? char.charCodeAt(0) : Number.parseInt(hex, 16),
  );
}

const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function base64Url(bytes: readonly number[]): string {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,6}/g) ?? [];
  return groups.map((group) => SIGNS.charAt(Number.parseInt(group.padEnd(6, "0"), 2))).join("");
}

/** The letters and digits of Base64, which contains no escapes. */
function lettersAlone(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
}

function placesOf(part: string, whole: string): readonly number[] {
  const places: number[] = [];
  for (let at = whole.indexOf(part); at !== -1; at = whole.indexOf(part, at + part.length)) places.push(at);
  return places;
}

const [PERCENT, AND, BACKSLASH] = [0x25, 0x26, 0x5c];
/** The class of each ASCII character: a letter in lower case or a digit, an escape, or nothing. */
const [ESCAPE, NOTHING] = [1, 0];
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === PERCENT || code === AND || code === BACKSLASH) return ESCAPE;
  const sign = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(sign) ? sign.charCodeAt(0) : NOTHING;
});
/** The number of letters that are converted to text at once. */
const PIECE = 4096;
const piece = new Uint16Array(PIECE);

/** The letters and digits of a text, in lower case; `at` receives the start and end of each of them. */
function lettersOf(text: string, at?: (start: number, end: number) => void): string {
  let found = "";
  let count = 0;
  for (let start = 0, end = 0; start < text.length; start = end) {
    let kind = KINDS[text.charCodeAt(start)] ?? NOTHING;
    end = start + 1;
    if (kind === ESCAPE) {
      const escape = escapeAt(text, start);
      end = escape.end;
      kind = escape.end === start + 1 ? NOTHING : (KINDS[escape.code] ?? NOTHING);
    }
    if (kind === NOTHING || kind === ESCAPE) continue;
    piece[count] = kind;
    count += 1;
    at?.(start, end);
    if (count < PIECE) continue;
    found += textOf(PIECE);
    count = 0;
  }
  return found + textOf(count);
}

function textOf(count: number): string {
  return Reflect.apply(String.fromCharCode, undefined, piece.subarray(0, count));
}

const HTML_ESCAPE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|amp|lt|gt|quot|apos);/iy;

/** The character of the escape at a place, and the end of the escape; without an escape the character at the place. */
function escapeAt(text: string, at: number): { readonly code: number; readonly end: number } {
  const sign = text.charCodeAt(at);
  const next = text.charAt(at + 1);
  if (sign === PERCENT) {
    let digits = at + 1;
    // Encoded more than once: %2561 is %61.
    while (text.startsWith("25", digits) && hexadecimal(text, digits + 2, 2) !== undefined) digits += 2;
    const code = hexadecimal(text, digits, 2);
    return code === undefined ? { code: sign, end: at + 1 } : { code, end: digits + 2 };
  }
  if (sign === BACKSLASH) {
    const length = next === "u" ? 4 : 2;
    const code = next === "u" || next === "x" ? hexadecimal(text, at + 2, length) : undefined;
    return code === undefined ? { code: sign, end: at + 1 } : { code, end: at + 2 + length };
  }
  HTML_ESCAPE.lastIndex = at;
  const [all = "", decimal, hex] = HTML_ESCAPE.exec(text) ?? [];
  const code = decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : sign;
  return { code, end: at + Math.max(1, all.length) };
}

const NO_DIGIT = 255;
/** The value of each ASCII character as a hexadecimal digit. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? NO_DIGIT : value;
});

function hexadecimal(text: string, at: number, length: number): number | undefined {
  let value = 0;
  for (let place = at; place < at + length; place += 1) {
    const digit = DIGITS[text.charCodeAt(place)] ?? NO_DIGIT;
    if (digit === NO_DIGIT) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

/** The characters of a token in three parts (RFC 7515, section 3.1) and the dots between them. */
const SIGNED = /[\w.-]+/g;
const SHORTEST_PART = 5;

/** Returns the text with a mark in place of each signed token (JSON Web Token), such as one pasted by mistake. */
export function withoutSignedTokens(text: string, mark: string): string {
  if (!text.includes("eyJ")) return text;
  return text.replaceAll(SIGNED, (run) => {
    const parts = run.split(".");
    let [clean, at] = ["", 0];
    while (at < parts.length) {
      const [head = "", payload = "", signature] = parts.slice(at, at + 3);
      const start = head.indexOf("eyJ");
      const isToken =
        start !== -1 &&
        head.length - start >= 3 + SHORTEST_PART &&
        payload.length >= SHORTEST_PART &&
        signature !== undefined;
      const shown = isToken ? head.slice(0, start) + mark : head;
      clean += (at === 0 ? "" : ".") + shown;
      at += isToken ? 3 : 1;
    }
    return clean;
  });
}
