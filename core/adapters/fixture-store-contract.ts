/** For tests: the guarantees of the ports STATE and CLAIMS, for every store. */
import assert from "node:assert/strict";
import { once } from "node:events";
import fc from "fast-check";
import { effort } from "../../contract-tests/harness.ts";
import { SkillError } from "../errors/skill-error.ts";
import type { Claims } from "../ports/claim.ts";
import type { Clock } from "../ports/clock.ts";
import type { State } from "../ports/state.ts";
import { fixedClock } from "../testing/fixed-clock.ts";
import { claimer } from "./fixture-claim-process.ts";

export const COLLECTION = "test-documents";
export const NAME = { collection: COLLECTION, id: "one" };
export const AN_HOUR_MS = 3_600_000;
export const increment = (current: unknown): number => ((current as number | undefined) ?? 0) + 1;

/** A store; each handle behaves like another process. */
export interface TestStore {
  readonly state: (clock?: Clock) => State;
  readonly claims: () => Claims;
  /** The value of SKILLCTL_STATE. */
  readonly place: string;
}

/** Makes an empty store. */
export type NewStore = () => Promise<TestStore>;

type Case = (open: NewStore) => Promise<void>;

type Step =
  | { readonly kind: "set"; readonly id: string; readonly value: unknown; readonly keepMs: number }
  | { readonly kind: "remove" | "leave"; readonly id: string }
  | { readonly kind: "wait"; readonly ms: number };

const IDS = ["", "a", "b", "größe/../x", "王".repeat(1000), "\0", "\ud800"];
const ID = fc.constantFrom(...IDS);
const VALUE = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const STEP: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("set" as const),
    id: ID,
    value: VALUE,
    keepMs: fc.integer({ min: 1, max: 100 }),
  }),
  fc.record({ kind: fc.constantFrom("remove" as const, "leave" as const), id: ID }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(60) }),
);

export const STATE_CASES: Readonly<Record<string, Case>> = {
  "any sequence of updates, removals and waiting gives the same results as a map": async (open) => {
    const run = async (steps: readonly Step[]): Promise<void> => {
      const clock = fixedClock();
      const state = (await open()).state(clock);
      const model = new Map<string, { readonly until: number; readonly value: unknown }>();
      const held = (id: string): unknown => {
        const { until = 0, value } = model.get(id) ?? {};
        return until >= clock.now() ? value : undefined;
      };
      for (const step of steps) {
        if (step.kind === "wait") clock.advance(step.ms);
        else {
          const before = held(step.id);
          const { value, keepMs } = step.kind === "set" ? step : { value: undefined, keepMs: 1 };
          const after = step.kind === "leave" ? before : value;
          if (after !== before) model.set(step.id, { until: clock.now() + keepMs, value: after });
          const answer = await state.update({ collection: COLLECTION, id: step.id }, keepMs, (current) => {
            assert.deepEqual(current, before);
            return step.kind === "leave" ? current : value;
          });
          assert.deepEqual(answer, after);
        }
        for (const id of IDS) assert.deepEqual(await state.read({ collection: COLLECTION, id }), held(id));
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(STEP, { maxLength: 20 }), run), { numRuns: effort(10, 20) });
  },

  "simultaneous updates of several writers are all applied, each to the result of the one before": async (
    open,
  ) => {
    const store = await open();
    const [one, other] = [store.state(), store.state()];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 3 ? one : other).update(NAME, AN_HOUR_MS, increment)),
    );
    assert.deepEqual(
      answers.map(Number).sort((a, b) => a - b),
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  },

  "a document expires for readers at its time, and an update after that begins anew": async (open) => {
    const clock = fixedClock();
    const store = await open();
    const state = store.state(clock);
    await state.update(NAME, AN_HOUR_MS, () => 5);
    clock.advance(AN_HOUR_MS);
    assert.equal(await store.state(clock).read(NAME), 5);
    clock.advance(1);
    assert.equal(await store.state(clock).read(NAME), undefined);
    assert.equal(await state.update(NAME, AN_HOUR_MS, increment), 1);
  },

  "a document without an end never expires": async (open) => {
    const clock = fixedClock();
    const state = (await open()).state(clock);
    await state.update(NAME, Infinity, () => 5);
    clock.advance(50 * 365 * 24 * AN_HOUR_MS);
    assert.equal(await state.read(NAME), 5);
  },

  "an argument that the port does not allow is refused before anything is written": async (open) => {
    const state = (await open()).state();
    const circle: unknown[] = [];
    circle.push({ circle });
    for (const value of [1n, () => 1, Symbol("s"), circle]) {
      await assert.rejects(
        state.update(NAME, AN_HOUR_MS, () => value),
        { code: "INTERNAL", message: /a document of test-documents is not a JSON value/ },
      );
    }
    for (const keepMs of [0, -1, 0.5, Number.NaN, -Infinity, 1e15])
      await assert.rejects(state.update(NAME, keepMs, increment), { code: "INTERNAL" });
    for (const collection of ["", "..", "a/b", "A", "-a", "a_b", "a".repeat(65)]) {
      await assert.rejects(state.read({ collection, id: "" }), { code: "INTERNAL" });
      await assert.rejects(state.update({ collection, id: "" }, 1, increment), { code: "INTERNAL" });
    }
    await assert.rejects(state.read({ collection: COLLECTION, id: "x".repeat(1001) }), { code: "INTERNAL" });
    await assert.rejects(
      state.update(NAME, AN_HOUR_MS, () => "王".repeat(5_600_000)),
      (error) => error instanceof SkillError && error.code === "FILE_UNWRITABLE" && error.hint !== undefined,
    );
    await assert.rejects(
      state.update(NAME, AN_HOUR_MS, () => {
        throw new RangeError("mine");
      }),
      { name: "RangeError", message: "mine" },
    );
    assert.equal(await state.read(NAME), undefined);
  },

  "a document of 16 MiB is kept": async (open) => {
    const store = await open();
    const text = "a".repeat(16 * 1024 * 1024 - 2);
    await store.state().update(NAME, AN_HOUR_MS, () => text);
    assert.equal((await store.state().read(NAME)) === text, true);
  },
};

export const CLAIM_CASES: Readonly<Record<string, Case>> = {
  "a name has one holder until it is released": async (open) => {
    const claims = (await open()).claims();
    for (let round = 0; round < 3; round += 1) {
      const claim = await claims.claim("name");
      assert.ok(claim);
      assert.equal(await claims.claim("name"), undefined);
      const other = await claims.claim("name other");
      assert.ok(other);
      await other.release();
      await Promise.all([claim.release(), claim.release()]);
    }
  },

  "of many simultaneous claims on a name one succeeds": async (open) => {
    const store = await open();
    const handles = [store.claims(), store.claims()] as const;
    for (let round = 0; round < 20; round += 1) {
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, index) => handles[index % 2 ? 0 : 1].claim("name")),
      );
      const held = all.filter((claim) => claim !== undefined);
      assert.equal(held.length, 1);
      await held[0]?.release();
    }
  },

  "one of several processes holds a name and releases it when killed; a held name does not keep a process alive":
    async (open) => {
      const store = await open();
      const claimers = Array.from({ length: 4 }, () => claimer(store.place));
      await Promise.all(claimers.map(({ ready }) => ready));
      let left = claimers;
      while (left.length > 1) {
        const got = await Promise.all(left.map(({ claim }) => claim("name")));
        assert.equal(got.filter(Boolean).length, 1);
        const holder = left[got.indexOf(true)];
        assert.ok(holder);
        const closed = once(holder.process, "close");
        holder.process.kill("SIGKILL");
        await closed;
        left = left.filter((one) => one !== holder);
        // A server detects the end of a connection a moment later.
        await released(store, "name");
      }
      assert.equal(await left[0]?.claim("name"), true);
      assert.equal(await left[0]?.end(), 0);
      await released(store, "name");
    },
};

/** Waits until no process holds a name. */
async function released(store: TestStore, name: string): Promise<void> {
  const claims = store.claims();
  for (;;) {
    const claim = await claims.claim(name);
    if (claim) return claim.release();
  }
}
