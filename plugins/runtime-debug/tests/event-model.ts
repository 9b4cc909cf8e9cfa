import fc from "fast-check";
import { ANY_CHARACTER } from "../../../contract-tests/any-character.ts";

/** A part of a JSON string: as it is sent, as it is to be stored, and the text it stands for. */
export interface Piece {
  readonly sent: string;
  readonly stored: string;
  readonly means: string;
}

export type Value =
  | { readonly kind: "plain"; readonly text: string }
  | { readonly kind: "text"; readonly pieces: readonly Piece[] }
  | { readonly kind: "list"; readonly items: readonly Value[] }
  | ObjectValue;

export interface ObjectValue {
  readonly kind: "object";
  readonly members: readonly (readonly [name: readonly Piece[], value: Value])[];
}

/** Characters that are stored escaped, as Unicode names them: controls, what is ignorable, separators of lines, annotations. */
const UNSAFE = /[\x7f-\x9f\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/u;
/** One of each kind, and their neighbours. */
const NEAR = [
  0x7e, 0xa0, 0xad, 0x34f, 0x61c, 0x1160, 0x17b5, 0x180c, 0x200b, 0x2010, 0x202e, 0x202f, 0x2066, 0x3164,
];
const ALSO_NEAR = [
  0xfe00, 0xfe0f, 0xfe10, 0xfeff, 0xfff9, 0xfffc, 0x1bca1, 0x1d175, 0x1d17b, 0xe0041, 0xe01ef, 0xe1000,
];

function unitsEscaped(text: string): string {
  return Array.from({ length: text.length }, (_, place) => {
    return `\\u${text.charCodeAt(place).toString(16).padStart(4, "0")}`;
  }).join("");
}

export function plainPiece(character: string): Piece {
  const unsafe = UNSAFE.test(character);
  return { sent: character, stored: unsafe ? unitsEscaped(character) : character, means: character };
}

function escapePiece(sent: string): Piece {
  return { sent, stored: sent, means: JSON.parse(`"${sent}"`) as string };
}

const unsafeCharacter = fc
  .constantFrom(...NEAR, ...ALSO_NEAR, 0x7f, 0x85, 0x9b, 0x2028, 0x2029)
  .map((code) => {
    return String.fromCodePoint(code);
  });
const character = fc
  .oneof(
    fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
    fc.string({ unit: ANY_CHARACTER, minLength: 1, maxLength: 1 }),
    unsafeCharacter,
  )
  .filter((one) => !/["\\\0-\x1f\p{Surrogate}]/u.test(one));
const hexadecimal = fc
  .oneof(
    fc.integer({ min: 0, max: 0xffff }),
    fc.integer({ min: 0xd800, max: 0xdfff }),
    fc.integer({ min: 0, max: 0xff }),
  )
  .chain((unit) => {
    const digits = unit.toString(16).padStart(4, "0");
    return fc.constantFrom(`\\u${digits}`, `\\u${digits.toUpperCase()}`);
  });
const piece = fc.oneof(
  { weight: 4, arbitrary: character.map(plainPiece) },
  fc.constantFrom(...'"\\/bfnrt').map((letter) => escapePiece(`\\${letter}`)),
  hexadecimal.map(escapePiece),
);
const pieces = fc.array(piece, { maxLength: 12 });

/** Pieces of a text that needs no escape. */
export function piecesOf(text: string): readonly Piece[] {
  return Array.from(text, plainPiece);
}

const NUMBERS = [
  "0",
  "-0",
  "1.0",
  "-1",
  "12",
  "0.1",
  "1e3",
  "1E+3",
  "1e-7",
  "1e400",
  "-1e400",
  "1e-400",
  "0e999",
  "9007199254740991",
];
const LONG_NUMBERS = [
  "9007199254740993",
  "12345678901234567890",
  "0.1234567890123456789",
  "1e23",
  "100000000000000000000000",
  "0.10000000000000001",
];
const plain = fc
  .oneof(
    fc.constantFrom("true", "false", "null", ...NUMBERS, ...LONG_NUMBERS),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
    fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }).map(String),
  )
  .map((text): Value => ({ kind: "plain", text }));

const FIELDS = [
  "sessionId",
  "runId",
  "hypothesisId",
  "location",
  "msg",
  "message",
  "data",
  "ts",
  "timestamp",
  "traceId",
];
const RESERVED = ["_seq", "_at", "_run", "_src", "_flags", "_gap", "__seq"];
const OTHERS = ["", "n", "ab", "abc", "__proto__", "constructor", "toString", "user", "路径", "a b"];
const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...FIELDS, ...OTHERS).map(piecesOf) },
  fc.constantFrom(...RESERVED).map(piecesOf),
  fc
    .constantFrom(...FIELDS, ...RESERVED)
    .map((text) => [escapePiece(unitsEscaped(text.slice(0, 1))), ...piecesOf(text.slice(1))]),
  pieces,
);
const WORDS = ["pre", "post", "pre-fix", "A", "A,D", "auth.ts:42", "[DEBUG] seen", "1766000000000", ""];
const text = fc
  .oneof(fc.constantFrom(...WORDS).map(piecesOf), pieces)
  .map((parts): Value => ({ kind: "text", pieces: parts }));

const { value } = fc.letrec<{ value: Value; list: Value; object: ObjectValue }>((tie) => ({
  value: fc.oneof({ maxDepth: 4, depthSize: "small" }, plain, text, tie("list"), tie("object")),
  list: fc.array(tie("value"), { maxLength: 4 }).map((items): Value => ({ kind: "list", items })),
  object: objects(tie("value"), 4),
}));

function objects(values: fc.Arbitrary<Value>, maxLength: number): fc.Arbitrary<ObjectValue> {
  const member = fc.tuple(name, values);
  return fc.array(member, { maxLength }).map((members): ObjectValue => ({ kind: "object", members }));
}

/** Any event, as a tree of JSON texts. Sessions that could be a path are left out: they are refused. */
export const anyEvent = objects(value, 12)
  .filter(({ members }) => {
    return members.every(([sent, { kind, ...rest }]) => {
      if (meaning(sent) !== "sessionId" || kind !== "text") return true;
      return /^[a-z0-9,:[\] -]*$/i.test(meaning((rest as { pieces: readonly Piece[] }).pieces));
    });
  })
  .map((event) => ({ ...event, [fc.toStringMethod]: () => sentText(event, [""]) }));

export function meaning(parts: readonly Piece[]): string {
  return parts.map(({ means }) => means).join("");
}

/** White space that stands between the tokens of an event, in turn. */
export const anyBlanks = fc.array(fc.constantFrom("", "", "", " ", "\t", "\n", "\r\n"), {
  minLength: 1,
  maxLength: 7,
});

/** JSON text of a value as it is sent. */
export function sentText(one: Value, blanks: readonly string[]): string {
  let turn = 0;
  const blank = (): string => blanks[turn++ % blanks.length] ?? "";
  const written = (part: Value): string => {
    if (part.kind === "plain") return part.text;
    if (part.kind === "text") return quoted(part.pieces);
    if (part.kind === "list")
      return `[${blank()}${part.items.map((item) => written(item) + blank()).join(`,${blank()}`)}]`;
    const members = part.members.map(
      ([sent, of]) => quoted(sent) + blank() + ":" + blank() + written(of) + blank(),
    );
    return `{${blank()}${members.join(`,${blank()}`)}}`;
  };
  return written(one);
}

function quoted(parts: readonly Piece[]): string {
  return `"${parts.map(({ sent }) => sent).join("")}"`;
}
