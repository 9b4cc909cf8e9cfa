/** The inputs of the embedded service, and its callers: the command line of its import, HTTP, and the host. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { strToU8, zipSync } from "fflate";
import type { ChatReply } from "../contract.ts";
import { own } from "./doors-harness.ts";
import { QUESTION, post, say, serving } from "./serving.ts";

/** A folder that is home, state and working folder, removed afterwards. */
async function home(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-net-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("an import names each file that it refuses and each row that it omits, and imports the others", async (t) => {
  const folder = await home(t);
  await writeFile(
    join(folder, "海盐-timeline.csv"),
    "date,streams\n2026-05-01,10\n2026-05-32,10\n2026-05-03,5\n",
  );
  await writeFile(join(folder, "list.csv"), "fruit,price\nplum,1\n");
  const words = ["run", "music-gateway", "import", "海盐-timeline.csv", "list.csv", "gone.csv"];
  const said = await say(words, { home: folder });
  assert.equal(said.status, 65, said.err);
  const told = `${said.out}${said.err}`;
  assert.match(
    told,
    /海盐-timeline\.csv: imported\. .*, 2 rows, 2026-05-01 to 2026-05-03, 1 row refused \(line 3: the date is not a date\)/,
  );
  assert.match(told, /list\.csv: refused\. No known format matches its columns/);
  assert.match(told, /gone\.csv: refused\. There is no such file\./);
  assert.match(told, /2 of 3 files cannot be imported/);
  const files = await say(["run", "music-gateway", "files"], { home: folder });
  assert.match(files.out, /1 file imported:\n {2}1 {2}海盐-timeline\.csv/);
});

test("a name with line ends, control or bidi characters stays on its line", async (t) => {
  const folder = await home(t);
  const marks = ["\n", "\u001B[31m", "\u0085", "\u2028", "\u202E", "\u2066", "\r", "\u200B"];
  const forged = (mark: string, end: string): string => `a${mark}INJECTED: obey${mark}${end}`;
  const table = "date,streams\n2026-05-01,10\n";
  const names = marks.map((mark) => forged(mark, "-timeline.csv"));
  for (const name of names) await writeFile(join(folder, name), table);
  const refused = forged("\n", ".csv");
  await writeFile(join(folder, refused), "a,b\n");
  const members = marks.map((mark) => [forged(mark, "z-timeline.csv"), strToU8(table)] as const);
  await writeFile(join(folder, "all.zip"), zipSync(Object.fromEntries(members)));
  await writeFile(join(folder, "none.zip"), zipSync({ [refused]: strToU8("a,b\n") }));
  const title = `"${forged("\u001B[31m", "").replaceAll("\n", "")}\u202E"`;
  const songs = `song,listeners,streams,saves,release_date\n${title},1,2,3,2024-03-15\n`;
  await writeFile(join(folder, "songs.csv"), songs);
  const paths = [...names, refused, "all.zip", "none.zip", "songs.csv"];
  const imported = await say(["run", "music-gateway", "import", ...paths], { home: folder });
  assert.equal(imported.status, 65, imported.err);
  const files = await say(["run", "music-gateway", "files"], { home: folder });
  const question = "top 20 songs by streams in all time";
  const answer = await say(["run", "music-gateway", "explain", question], { home: folder });
  const removed = await say(["run", "music-gateway", "remove", names[4] ?? "", "x\u202E"], { home: folder });
  for (const { out, err } of [imported, files, answer, removed]) {
    // oxlint-disable-next-line no-control-regex
    assert.doesNotMatch(out + err, /[\u001B\u0085\u2028\u202E\u2066\u200B]|^INJECTED/m);
  }
  assert.match(files.out, /INJECTED/);
});

test("a row with a day outside the supported years, or with plays below zero, is refused", async (t) => {
  const folder = await home(t);
  const tables = {
    "A-timeline.csv": "date,streams\n2026-01-02,5\n10000-01-01,6\n",
    "B-timeline.csv": "date,streams\n2026-01-02,5\n0001-01-01,6\n2026-01-03,-5\n",
    "Totals 2026-02-30_2026-03-31.csv": "song,listeners,streams,saves,release_date\nC,1,2,3,2024-03-15\n",
    "Totals 0001-01-01_9999-12-31.csv":
      "song,listeners,streams,saves,release_date\nD,1,-2,3,2024-03-15\nE,1,2,3,2024-03-15\n",
  };
  for (const [name, text] of Object.entries(tables)) await writeFile(join(folder, name), text);
  const said = await say(["run", "music-gateway", "import", ...Object.keys(tables)], { home: folder });
  assert.equal(said.status, 0, said.err);
  assert.match(
    said.out,
    /A-timeline.*1 row, 2026-01-02 to 2026-01-02, 1 row refused \(line 3: the date is not a date\)/,
  );
  assert.match(said.out, /B-timeline.*1 row, 2026-01-02 to 2026-01-02, 2 rows refused/);
  const files = await say(["run", "music-gateway", "files"], { home: folder });
  assert.equal(files.status, 0, files.err);
  assert.match(files.out, /line 4: streams is not a whole number/);
  assert.match(files.out, /4 files imported/);
});

test("a dry run prints its plan and changes nothing", async (t) => {
  const folder = await home(t);
  await writeFile(join(folder, "海盐-timeline.csv"), "date,streams\n2026-05-01,10\n");
  const words = ["run", "music-gateway", "import", "--dry-run", "海盐-timeline.csv"];
  const said = await say(words, { home: folder });
  assert.equal(said.status, 0, said.err);
  assert.match(said.out, /would be imported[^]*Nothing was changed\./);
  const files = await say(["run", "music-gateway", "files"], { home: folder });
  assert.match(files.out, /No files are imported; answers come from this sample data/);
});

const FORBIDDEN =
  "query question prompt message text input content sessionId accountId userId uid excludeFraudulentPlays dataCaliber anything";
const REFUSED: readonly (readonly [body: unknown, code: string, message: string])[] = [
  ...FORBIDDEN.split(" ").map(
    (field) => [{ userMessage: QUESTION, [field]: "x" }, "100010", "数据异常，请稍候再试"] as const,
  ),
  ["text", "100010", "数据异常，请稍候再试"],
  [[QUESTION], "100010", "数据异常，请稍候再试"],
  [null, "100010", "数据异常，请稍候再试"],
  [{}, "INVALID_PARAM", "userMessage 不能为空"],
  [{ userMessage: " \u3000\n" }, "INVALID_PARAM", "userMessage 不能为空"],
  [{ userMessage: 5 }, "INVALID_PARAM", "userMessage 不能为空"],
  ...["2", 0, 1.5, null].map(
    (songId) => [{ userMessage: QUESTION, songId }, "INVALID_PARAM", "songId 必须是正整数"] as const,
  ),
  [{ userMessage: QUESTION, songId: 987_654 }, "SONG_NOT_SUPPORTED", "歌曲不支持分析"],
];

test("a client without its token gets no figure, and a body outside the contract is refused [music.request.forbidden]", async (t) => {
  const gateway = await serving(await home(t));
  t.after(gateway.stop);
  for (const [body, code, message] of REFUSED)
    assert.deepEqual(await (await post(gateway, { body })).json(), { code, message, data: null });
  for (const token of ["", `${gateway.token.slice(0, -1)}!`])
    assert.deepEqual(await (await post(gateway, { token })).json(), {
      code: "UNAUTHORIZED",
      message: "未登录",
      data: null,
    });
});

test("a successful reply has the five fields of the contract, and the same content each time", async (t) => {
  const gateway = await serving(await home(t));
  t.after(gateway.stop);
  assert.deepEqual([gateway.facts["accountId"], gateway.facts["data"]], ["10000001", "sample data"]);
  const ask = async (): Promise<ChatReply> => (await (await post(gateway)).json()) as ChatReply;
  const { code, message, data } = await ask();
  assert.deepEqual([code, message], [0, null]);
  const { sessionId, messageId, content, ...rest } = data ?? assert.fail();
  assert.match(sessionId, /^svc\.data\.agent:svc\.data\.agent:10000001:\d{8}$/);
  assert.match(messageId, /^ag-msg-[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.deepEqual(rest, { finishReason: "COMPLETE", safetyRevoked: false });
  const again = await ask();
  assert.equal(again.data?.content, content);
  assert.notEqual(again.data?.messageId, messageId);
});

test("any number of questions a day is answered", async (t) => {
  const { ask } = await own(t);
  for (let count = 0; count < 12; count += 1) assert.match(await ask(QUESTION), /播放/);
});

test("sample data and imported files are named on standard error and in the answer, each only once", async (t) => {
  const sample = await own(t, {});
  assert.match(await sample.ask("最近7天的播放量"), /以上为内置示例数据，并非真实账号/);
  await sample.ask("最近7天的播放量");
  const notices = sample.host.log.notices.filter((line) => line.includes("embedded gateway"));
  assert.equal(notices.length, 1);
  assert.match(notices[0] ?? "", /answers from sample data; to use your own/);
  const narrow = await say(["run", "music-analysis", QUESTION], { home: await home(t), errorColumns: 60 });
  assert.match(narrow.err, /^The embedded gateway answers from sample data; to use your\nown, run/m);
  const mine = await own(t);
  assert.doesNotMatch(await mine.ask("最近7天的播放量"), /示例数据/);
  assert.match(mine.host.log.notices.join("\n"), /answers from your imported files \(6\)/);
});
