import { SkillError } from "../errors/skill-error.ts";
import { quotedName } from "../quoted-name.ts";
import { within } from "../schema/bounded.ts";
import { pointerOf } from "../schema/fault.ts";
import { isObject } from "../schema/json.ts";
import { withPointers } from "../schema/references.ts";
import type { JsonSchema } from "../schema/schemas.ts";
import { patternsIn } from "../validation/compiler.ts";
import { refusing, right, wrong, type Draft } from "./derive/drafts.ts";
import { partsOf, sample } from "./derive/sample.ts";
import { SecondOpinion, parentOf } from "./derive/second-opinion.ts";

/** A value that a schema must accept. */
export interface Acceptance {
  /** Place, keyword and variant, such as `/name maxLength: the longest`. */
  readonly title: string;
  readonly value: unknown;
}

/** A value that a schema must refuse, with the keyword and the place that the refusal must name. */
export interface Refusal extends Acceptance {
  readonly keyword: string;
  /** JSON pointer; for a missing or extra property, that of the property. */
  readonly pointer: string;
  /** The faults that the second validator reports, each with a JSON pointer `at`: of several, a refusal may name any. */
  readonly complaints: readonly { readonly keyword: string; readonly at: string }[];
}

/** The values derived from a schema. */
export interface DerivedValues {
  readonly accepts: readonly Acceptance[];
  readonly refuses: readonly Refusal[];
  /** Accepted values in which several places have another derived value, by the seed. */
  readonly combined: readonly unknown[];
  /** Keywords for which no wrong value could be derived, each with its place. */
  readonly unbroken: readonly string[];
}

/** A value in a document, the schemas that apply to it, and a function that replaces it in the document. */
interface Place {
  readonly at: string;
  readonly value: unknown;
  readonly parts: readonly JsonSchema[];
  readonly put: (value: unknown) => unknown;
}

const DEEPEST = 8;
/** Time limit for deriving the values of one schema, whose patterns may never end. */
const MOST_DERIVE_MS = 5_000;
/** The default seed of combinations: the same cases each time. */
export const DEFAULT_SEED = 1;
const COMBINATIONS = 8;

/**
 * Derives from a JSON Schema (2020-12) values that it must accept (its examples, both sides of each bound, each entry
 * of a list, optional properties present and absent) and values that it must refuse (its examples with one small fault
 * for each keyword at each place). A second validator, which shares no code with the tested one, must confirm each
 * value; others are dropped.
 */
export function derive(given: Readonly<Record<string, unknown>>, seed = DEFAULT_SEED): DerivedValues {
  let values: DerivedValues | undefined;
  if (within(MOST_DERIVE_MS, () => (values = derived(given, seed))) && values) return values;
  const patterns = patternsIn(given).map(([pointer, source]) => `${quotedName(source)} (${pointer})`);
  const sentence = `A pattern of it, such as one with a repetition inside a repetition, takes too long on some strings: ${patterns.join(", ")}.`;
  throw new SkillError("SCHEMA_INVALID", sentence);
}

function derived(given: Readonly<Record<string, unknown>>, seed: number): DerivedValues {
  const schema = withPointers(given);
  const opinion = new SecondOpinion(schema);
  const examples = ((schema["examples"] ?? []) as readonly unknown[]).filter((one) => opinion.accepts(one));
  const hosts = examples.length > 0 ? examples : [sample(schema, schema)];
  const accepts = new Map<string, Acceptance>();
  const refuses = new Map<string, Refusal>();
  const known = new Set<string>();
  const places = hosts.flatMap((host) => [...placesOf(schema, host, schema)]);
  for (const { at, value, parts, put } of places) {
    const formatted = parts.some((part) => "format" in part);
    for (const part of parts) {
      for (const made of right(part, value, schema)) {
        // Validators disagree about the format of a truncated text: is a@b an address?
        if (formatted && isCut(made.value, value)) continue;
        const title = titleOf(made, at);
        const whole = put(made.value);
        if (made.value === undefined || accepts.has(title) || !opinion.accepts(whole) || !isNew(known, whole))
          continue;
        accepts.set(title, { title, value: whole });
      }
      for (const made of wrong(part, value, schema)) {
        const title = titleOf(made, at);
        if (made.value === undefined || refuses.has(title)) continue;
        const whole = put(made.value);
        const complaints = opinion.complaints(whole);
        const { keyword } = made;
        if (!complaints.some((one) => one.keyword === keyword && one.at === at)) continue;
        if (!isNew(known, [keyword, at, whole])) continue;
        refuses.set(title, { title, value: whole, keyword, pointer: at + made.pointer, complaints });
      }
    }
  }
  return {
    accepts: [...accepts.values()],
    refuses: [...refuses.values()],
    get combined() {
      return combinations(schema, hosts, opinion, seed);
    },
    get unbroken() {
      return unbrokenKeywords(places, refuses);
    },
  };
}

/** Keywords at places of a schema for which no wrong value was confirmed. */
function unbrokenKeywords(
  places: readonly Place[],
  refuses: ReadonlyMap<string, Refusal>,
): readonly string[] {
  const broken = new Set([...refuses.keys()].map((title) => title.slice(0, title.indexOf(":"))));
  const all = places.flatMap(({ at, parts }) =>
    parts.flatMap((part) =>
      refusing(part).map((keyword) => titleOf({ keyword, note: "" }, at).replace(/: $/, "")),
    ),
  );
  return [...new Set(all)].filter((place) => !broken.has(place));
}

/** Changes several places of an example at once; the second validator confirms each result. */
function combinations(
  schema: JsonSchema,
  hosts: readonly unknown[],
  opinion: SecondOpinion,
  seed: number,
): readonly unknown[] {
  const random = numbers(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const made: unknown[] = [];
  const known = new Set<string>();
  for (let round = 0; round < COMBINATIONS; round += 1) {
    let value = pick(hosts);
    for (let step = 0; step < 3; step += 1) {
      const place = pick([...placesOf(schema, value, schema)]);
      const draft = pick(place?.parts.flatMap((part) => [...right(part, place.value, schema)]) ?? []);
      if (place?.at === "" || draft?.value === undefined) continue;
      const changed = place?.put(draft.value);
      if (opinion.accepts(changed)) value = changed;
    }
    if (value !== undefined && opinion.accepts(value) && isNew(known, value)) made.push(value);
  }
  return made;
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function titleOf({ keyword, note }: Pick<Draft, "keyword" | "note">, at: string): string {
  return `${at === "" ? "(whole)" : at} ${keyword}: ${note}`;
}

function isCut(text: unknown, from: unknown): boolean {
  return typeof text === "string" && typeof from === "string" && text !== from && from.startsWith(text);
}

function isNew(known: Set<string>, value: unknown): boolean {
  const text = JSON.stringify(value) ?? "";
  return known.size < known.add(text).size;
}

/**
 * A value and all values inside it; properties that its schema names and it lacks are generated. `above`: the schemas of the
 * places around it. Nothing is generated in a generated value whose schema is one of them, where everything would come again.
 */
function* placesOf(
  schema: unknown,
  value: unknown,
  root: JsonSchema,
  put: Place["put"] = (one) => one,
  at = "",
  above: readonly JsonSchema[] = [],
  isGenerated = false,
): Generator<Place> {
  const parts = partsOf(schema, root);
  yield { at, value, parts, put };
  if (at.split("/").length > DEEPEST || (isGenerated && parts.some((part) => above.includes(part)))) return;
  const known = [...above, ...parts];
  const below = (key: string | number, child: unknown, inner: unknown, hold: Place["put"], isNew = false) =>
    placesOf(child, inner, root, (one) => put(hold(one)), at + pointerOf(key), known, isGenerated || isNew);
  for (const part of parts) {
    if (Array.isArray(value) && isObject(part["items"])) {
      const inner = value.length > 0 ? (value[0] as unknown) : sample(part["items"], root);
      yield* below(0, part["items"], inner, (one) => [one, ...value.slice(1)]);
    }
    if (!isObject(value)) continue;
    const properties = isObject(part["properties"]) ? part["properties"] : {};
    for (const [key, child] of Object.entries(properties)) {
      const isThere = Object.hasOwn(value, key);
      const inner = isThere ? value[key] : sample(child, root);
      if (inner !== undefined) yield* below(key, child, inner, (one) => ({ ...value, [key]: one }), !isThere);
    }
    const [further] = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
    const others = part["additionalProperties"];
    if (further !== undefined && isObject(others))
      yield* below(further, others, value[further], (one) => ({ ...value, [further]: one }));
  }
}

/** Keywords whose faults point at the property and not at its object. */
const KEYED = new Set(["required", "additionalProperties", "unevaluatedProperties", "propertyNames"]);

/** Whether a fault that a validator reports has the keyword and the place of a refusal. */
export function names(
  refusal: Refusal,
  fault: { readonly pointer: string; readonly keyword: string },
): boolean {
  return pointsAt(refusal, fault.pointer, fault.keyword);
}

/** Whether a pointer is the place of a refusal, or of another fault in the same value. */
export function pointsAt(refusal: Refusal, pointer: string | undefined, keyword?: string): boolean {
  if (pointer === undefined) return false;
  const { keyword: own } = refusal;
  if (pointer === refusal.pointer && (keyword ?? own) === own) return true;
  const at = KEYED.has(own) ? parentOf(refusal.pointer) : refusal.pointer;
  return refusal.complaints.some((one) => {
    if ((one.keyword === own && one.at === at) || (keyword ?? one.keyword) !== one.keyword) return false;
    return KEYED.has(one.keyword) ? pointer !== "" && parentOf(pointer) === one.at : one.at === pointer;
  });
}
