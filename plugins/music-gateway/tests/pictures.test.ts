/** `--picture`: the figures of an answer as SVG, in a file that the user names. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { own } from "./doors-harness.ts";
import { say } from "./serving.ts";

interface Answer {
  readonly text: string;
  readonly picture?: string;
}

/** A user with own files who asks for pictures, and receives the answer and the picture's text. */
async function drawer(t: TestContext, files?: Readonly<Record<string, string>>) {
  const { host, run } = await own(t, files);
  const folder = host.environment.workingFolder;
  const draw = async (question: string, picture = "figures.svg") => {
    const asked = (await run("music-analysis", "ask", { question, picture })) as Answer;
    assert.equal(asked.picture, join(folder, picture));
    return { ...asked, svg: await readFile(asked.picture, "utf8") };
  };
  return { host, run, folder, draw };
}

/** The texts of a picture in their order; the first is its title. Fails unless it is well-formed XML. */
function textsOf(svg: string): readonly string[] {
  const open: string[] = [];
  for (const [, close, name = "", rest = ""] of svg
    .replace(/<!--(?:(?!--)[^])*-->/g, "")
    .replace(/<style[^>]*>(?:(?!<\/style)[^])*<\/style>/g, "")
    .matchAll(/<(\/?)(\w+)((?:\s[\w:-]+="[^"<]*")*\s*\/?)>|<|&(?!(?:amp|lt|gt|quot|#39);)/g)) {
    assert.notEqual(name, "", "a sign that is not escaped");
    if (close) assert.equal(open.pop(), name);
    else if (!rest.endsWith("/")) open.push(name);
  }
  assert.deepEqual(open, []);
  return [...svg.matchAll(/<(?:title|text)[^>]*>([^<]*)</g)].map(([, words = ""]) => words);
}

/** The lines of a picture that have a colour and a width, solid and dashed. */
const linesOf = (svg: string): number =>
  svg.match(/<path d="M[^"]*L[^"]*"[^>]*stroke="#[^"]*" stroke-width="2"/g)?.length ?? 0;
const dashedOf = (svg: string): number => svg.match(/stroke-dasharray/g)?.length ?? 0;

test("a picture has a readable title and the figures of its answer, and the same bytes each time", async (t) => {
  const { draw, host, run } = await drawer(t);
  const days = await draw("最近7天每天的播放量");
  const [title = "", ...texts] = textsOf(days.svg);
  assert.match(title, /^播放量·按日期 · 2026\/5\/10 – 2026\/5\/16$/);
  assert.doesNotMatch(days.svg, /理解为/);
  const rows = [...days.text.matchAll(/^\| 2026-05-(\d\d) \| ([\d,]+) \|$/gm)];
  assert.equal(rows.length, 7);
  for (const [, day = "", plays = ""] of rows) {
    assert.ok(texts.includes(plays), `${plays} in ${texts.join(" ")}`);
    assert.ok(texts.includes(`5月${Number(day)}日`), day);
  }
  assert.equal(linesOf(days.svg), 1);
  assert.match(host.log.notices.join("\n"), /The picture is .*figures\.svg\./);
  assert.equal((await draw("最近7天每天的播放量")).svg, days.svg);
  // The reply is the same with a picture and without.
  const plain = (await run("music-analysis", "ask", { question: "最近7天每天的播放量" })) as Answer;
  assert.deepEqual([plain.text, plain.picture], [days.text, undefined]);
});

test("a picture marks where a figure began to grow, and the point that it reached", async (t) => {
  const plays = [
    ...Array<number>(14).fill(100),
    ...Array<number>(7).fill(60),
    ...Array<number>(10).fill(200),
  ];
  const rows = plays.map((count, day) => `2026-01-${String(day + 1).padStart(2, "0")},${count}`);
  const { draw } = await drawer(t, { "Ocean-timeline.csv": ["date,streams", ...rows, ""].join("\n") });
  const { text, svg } = await draw("when did Ocean start growing");
  assert.match(text, /The largest growth began after 2026-01-21/);
  const named = textsOf(svg).filter((words) => /^Jan \d+: /.test(words));
  assert.deepEqual(named, ["Jan 21: 60", "Jan 28: 200"]);
});

test("a total is drawn next to the previous one, and two songs and two periods side by side with a legend", async (t) => {
  const { draw } = await drawer(t);
  const total = textsOf((await draw("最近7天的播放量")).svg);
  const inOrder = (some: readonly string[]): readonly string[] =>
    total.filter((words) => some.includes(words));
  for (const some of [
    ["本期 (2026/5/10 – 2026/5/16)", "上期 (2026/5/3 – 2026/5/9)"],
    ["9,100", "4,200"],
  ])
    assert.deepEqual(inOrder(some), some, total.join(" | "));
  const songs = await draw("《海盐》和《风筝》最近7天的播放量");
  const texts = textsOf(songs.svg);
  for (const words of ["《海盐》", "《风筝》", "913", "1,259"])
    assert.equal(texts.filter((one) => one === words).length, 1, `${words}: ${texts.join(" | ")}`);
  assert.match(texts[0] ?? "", /《海盐》.*《风筝》.*2026\/5\/10/);
  const periods = await draw(
    "compare plays by day of 2026-05-02 to 2026-05-04 with 2026-05-06 to 2026-05-08",
  );
  const names = ["2026-05-06 to 2026-05-08", "2026-05-02 to 2026-05-04"];
  assert.deepEqual(
    textsOf(periods.svg).filter((words) => names.includes(words)),
    names,
  );
  assert.equal(linesOf(periods.svg), 2);
});

test("a picture of a ranking has one bar per row, and a picture of income one chart per currency", async (t) => {
  const { draw } = await drawer(t);
  const ranking = textsOf((await draw("2026年5月各国家销量")).svg);
  for (const words of ["美国 (US)", "130", "日本 (JP)", "50", "德国 (DE)", "10"])
    assert.ok(ranking.includes(words), words);
  const income = await draw("income by month");
  const titles = textsOf(income.svg).filter((words) => words.startsWith("Income by month ("));
  assert.deepEqual(titles, ["Income by month (EUR)", "Income by month (USD)"]);
});

test("incomplete weeks of the period are dashed, and nothing is drawn before a song's first play", async (t) => {
  const days = Array.from({ length: 31 }, (_, place) => `2026-05-${String(place + 1).padStart(2, "0")}`);
  const { draw } = await drawer(t, {
    "Me-audience-timeline.csv": `date,listeners,streams,followers\n${days.map((day) => `${day},1,100,5`).join("\n")}\n`,
    "Beta-timeline.csv": `date,streams\n${days.map((day, at) => `${day},${at < 20 ? 0 : at}`).join("\n")}\n`,
  });
  // May 2026 begins on a Friday and ends on a Sunday.
  const weeks = await draw("plays by week in May 2026");
  assert.deepEqual([linesOf(weeks.svg), dashedOf(weeks.svg)], [2, 1]);
  assert.ok(textsOf(weeks.svg).some((words) => words.startsWith("Dashed: not complete")));
  assert.deepEqual(dashedOf((await draw("plays by week from 2026-05-04 to 2026-05-31")).svg), 0);
  const beta = textsOf((await draw("plays of Beta by day in May 2026")).svg);
  assert.ok(beta.includes("May 21") && !beta.includes("May 1"), beta.join(" | "));
});

test("any title is escaped in the picture, and a long one is shortened", async (t) => {
  const hostile = 'Tom & </text><script>alert(1)</script> "x"\u202e';
  const long = "很长的歌名".repeat(30);
  const columns =
    "Reporting Date\tSale Month\tStore\tArtist\tTitle\tISRC\tQuantity\tSong/Album\tCountry of Sale\tEarnings (USD)";
  const sale = (title: string): string =>
    ["2026-06-01", "2026-05", "Spotify", "Me", title, "", "7", "Song", "US", "0.07"].join("\t");
  const { draw } = await drawer(t, {
    "statement.tsv": `${columns}\n${sale(hostile)}\n${sale(long)}\n${sale("Tom & <b>")}\n`,
  });
  const { svg } = await draw("2026年5月各歌曲销量");
  const texts = textsOf(svg);
  assert.ok(
    texts.some((words) => words.startsWith("《Tom &amp; &lt;/text&gt;&lt;script&gt;")),
    texts.join("\n"),
  );
  assert.ok(
    texts.some((words) => /^《很长.{5,25}(?:…|\.\.\.)$/u.test(words)),
    texts.join("\n"),
  );
  const [title = ""] = textsOf((await draw("《Tom & <b>》2026年5月的销量")).svg);
  assert.match(title, /《Tom &amp; &lt;b&gt;》/);
  assert.doesNotMatch(svg, /<script|javascript:|\son\w+=|href|\u202e/u);
});

test("nothing is drawn if the answer has no figures, and the answer is still shown", async (t) => {
  const { run, folder } = await drawer(t);
  const before = await readdir(folder);
  await assert.rejects(
    run("music-analysis", "ask", { question: "今天天气怎么样", picture: "a.svg" }),
    (error) => {
      const { code, message, result } = error as { code: string; message: string; result: Answer };
      assert.deepEqual([code, message], ["MUSIC_NO_PICTURE", "这个回答没有可绘制成图的数据，未生成图片。"]);
      assert.match(result.text, /^理解为：/);
      return true;
    },
  );
  assert.deepEqual(await readdir(folder), before);
});

test(
  "an answer whose picture cannot be written is still shown",
  { skip: process.platform !== "linux" },
  async (t) => {
    const { run } = await drawer(t);
    const asking = run("music-analysis", "ask", {
      question: "最近7天的播放量",
      picture: "/proc/figures.svg",
    });
    await assert.rejects(asking, (error: Error & { code?: string; result?: Answer }) => {
      assert.equal(error.code, "FILE_UNWRITABLE");
      assert.match(error.result?.text ?? "", /播放量/);
      return true;
    });
  },
);

test("a picture replaces an earlier one, and no other file", async (t) => {
  const { draw, run, folder } = await drawer(t);
  await draw("最近7天的播放量");
  assert.match((await draw("最近7天的歌曲排行")).svg, /风筝/);
  await writeFile(join(folder, "logo.svg"), "<svg/>");
  await mkdir(join(folder, "folder.svg"));
  const refused: readonly (readonly [string, RegExp])[] = [
    ["logo.svg", /已存在，且不是由本命令生成的图片/],
    ["folder.svg", /已存在/],
    ["gone/new.svg", /文件夹不存在/],
  ];
  for (const [picture, message] of refused)
    await assert.rejects(run("music-analysis", "ask", { question: "最近7天的播放量", picture }), {
      code: "USAGE",
      message,
    });
  await assert.rejects(run("music-analysis", "ask", { question: "最近7天的播放量", picture: "a.png" }), {
    code: "INPUT_INVALID",
  });
  assert.equal(await readFile(join(folder, "logo.svg"), "utf8"), "<svg/>");
});

test("no picture is written for a remote service or over HTTP", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "skillctl-net-"));
  t.after(() => rm(home, { recursive: true, force: true }));
  const words = ["run", "music-analysis", "plays in the last 7 days", "--picture", "a.svg"];
  // Nothing listens there: the refusal comes before any request.
  const variables = { SVC_BASE_URL: "http://127.0.0.1:9", SVC_HEADER_TOKEN: "0123456789" };
  const remote = await say(words, { home, variables });
  assert.equal(remote.status, 64, remote.err);
  assert.match(remote.err, /Only answers of the embedded service can be drawn/);
  const local = await say(words, { home });
  assert.equal(local.status, 0, local.err);
  assert.match(local.err, /The picture is .*a\.svg\./);
  assert.match(await readFile(join(home, "a.svg"), "utf8"), /^<svg [^]*made-up|^<svg [^]*sample/);
  const { host, folder } = await drawer(t);
  const { url } = await host.serve();
  const reply = await fetch(`${url}/v1/skills/music-analysis/commands/ask`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ question: "最近7天的播放量", picture: "b.svg" }),
  });
  assert.equal(reply.status, 400);
  assert.match(await reply.text(), /"pointer":"\/picture"/);
  assert.ok(!(await readdir(folder)).includes("b.svg"));
});
