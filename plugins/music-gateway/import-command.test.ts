import assert from "node:assert/strict";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { SkillError } from "skillctl";
import { nodePorts } from "skillctl/host";
import { AccountsCommand } from "./accounts-command.ts";
import type { ImportOutput } from "./contract.ts";
import { ImportCommand } from "./import-command.ts";
import { safeName } from "./library.ts";
import { gatewayIn, quietCall } from "./temporary-gateway.test.ts";

const DISTROKID = "Sale Month,Store,Title,ISRC,Quantity,Song/Album,Country of Sale,Earnings (USD)";

async function workshop(context: TestContext) {
  const gateway = await gatewayIn(context);
  const command = new ImportCommand(nodePorts().files, gateway.environment, gateway.library);
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(join(gateway.folder, name, ".."), { recursive: true });
    await writeFile(join(gateway.folder, name), text);
  };
  const take = (files: readonly string[], dryRun = false): Promise<ImportOutput> =>
    command.run({ files: [...files], dryRun }, quietCall().call);
  const exports = join(gateway.library.folder, "exports");
  return { ...gateway, write, take, exports };
}

const statuses = (output: ImportOutput): readonly string[] => output.files.map(({ status }) => status);

test("a file is copied byte for byte, reported, and answers instead of the sample", async (context) => {
  const { write, take, exports, engine } = await workshop(context);
  await write("海盐-timeline.csv", '\uFEFFdate,streams\n2026-05-01,10\n2026-05-03,"1,234"\n');
  assert.match((await engine.answer("播放量", undefined)) ?? "", /内置示例数据/);
  const output = await take(["海盐-timeline.csv"]);
  const [report] = output.files;
  assert.deepEqual([output.accepted, output.refused, output.dryRun], [1, 0, false]);
  assert.deepEqual(
    [report?.status, report?.kind, report?.rows, report?.refusedRows],
    ["imported", "spotify-timeline", 2, 0],
  );
  assert.deepEqual(report?.window, { from: "2026-05-01", to: "2026-05-03" });
  assert.match(
    output.text,
    /^海盐-timeline\.csv: imported\. Spotify for Artists song timeline, 2 rows, 2026-05-01 to 2026-05-03$/,
  );
  const [name = ""] = await readdir(exports);
  assert.match(name, /^[0-9a-f]{16}-海盐-timeline\.csv$/);
  assert.equal(
    await readFile(join(exports, name), "utf8"),
    '\uFEFFdate,streams\n2026-05-01,10\n2026-05-03,"1,234"\n',
  );
  const content = (await engine.answer("播放量", undefined)) ?? "";
  assert.match(content, /\| 播放量 \| 1,244 \|/);
  assert.match(content, /2026-05-02（共 1 天）/);
  assert.doesNotMatch(content, /示例数据/);
});

test("the same bytes are taken once, under any name, but a timeline once a song", async (context) => {
  const { write, take, exports } = await workshop(context);
  const timeline = "date,streams\n2026-05-01,10\n";
  const table = "song,listeners,streams,saves,release_date\n海盐,1,2,3,2024-03-15\n";
  for (const name of ["a-timeline.csv", "b-timeline.csv", "a-timeline (1).csv"]) await write(name, timeline);
  for (const name of ["x-songs-28day.csv", "copy.csv"]) await write(name, table);
  assert.deepEqual(statuses(await take(["a-timeline.csv", "b-timeline.csv", "x-songs-28day.csv"])), [
    "imported",
    "imported",
    "imported",
  ]);
  assert.deepEqual(statuses(await take(["a-timeline.csv", "a-timeline (1).csv", "copy.csv"])), [
    "already-there",
    "already-there",
    "already-there",
  ]);
  assert.equal((await readdir(exports)).length, 3);
});

test("an export with a byte-order mark and one without are one file", async (context) => {
  const { write, take, exports } = await workshop(context);
  const timeline = "date,streams\n2026-05-01,10\n";
  const table = "song,listeners,streams,saves,release_date\n海盐,1,2,3,2024-03-15\n";
  await write("plain/a-timeline.csv", timeline);
  await write("marked/a-timeline.csv", `\uFEFF${timeline}`);
  await write("plain/x.csv", `\uFEFF${table}`);
  await write("marked/y.csv", table);
  assert.deepEqual(statuses(await take(["plain", "marked"], true)), [
    "would-import",
    "would-import",
    "already-there",
    "already-there",
  ]);
  assert.deepEqual(statuses(await take(["plain"])), ["imported", "imported"]);
  assert.deepEqual(statuses(await take(["marked"])), ["already-there", "already-there"]);
  assert.equal((await readdir(exports)).length, 2);
});

test("a dry run reports the same and writes nothing", async (context) => {
  const { folder, write, take } = await workshop(context);
  await write("in/a-timeline.csv", "date,streams\n2026-05-01,10\n");
  const output = await take(["in"], true);
  assert.deepEqual(statuses(output), ["would-import"]);
  assert.match(output.text, /Nothing was changed\.$/);
  assert.deepEqual(await readdir(folder), ["in"]);
});

test("a refused file is named with its reason, keeps the others, and fails the command with the report", async (context) => {
  const { write, take, exports } = await workshop(context);
  await write("bad.csv", "title,author\na,b\n");
  await write("a-timeline.csv", "date,streams\n2026-05-01,10\n");
  await assert.rejects(take(["bad.csv", "missing.csv", "a-timeline.csv"]), (caught) => {
    assert.ok(caught instanceof SkillError);
    assert.equal(caught.code, "GATEWAY_FILE_UNKNOWN");
    const output = caught.result as ImportOutput;
    assert.deepEqual(statuses(output), ["refused", "refused", "imported"]);
    assert.match(output.text, /^bad\.csv: refused\. The columns "title, author" belong to no kind/);
    assert.match(output.text, /missing\.csv: refused\. There is no such file\./);
    return true;
  });
  assert.equal((await readdir(exports)).length, 1);
});

test("song ids are given once, survive a removed file, and join exports by ISRC and title", async (context) => {
  const { write, take, engine, library, exports } = await workshop(context);
  await write("One-timeline.csv", "date,streams\n2026-05-01,10\n");
  await write("Two_-timeline.csv", "date,streams\n2026-05-01,20\n");
  await take(["One-timeline.csv", "Two_-timeline.csv"]);
  await write(
    "statement.csv",
    `${DISTROKID}\n2026-05,Spotify,Two?,TWA452300001,3,Song,TW,0.5\n2026-05,Spotify,Three,TWA452300002,4,Song,TW,0.25\n`,
  );
  await take(["statement.csv"]);
  const titles = async (): Promise<readonly unknown[]> =>
    (await engine.holdings()).songs.map(({ id, title }) => [id, title]);
  assert.deepEqual(await titles(), [
    [1, "One"],
    [2, "Two?"],
    [3, "Three"],
  ]);
  for (const name of await readdir(exports))
    if (name.endsWith("One-timeline.csv")) await rm(join(exports, name));
  await write("Four-timeline.csv", "date,streams\n2026-05-01,20\n");
  await take(["Four-timeline.csv"]);
  assert.deepEqual((await titles()).at(-1), [4, "Four"]);
  assert.match(await readFile(join(library.folder, "songs.json"), "utf8"), /"next": 5/);
});

test("a broken register of songs is refused rather than overwritten", async (context) => {
  const { write, take, engine, library } = await workshop(context);
  await write("a-timeline.csv", "date,streams\n2026-05-01,10\n");
  await take(["a-timeline.csv"]);
  await writeFile(join(library.folder, "songs.json"), "{");
  await assert.rejects(engine.holdings(), { code: "GATEWAY_STATE_BROKEN" });
});

test("a later export of the same days and rows wins and is not counted twice", async (context) => {
  const { write, take, engine } = await workshop(context);
  await write("a-timeline.csv", "date,streams\n2026-05-01,10\n2026-05-02,10\n");
  await write("a-timeline (1).csv", "date,streams\n2026-05-02,15\n2026-05-03,20\n");
  const row = "2026-05,Spotify,a,TWA452300001,3,Song,TW,0.50";
  await write("one.csv", `${DISTROKID}\n${row}\n${row}\n`);
  await write("two.csv", `${DISTROKID}\n${row}\n${row}\n2026-06,Spotify,a,TWA452300001,4,Song,TW,0.25\n`);
  await take(["a-timeline.csv", "a-timeline (1).csv", "one.csv", "two.csv"]);
  assert.match((await engine.answer("plays", undefined)) ?? "", /\| Plays \| 45 \|/);
  assert.match(
    (await engine.answer("income in May 2026", undefined)) ?? "",
    /\| 2026-05 \| USD \| 6 \| 1\.00 \|/,
  );
});

test("income of two currencies stays apart", async (context) => {
  const { write, take, engine } = await workshop(context);
  await write("usd.csv", `${DISTROKID}\n2026-05,Spotify,a,TWA452300001,3,Song,TW,1234.50\n`);
  await write(
    "eur.csv",
    `${DISTROKID.replace("USD", "EUR")}\n2026-05,Spotify,a,TWA452300001,5,Song,DE,2.00\n`,
  );
  await take(["usd.csv", "eur.csv"]);
  const content = (await engine.answer("收入", undefined)) ?? "";
  assert.match(content, /\| 2026-05 \| EUR \| 5 \| 2\.00 \|\n\| 2026-05 \| USD \| 3 \| 1,234\.50 \|/);
});

test("with a songs table alone the ranking uses it, two songs of one name stay two, and plays say what is missing", async (context) => {
  const { write, take, engine } = await workshop(context);
  await write(
    "x-songs-28day.csv",
    "song,listeners,streams,saves,release_date\n晚安,1,200,3,2026-03-15\n晚安,1,100,3,2024-03-15\n",
  );
  await take(["x-songs-28day.csv"]);
  const content = (await engine.answer("歌曲排行", undefined)) ?? "";
  assert.match(content, /没有按天的播放数据/);
  assert.match(
    content,
    /\| 1 \| 《晚安》 \| 2 \| 200 \| 66\.7% \| — \|\n\| 2 \| 《晚安》 \| 1 \| 100 \| 33\.3% \| — \|/,
  );
  assert.match(content, /有同名歌曲：《晚安》/);
  for (const question of ["收入", "粉丝", "地区"])
    assert.match((await engine.answer(question, undefined)) ?? "", /现有文件里没有/);
});

test("accounts shows who answers, from what, and the questions used", async (context) => {
  const { write, take, engine, quota } = await workshop(context);
  const accounts = new AccountsCommand(engine, quota);
  const before = await accounts.run();
  assert.deepEqual(
    [before.accountId, before.data, before.files.length, before.songs.length],
    ["10000001", "sample", 18, 14],
  );
  assert.deepEqual(before.window, { from: "2026-04-01", to: "2026-10-31" });
  await quota.take("10000001");
  assert.equal((await accounts.run()).questionsUsed, 1);
  await write("a-timeline.csv", "date,streams\n2026-05-01,10\n");
  await take(["a-timeline.csv"]);
  const after = await accounts.run();
  assert.deepEqual(
    [after.accountId, after.data, after.songs, after.questionsUsed],
    ["20000001", "imports", [{ songId: 1, title: "a" }], 0],
  );
  assert.match(after.text, /Questions today: 0 of 10[^]*1 {2}《a》/);
});

test("a file name is made safe and keeps its end", () => {
  assert.equal(safeName("../a:b?-timeline.csv"), "__a_b_-timeline.csv");
  const long = safeName(`${"海".repeat(200)}-timeline.csv`);
  assert.ok(Buffer.byteLength(long) <= 200);
  assert.match(long, /海-timeline\.csv$/);
});
