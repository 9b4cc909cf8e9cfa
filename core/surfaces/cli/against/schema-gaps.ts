import { within } from "../../../schema/bounded.ts";
import { pointerOf } from "../../../schema/fault.ts";
import { INSTRUCTIONS, equal, isObject } from "../../../schema/json.ts";
import { referred } from "../../../schema/references.ts";
import type { JsonSchema } from "../../../schema/schemas.ts";

/** A reason why a value that fits one schema, the given one, may not fit another, the wanted one. */
export interface Gap {
  /** JSON pointer into the value; `*` stands for every item or every further property. */
  readonly at: string;
  readonly keyword: string;
  /** The keyword in both schemas; undefined where it is missing. Of `enum`, the given values that are not wanted. */
  readonly given: unknown;
  readonly wanted: unknown;
  /** Whether there is such a value. Otherwise there may be one. */
  readonly isProved: boolean;
}

/** A schema, and its place in its document. */
interface Piece {
  readonly schema: unknown;
  readonly at: string;
}

/** Schemas that apply together, without references and choices. */
interface Case {
  readonly pieces: readonly (Piece & { readonly schema: JsonSchema })[];
  readonly types: readonly string[];
  /** The values that they list. */
  readonly values: readonly unknown[] | undefined;
}

/** A schema as a choice of cases. If it is not exact, some of their values do not fit the schema. */
interface Choice {
  readonly cases: readonly Case[];
  readonly isExact: boolean;
}

/** Numbers are split into integers and fractions, so that no two types have a value in common. */
const TYPES = ["null", "boolean", "object", "array", "string", "integer", "fraction"];
/** Keywords that refuse no value, or that split a schema into cases. */
const PLAIN = new Set(
  "$schema $id $comment $defs $anchor title description examples default deprecated readOnly writeOnly secret x-mcp-header $ref allOf anyOf oneOf".split(
    " ",
  ),
);
/** Keywords that are compared by their meaning. Any other one is compared by equality. */
const READ = new Set(
  "patternProperties type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems items prefixItems properties additionalProperties required minProperties maxProperties".split(
    " ",
  ),
);
const MOST_CASES = 64;
const MOST_STEPS = 20_000;
const MOST_MS = 5_000;

/** The reasons why a value that fits `given` may not fit `wanted`. Empty only if every such value fits. */
export function gapsBetween(given: JsonSchema, wanted: JsonSchema): readonly Gap[] {
  const gaps = new Map<string, Gap>();
  const isDone = within(MOST_MS, () => {
    for (const gap of new Inclusion(given, wanted).gaps()) {
      const key = `${gap.keyword} ${gap.at}`;
      if (gaps.get(key)?.isProved !== true) gaps.set(key, gap);
    }
  });
  return isDone ? [...gaps.values()] : [{ at: "", keyword: "(whole)", given, wanted, isProved: false }];
}

/** Adds a gap at the place that is being compared, or below it. */
type Note = (keyword: string, isProved: boolean, given?: unknown, wanted?: unknown, below?: string) => void;

class Inclusion {
  /** Pairs of places that are being compared: a schema may refer to itself. */
  readonly #open = new Set<string>();
  #steps = 0;

  constructor(
    private readonly given: JsonSchema,
    private readonly wanted: JsonSchema,
  ) {}

  gaps(): readonly Gap[] {
    return this.#between([{ schema: this.given, at: "" }], [{ schema: this.wanted, at: "" }], "");
  }

  #between(given: readonly Piece[], wanted: readonly Piece[], at: string): readonly Gap[] {
    const key = [given, wanted].map((pieces) => pieces.map((piece) => piece.at).join()).join("|");
    if (this.#open.has(key)) return [];
    const [one, other] = [given, wanted].map((pieces) => pieces.map(({ schema }) => schema));
    const whole = { at, given: one, wanted: other, isProved: false };
    if ((this.#steps += 1) > MOST_STEPS) return [{ ...whole, keyword: "(whole)" }];
    const [from, to] = [choiceOf(given, this.given), choiceOf(wanted, this.wanted)];
    this.#open.add(key);
    const gaps = from.cases.flatMap((one) => one.types.flatMap((type) => this.#ofType(type, one, to, at)));
    this.#open.delete(key);
    // Nothing is known about values that fit two branches.
    if (!to.isExact && gaps.length === 0 && !this.#isSame(one, other))
      return [{ ...whole, keyword: "oneOf" }];
    return from.isExact ? gaps : gaps.map(doubted);
  }

  /** The values of one type in a case. */
  #ofType(type: string, given: Case, { cases }: Choice, at: string): readonly Gap[] {
    const sameType = cases.filter(({ types }) => types.includes(type));
    const [first] = sameType;
    // An unread keyword may exclude exactly the values of a gap.
    const isSure = !unread(given).some(([keyword]) => keyword !== "pattern");
    const isListed = type === "integer" && sameType.some((one) => one.values);
    const values = given.values ?? FEW[type] ?? (isListed ? wholeNumbers(given) : undefined);
    if (!first)
      return [{ at, keyword: "type", given: typeNames([given]), wanted: typeNames(cases), isProved: isSure }];
    if (values) {
      const odd = values.filter(
        (value) => typeOf(value) === type && !sameType.some((one) => fits(value, one) === true),
      );
      const isProved = isSure && odd.some((value) => sameType.every((one) => fits(value, one) === false));
      return odd.length === 0 ? [] : [{ at, keyword: "enum", given: odd, wanted: first.values, isProved }];
    }
    const near = sameType.filter((one) => !areDisjoint(given, one));
    const attempts = (near.length > 0 ? near : [first]).map((one) => this.#toCase(type, given, one, at));
    const least = attempts.reduce((best, gaps) => (gaps.length < best.length ? gaps : best));
    // Together, cases may accept values that no single case accepts.
    return attempts.length > 1 ? least.map(doubted) : least;
  }

  #toCase(type: string, given: Case, wanted: Case, at: string): readonly Gap[] {
    const gaps: Gap[] = [];
    const note: Note = (keyword, isProved, one, other, below = "") =>
      void gaps.push({ at: at + below, keyword, given: one, wanted: other, isProved });
    if (wanted.values) note("enum", !["object", "array"].includes(type), undefined, wanted.values);
    for (const [keyword, value] of unread(wanted))
      if (!unread(given).some((one) => this.#isSame(one, [keyword, value])))
        note(keyword, false, all(given, keyword)[0], value);
    for (const [keyword, of, isLower] of LIMITS) {
      const [one, other] = [limitOf(given, keyword, isLower), limitOf(wanted, keyword, isLower)];
      if (of === type && all(wanted, keyword).length > 0 && (isLower ? one < other : one > other))
        note(keyword, true, all(given, keyword)[0], other);
    }
    if (type === "integer" || type === "fraction") compareNumbers(type, given, wanted, note);
    if (type === "array") gaps.push(...this.#items(given, wanted, at, note));
    if (type === "object") gaps.push(...this.#members(given, wanted, at, note));
    return unread(given).length > 0 ? gaps.map(doubted) : gaps;
  }

  #items(given: Case, wanted: Case, at: string, note: Note): readonly Gap[] {
    const isUnique = (one: Case): boolean => all(one, "uniqueItems").includes(true);
    if (isUnique(wanted) && !isUnique(given))
      note("uniqueItems", limitOf(given, "maxItems", false) > 1, false, true);
    const lists = [given, wanted].flatMap((one) => all(one, "prefixItems") as unknown[][]);
    const count = Math.max(0, ...lists.map((list) => list.length));
    return [...Array(count).keys(), "*" as const]
      .filter((place) => limitOf(given, "maxItems", false) > (place === "*" ? count : place))
      .flatMap((place) => this.#part(itemAt(given, place), itemAt(wanted, place), `${at}/${place}`, "items"));
  }

  #members(given: Case, wanted: Case, at: string, note: Note): readonly Gap[] {
    const [one, other] = [given, wanted].map(({ pieces }) => pieces.map(({ schema }) => schema));
    const isPatterned = [given, wanted].some((side) => all(side, "patternProperties").length > 0);
    if (isPatterned && !this.#isSame(one, other)) note("patternProperties", false, one, other);
    const required = all(given, "required").flat();
    for (const name of all(wanted, "required").flat() as string[])
      if (!required.includes(name))
        note("required", all(given, "minProperties").length === 0, false, true, pointerOf(name));
    const names = new Set([given, wanted].flatMap(namesIn));
    return [...names, undefined].flatMap((name) =>
      this.#part(
        memberAt(given, name),
        memberAt(wanted, name),
        at + (name === undefined ? "/*" : pointerOf(name)),
        "additionalProperties",
      ),
    );
  }

  /** Whether two parts of the schemas have the same text, including everything that they refer to. */
  #isSame(one: unknown, other: unknown, seen: readonly string[] = []): boolean {
    if (!equal(one, other)) return false;
    const references = [...(JSON.stringify(one) ?? "").matchAll(/"\$ref":"([^"]*)"/g)].map(
      ([, to]) => to ?? "",
    );
    return references.every(
      (to) =>
        seen.includes(to) || this.#isSame(referred(to, this.given), referred(to, this.wanted), [...seen, to]),
    );
  }

  /** The gaps of an item or property, whose schema may allow no value. */
  #part(given: readonly Piece[], wanted: readonly Piece[], at: string, keyword: string): readonly Gap[] {
    if (choiceOf(given, this.given).cases.length === 0) return [];
    if (choiceOf(wanted, this.wanted).cases.length > 0) return this.#between(given, wanted, at);
    return [{ at, keyword, given: given.map(({ schema }) => schema)[0], wanted: false, isProved: true }];
  }
}

function doubted(gap: Gap): Gap {
  return { ...gap, isProved: false };
}

/** All values of the types that have only a few. */
const FEW: Readonly<Record<string, readonly unknown[]>> = { null: [null], boolean: [true, false] };

/** Keyword, type, and whether it is a lower limit. */
const LIMITS = [
  ["minLength", "string", true],
  ["maxLength", "string", false],
  ["minItems", "array", true],
  ["maxItems", "array", false],
  ["minProperties", "object", true],
  ["maxProperties", "object", false],
] as const;

function limitOf(one: Case, keyword: string, isLower: boolean): number {
  const limits = all(one, keyword).map(Number);
  if (keyword === "minProperties") limits.push(new Set(all(one, "required").flat()).size);
  const longest = Math.max(0, ...all(one, "prefixItems").map((list) => (list as unknown[]).length));
  if (keyword === "maxItems" && all(one, "items").includes(false)) limits.push(longest);
  const isClosed =
    all(one, "additionalProperties").includes(false) && all(one, "patternProperties").length === 0;
  if (keyword === "maxProperties" && isClosed) limits.push(new Set(namesIn(one)).size);
  return isLower ? Math.max(0, ...limits) : Math.min(Infinity, ...limits);
}

const SIDES = [
  ["minimum", "exclusiveMinimum", 1],
  ["maximum", "exclusiveMaximum", -1],
] as const;

/** The narrowest bound of a case, and 1 if it excludes itself. A larger number is narrower. */
function boundOf(
  one: Case,
  [inclusive, exclusive, sign]: (typeof SIDES)[number],
  type: string,
): readonly [number, number] {
  let [most, isOut] = [-Infinity, 0];
  for (const keyword of [inclusive, exclusive])
    for (const given of all(one, keyword).map((value) => sign * Number(value))) {
      const isExclusive = keyword === exclusive;
      const isWhole = type === "integer";
      const value = isWhole ? (isExclusive ? Math.floor(given) + 1 : Math.ceil(given)) : given;
      const out = isExclusive && !isWhole ? 1 : 0;
      if (value > most || (value === most && out > isOut)) [most, isOut] = [value, out];
    }
  return [most, isOut];
}

/** The integers between two bounds, if they are few. */
function wholeNumbers(one: Case): readonly number[] | undefined {
  const [least = 0, most = 0] = SIDES.map((side) => side[2] * boundOf(one, side, "integer")[0]);
  if (!(most - least < MOST_CASES)) return undefined;
  return Array.from({ length: Math.max(0, most - least + 1) }, (_, index) => least + index);
}

function compareNumbers(type: string, given: Case, wanted: Case, note: Note): void {
  for (const side of SIDES) {
    const [[one, isOut], [other, isOtherOut]] = [boundOf(given, side, type), boundOf(wanted, side, type)];
    const keyword = all(wanted, side[0]).length > 0 ? side[0] : side[1];
    if (one < other || (one === other && isOut < isOtherOut))
      note(keyword, all(given, "multipleOf").length === 0, all(given, keyword)[0], all(wanted, keyword)[0]);
  }
  const steps = [...(type === "integer" ? [1] : []), ...all(given, "multipleOf").map(Number)];
  for (const unit of all(wanted, "multipleOf").map(Number))
    if (!steps.some((step) => Number.isInteger(step / unit))) note("multipleOf", true, steps.at(-1), unit);
}

type Way = Case["pieces"];

/** A schema as cases. Beyond the limit of cases it counts as accepting any value, and is not exact. */
function choiceOf(pieces: readonly Piece[], root: JsonSchema): Choice {
  let isExact = true;
  const together = (parts: readonly (readonly Way[])[]): readonly Way[] => {
    let found: readonly Way[] = [[]];
    for (const part of parts) {
      found = found.flatMap((one) => part.map((other) => [...one, ...other]));
      if (found.length <= MOST_CASES) continue;
      isExact = false;
      return [[]];
    }
    return found;
  };
  const waysOf = ({ schema, at }: Piece, followed: readonly string[]): readonly Way[] => {
    if (schema === false) return [];
    if (!isObject(schema)) return [[]];
    const { $ref: reference, anyOf, oneOf } = schema;
    const below = (keyword: string): readonly (readonly Way[])[] =>
      ((schema[keyword] ?? []) as readonly unknown[]).map((part, index) =>
        waysOf({ schema: part, at: `${at}/${keyword}/${index}` }, followed),
      );
    const parts = [[[{ schema, at }]], ...below("allOf")];
    if (typeof reference === "string" && !followed.includes(reference))
      parts.push(
        waysOf({ schema: referred(reference, root), at: reference.slice(1) }, [...followed, reference]),
      );
    if (anyOf) parts.push(below("anyOf").flat());
    if (oneOf) {
      const branches = below("oneOf");
      isExact &&= areApart(branches.map((branch) => branch.map(caseOf)));
      parts.push(branches.flat());
    }
    return together(parts);
  };
  const ways = together(pieces.map((piece) => waysOf(piece, [])));
  return { cases: ways.map(caseOf).filter(({ types }) => types.length > 0), isExact };
}

function caseOf(pieces: Case["pieces"]): Case {
  const open: Case = { pieces, types: TYPES, values: undefined };
  const isNumber = (type: string): boolean => type === "integer" || type === "fraction";
  const isWhole = all(open, "multipleOf").some(Number.isInteger);
  const types = TYPES.filter(
    (type) =>
      !(isWhole && type === "fraction") &&
      all(open, "type").every((given) =>
        [given].flat().some((name) => name === type || (name === "number" && isNumber(type))),
      ),
  );
  const [first, ...more] = [
    ...(all(open, "enum") as unknown[][]),
    ...all(open, "const").map((value) => [value]),
  ];
  if (!first) return { ...open, types };
  const isIn = (value: unknown) => (list: readonly unknown[]) => list.some((one) => equal(one, value));
  const values = first.filter(
    (value) => more.every(isIn(value)) && fits(value, { ...open, types }) !== false,
  );
  return { pieces, types: types.filter((type) => values.some((value) => typeOf(value) === type)), values };
}

/** Whether no two branches have a value in common. */
function areApart(branches: readonly (readonly Case[])[]): boolean {
  return branches.every((some, index) =>
    branches
      .slice(index + 1)
      .every((others) => some.every((one) => others.every((other) => areDisjoint(one, other)))),
  );
}

/** Whether two cases differ in their types or values, or in those of a property that both require. */
function areDisjoint(one: Case, other: Case): boolean {
  if (one.values && other.values)
    return !one.values.some((value) => other.values?.some((two) => equal(two, value)));
  const types = one.types.filter((type) => other.types.includes(type));
  if (types.some((type) => type !== "object")) return false;
  const required = [one, other].map((given) => all(given, "required").flat());
  const inner = (given: Case, name: string): Case => caseOf(memberAt(given, name) as Case["pieces"]);
  return (
    types.length === 0 ||
    namesIn(one).some((name) => {
      if (!required.every((names) => names.includes(name)) || !namesIn(other).includes(name)) return false;
      const [left, right] = [inner(one, name), inner(other, name)];
      return left.values !== undefined && right.values !== undefined && areDisjoint(left, right);
    })
  );
}

/** The values of a keyword in a case. */
function all({ pieces }: Case, keyword: string): readonly unknown[] {
  return pieces.flatMap(({ schema }) => (Object.hasOwn(schema, keyword) ? [schema[keyword]] : []));
}

/** The keywords of a case that are not read, with their values. */
function unread({ pieces }: Case): readonly (readonly [keyword: string, value: unknown])[] {
  const isUnread = ([keyword, value]: readonly [string, unknown]): boolean =>
    !PLAIN.has(keyword) &&
    !READ.has(keyword) &&
    value !== INSTRUCTIONS &&
    !(keyword === "unevaluatedProperties" && value === false);
  return pieces.flatMap(({ schema }) => Object.entries(schema).filter(isUnread));
}

function namesIn(one: Case): readonly string[] {
  return all(one, "properties").flatMap((properties) => Object.keys(properties as object));
}

function itemAt({ pieces }: Case, place: number | "*"): readonly Piece[] {
  return pieces.flatMap(({ schema, at }): readonly Piece[] => {
    const { prefixItems = [], items } = schema as {
      readonly prefixItems?: readonly unknown[];
      readonly items?: unknown;
    };
    if (place !== "*" && place < prefixItems.length)
      return [{ schema: prefixItems[place], at: `${at}/prefixItems/${place}` }];
    return items === undefined ? [] : [{ schema: items, at: `${at}/items` }];
  });
}

/** The schemas of a property; without a name, those of the properties that no schema names. */
function memberAt(one: Case, name: string | undefined): readonly Piece[] {
  const isKnown = name !== undefined && namesIn(one).includes(name);
  if (
    !isKnown &&
    all(one, "unevaluatedProperties").includes(false) &&
    all(one, "additionalProperties").length === 0
  )
    return [{ schema: false, at: "/unevaluatedProperties" }];
  return one.pieces.flatMap(({ schema, at }): readonly Piece[] => {
    const { properties = {}, additionalProperties } = schema as Readonly<
      Record<string, JsonSchema | undefined>
    >;
    if (name !== undefined && Object.hasOwn(properties, name))
      return [{ schema: properties[name], at: at + pointerOf("properties", name) }];
    return additionalProperties === undefined
      ? []
      : [{ schema: additionalProperties, at: `${at}/additionalProperties` }];
  });
}

/** Whether a value fits a case; undefined if that is not decided here. */
function fits(value: unknown, one: Case): boolean | undefined {
  const type = typeOf(value);
  if (!one.types.includes(type)) return false;
  if (one.values) return one.values.some((listed) => equal(listed, value));
  if (type === "object" || type === "array")
    return (
      one.pieces.every(({ schema }) =>
        Object.keys(schema).every((key) => PLAIN.has(key) || key === "type"),
      ) || undefined
    );
  const isNumber = typeof value === "number";
  const isInside = isNumber
    ? SIDES.every((side) => {
        const [bound, isOut] = boundOf(one, side, "fraction");
        return side[2] * value > bound || (side[2] * value === bound && isOut === 0);
      }) && all(one, "multipleOf").every((unit) => Number.isInteger(value / Number(unit)))
    : [...String(value)].length >= limitOf(one, "minLength", true) &&
      [...String(value)].length <= limitOf(one, "maxLength", false);
  const matches = (form: unknown): boolean => new RegExp(String(form), "u").test(String(value));
  const isText = type === "string";
  if ((isNumber || isText) && !isInside) return false;
  if (isText && !all(one, "pattern").every(matches)) return false;
  return unread(one).some(([keyword]) => keyword !== "pattern") ? undefined : true;
}

/** The types of cases under their names in JSON Schema. */
function typeNames(cases: readonly Case[]): readonly string[] {
  const types = cases.flatMap((one) => one.types);
  const isNumber = types.includes("fraction");
  return TYPES.filter((type) => types.includes(type) && !(type === "integer" && isNumber)).map((type) =>
    type === "fraction" ? "number" : type,
  );
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" ? (Number.isInteger(value) ? "integer" : "fraction") : typeof value;
}
