import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readAmount, readCount, readDate, readIsrc } from "./cells.ts";
import { readRecords } from "./csv.ts";
import { readExport } from "./export-file.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const MARK = "\uFEFF";
const DISTROKID =
  "Reporting Date\tSale Month\tStore\tArtist\tTitle\tISRC\tUPC\tQuantity\tTeam Percentage\tSong/Album\tCountry of Sale\tSongwriter Royalties Withheld\tEarnings (USD)";

const ACCEPTED: readonly (readonly [what: string, name: string, text: string, kind: string, rows: number])[] =
  [
    [
      "a timeline with a byte-order mark",
      "海盐-timeline.csv",
      `${MARK}date,streams\n2026-10-01,12\n`,
      "spotify-timeline",
      1,
    ],
    [
      "headers in any case and with spaces",
      "x.csv",
      'Date , STREAMS\r\n2026-10-01,"1,234"\r\n',
      "spotify-timeline",
      1,
    ],
    [
      "the older audience timeline",
      "x.csv",
      "date,listeners,streams,followers\n2026-10-01,5,9,3\n",
      "spotify-audience",
      1,
    ],
    [
      "the audience timeline of 2026",
      "song-timeline.csv",
      `${MARK}date,listeners,monthly listeners,monthly active listeners,super listeners,streams,playlist adds,saves,followers\n2026-10-01,5,6,7,8,9,1,1,3\n`,
      "spotify-audience",
      1,
    ],
    [
      "a songs table under another name",
      "whatever.txt",
      "song,listeners,streams,saves,release_date\n海盐,1,2,3,2024-03-15\n",
      "spotify-songs",
      1,
    ],
    [
      "YouTube, with its Total row left out and a line break in a title",
      "Table data.csv",
      'Content,Video title,Video publish time,Duration,Views\nTotal,,,,"5,010"\nab,"a\nb","Sep 20, 2026",10,"5,010"\n',
      "youtube-table",
      1,
    ],
    [
      "DistroKid, with its album row left out",
      "x.tsv",
      `${DISTROKID}\n2026-08-28\t2026-08\tSpotify\tA\tT\tTWA452300001\t1\t1,176\t100\tSong\tTW\t0\t3.29446879\n2026-08-28\t2026-08\tiTunes\tA\tAlbum\t\t1\t6\t100\tAlbum\tUS\t0\t41.93\n`,
      "distrokid-statement",
      1,
    ],
    [
      "the newer DistroKid columns as CSV, in euros",
      "x.csv",
      "Date Inserted,Reporting Date,Sale Month,Store,Artist,Title,ISRC,UPC,Quantity,Team Percentage,Source Type,Country of Sale,Songwriter Royalties Withheld (EUR),Recoup (EUR),Earnings (EUR)\n2026-08-29,2026-08-28,2026-08,Spotify,A,T,TW-A45-23-00001,1,10,100,Song,TW,0,0,0.03\n",
      "distrokid-statement",
      1,
    ],
  ];

const REFUSED: readonly (readonly [what: string, text: string, reason: RegExp])[] = [
  ["an empty file", "", /^The file is empty\.$/],
  [
    "playlists",
    "title,author,listeners,streams,date_added\na,b,1,2,2026-01-01\n",
    /"title, author, listeners, streams, date_added".*Spotify for Artists songs table.*YouTube/,
  ],
  ["a timeline with another column", "date,streams,mood\n2026-10-01,1,x\n", /"date, streams, mood"/],
  ["a known kind without rows", "date,streams\n", /has no rows/],
  [
    "a known kind without a readable row",
    "date,streams\n2026-02-30,1\n",
    /no row can be read: the date is no day/,
  ],
  ["something that is no table", "\u0000\u0001PK", /belong to no kind/],
];

test("a kind is known by its columns and not by the file's name", () => {
  for (const [what, name, text, kind, rows] of ACCEPTED) {
    const file = readExport(name, utf8(text));
    assert.ok(typeof file !== "string", `${what}: ${typeof file === "string" ? file : ""}`);
    assert.deepEqual([file.kind, file.rows, file.refused], [kind, rows, []], what);
  }
});

test("an unknown or empty file is refused in one sentence", () => {
  for (const [what, text, reason] of REFUSED) {
    const outcome = readExport("x-timeline.csv", utf8(text));
    assert.ok(typeof outcome === "string", what);
    assert.match(outcome, reason, what);
    assert.ok(!outcome.includes(MARK), what);
  }
});

test("rows that cannot be read are counted with their reason, the others are used", () => {
  const file = readExport(
    "a-timeline.csv",
    utf8("date,streams\n2026-10-01,5\n2026-10-32,5\n2026-10-03,many\n"),
  );
  assert.ok(typeof file !== "string");
  assert.equal(file.rows, 1);
  assert.deepEqual(file.refused, [
    { row: 2, reason: "the date is no day" },
    { row: 3, reason: "streams is no count" },
  ]);
});

test("ISO-8859-1 and UTF-16 are read", () => {
  const line = "song,listeners,streams,saves,release_date\nCafé,1,2,3,2024-03-15\n";
  const utf16 = Uint8Array.from([0xff, 0xfe, ...Buffer.from(line, "utf16le")]);
  for (const bytes of [Buffer.from(line, "latin1"), utf16]) {
    const file = readExport("x.csv", bytes);
    assert.ok(typeof file !== "string");
    const [fact] = file.facts;
    assert.ok(fact?.of === "snapshot-song" && fact.song.title === "Café");
  }
});

test("a timeline's song comes from the file name, with the ISRC where it has one", () => {
  const songs = [
    "夜に咲く-timeline.csv",
    "Blue River (Live)-timeline (1).csv",
    "晚安 [TWA452600010]-timeline.csv",
    "a-timeline-timeline.csv",
  ].map((name) => {
    const file = readExport(name, utf8("date,streams\n2026-10-01,5\n"));
    const fact = typeof file === "string" ? undefined : file.facts[0];
    return fact?.of === "daily-song" ? [fact.song.title, fact.song.isrc] : [];
  });
  assert.deepEqual(songs, [
    ["夜に咲く", undefined],
    ["Blue River (Live)", undefined],
    ["晚安", "TWA452600010"],
    ["a-timeline", undefined],
  ]);
});

test("cells are read or refused", () => {
  assert.deepEqual(["0", "1,234", "12,345,678", "7.0", " 5 "].map(readCount), [0, 1234, 12_345_678, 7, 5]);
  assert.deepEqual(
    ["", "1,23", "-1", "1.5", "1e3", "9007199254740993"].map(readCount),
    Array(6).fill(undefined),
  );
  assert.deepEqual(["3.29446879", "-0.5", "1,234.5", "0.1234567891"].map(readAmount), [
    "3.29446879",
    "-0.5",
    "1234.5",
    "0.123456789",
  ]);
  assert.deepEqual(["Sep 20, 2026", "2026-09-20", "Feb 30, 2026", "20.9.2026"].map(readDate), [
    "2026-09-20",
    "2026-09-20",
    undefined,
    undefined,
  ]);
  assert.deepEqual(["tw-a45-23-00001", "none"].map(readIsrc), ["TWA452300001", undefined]);
});

test("whatever is written as CSV is read back", () => {
  const cell = fc.string({ maxLength: 8 });
  const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const rows = fc.array(
    fc.array(cell, { minLength: 2, maxLength: 2 }).filter((row) => row.some((text) => text !== "")),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(rows, (records) => {
      const text = ["a,b", ...records.map((row) => row.map(quote).join(","))].join("\r\n");
      assert.deepEqual(readRecords(text).slice(1), records);
    }),
  );
});

test("any bytes are read or refused, never thrown at", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readExport("x.csv", bytes)));
});
