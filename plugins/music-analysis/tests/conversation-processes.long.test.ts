import assert from "node:assert/strict";
import { watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { OVERALL, catalogue, type Body } from "./asking-service.ts";
import { program, sayInProcessOfItsOwn, type Said } from "../../../contract-tests/command-line.ts";
import { TOKEN, withHarness, type Harness } from "./conversation-harness.ts";
import { about, plain, unsupported } from "./conversation-talk.ts";

const PLAYS = "最近30天我的播放量怎么样？";
const ACCOUNT = catalogue({ overall: [["海盐", 7]], listed: [["风筝", 8]], account: "11" });
/** A write changes its folder in about so many steps. */
const STEPS = 7;

const variables = ({ service }: Harness) => ({ SVC_BASE_URL: service.url, SVC_HEADER_TOKEN: TOKEN });
const words = (...rest: readonly string[]) => ["run", "music-analysis", "--conversation", "talk", ...rest];
const say = (harness: Harness, ...rest: readonly string[]): Promise<Said> =>
  sayInProcessOfItsOwn(words(...rest), harness.folder, { variables: variables(harness) });

test("two processes at once: one learns songs, the other sets a choice, and nothing of either is lost", () =>
  withHarness(ACCOUNT, async (harness) => {
    const held: (() => void)[] = [];
    harness.service.answer = async (body, token) => {
      await new Promise<void>((resolve) => {
        held.push(resolve);
        if (held.length === 2) for (const release of held) release();
      });
      return ACCOUNT(body, token);
    };
    const [learns, asks] = await Promise.all([say(harness, PLAYS), say(harness, "分析《海盐！》的表现")]);
    assert.deepEqual([learns.status, asks.status], [0, 0], learns.err + asks.err);
    assert.match(asks.out, /1\. 《海盐》/);
    harness.service.answer = ACCOUNT;
    const known = await sayInProcessOfItsOwn(
      ["run", "music-analysis", "songs", "--conversation", "talk", "--json"],
      harness.folder,
      { variables: variables(harness) },
    );
    const { songs } = (JSON.parse(known.out) as { output: { songs: { songId: number }[] } }).output;
    assert.deepEqual(new Set(songs.map(({ songId }) => songId)), new Set([7, 8]));
    const chosen = await say(harness, "1");
    assert.equal(chosen.out, "answer about song 7\n", chosen.err);
    const bodies = [OVERALL, plain(PLAYS)].toSorted(byText);
    assert.deepEqual(harness.service.bodies.slice(0, 2).toSorted(byText), bodies);
    assert.deepEqual(harness.service.bodies.slice(2), [about("分析《海盐！》的表现", 7)]);
  }));

function byText(one: Body, other: Body): number {
  return one.userMessage < other.userMessage ? -1 : 1;
}

test("a process that is killed at any step of a write leaves a whole conversation: a choice, and songs that only grow", () =>
  withHarness(ACCOUNT, async (harness) => {
    const asked = await say(harness, "分析《海盐！》的表现");
    assert.equal(asked.status, 0, asked.err);
    const person = await harness.host({ now: Date.now() });
    const folder = await folderOfDocuments(harness);
    let known: readonly number[] = [7];
    for (let step = 1; step <= STEPS; step += 1) {
      harness.service.answer = catalogue({ overall: [[`歌${step}`, 100 + step]], account: "11" });
      const refresh = ["run", "music-analysis", "songs", "--conversation", "talk", "--refresh"];
      const child = program(refresh, harness.folder, { variables: variables(harness) });
      const gone = new Promise((resolve) => child.on("close", resolve));
      let steps = 0;
      const watcher = watch(folder, () => (steps += 1) === step && child.kill("SIGKILL"));
      await gone;
      watcher.close();
      const { songs } = (await person.songs({ conversation: "talk" })) as { songs: { songId: number }[] };
      const now = songs.map(({ songId }) => songId);
      const where = `killed at step ${step}: ${now.join(" ")}`;
      assert.ok(
        known.every((id) => now.includes(id)),
        where,
      );
      assert.ok(
        now.every((id) => known.includes(id) || id === 100 + step),
        where,
      );
      known = now;
    }
    harness.service.answer = ACCOUNT;
    const chosen = await say(harness, "1");
    assert.equal(chosen.out, "answer about song 7\n", chosen.err);
    const next = await say(harness, "分析《星图》");
    assert.equal(next.out, `${unsupported("星图")}\n`, next.err);
  }));

/** Where the one document that was written so far stands. */
async function folderOfDocuments({ folder }: Harness): Promise<string> {
  const collection = join(folder, "state", "documents", "music-analysis-conversations");
  const files = await readdir(collection, { recursive: true, withFileTypes: true });
  const [file, another] = files.filter((entry) => entry.isFile());
  assert.ok(file && another === undefined);
  return file.parentPath;
}

test("without a conversation the program says on standard error how to answer, and the very words work", () =>
  withHarness(ACCOUNT, async (harness) => {
    const first = await sayInProcessOfItsOwn(
      ["run", "music-analysis", "分析《海盐！》的表现"],
      harness.folder,
      {
        variables: variables(harness),
      },
    );
    const [, command = ""] = /^To answer: skillctl (.*)$/m.exec(first.err) ?? [];
    assert.match(command, /^run music-analysis --conversation [0-9a-f]{10} "1"$/, first.err);
    const answer = command.replaceAll('"', "").split(" ");
    const second = await sayInProcessOfItsOwn(answer, harness.folder, { variables: variables(harness) });
    assert.equal(second.out, "answer about song 7\n", second.err);
    assert.deepEqual(harness.service.bodies, [OVERALL, about("分析《海盐！》的表现", 7)]);
  }));
