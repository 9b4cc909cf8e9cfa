import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, refused } from "../../../contract-tests/fake-service.ts";
import { catalogue, type Song } from "./asking-service.ts";
import { about, withHarness } from "./conversation-harness.ts";
import { withMusic } from "./host.ts";

const ALL: readonly Song[] = [
  ["《海盐》", 7],
  ["Blue River", 8],
];
const PLAYS = "最近30天我的播放量怎么样？";
const NOTHING = /^This conversation has no songs yet\./;

test("songs: in a new conversation, and without one, no song is known and no request is sent", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host();
    for (const input of [{}, { conversation: "talk" }]) {
      const { text, ...rest } = await person.songs(input);
      assert.match(String(text), NOTHING);
      assert.deepEqual(rest, { songs: [], ...input });
    }
    assert.deepEqual(harness.service.bodies, []);
  }));

test("songs: lists names as the service writes them, their source and age, and the song in focus", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host({ now: "2026-07-01T12:00:00Z" });
    await person.ask('How is "blue river" doing?', "talk");
    person.test.clock.advance(90_400);
    assert.deepEqual(await person.songs({ conversation: "talk" }), {
      text: "1. 《海盐》\n2. 《Blue River》\n\nFrom an overall answer, 1 minute old.\nIn focus: 《Blue River》.",
      songs: [
        { name: "《海盐》", songId: 7 },
        { name: "Blue River", songId: 8 },
      ],
      source: "overall",
      readAt: "2026-07-01T12:00:00.000Z",
      ageSeconds: 90,
      focus: { name: "Blue River", songId: 8 },
      conversation: "talk",
    });
  }));

test("songs: songs that another answer named are marked, and an overall answer a day later is reported as too old", () =>
  withHarness(catalogue({ overall: ALL, listed: ALL }), async (harness) => {
    const person = await harness.host();
    const source = async (): Promise<unknown> => (await person.songs({ conversation: "talk" }))["source"];
    await person.ask(PLAYS, "talk");
    assert.equal(await source(), "answer");
    await person.songs({ conversation: "talk", refresh: true });
    assert.equal(await source(), "overall");
    person.test.clock.advance(20 * 3_600_000);
    await person.ask("分析《海盐》", "talk");
    person.test.clock.advance(5 * 3_600_000);
    assert.equal(await source(), "answer");
  }));

test("songs --refresh without a conversation begins one, and a line says how to continue it", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host();
    const { conversation } = await person.songs({ refresh: true });
    assert.match(String(conversation), /^[0-9a-f]{10}$/);
    assert.equal(person.test.log.notices.length, 1);
    assert.match(person.test.log.notices[0] ?? "", new RegExp(`--conversation ${String(conversation)} `));
    assert.equal((await person.ask("分析《海盐》", String(conversation))).requests, 1);
  }));

test("songs: product names are filtered from every name, a choice and a focus, and the song can still be chosen", () =>
  withHarness(
    catalogue({
      overall: [
        ["Suno 之夜", 7],
        ["夜 Suno.ai", 8],
        ["SUNO", 9],
      ],
    }),
    async (harness) => {
      const person = await harness.host();
      const chosen = await person.ask("分析《夜》", "talk");
      assert.equal(chosen.kind, "choice");
      const shown = await person.ask("1", "talk");
      const known = await person.songs({ conversation: "talk" });
      assert.doesNotMatch(JSON.stringify([chosen, shown, known]), /suno/i);
      assert.deepEqual(known["songs"], [
        { name: " 之夜", songId: 7 },
        { name: "夜 ", songId: 8 },
        { name: "", songId: 9 },
      ]);
      assert.deepEqual(harness.service.bodies.at(-1), about("分析《夜》", 7));
    },
  ));

test("a number in a question is the song of that name, unless it is an offered choice", () =>
  withHarness(
    catalogue({
      overall: [
        ["夜 404", 7],
        ["夜 22", 8],
        ["404", 9],
      ],
    }),
    async (harness) => {
      const person = await harness.host();
      await person.songs({ conversation: "talk", refresh: true });
      await person.ask("404呢", "talk");
      assert.deepEqual(harness.service.bodies.at(-1), about("404呢", 9));
      assert.equal((await person.ask("分析《夜》", "talk")).kind, "choice");
      await person.ask("what about 404?", "talk");
      assert.deepEqual(harness.service.bodies.at(-1), about("what about 404?", 9));
      assert.equal((await person.ask("分析《夜》", "talk")).kind, "choice");
      await person.ask("2?", "talk");
      assert.deepEqual(harness.service.bodies.at(-1)?.songId, 7);
      await assert.rejects(person.ask("404", "other"), { code: "INPUT_INVALID" });
    },
  ));

test("a comparison with the song in focus asks about both songs", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host();
    const questions = ["how does it compare with 海盐 last month?", "is it better than 海盐?", "和海盐比呢"];
    for (const [index, question] of questions.entries()) {
      await person.ask('How is "blue river" doing?', `talk-${index}`);
      assert.equal((await person.ask(question, `talk-${index}`)).requests, 2, question);
    }
  }));

test("a failure is reported in English if only the known title in the question is Chinese", () =>
  withHarness(catalogue({ overall: ALL }), async (harness) => {
    const person = await harness.host();
    await person.songs({ conversation: "talk", refresh: true });
    harness.service.answer = () => refused("QUOTA_EXCEEDED", "已达10次");
    const english = { code: "MUSIC_QUOTA_REACHED", message: /^You have reached/ };
    await assert.rejects(person.ask("How is 海盐 doing?", "talk"), english);
    await assert.rejects(person.ask("Compare 海盐 with Blue River", "talk"), english);
    await assert.rejects(person.ask("海盐怎么样", "talk"), { code: "MUSIC_QUOTA_REACHED", message: /次/ });
    await assert.rejects(
      person.ask(`Compare 海盐, ${Array.from("abcdefghijk", (letter) => `《${letter}》`).join("")}`, "talk"),
      {
        code: "INPUT_INVALID",
        message: /^The question/,
      },
    );
  }));

test("songs: a list without title marks is read if each name has its id, and a column of row numbers does not count as ids", () => {
  const pair = ["海盐=102", "晚风=103"];
  const rows: readonly (readonly [content: string, songs: readonly string[]])[] = [
    ["1. 海盐（songId：102）\n2. 晚风（songId：103）", pair],
    ["- **海盐** (ID: 102)\n- **晚风** (ID: 103)：12,345 次播放", pair],
    ["1、海盐【歌曲ID：102】\n2、晚风【ID 103】", pair],
    ["| 歌曲 | 播放量 |\n|---|---|\n| 海盐 (songId=102) | 7 |\n| 晚风 (songId=103) | 7 |", pair],
    ["歌曲：海盐\nsongId：102\n\n歌曲：晚风\nsongId：103", pair],
    ["- 歌曲：海盐\n  songId：102\n- 歌曲：晚风，songId：103", pair],
    ["1. Sea (Live) (song id: 102) - 1,234 plays\n2. 404 [songId 103]", ["Sea (Live)=102", "404=103"]],
    ["| 作品 | 编号 |\n|---|---|\n| 海盐 | 102 |\n| 晚风 | 103 |", pair],
    ["| 编号 | 歌曲 | 播放量 |\n|---|---|---|\n| 1 | 海盐 | 7 |\n| 2 | 晚风 | 6 |", []],
    ["- 总播放量：12,345 (ID: 5)\n- 账号 (ID: 77)\n- 用户：小明 (ID: 78)", []],
    ["您的账号 (ID: 5) 本月播放最多的是海盐。", []],
  ];
  return withMusic(
    rows.map(([content]) => answered(content)),
    async ({ host }) => {
      for (const [content, expected] of rows) {
        const refresh = { skill: "music-analysis", command: "songs", input: { refresh: true } };
        const { songs } = (await host.run(refresh)) as { readonly songs: readonly ListedSong[] };
        assert.deepEqual(
          songs.map(({ name, songId }) => `${name}=${songId}`),
          expected,
          content,
        );
      }
    },
  );
});

interface ListedSong {
  readonly name: string;
  readonly songId: number;
}
