import assert from "node:assert/strict";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { effort } from "../../../contract-tests/effort.ts";
import { OVERALL, catalogue, type Song } from "./asking-service.ts";
import { withHarness, type Harness } from "./conversation-harness.ts";
import { about, talk, unsupported, type Step } from "./conversation-talk.ts";

const ALL: readonly Song[] = [
  ["海盐", 7],
  ["风筝", 8],
];
const DOCUMENT = { collection: "music-analysis-conversations", id: "talk" };
const SHOWN: Step = { say: "分析《海盐》", gets: "song", sent: [OVERALL, about("分析《海盐》", 7)] };
const ASKED: Step = { say: "分析《风筝！》", gets: "choice", sent: [] };
const KEEP_MS = 3_600_000;

type Document = { version: unknown; state: Record<string, Record<string, unknown>> };

/** What something else may have made of a document. */
const BROKEN: readonly (readonly [title: string, broken: (whole: Document) => unknown])[] = [
  ["null", () => null],
  ["a number", () => 5],
  ["a text", () => "broken"],
  ["a list", (whole) => [whole]],
  ["nothing in it", () => ({})],
  ["another version", ({ state }) => ({ version: 2, state })],
  ["no state", ({ version }) => ({ version })],
  ["a state that is null", ({ version }) => ({ version, state: null })],
  ["a state that is empty", ({ version }) => ({ version, state: {} })],
  ["no login", ({ version, state }) => ({ version, state: { ...state, account: {} } })],
  ["an account id that is a number", part("account", { id: 5 })],
  ["songs that are no list", part("known", { songs: { 0: "海盐" } })],
  ["a song that is null", part("known", { songs: [null] })],
  ["a song without a name", part("known", { songs: [{ key: "海盐", songId: 7 }] })],
  ["a song without a key", part("known", { songs: [{ name: "海盐", songId: 7 }] })],
  ["a song with the id 0", part("known", { songs: [{ name: "海盐", key: "海盐", songId: 0 }] })],
  [
    "a song with an id that is a text",
    part("known", { songs: [{ name: "海盐", key: "海盐", songId: "7" }] }),
  ],
  ["a song with half an id", part("known", { songs: [{ name: "海盐", key: "海盐", songId: 7.5 }] })],
  ["a song with a version that is a number", part("focus", { version: 1 })],
  ["an unknown source", part("known", { source: "guess" })],
  ["a time that is a text", part("known", { at: "2026" })],
  ["a focus without an id", part("focus", { songId: undefined })],
  ["a choice without a question", part("pending", { question: undefined })],
  ["a choice without a name", part("pending", { name: 1 })],
  ["candidates that are no songs", part("pending", { candidates: ["风筝"] })],
  ["chosen songs that are no pairs", part("pending", { chosen: ["风筝"] })],
  ["a chosen song that is none", part("pending", { chosen: [["风筝", {}]] })],
  ["a count that is none", part("pending", { asked: null })],
  ["a choice without a time", part("pending", { at: undefined })],
];

function part(name: string, change: object) {
  return ({ version, state }: Document) => ({
    version,
    state: { ...state, [name]: { ...state[name], ...change } },
  });
}

for (const [title, broken] of BROKEN.filter((_, index) => index % effort(6, 1) === 0)) {
  test(`a document that something has changed counts as none: ${title}`, () =>
    withHarness(catalogue({ overall: ALL }), async (harness) => {
      await talk(harness, [SHOWN, ASKED]);
      const { state } = (await harness.host()).test.host.ports;
      const whole = (await state.read(DOCUMENT)) as Document;
      assert.deepEqual(Object.keys(whole.state).toSorted(), ["account", "focus", "known", "pending"]);
      await state.update(DOCUMENT, KEEP_MS, () => JSON.parse(JSON.stringify(broken(whole))) as unknown);
      const known = await (await harness.host()).songs({ conversation: "talk" });
      assert.deepEqual([known["songs"], known["focus"]], [[], undefined]);
      await talk(harness, [
        SHOWN,
        { ...ASKED, gets: "choice" },
        { say: "1", gets: "song", sent: [about("分析《风筝！》", 8)] },
      ]);
    }));
}

const DAMAGE: readonly (readonly [title: string, damaged: (bytes: Buffer) => Buffer])[] = [
  ["empty", () => Buffer.alloc(0)],
  ["cut in half", (bytes) => bytes.subarray(0, bytes.length / 2)],
  ["without their end", (bytes) => bytes.subarray(0, -3)],
  ["without their first half", (bytes) => bytes.subarray(bytes.length / 2)],
  ["zeros", (bytes) => Buffer.alloc(bytes.length)],
  ["no text", () => Buffer.from([0xff, 0xfe, 0x00, 0x9f, 0x92])],
  ["other JSON", () => Buffer.from('{"until":9999999999999,"value":{"version":1,"state":7}}')],
];

for (const [title, damaged] of DAMAGE) {
  test(`files of the state folder that are ${title} count as none, and the next question is answered and kept`, () =>
    withHarness(catalogue({ overall: ALL }), async (harness) => {
      await talk(harness, [SHOWN, ASKED]);
      const files = await stateFiles(harness);
      assert.ok(files.length >= 2, files.join(" "));
      for (const file of files) await writeFile(file, damaged(await readFile(file)));
      await talk(harness, [
        SHOWN,
        ASKED,
        { say: "都不是", gets: "unsupported", sent: [], shown: unsupported("风筝！") },
      ]);
      const { questionsToday } = await (await harness.host()).songs();
      assert.deepEqual(questionsToday, { used: 2, of: 10 });
    }));
}

async function stateFiles({ folder }: Harness): Promise<readonly string[]> {
  const entries = await readdir(join(folder, "state"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test("with a state folder that cannot be written the answer is shown, and one line says that nothing is kept", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    await withoutState(harness);
    const person = await harness.host();
    const shown = await person.ask("分析《海盐》", "talk");
    assert.deepEqual([shown.text, shown.requests], ["answer about song 7", 2]);
    const { notices } = person.test.log;
    assert.equal(notices.filter((line) => line.startsWith("The conversation cannot be kept: ")).length, 1);
    assert.equal(
      notices.filter((line) => line.startsWith("Today's questions cannot be counted: ")).length,
      1,
    );
    assert.equal(notices.length, 2);
  }));

test("with a state folder that cannot be written a choice is shown, and nobody is told to answer in vain", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    await withoutState(harness);
    const person = await harness.host();
    const shown = await person.ask("分析《风筝！》");
    assert.deepEqual([shown.kind, shown.candidates, shown.conversation], ["choice", ["风筝"], undefined]);
    assert.doesNotMatch(person.test.log.notices.join("\n"), /To answer/);
    assert.match(person.test.log.notices.join("\n"), /The conversation cannot be kept/);
    const known = await person.songs({ refresh: true });
    assert.match(String(known["text"]), /^1\. 《海盐》\n2\. 《风筝》\n\n/);
    assert.doesNotMatch(person.test.log.notices.join("\n"), /To go on/);
  }));

test("within one call a conversation that cannot be written still knows what it has learnt", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    await withoutState(harness);
    const person = await harness.host();
    const shown = await person.ask("比较《海盐》和《风筝》", "talk");
    assert.deepEqual([shown.kind, shown.requests], ["song", 3]);
  }));

/** A file stands where the state folder should be: that cannot be written even by the superuser. */
async function withoutState({ folder }: Harness): Promise<void> {
  await rm(join(folder, "state"), { recursive: true });
  await writeFile(join(folder, "state"), "");
}

test("two hosts that change one conversation at once lose nothing of each other", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const hosts = [await harness.host(), await harness.host()];
    const ids = Array.from({ length: 24 }, (_, place) => place + 100);
    harness.service.answer = (body, token) => {
      const id = Number(body.userMessage.slice(-3));
      return catalogue({ overall: [], listed: [[`歌${id}`, id]] })(body, token);
    };
    const asking = hosts.map(async (person, odd) => {
      const own = ids.filter((id) => id % 2 === odd);
      return Promise.all(own.map((id) => person.ask(`我的数据 ${id}`, "talk")));
    });
    assert.equal(
      (await Promise.all(asking)).flat().every(({ kind }) => kind === "account"),
      true,
    );
    const { songs } = (await (await harness.host()).songs({ conversation: "talk" })) as {
      songs: { songId: number }[];
    };
    assert.deepEqual(new Set(songs.map(({ songId }) => songId)), new Set(ids));
  }));
