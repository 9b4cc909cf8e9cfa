/** Bytes that JSON gives a meaning. */
export const LINE_FEED = 0x0a;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const ZERO = 0x30;
export const ONE = 0x31;
export const NINE = 0x39;
export const COLON = 0x3a;
export const AT = 0x40;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const SMALL_N = 0x6e;
export const SMALL_U = 0x75;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** What a byte inside a string is. */
export const IN_STRING = { plain: 0, quote: 1, escape: 2, control: 3, high: 4, hint: 5 } as const;

/** What a byte is outside strings. */
export const TOKEN = { none: 0, string: 1, number: 2, literal: 3, object: 4, array: 5 } as const;

/** `IN_STRING` of each byte; `hint` where a secret may show itself (`secret-hints.ts`). */
export const STRING_CLASS = table((byte) => {
  if (byte === QUOTE) return IN_STRING.quote;
  if (byte === BACKSLASH) return IN_STRING.escape;
  if (byte < SPACE) return IN_STRING.control;
  if (byte >= 0x7f) return IN_STRING.high;
  return "JIG_-@:=23456Bb".includes(String.fromCharCode(byte)) ? IN_STRING.hint : IN_STRING.plain;
});

/** 1 for what ends the plain part of a key: its quote, an escape, a control character, a byte beyond ASCII. */
export const KEY_CLASS = table((byte) =>
  Number(byte === QUOTE || byte === BACKSLASH || byte < SPACE || byte >= 0x7f),
);

/** `TOKEN` that begins with a byte. */
export const TOKEN_CLASS = table((byte) => {
  if (byte === QUOTE) return TOKEN.string;
  if (byte === MINUS || (byte >= ZERO && byte <= NINE)) return TOKEN.number;
  if ("tfn".includes(String.fromCharCode(byte))) return TOKEN.literal;
  if (byte === OPEN_OBJECT) return TOKEN.object;
  return byte === OPEN_ARRAY ? TOKEN.array : TOKEN.none;
});

/** 1 for what may follow a backslash beside `u`. */
export const ESCAPABLE = table((byte) => Number('"\\/bfnrt'.includes(String.fromCharCode(byte))));

/** 1 for hexadecimal digits. */
export const HEX = table((byte) => Number(/[0-9a-f]/i.test(String.fromCharCode(byte))));

/** 1 for JSON's white space. */
export const BLANK = table((byte) => Number(" \t\n\r".includes(String.fromCharCode(byte))));

/** 1 for 0 to 9. */
export const DIGIT = table((byte) => Number(byte >= ZERO && byte <= NINE));

/** A value for each byte. */
function table(of: (byte: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => of(byte));
}
