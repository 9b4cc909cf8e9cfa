import assert from "node:assert/strict";
import { readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { SkillError } from "../errors/skill-error.ts";
import type { Files } from "../ports/files.ts";
import { fixedClock, type FixedClock } from "../testing/fixed-clock.ts";
import { testEnvironment } from "../testing/test-environment.ts";
import { nodeFiles } from "./files.ts";
import { folderFor } from "./fixture-folder.ts";
import { stateFiles } from "./state-files.ts";
import { effort } from "../../contract-tests/harness.ts";

const COLLECTION = "test-documents";
const NAME = { collection: COLLECTION, id: "one" };
const AN_HOUR_MS = 3_600_000;
const increment = (current: unknown): number => ((current as number | undefined) ?? 0) + 1;

const stateIn = (folder: string, clock: FixedClock = fixedClock(), files: Files = nodeFiles) =>
  stateFiles(testEnvironment(folder).stateFolder, files, clock);

/** Every file below a folder. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

async function textBelow(folder: string): Promise<string> {
  return (await Promise.all((await filesBelow(folder)).map((path) => readFile(path, "utf8")))).join("\n");
}

type Step =
  | { readonly kind: "set"; readonly id: string; readonly value: unknown; readonly keepMs: number }
  | { readonly kind: "remove" | "leave"; readonly id: string }
  | { readonly kind: "wait"; readonly ms: number };

const IDS = ["", "a", "b", "größe/../x", "王".repeat(1000)];
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

test("any sequence of updates, removals and waiting gives the same results as a map", async (t) => {
  const folder = folderFor(t).path;
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 20 }), async (steps) => {
      const clock = fixedClock();
      runs += 1;
      const state = stateIn(join(folder, String(runs)), clock);
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
    }),
    { numRuns: effort(10, 40) },
  );
});

/** Files of a process that is killed before or after its nth operation; tells whether it came that far. */
function mortal(life: number, after: boolean): { readonly files: Files; readonly killed: () => boolean } {
  let left = life;
  const step =
    <In extends readonly unknown[], Out>(operation: (...given: In) => Promise<Out>) =>
    async (...given: In): Promise<Out> => {
      left -= 1;
      if (left < 0 && !(after && left === -1)) throw new Error("killed");
      const answer = await operation(...given);
      if (left < 0) throw new Error("killed");
      return answer;
    };
  const { readText, list, makeFolder, create, remove } = nodeFiles;
  const files: Files = {
    ...nodeFiles,
    readText: step(readText),
    list: step(list),
    makeFolder: step(makeFolder),
    create: step(create),
    remove: step(remove),
  };
  return { files, killed: () => left < 0 };
}

test("a process killed before or after any file operation leaves the old document or the new one, complete", async (t) => {
  for (const after of [false, true]) {
    let killed = true;
    for (let life = 0; killed; life += 1) {
      assert.ok(life < 50);
      const folder = folderFor(t).path;
      for (let count = 0; count < 2; count += 1) await stateIn(folder).update(NAME, AN_HOUR_MS, increment);
      const process = mortal(life, after);
      const outcome = await stateIn(folder, fixedClock(), process.files)
        .update(NAME, AN_HOUR_MS, increment)
        .catch((error: Error) => error.message);
      killed = process.killed();
      assert.equal(outcome, killed ? "killed" : 3);
      const left = (await stateIn(folder).read(NAME)) as number;
      assert.ok(left === 3 || (killed && left === 2), `${left} after ${life} operations`);
      assert.equal(await stateIn(folder).update(NAME, AN_HOUR_MS, increment), left + 1);
      assert.deepEqual((await filesBelow(folder)).length, 1);
    }
  }
});

test("a document is one file that only its owner can read, its path does not reveal the id, and no temporary file remains", async (t) => {
  const folder = folderFor(t).path;
  const state = stateIn(folder);
  for (let count = 0; count < 5; count += 1)
    await state.update({ collection: COLLECTION, id: "s3cret" }, AN_HOUR_MS, increment);
  const [path = "", ...more] = await filesBelow(folder);
  assert.deepEqual(more, []);
  assert.match(
    path.slice(folder.length).replaceAll(sep, "/"),
    /^\/state\/documents\/test-documents\/[0-9a-f]{2}\/5\.txt$/,
  );
  if (process.platform !== "win32") assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("an expired document is gone for readers at once, and from the disk after later updates", async (t) => {
  const folder = folderFor(t).path;
  const clock = fixedClock();
  const state = stateIn(folder, clock);
  await state.update(NAME, AN_HOUR_MS, () => "s3cret words");
  clock.advance(AN_HOUR_MS);
  assert.equal(await state.read(NAME), "s3cret words");
  clock.advance(1);
  assert.equal(await state.read(NAME), undefined);
  assert.match(await textBelow(folder), /s3cret words/);
  const other = { collection: COLLECTION, id: "another" };
  // An update checks a random bucket: here one of two.
  for (let count = 0; count < 60; count += 1) await state.update(other, AN_HOUR_MS, increment);
  assert.doesNotMatch(await textBelow(folder), /s3cret words/);
  assert.equal(await state.read(other), 60);
});

test("simultaneous updates in one process are all applied, each to the result of the one before", async (t) => {
  const state = stateIn(folderFor(t).path);
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => state.update(NAME, AN_HOUR_MS, increment)),
  );
  assert.deepEqual(
    answers.map(Number).sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, index) => index + 1),
  );
});

test("an argument that the port does not allow is refused before anything is written", async (t) => {
  const folder = folderFor(t).path;
  const state = stateIn(folder);
  const circle: unknown[] = [];
  circle.push({ circle });
  const values = [1n, () => 1, Symbol("s"), circle];
  for (const value of values) {
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
  assert.deepEqual(await filesBelow(folder), []);
});

test("a damaged document is ignored, and the next update replaces it", async (t) => {
  const folder = folderFor(t).path;
  await stateIn(folder).update(NAME, AN_HOUR_MS, increment);
  const [path = ""] = await filesBelow(folder);
  const whole = await readFile(path, "utf8");
  for (const broken of ["", "\n", "\0\0\0", whole.slice(0, -2), whole.replace(/\n\d+ /, "\nx "), "{}"]) {
    await writeFile((await filesBelow(folder))[0] as string, broken);
    const state = stateIn(folder);
    assert.equal(await state.read(NAME), undefined, JSON.stringify(broken));
    assert.equal(await state.update(NAME, AN_HOUR_MS, increment), 1, JSON.stringify(broken));
  }
});

/** Files some of which cannot be read or removed. */
const refusing = (refused: Partial<Record<"readText" | "remove", (path: string) => boolean>>): Files => ({
  ...nodeFiles,
  readText: async (path) => {
    if (refused.readText?.(path)) throw new SkillError("FILE_UNREADABLE", `${path} cannot be read.`);
    return nodeFiles.readText(path);
  },
  remove: async (path) => {
    if (refused.remove?.(path)) throw new SkillError("FILE_UNWRITABLE", `${path} cannot be removed.`);
    await nodeFiles.remove(path);
  },
});

test("an update succeeds also if the previous version cannot be removed", async (t) => {
  const folder = folderFor(t).path;
  const state = stateIn(folder, fixedClock(), refusing({ remove: () => true }));
  for (let count = 1; count <= 3; count += 1)
    assert.equal(await state.update(NAME, AN_HOUR_MS, increment), count);
  assert.equal((await filesBelow(folder)).length, 3);
  assert.equal(await stateIn(folder).update(NAME, AN_HOUR_MS, increment), 4);
  assert.equal((await filesBelow(folder)).length, 1);
});
