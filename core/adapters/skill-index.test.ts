import assert from "node:assert/strict";
import {
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { foreignSkills } from "./foreign-skills.ts";
import { indexedSkills, type IndexOptions } from "./skill-index.ts";

/** Long enough after every change that the files count as settled. */
const LATER_MS = 60_000;

describe("the index of skills", () => {
  let root = "";
  let skills = "";
  let read: string[] = [];
  let options: IndexOptions;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "skillctl-index-"));
    skills = join(root, "skills");
    read = [];
    options = {
      cacheFolder: join(root, "cache"),
      version: "1.0.0",
      now: () => Date.now() + LATER_MS,
      reader: () =>
        Promise.resolve((folder) => {
          read.push(folder);
          const check = (value: unknown) =>
            (value as { summary?: unknown }).summary === undefined
              ? { pointer: "/summary", keyword: "required", sentence: "/summary is missing." }
              : undefined;
          return foreignSkills([folder], check, () => true);
        }),
    };
    for (const name of ["alpha", "beta", "gamma"]) await write(name, `About ${name}.`);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  async function write(name: string, summary: string | undefined, more: object = {}): Promise<void> {
    await mkdir(join(skills, name), { recursive: true });
    const manifest = {
      manifestVersion: 1,
      name,
      version: "1.0.0",
      summary,
      engines: { skillctl: "*" },
      ...more,
    };
    await writeFile(join(skills, name, "skill.json"), JSON.stringify(manifest));
  }

  async function listed(): Promise<readonly string[]> {
    read = [];
    const { names, summaries } = await indexedSkills(skills, options);
    return names.map((name, index) => `${name}: ${summaries[index]}`);
  }

  async function indexFile(): Promise<string> {
    const [name, ...more] = await readdir(options.cacheFolder);
    assert.deepEqual(more, []);
    return join(options.cacheFolder, name ?? "");
  }

  const ALL = ["alpha: About alpha.", "beta: About beta.", "gamma: About gamma."];

  test("reads every manifest once, and none the next time", async () => {
    assert.deepEqual(await listed(), ALL);
    assert.equal(read.length, 3);
    assert.deepEqual(await listed(), ALL);
    assert.deepEqual(read, []);
  });

  test("reads a changed manifest again, and only that one", async () => {
    await listed();
    await write("beta", "About Beta!");
    assert.deepEqual(await listed(), [ALL[0], "beta: About Beta!", ALL[2]]);
    assert.deepEqual(read, [join(skills, "beta")]);
    await listed();
    assert.deepEqual(read, []);
  });

  test("sees a change that keeps the size and puts the old time back", async () => {
    const file = join(skills, "beta", "skill.json");
    await utimes(file, 1_000, 1_000);
    await listed();
    await write("beta", "About BETA.");
    await utimes(file, 1_000, 1_000);
    assert.equal((await listed())[1], "beta: About BETA.");
  });

  test("sees skills that are added, removed and renamed", async () => {
    await listed();
    await write("aleph", "First.");
    assert.deepEqual(await listed(), ["aleph: First.", ...ALL]);
    assert.deepEqual(read, [join(skills, "aleph")]);
    await rm(join(skills, "alpha"), { recursive: true });
    assert.deepEqual(await listed(), ["aleph: First.", ALL[1], ALL[2]]);
    assert.deepEqual(read, []);
    await rename(join(skills, "gamma"), join(skills, "delta"));
    const { names, faults } = await indexedSkills(skills, options);
    assert.deepEqual(names, ["aleph", "beta"]);
    assert.match(faults[0]?.sentence ?? "", /not the name of the folder/);
  });

  test("sees a skill.json that appears in, or goes from, a folder that is there already", async () => {
    await mkdir(join(skills, "empty"));
    await writeFile(join(skills, "README.md"), "no skill");
    assert.deepEqual(await listed(), ALL);
    await write("empty", "Not any more.");
    assert.deepEqual(await listed(), [...ALL.slice(0, 2), "empty: Not any more.", ALL[2]]);
    await rm(join(skills, "empty", "skill.json"));
    assert.deepEqual(await listed(), ALL);
    assert.deepEqual(read, []);
  });

  test("keeps the fault of a manifest until the manifest is mended", async () => {
    await write("beta", undefined);
    for (const reads of [3, 0]) {
      read = [];
      const { names, faults } = await indexedSkills(skills, options);
      assert.deepEqual(names, ["alpha", "gamma"]);
      assert.deepEqual(
        faults.map(({ skill, pointer }) => [skill, pointer]),
        [["beta", "/summary"]],
      );
      assert.equal(read.length, reads);
    }
    await write("beta", "About beta.");
    assert.deepEqual(await listed(), ALL);
    assert.deepEqual((await indexedSkills(skills, options)).faults, []);
  });

  test("keeps the ports that a skill lends and borrows", async () => {
    const ports = { provides: ["access-tokens"], requires: { "analysis-service": "optional" } };
    await write("beta", "About beta.", ports);
    for (const _ of ["read", "kept"])
      assert.deepEqual((await indexedSkills(skills, options)).ports, { beta: ports });
    await write("beta", "About beta.");
    assert.deepEqual((await indexedSkills(skills, options)).ports, {});
  });

  test("does not rely on a file that was changed within the last moments", async () => {
    options = { ...options, now: Date.now };
    await listed();
    await listed();
    assert.equal(read.length, 3);
  });

  test("is rebuilt when it was deleted, cut off, filled with nonsense or written by another version", async () => {
    await listed();
    const file = await indexFile();
    const whole = await readFile(file, "utf8");
    const parsed = JSON.parse(whole) as Record<string, unknown>;
    const broken = [
      undefined,
      whole.slice(0, -20),
      "",
      "null",
      "[]",
      JSON.stringify({ ...parsed, form: "other" }),
      JSON.stringify({ ...parsed, path: "/elsewhere" }),
      JSON.stringify({ ...parsed, times: [] }),
      JSON.stringify({ ...parsed, names: [1, 2, 3] }),
      JSON.stringify({ ...parsed, faults: 7 }),
    ];
    for (const text of broken) {
      if (text === undefined) await rm(file);
      else await writeFile(file, text);
      assert.deepEqual(await listed(), ALL, text);
      assert.equal(read.length, 3, text);
      assert.deepEqual(await listed(), ALL);
      assert.equal(read.length, 0);
    }
    options = { ...options, version: "2.0.0" };
    await listed();
    assert.equal(read.length, 3);
  });

  test("works without a cache folder that can be written", async () => {
    await writeFile(join(root, "file"), "");
    options = { ...options, cacheFolder: join(root, "file", "cache") };
    assert.deepEqual(await listed(), ALL);
    assert.deepEqual(await listed(), ALL);
    assert.equal(read.length, 3);
  });

  test("is written whole and for the user alone, by many at once", async () => {
    await Promise.all(Array.from({ length: 20 }, () => indexedSkills(skills, options)));
    const file = await indexFile();
    assert.doesNotThrow(async () => JSON.parse(await readFile(file, "utf8")) as unknown);
    if (process.platform !== "win32") assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await listed(), ALL);
    assert.equal(read.length, 0);
  });

  test("takes a path that is itself a skill, and one that becomes a folder of skills", async () => {
    const path = join(skills, "alpha");
    for (const reads of [1, 0]) {
      read = [];
      const { names, single } = await indexedSkills(path, options);
      assert.deepEqual([names, single, read.length], [["alpha"], true, reads]);
    }
    await rm(join(path, "skill.json"));
    await mkdir(join(path, "inner"));
    await writeFile(
      join(path, "inner", "skill.json"),
      JSON.stringify({ name: "inner", summary: "Inner.", engines: {} }),
    );
    const { names, single } = await indexedSkills(path, options);
    assert.deepEqual([names, single], [["inner"], false]);
  });

  test("tells a path where there is no skill", async () => {
    for (const path of [join(root, "nothing"), root]) {
      const { names, faults } = await indexedSkills(path, options);
      assert.deepEqual(names, []);
      assert.match(faults[0]?.sentence ?? "", /^There is no skill\.json in /);
    }
  });

  test("a summary stays on one line", async () => {
    await write("beta", "About\n\tbeta.");
    assert.deepEqual(await listed(), ALL);
  });

  test("a link that leads nowhere or in a circle is no skill", async (t) => {
    if (process.platform === "win32") return t.skip("links need rights on Windows");
    await symlink(join(root, "gone"), join(skills, "dangling"));
    await symlink(join(skills, "loop"), join(skills, "loop"));
    const { names, faults } = await indexedSkills(skills, options);
    assert.deepEqual(names, ["alpha", "beta", "gamma"]);
    assert.deepEqual(faults, []);
    return undefined;
  });
});
