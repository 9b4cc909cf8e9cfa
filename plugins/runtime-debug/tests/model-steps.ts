import fc from "fast-check";
import type { Asked, Posted } from "./model-log.ts";

/** An event that has no name yet. */
export type Unnamed = Omit<Posted, "n" | "data"> & { readonly size: number };

/** What is done to a server, one thing after the other. */
export type Step =
  | {
      readonly kind: "take";
      readonly events: readonly Unnamed[];
      readonly bad: number;
      readonly array: boolean;
    }
  /** Bodies at once, all of which are answered. */
  | { readonly kind: "burst"; readonly bodies: readonly (readonly Unnamed[])[] }
  /** The same, and the process is killed when so many are answered. */
  | { readonly kind: "kill"; readonly bodies: readonly (readonly Unnamed[])[]; readonly answers: number }
  /** Killed so many turns after a clear was asked for. */
  | { readonly kind: "kill in a clear"; readonly purge: boolean; readonly turns: number }
  | { readonly kind: "restart" }
  | { readonly kind: "clear" | "purge" }
  | { readonly kind: "run"; readonly run: string }
  /** `since` is a part of the numbers given, `segment` one of those there are, counted from the last. */
  | {
      readonly kind: "ask";
      readonly asked: Omit<Asked, "segment" | "since">;
      readonly since: number;
      readonly back: number;
    };

const RUNS = ["pre", "pre-fix", "post", "post-fix", "other"] as const;
const some = <T>(...values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined });

function event(largest: number): fc.Arbitrary<Unnamed> {
  return fc.record({
    msg: fc.constantFrom("[DEBUG] probe one", "[DEBUG] Probe Two"),
    hypothesisId: some("A", "B", "A,C"),
    runId: fc.option(fc.constantFrom(...RUNS), { nil: undefined, freq: 2 }),
    location: some("a.ts:1", "a.ts:2", "b.ts:1"),
    size: fc.oneof(
      { weight: 3, arbitrary: fc.nat(200) },
      { weight: 1, arbitrary: fc.integer({ min: Math.floor(largest / 2), max: largest }) },
    ),
  });
}

const asked = fc.record(
  {
    hypothesisId: fc.constantFrom("A", "B", "C", "A,B", "Z"),
    runId: fc.constantFrom(...RUNS, "pre,post"),
    last: fc.nat(12),
    limit: fc.integer({ min: 1, max: 12 }),
  },
  { requiredKeys: [] },
);

/** At most `count` steps, with texts of at most `largest` characters in one event of four. */
export function steps({
  largest,
  count,
}: {
  readonly largest: number;
  readonly count: number;
}): fc.Arbitrary<readonly Step[]> {
  const events = fc.array(event(largest), { minLength: 1, maxLength: 6 });
  const bodies = fc.array(events, { minLength: 2, maxLength: 10 });
  const small = fc.array(fc.array(event(500), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 12,
  });
  const kind = <K extends Step["kind"]>(name: K): fc.Arbitrary<K> => fc.constant(name);
  const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
  const step: fc.Arbitrary<Step> = fc.oneof(
    weighted(6, fc.record({ kind: kind("take"), events, bad: fc.nat(2), array: fc.boolean() })),
    weighted(6, fc.record({ kind: kind("burst"), bodies })),
    weighted(2, fc.record({ kind: kind("kill"), bodies: small, answers: fc.nat(12) })),
    weighted(1, fc.record({ kind: kind("kill in a clear"), purge: fc.boolean(), turns: fc.nat(40) })),
    weighted(1, fc.record({ kind: kind("restart") })),
    weighted(2, fc.record({ kind: fc.constantFrom("clear" as const, "purge" as const, "clear" as const) })),
    weighted(1, fc.record({ kind: kind("run"), run: fc.constantFrom(...RUNS) })),
    weighted(
      6,
      fc.record({
        kind: kind("ask"),
        asked,
        since: fc.double({ min: -1, max: 1, noNaN: true }),
        back: fc.integer({ min: -3, max: 4 }),
      }),
    ),
  );
  return fc.array(step, { minLength: 5, maxLength: count, size: "max" });
}
