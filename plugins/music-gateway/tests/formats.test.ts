/** The rows that each kind of export is read as. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gatewayIn } from "./gateway-harness.ts";

/** A file, its kind, a statement over the tables, and the rows that it returns. */
type Case = readonly [
  name: string,
  content: string,
  kind: string,
  sql: string,
  rows: readonly (readonly unknown[])[],
];

const SONG_DAYS =
  "SELECT date::VARCHAR, title, store, plays FROM song_day JOIN song ON id = song_id ORDER BY ALL";
const SALES =
  "SELECT month::VARCHAR, store, country, title, isrc, units, amount::VARCHAR, currency, distributor FROM sale JOIN song ON id = song_id ORDER BY ALL";
const VIDEOS =
  "SELECT video_id, title, published_on::VARCHAR, views, watch_hours, subscribers, impressions, revenue::VARCHAR, currency FROM video ORDER BY ALL";
const VIDEO_DAYS = "SELECT date::VARCHAR, video_id, title, views, watch_hours FROM video_day ORDER BY ALL";
const SONG_TOTALS =
  "SELECT title, store, plays, listeners, daily_listeners, saves, shazams FROM song_total JOIN song ON id = song_id ORDER BY song_id";
const PLACES = "SELECT country, store, plays, daily_listeners, shazams FROM place_total ORDER BY ALL";
const CITIES = "SELECT country, city, store, plays, daily_listeners, shazams FROM city_total ORDER BY ALL";
const ACCOUNT =
  "SELECT date::VARCHAR, plays, listeners, monthly_listeners, followers, saves, playlist_adds FROM account_day";

const DISTROKID =
  "Reporting Date\tSale Month\tStore\tArtist\tTitle\tISRC\tUPC\tQuantity\tTeam Percentage\tSong/Album\tCountry of Sale\tSongwriter Royalties Withheld\tEarnings (USD)";
const TUNECORE =
  "Sales Period,Posted Date,Store Name,Country Of Sale,Artist,Release Type,Release Title,Song Title,Label,UPC,Optional UPC,TC Song ID,Optional ISRC,Sales Type,# Units Sold,Per Unit Price,Net Sales,Net Sales Currency,Exchange Rate,Total Earned,Currency";

const CASES: readonly Case[] = [
  [
    "Where Are You_-timeline.csv",
    'Date , STREAMS\r\n2026-10-01,"1,234"\r\n2026/10/2,5\r\n',
    "spotify-timeline",
    SONG_DAYS,
    [
      ["2026-10-01", "Where Are You_", "Spotify", 1234],
      ["2026-10-02", "Where Are You_", "Spotify", 5],
    ],
  ],
  [
    "海盐-时间线.csv",
    "日期,播放量\n2026年10月1日,7\n",
    "spotify-timeline",
    SONG_DAYS,
    [["2026-10-01", "海盐", "Spotify", 7]],
  ],
  [
    "海盐-timeline.csv",
    "date;streams\n2026-10-01;1.000\n2026-10-02;7\n",
    "spotify-timeline",
    SONG_DAYS,
    [
      ["2026-10-01", "海盐", "Spotify", 1000],
      ["2026-10-02", "海盐", "Spotify", 7],
    ],
  ],
  [
    "x.csv",
    "日期;听众;播放量;粉丝\n2026-10-01;5;9;3\n",
    "spotify-audience",
    ACCOUNT,
    [["2026-10-01", 9, 5, null, 3, null, null]],
  ],
  [
    "x.csv",
    "song,listeners,streams,saves,release_date\n晚安,1,200,3,2026-03-15\n晚安,2,100,4,2024-03-15\n",
    "spotify-songs",
    SONG_TOTALS,
    [
      ["晚安", "Spotify", 100, 2, null, 4, null],
      ["晚安", "Spotify", 200, 1, null, 3, null],
    ],
  ],
  [
    "x.csv",
    "title,author,listeners,streams,date_added\nMorning,Spotify,5,9,2026-09-01\nMine,,1,2,\n",
    "spotify-playlists",
    "SELECT title, author, store, listeners, plays, added_on::VARCHAR FROM playlist ORDER BY ALL",
    [
      ["Mine", null, "Spotify", 1, 2, null],
      ["Morning", "Spotify", "Spotify", 5, 9, "2026-09-01"],
    ],
  ],
  [
    "x.csv",
    'Song,Plays,Average Daily Listeners,Shazams,Radio Spins,Purchases\nBeta,"1,200",35.4,7,0,1\n',
    "apple-songs",
    SONG_TOTALS,
    [["Beta", "Apple Music", 1200, null, 35, null, 7]],
  ],
  [
    "x.csv",
    "歌曲,播放次数,日均听众,Shazam 次数\n海盐,12,3,7\n",
    "apple-songs",
    SONG_TOTALS,
    [["海盐", "Apple Music", 12, null, 3, null, 7]],
  ],
  [
    "x.csv",
    "City,Country or Region,Plays,Average Daily Listeners,Shazams\nTaipei,Taiwan,40,4,2\nLeeds,United Kingdom,30,3,1\nKyoto,日本,20,2,0\n",
    "apple-cities",
    CITIES,
    [
      ["GB", "Leeds", "Apple Music", 30, 3, 1],
      ["JP", "Kyoto", "Apple Music", 20, 2, 0],
      ["TW", "Taipei", "Apple Music", 40, 4, 2],
    ],
  ],
  [
    "x.csv",
    "国家或地区\t播放次数\t日均听众\n中国大陆\t9\t1\n美国\t8\t1\n",
    "apple-places",
    PLACES,
    [
      ["CN", "Apple Music", 9, 1, null],
      ["US", "Apple Music", 8, 1, null],
    ],
  ],
  [
    "Table data.csv",
    'Content,Video title,Video publish time,Duration,Views,Watch time (hours),Subscribers,Thumbnail impressions,Estimated revenue (EUR)\nTotal,,,,"5,010",10.5,3,100,1.25\nab,"a\nb","Sep 20, 2026",10,"5,010",10.5,-1,100,1.25\n',
    "youtube-table",
    VIDEOS,
    [["ab", "a b", "2026-09-20", 5010, 10.5, -1, 100, "1.250000000", "EUR"]],
  ],
  [
    "表格数据.csv",
    "内容,视频标题,视频发布时间,时长,观看次数,观看时长（小时）,订阅人数,展示次数\n总计,,,,9,1.5,0,20\nab,海盐,2026年9月20日,10,9,1.5,0,20\n",
    "youtube-table",
    VIDEOS,
    [["ab", "海盐", "2026-09-20", 9, 1.5, 0, 20, null, null]],
  ],
  [
    "总计.csv",
    "日期,观看次数,观看时长（小时）\n总计,9,3\n2026-10-01,9,3\n",
    "youtube-totals",
    VIDEO_DAYS,
    [["2026-10-01", null, null, 9, 3]],
  ],
  [
    "Chart data.csv",
    "Date,Content,Video title,Views,Watch time (hours)\n2026-10-01,dQw4w9WgXcQ,Beta,9,1.5\n2026-10-01,Total,,9,1.5\n",
    "youtube-chart",
    VIDEO_DAYS,
    [["2026-10-01", "dQw4w9WgXcQ", "Beta", 9, 1.5]],
  ],
  [
    "x.tsv",
    `${DISTROKID}\n2026-08-28\t2026-08\tSpotify\tA\t"Heroes" (Live)\tTWA452300001\t1\t1,176\t100\tSong\tTW\t0\t3.29446879\n2026-08-28\t2026-08\tiTunes\tA\tAlbum\t\t1\t6\t100\tAlbum\tUS\t0\t41.93\n`,
    "distrokid-statement",
    SALES,
    [
      [
        "2026-08-01",
        "Spotify",
        "TW",
        '"Heroes" (Live)',
        "TWA452300001",
        1176,
        "3.294468790",
        "USD",
        "DistroKid",
      ],
      ["2026-08-01", "iTunes", "US", "Album (album)", null, 6, "41.930000000", "USD", "DistroKid"],
    ],
  ],
  [
    "x.csv",
    "Date Inserted,Reporting Date,Sale Month,Store,Artist,Title,ISRC,UPC,Quantity,Team Percentage,Source Type,Country of Sale,Songwriter Royalties Withheld (EUR),Recoup (EUR),Earnings (EUR)\n2026-08-29,2026-08-28,2026-08,Spotify,A,T,TW-A45-23-00001,1,10,100,Song,TW,0,0,0.03\n",
    "distrokid-statement",
    SALES,
    [["2026-08-01", "Spotify", "TW", "T", "TWA452300001", 10, "0.030000000", "EUR", "DistroKid"]],
  ],
  [
    "x.csv",
    "销售月份;商店;标题;ISRC;数量;国家;收入 (EUR)\n2026-08;Spotify;海盐;;1.234;DE;1.234,50\n",
    "distrokid-statement",
    SALES,
    [["2026-08-01", "Spotify", "DE", "海盐", null, 1234, "1234.500000000", "EUR", "DistroKid"]],
  ],
  [
    "x.csv",
    `${TUNECORE}\n2026-08-01,2026-10-05,Spotify,US,A,Album,Al,Beta,,1,,2,TWA452300001,Stream,"1,000",0.003,3,USD,1,"1,003.25",USD\n2026-08-01,2026-10-05,iTunes,GB,A,Album,Al,,,1,,,,Download,-1,5,5,GBP,1.2,-6,USD\n`,
    "tunecore-statement",
    SALES,
    [
      ["2026-08-01", "Spotify", "US", "Beta", "TWA452300001", 1000, "1003.250000000", "USD", "TuneCore"],
      ["2026-08-01", "iTunes", "GB", "Al", null, -1, "-6.000000000", "USD", "TuneCore"],
    ],
  ],
];

for (const [index, [name, content, kind, sql, rows]] of CASES.entries()) {
  test(`export ${index + 1}, a ${kind}, is read completely and correctly`, async (context) => {
    const { take, values } = await gatewayIn(context);
    const { files } = await take({ [name]: content });
    assert.deepEqual(
      [files[0]?.status, files[0]?.kind, files[0]?.refusedRows, files[0]?.reason],
      ["imported", kind, 0, null],
    );
    assert.deepEqual(await values(sql), rows);
  });
}

test("a table has the same figures in each encoding, with each separator and line end", async (context) => {
  const text = "song,listeners,streams,saves,release_date\r\nCafé,1,2,3,2024-03-15\r\n";
  const little = Buffer.from(text, "utf16le");
  const big = Buffer.from(little).swap16();
  const forms: readonly Uint8Array[] = [
    Buffer.from(text),
    Buffer.from(`\uFEFF${text}`),
    Buffer.from(text.replaceAll(",", "\t").replaceAll("\r", "")),
    Buffer.from(text.replaceAll(",", ";")),
    Buffer.from(`My songs\r\n\r\n${text}`),
    Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
    Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
    little,
    big,
    Buffer.from(text, "latin1"),
  ];
  for (const [index, bytes] of forms.entries()) {
    const { take, values } = await gatewayIn(context);
    await take({ "x.csv": bytes });
    assert.deepEqual(await values(SONG_TOTALS), [["Café", "Spotify", 2, 1, null, 3, null]], `form ${index}`);
  }
});

test("rows that cannot be read are counted, with line and reason, and the others are used", async (context) => {
  const { take } = await gatewayIn(context);
  const lines = [
    "2026-10-01,5",
    "2026-10-02",
    "2026-10-03,many",
    "2026-10-04,1,2",
    "2026-10-05,1.5",
    "2026-10-06,7",
    "2026-10-07,x1.000",
  ];
  const { files } = await take({ "b-timeline.csv": `date,streams\n${lines.join("\n")}\n` });
  assert.deepEqual([files[0]?.rows, files[0]?.refusedRows], [2, 5]);
  assert.equal(files[0]?.reason, "line 3: a column is missing");
});
