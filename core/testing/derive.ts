import { acceptances } from "./derive/acceptances.ts";
import { type Draft, type Gap, canonical, parentOf } from "./derive/draft.ts";
import { refusals } from "./derive/refusals.ts";
import { Sampler } from "./derive/sampler.ts";
import { SecondOpinion, type Complaint } from "./derive/second-opinion.ts";
import type { Fault } from "../schema/fault.ts";
import { withPointers } from "../schema/references.ts";
import type { JsonSchema } from "../schema/schemas.ts";

/** A value that a schema must accept. */
export interface Acceptance {
  /** Place, keyword and what is special, e.g. `/name maxLength: the longest`. */
  readonly title: string;
  readonly value: unknown;
}

/** A value that a schema must refuse, with the keyword and the place that the refusal has to name. */
export interface Refusal extends Acceptance {
  readonly keyword: string;
  /** JSON pointer; a missing or superfluous property is pointed at itself. */
  readonly pointer: string;
  /** Whatever else the second validator finds wrong with it: where a value breaks two keywords, either may be named. */
  readonly complaints: readonly Complaint[];
}

/** What could not be derived. Reported as a skipped test, never left out silently. */
export interface Skip {
  readonly title: string;
  readonly reason: string;
}

/** What a schema says about values, as values. */
export interface Derived {
  readonly accepts: readonly Acceptance[];
  readonly refuses: readonly Refusal[];
  readonly skips: readonly Skip[];
}

/**
 * Derives from a JSON Schema (2020-12) the values it must accept (each example, each side of each bound, each entry
 * of a list, each branch, optional properties present and absent) and must refuse (one small mutation for each
 * keyword at each place). Each is confirmed by a second validator, which shares no code with the one under test.
 */
export function derive(given: JsonSchema): Derived {
  const schema = withPointers(given);
  const opinion = new SecondOpinion(schema);
  const sampler = new Sampler(schema, opinion);
  const examples = ((schema["examples"] ?? []) as readonly unknown[]).filter((one) => opinion.accepts(one));
  const hosts = [...examples, ...(examples.length > 0 ? [] : sampler.sample(schema))];
  const place = { schema, hosts };
  const gaps: Gap[] = [];
  const right = confirmed(acceptances(place, sampler), (draft) => opinion.accepts(draft.value));
  const wrong = confirmed(
    refusals(place, sampler, (gap) => void gaps.push(gap)),
    (draft) =>
      opinion.complaints(draft.value).some(({ keyword, at }) => keyword === draft.keyword && at === draft.at),
  );
  const unread = new Map(gaps.map((gap) => [titleOf(gap), { title: titleOf(gap), reason: gap.note }]));
  return {
    accepts: right.kept.map((draft) => ({ title: titleOf(draft), value: draft.value })),
    refuses: wrong.kept.map((draft) => ({
      title: titleOf(draft),
      value: draft.value,
      keyword: draft.keyword,
      pointer: draft.pointer,
      complaints: opinion.complaints(draft.value),
    })),
    skips: [...right.skips, ...wrong.skips, ...unread.values()],
  };
}

/** Whether the fault of a validator names what a refusal is about: the keyword, and the place exactly. */
export function names(refusal: Refusal, fault: Fault): boolean {
  return pointsAt(refusal, fault.pointer, fault.keyword);
}

/** Keywords whose faults point at the property, not at the object that lacks or has it. */
const KEYED = new Set(["required", "additionalProperties", "propertyNames"]);

/** Whether a pointer is the place of a refusal, or of something else that is wrong with the same value. */
export function pointsAt(refusal: Refusal, given: string | undefined, keyword?: string): boolean {
  if (given === undefined) return false;
  const own = refusal.keyword;
  if (given === refusal.pointer && (keyword ?? own) === own) return true;
  const at = KEYED.has(own) ? parentOf(refusal.pointer) : refusal.pointer;
  return refusal.complaints.some((one) => {
    if (one.keyword === own && one.at === at) return false;
    if (keyword !== undefined && one.keyword !== keyword) return false;
    if (KEYED.has(one.keyword)) return given !== "" && parentOf(given) === one.at;
    return one.at === given;
  });
}

/** Of the drafts with one title the first that holds; a title whose drafts all fail is a skip. */
function confirmed(drafts: Iterable<Draft>, holds: (draft: Draft) => boolean) {
  const kept = new Map<string, Draft>();
  const failed = new Set<string>();
  const held = new Map<string, boolean>();
  const settled = new Set<string>();
  for (const draft of drafts) {
    const title = titleOf(draft);
    if (settled.has(title)) continue;
    const text = `${draft.keyword} ${draft.at} ${canonical(draft.value)}`;
    const known = held.get(text);
    const holding = known ?? holds(draft);
    held.set(text, holding);
    if (holding) settled.add(title);
    else if (!draft.mayFail) failed.add(title);
    if (holding && known === undefined) kept.set(title, draft);
  }
  const reason = "no value was found that the second validator confirms";
  const skips = [...failed].filter((title) => !settled.has(title)).map((title) => ({ title, reason }));
  return { kept: [...kept.values()], skips };
}

function titleOf({ at, keyword, note }: Gap): string {
  return `${at === "" ? "(whole)" : at} ${keyword}: ${note}`;
}
