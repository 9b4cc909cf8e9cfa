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
export const STRING_CLASS = table().fill(IN_STRING.control, 0, SPACE).fill(IN_STRING.high, 0x7f);
mark(STRING_CLASS, "JIG_-@:=23456Bb", IN_STRING.hint);
mark(STRING_CLASS, '"', IN_STRING.quote);
mark(STRING_CLASS, "\\", IN_STRING.escape);

/** 1 for what ends the plain part of a key: its quote, an escape, a control character, a byte beyond ASCII. */
export const KEY_CLASS = table().fill(1, 0, SPACE).fill(1, 0x7f);
mark(KEY_CLASS, '"\\', 1);

/** `TOKEN` that begins with a byte. */
export const TOKEN_CLASS = table();
mark(TOKEN_CLASS, '"', TOKEN.string);
mark(TOKEN_CLASS, "-0123456789", TOKEN.number);
mark(TOKEN_CLASS, "tfn", TOKEN.literal);
mark(TOKEN_CLASS, "{", TOKEN.object);
mark(TOKEN_CLASS, "[", TOKEN.array);

/** 1 for what may follow a backslash beside `u`. */
export const ESCAPABLE = table();
mark(ESCAPABLE, '"\\/bfnrt', 1);

/** 1 for hexadecimal digits. */
export const HEX = table();
mark(HEX, "0123456789abcdefABCDEF", 1);

/** 1 for JSON's white space. */
export const BLANK = table();
mark(BLANK, " \t\n\r", 1);

/** 1 for 0 to 9. */
export const DIGIT = table();
mark(DIGIT, "0123456789", 1);

/** A value for each byte, 0 at first. */
function table(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(256);
}

function mark(values: Uint8Array, characters: string, value: number): void {
  for (let at = 0; at < characters.length; at++) values[characters.charCodeAt(at)] = value;
}
