/** Files are imported once, listed, counted once, and removed. */
import assert from "node:assert/strict";
import { readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { FilesCommand } from "../files-command.ts";
import { RemoveCommand } from "../remove-command.ts";
import { ResetCommand } from "../reset-command.ts";
import { gatewayIn } from "./gateway-harness.ts";

const DISTROKID =
  "Reporting Date,Sale Month,Store,Title,ISRC,Quantity,Song/Album,Country of Sale,Earnings (USD)";
const PLAYS = "SELECT date::VARCHAR, title, plays FROM song_day JOIN song ON id = song_id ORDER BY ALL";
const timeline = (...rows: readonly (readonly [day: number, plays: number])[]): string =>
  `date,streams\n${rows.map(([day, plays]) => `2026-05-0${day},${plays}\n`).join("")}`;

type Gateway = Awaited<ReturnType<typeof gatewayIn>>;
const listed = async ({ collections }: Gateway) => (await new FilesCommand(collections).run()).files;
const statuses = ({ files }: { readonly files: readonly { readonly status: string }[] }) =>
  files.map(({ status }) => status);

test("a file is kept byte for byte, listed, and used instead of the sample", async (context) => {
  const gateway = await gatewayIn(context);
  const content = Buffer.from("\uFEFFdate,streams\n2026-05-01,10\n");
  await gateway.take({ "海盐-timeline.csv": content });
  assert.deepEqual(await gateway.values(PLAYS), [["2026-05-01", "海盐", 10]]);
  const [kept = ""] = await readdir(gateway.library.exports);
  assert.deepEqual(await readFile(join(gateway.library.exports, kept)), content);
  const { text } = await new FilesCommand(gateway.collections).run();
  assert.equal(
    text,
    "1 file imported:\n  1  海盐-timeline.csv (spotify-timeline, 1 row, 2026-05-01 to 2026-05-01)\n     stored: streams 10",
  );
});

test("of two downloads the one that ends later wins, and with the same end the one with the higher number", async (context) => {
  const { take, values } = await gatewayIn(context);
  await take({ "Beta-timeline (1).csv": timeline([2, 15], [3, 20]) });
  await take({ "Beta-timeline.csv": timeline([1, 10], [2, 11], [3, 12]) });
  assert.deepEqual(await values(PLAYS), [
    ["2026-05-01", "Beta", 10],
    ["2026-05-02", "Beta", 15],
    ["2026-05-03", "Beta", 20],
  ]);
  await take({
    "Beta-timeline (2).csv": timeline([1, 9]),
    "other/Beta-timeline.csv": timeline([3, 1], [4, 2]),
  });
  assert.deepEqual(
    (await values(PLAYS)).map(([, , plays]) => plays),
    [10, 15, 1, 2],
  );
});

test("sale rows of an overlapping statement are not doubled, and equal rows of one statement both count", async (context) => {
  const { take, values } = await gatewayIn(context);
  const row = "2026-06-01,2026-05,Spotify,a,TWA452300001,3,Song,TW,0.50";
  const june = "2026-07-01,2026-06,Spotify,a,TWA452300001,4,Song,TW,0.25";
  await take({ "one.csv": `${DISTROKID}\n${row}\n${row}\n` });
  await take({
    "two.csv": `${DISTROKID}\n${row}\n${row}\n${june}\n`,
    "three.csv": `${DISTROKID}\n${row}\n${row}\n${row}\n`,
  });
  assert.deepEqual(
    await values("SELECT month::VARCHAR, count(*), sum(units)::BIGINT FROM sale GROUP BY 1 ORDER BY 1"),
    [
      ["2026-05-01", 3, 9],
      ["2026-06-01", 1, 4],
    ],
  );
});

test("the same data are imported once under any name, but a timeline once for each song", async (context) => {
  const { take, library } = await gatewayIn(context);
  const table = "song,listeners,streams,saves,release_date\n海盐,1,2,3,2024-03-15\n";
  const days = timeline([1, 10]);
  assert.deepEqual(statuses(await take({ "a-timeline.csv": days, "b-timeline.csv": days, "x.csv": table })), [
    "imported",
    "imported",
    "imported",
  ]);
  const again = await take({
    "a-timeline.csv": `\uFEFF${days}`,
    "a-timeline (1).csv": days,
    "copy.csv": table,
  });
  assert.deepEqual(statuses(again), ["already-there", "already-there", "already-there"]);
  assert.equal((await readdir(library.exports)).length, 3);
});

test("a zip folder is imported as it was downloaded, and its members are written nowhere else", async (context) => {
  const gateway = await gatewayIn(context);
  const zip = zipSync({
    "Content 2026/Table data.csv": strToU8(
      "Content,Video title,Video publish time,Views\nTotal,,,9\nab,Beta,2026-01-01,9\n",
    ),
    "Content 2026/Chart data.csv": strToU8("Date,Content,Video title,Views\n2026-05-01,ab,Beta,9\n"),
    "Content 2026/Totals.csv": strToU8("Date,Views\n2026-05-01,10\n"),
    "../../../evil-timeline.csv": strToU8(timeline([1, 10])),
    "__MACOSX/._Totals.csv": strToU8("x"),
    "readme.pdf": strToU8("x"),
  });
  const { files } = await gateway.take({ "Content.zip": zip });
  assert.deepEqual(
    files.map(({ kind, status }) => `${kind} ${status}`).toSorted((left, right) => (left < right ? -1 : 1)),
    [
      "spotify-timeline imported",
      "youtube-chart imported",
      "youtube-table imported",
      "youtube-totals imported",
    ],
  );
  assert.equal((await readdir(gateway.library.exports)).length, 4);
  assert.deepEqual(await gateway.values("SELECT video_id, views FROM video_day ORDER BY views"), [
    ["ab", 9],
    [null, 10],
  ]);
  const removed = await new RemoveCommand(gateway.library).run({ files: ["Content.zip"] });
  assert.equal(removed.removed.length, 4);
});

test("a refused table in a zip folder is named next to the imported ones", async (context) => {
  const gateway = await gatewayIn(context);
  const zip = zipSync({
    "Totals.csv": strToU8("Date,Views\n2026-05-01,3\n"),
    "Other.csv": strToU8("Mood,Colour\ncalm,blue\n"),
  });
  const { files } = await gateway.take({ "Content.zip": zip });
  assert.deepEqual(
    files.map(({ file, status }) => [file.split("/").at(-1), status]),
    [
      ["Other.csv", "refused"],
      ["Totals.csv", "imported"],
    ],
  );
});

test("views by country come from the table that YouTube Studio has of them", async (context) => {
  const gateway = await gatewayIn(context);
  await gateway.take({
    "Geography 2026-09-01_2026-09-30 Mira/Table data.csv": "Geography,Views\nTotal,70\nUS,50\nJP,20\n",
    "places.csv": "Country or Region,Plays,Shazams\nJapan,40,2\nUnited Kingdom,30,1\n",
  });
  assert.deepEqual(
    await gateway.values("SELECT country, store, plays, views FROM place_total ORDER BY ALL"),
    [
      ["GB", "Apple Music", 30, null],
      ["JP", "Apple Music", 40, null],
      ["JP", "YouTube", null, 20],
      ["US", "YouTube", null, 50],
    ],
  );
});

test("a zip folder that is broken, or too large when unpacked, is refused", async (context) => {
  const { take } = await gatewayIn(context);
  const big = new Uint8Array(70_000_000);
  const bomb = zipSync({ "a.csv": big }, { level: 9 });
  const many = zipSync(
    Object.fromEntries([..."abcdefgh"].map((name) => [`${name}.csv`, big.subarray(0, 1e7)])),
  );
  const lying = Buffer.from(bomb);
  // The size that the directory states.
  lying.writeUInt32LE(10, lying.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
  const { files } = await take({
    "bomb.zip": bomb,
    "many.zip": many,
    "lying.zip": lying,
    "broken.zip": bomb.subarray(0, 2000),
    "cut.zip": bomb.subarray(0, -10),
  });
  assert.deepEqual(
    statuses({ files }),
    Array.from({ length: 5 }, () => "refused"),
  );
  for (const { reason } of files.slice(0, 3)) assert.match(reason ?? "", /unpacks to far more/);
  for (const { reason } of files.slice(3)) assert.match(reason ?? "", /is broken/);
});

test("the names of the folders above a file are not read as figures", async (context) => {
  const { take, values } = await gatewayIn(context);
  const row = "2026-06-01,2026-05,Spotify,a,TWA452300001,3,Song,TW,0.50";
  await take({ "c0=Hacked/title=Hacked/c3=Hacked/statement.csv": `${DISTROKID}\n${row}\n` });
  await take({
    "streams=9/Beta-timeline.csv": timeline([1, 10]),
    "c1=99/Gamma-timeline.csv": timeline([1, 11]),
  });
  assert.deepEqual(await values(PLAYS), [
    ["2026-05-01", "Beta", 10],
    ["2026-05-01", "Gamma", 11],
  ]);
  assert.deepEqual(await values("SELECT title FROM song ORDER BY ALL"), [["Beta"], ["Gamma"], ["a"]]);
});

test("a folder is searched with its subfolders, and a refusal never shows the contents of a file", async (context) => {
  const gateway = await gatewayIn(context);
  await gateway.take({
    "in/a/b/A-timeline.csv": timeline([1, 1]),
    "in/secret.csv": "tok_live_4242,b\n1,2\n",
    "in/empty.csv": "",
  });
  const { text, accepted, refused } = await gateway.import(["in", "gone.csv"]);
  assert.deepEqual([accepted, refused], [1, 3]);
  assert.match(text, /A-timeline\.csv: is already there\./);
  assert.match(text, /empty\.csv: refused\. The file is empty\./);
  assert.match(text, /gone\.csv: refused\. There is no such file\./);
  assert.match(
    text,
    /secret\.csv: refused\. No known format matches its columns\. `--map` assigns the columns of other tables\./,
  );
  assert.doesNotMatch(text, /tok_live/);
});

test("remove and reset undo an import, and no song id is reused", async (context) => {
  const gateway = await gatewayIn(context);
  const { take, values, library } = gateway;
  await take({
    "One-timeline.csv": timeline([1, 1]),
    "Two-timeline.csv": timeline([1, 2]),
    "Two-timeline (1).csv": timeline([1, 3]),
  });
  assert.deepEqual(await values("SELECT id, title FROM song ORDER BY id"), [
    [1, "One"],
    [2, "Two"],
  ]);
  const remove = new RemoveCommand(library);
  const { text } = await remove.run({ files: ["One-timeline.csv", "3"] });
  assert.equal(text, 'Removed One-timeline.csv, "Two-timeline (1).csv". 1 file left.');
  assert.deepEqual(await values(PLAYS), [["2026-05-01", "Two", 2]]);
  assert.deepEqual(
    (await listed(gateway)).map(({ id }) => id),
    [2],
  );
  assert.equal((await readdir(library.exports)).length, 1);
  await assert.rejects(remove.run({ files: ["Tow-timeline.csv"] }), {
    code: "GATEWAY_FILE_UNKNOWN",
    hint: /Did you mean Two-timeline\.csv\?/,
  });
  await take({ "Four-timeline.csv": timeline([1, 4]) });
  assert.deepEqual(await values("SELECT id, title FROM song ORDER BY id"), [
    [2, "Two"],
    [3, "Four"],
  ]);
  assert.deepEqual(await new ResetCommand(library).run(), {
    removed: 2,
    text: "Removed 2 files. Answers now come from the sample data.",
  });
  assert.equal((await values("SELECT count(*) FROM song"))[0]?.[0], 15);
  await take({ "Five-timeline.csv": timeline([1, 5]) });
  assert.deepEqual(await values("SELECT id, title FROM song"), [[4, "Five"]]);
});

test("songs are merged by ISRC and title, and a video counts for its song", async (context) => {
  const { take, values } = await gatewayIn(context);
  await take({
    "Two_-timeline.csv": timeline([1, 20]),
    "Table.csv":
      "Content,Video title,Video publish time,Views\nab,Two? (Official Video),2026-01-01,9\nac,Me - Two? (Official Video),2026-01-02,9\n",
  });
  const rows = [
    "2026-06-01,2026-05,Spotify,Two?,TWA452300001,3,Song,TW,0.5",
    "2026-06-01,2026-05,Spotify,Three,TWA452300002,4,Song,TW,0.25",
  ];
  await take({ "statement.csv": `${DISTROKID}\n${rows.join("\n")}\n` });
  assert.deepEqual(await values("SELECT id, title, isrc FROM song ORDER BY id"), [
    [1, "Two?", "TWA452300001"],
    [2, "Three", "TWA452300002"],
  ]);
  assert.deepEqual(await values("SELECT song_id FROM video"), [[1], [1]]);
});

test("removing a file removes its titles and ISRCs, and its song has the same id when it is imported again", async (context) => {
  const { take, values, library } = await gatewayIn(context);
  const statement = (isrc: string) => `${DISTROKID}\n2026-06-01,2026-05,Spotify,Two?,${isrc},3,Song,TW,0.5\n`;
  const songs = () => values("SELECT id, title, isrc FROM song ORDER BY id");
  await take({ "Two_-timeline.csv": timeline([1, 20]) });
  await take({
    "Table.csv": "Content,Video title,Video publish time,Views\nab,Two?,2026-01-01,9\n",
    "one.csv": statement("TWA452300001"),
  });
  assert.deepEqual(await values("SELECT song_id FROM video"), [[1]]);
  const remove = new RemoveCommand(library);
  await remove.run({ files: ["one.csv"] });
  assert.deepEqual(await songs(), [[1, "Two_", null]]);
  assert.deepEqual(await values("SELECT song_id FROM video"), [[null]]);
  await take({ "two.csv": statement("TWA452300002") });
  assert.deepEqual(await songs(), [[1, "Two?", "TWA452300002"]]);
  await remove.run({ files: ["Two_-timeline.csv", "two.csv"] });
  assert.deepEqual(await songs(), []);
  await take({ "one.csv": statement("TWA452300002") });
  assert.deepEqual(await songs(), [[1, "Two?", "TWA452300002"]]);
});

test("a sale or day of a removed file counts again if another file has it", async (context) => {
  const { take, values, library } = await gatewayIn(context);
  const row = "2026-06-01,2026-05,Spotify,a,TWA452300001,3,Song,TW,0.50";
  await take({
    "one.csv": `${DISTROKID}\n${row}\n${row}\n${row}\n`,
    "two.csv": `${DISTROKID}\n${row}\n${row}\n`,
    "Beta-timeline.csv": timeline([1, 10], [2, 11], [3, 12]),
    "Beta-timeline (1).csv": timeline([2, 20], [4, 40]),
  });
  const counts = async () => [
    (await values("SELECT count(*), sum(units)::BIGINT FROM sale")).flat(),
    (await values(PLAYS)).map(([, , plays]) => plays),
  ];
  assert.deepEqual(await counts(), [
    [3, 9],
    [10, 20, 12, 40],
  ]);
  await new RemoveCommand(library).run({ files: ["one.csv", "Beta-timeline (1).csv"] });
  assert.deepEqual(await counts(), [
    [2, 6],
    [10, 11, 12],
  ]);
});

test("names with quotes, brackets and statements of SQL are treated as text", async (context) => {
  const { take, values } = await gatewayIn(context);
  const names = [
    "a'; DROP TABLE song_day; ---timeline.csv",
    "[b]*-timeline.csv",
    "晚安 [TWA452600010]-timeline.csv",
  ];
  for (const [index, name] of names.entries()) await take({ [name]: timeline([1, index + 1]) });
  await take({
    "t.csv": `${DISTROKID}\n2026-06-01,2026-05,Spotify,"read_csv('/etc/passwd')",,3,Song,TW,0.5\n`,
  });
  assert.deepEqual(
    (await values("SELECT title, isrc FROM song ORDER BY id")).map(([title]) => title),
    ["a'; DROP TABLE song_day; --", "[b]_", "晚安", "read_csv('/etc/passwd')"],
  );
  for (const sql of [
    "FROM read_csv('/etc/passwd')",
    "ATTACH '/tmp/x.duckdb'",
    "SET enable_external_access = true",
  ])
    await assert.rejects(values(sql), sql);
});

test("imports of several processes run one after the other, and readers see a complete library", async (context) => {
  const first = await gatewayIn(context);
  const second = await gatewayIn(context, first.folder);
  const counts: unknown[] = [];
  const done = new AbortController();
  const reading = (async () => {
    while (!done.signal.aborted) counts.push((await second.values("SELECT count(*) FROM song_day"))[0]?.[0]);
  })();
  const files = Array.from(
    { length: 6 },
    (_, index) => [`S${index}-timeline.csv`, timeline([1, index], [2, index])] as const,
  );
  await Promise.all(
    files.map(([name, content], index) => (index % 2 === 0 ? first : second).take({ [name]: content })),
  );
  done.abort();
  await reading;
  assert.deepEqual(await first.values("SELECT count(*) FROM song_day"), [[12]]);
  assert.deepEqual(await second.values("SELECT count(*) FROM song_day"), [[12]]);
  const sampled = counts[0] === 12 ? 0 : Number(counts[0]);
  for (const count of counts)
    assert.ok(count === sampled || (Number(count) <= 12 && Number(count) % 2 === 0), String(count));
  const databases = (await readdir(first.library.folder)).filter((name) => /^(?:data|building)/.test(name));
  assert.equal(databases.length, 1);
});

test("a lost or broken database is rebuilt, and files of an earlier version are found", async (context) => {
  const { take, values, library, collections } = await gatewayIn(context);
  await take({ "A-timeline.csv": timeline([1, 1]) });
  const path = library.databasePath(await library.holdings());
  await writeFile(path, "no database");
  assert.deepEqual(await values("SELECT plays FROM song_day"), [[1]]);
  await collections.close();
  const later = await gatewayIn({ after: () => undefined }, join(library.folder, "../.."));
  await rm(path);
  await rm(join(library.folder, "library.json"));
  assert.deepEqual(await later.values("SELECT plays FROM song_day"), [[1]]);
  await later.collections.close();
});

test("without the register of songs the ids of the database are not given to other songs", async (context) => {
  const { take, values, library } = await gatewayIn(context);
  await take({ "A-timeline.csv": timeline([1, 1]), "B-timeline.csv": timeline([1, 2]) });
  await rm(join(library.folder, "songs.json"));
  await take({ "C-timeline.csv": timeline([1, 3]) });
  assert.deepEqual(await values("SELECT id, title FROM song ORDER BY id"), [
    [1, "A"],
    [2, "B"],
    [3, "C"],
  ]);
});

test("if the state folder cannot be written the sample is read from memory", async (context) => {
  const gateway = await gatewayIn(context);
  // A link to a place where no folder can be made.
  await symlink("/proc/none", join(gateway.folder, "state"));
  assert.equal((await gateway.values("SELECT count(*) FROM song"))[0]?.[0], 15);
});

test("a broken list or register is reported and never overwritten by an import", async (context) => {
  for (const name of ["songs.json", "library.json"]) {
    const { take, library } = await gatewayIn(context);
    await take({ "a-timeline.csv": timeline([1, 1]) });
    await writeFile(join(library.folder, name), "{");
    await assert.rejects(take({ "b-timeline.csv": timeline([1, 1]) }), { code: "GATEWAY_STATE_BROKEN" });
    assert.equal(await readFile(join(library.folder, name), "utf8"), "{");
    assert.equal((await new ResetCommand(library).run()).removed, 1, name);
    assert.deepEqual(statuses(await take({ "b-timeline.csv": timeline([1, 1]) })), ["imported"]);
  }
});

test("every file of the sample is read completely, and they cover 211 days up to 2026-10-31", async (context) => {
  const { collections, values } = await gatewayIn(context);
  const { files } = await collections.use(({ catalog }) => catalog);
  assert.deepEqual([files.length, files.filter(({ refusedRows }) => refusedRows > 0)], [18, []]);
  assert.deepEqual(await values("SELECT count(*), min(date)::VARCHAR, max(date)::VARCHAR FROM account_day"), [
    [211, "2026-04-01", "2026-10-31"],
  ]);
});
