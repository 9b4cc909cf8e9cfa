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

/** Somebody with own files who asks for pictures, and gets the answer and the picture's text. */
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

/** The texts of a picture in their order; the first is its title. Fails where it is no well-formed XML. */
function textsOf(svg: string): readonly string[] {
  const open: string[] = [];
  for (const [, close, name = "", rest = ""] of svg
    .replace(/<!--(?:(?!--)[^])*-->/g, "")
    .matchAll(/<(\/?)(\w+)((?:\s[\w:-]+="[^"<]*")*\s*\/?)>|<|&(?!(?:amp|lt|gt|quot);)/g)) {
    assert.notEqual(name, "", "a sign that is not escaped");
    if (close) assert.equal(open.pop(), name);
    else if (!rest.endsWith("/")) open.push(name);
  }
  assert.deepEqual(open, []);
  return [...svg.matchAll(/<(?:title|text)[^>]*>([^<]*)</g)].map(([, words = ""]) => words);
}

test("a picture shows what was understood and the figures of the very answer, and the same bytes each time", async (t) => {
  const { draw, host, run } = await drawer(t);
  const days = await draw("最近7天每天的播放量");
  const [title = "", ...texts] = textsOf(days.svg);
  assert.equal(title, days.text.split("\n")[0]);
  assert.match(title, /2026-05-10 至 2026-05-16/);
  const rows = [...days.text.matchAll(/^\| (2026-05-\d\d) \| ([\d,]+) \|$/gm)];
  assert.equal(rows.length, 7);
  for (const [, day = "", plays = ""] of rows) {
    assert.ok(texts.includes(plays), `${plays} in ${texts.join(" ")}`);
    assert.ok(texts.includes(day), day);
  }
  assert.equal(days.svg.match(/ class="s0 line"/g)?.length, 1);
  assert.match(host.log.notices.join("\n"), /The picture is .*figures\.svg\./);
  assert.equal((await draw("最近7天每天的播放量")).svg, days.svg);
  // The reply is the same with a picture and without.
  const plain = (await run("music-analysis", "ask", { question: "最近7天每天的播放量" })) as Answer;
  assert.deepEqual([plain.text, plain.picture], [days.text, undefined]);
});

test("a total is drawn beside the one before, and two songs and two periods side by side with a legend", async (t) => {
  const { draw } = await drawer(t);
  const total = textsOf((await draw("最近7天的播放量")).svg);
  const place = (label: string): number => total.findIndex((words) => words.startsWith(label));
  assert.equal(total[place("本期 (2026-05-10 至 2026-05-16)") + 1], "9,100");
  assert.equal(total[place("上期 (2026-05-03 至 2026-05-09)") + 1], "4,200");
  const songs = await draw("《海盐》和《风筝》最近7天的播放量");
  const texts = textsOf(songs.svg);
  for (const words of ["《海盐》", "《风筝》", "913", "1,259"]) assert.ok(texts.includes(words), words);
  const understood = songs.text.split("\n").filter((line) => line.startsWith("理解为："));
  assert.deepEqual([understood.length, texts[0]], [2, understood.join(" ")]);
  assert.equal(songs.svg.match(/ class="s1 bar"/g)?.length, 3, "a colour in the legend and two bars");
  const periods = await draw(
    "compare plays by day of 2026-05-02 to 2026-05-04 with 2026-05-06 to 2026-05-08",
  );
  const names = ["2026-05-06 to 2026-05-08", "2026-05-02 to 2026-05-04"];
  assert.deepEqual(
    textsOf(periods.svg).filter((words) => names.includes(words)),
    names,
  );
  assert.equal(periods.svg.match(/ class="s[01] line"/g)?.length, 2);
});

test("a picture of a ranking has a bar a row, and of income one chart a currency", async (t) => {
  const { draw } = await drawer(t);
  const ranking = textsOf((await draw("2026年5月各国家销量")).svg);
  const rows = ["美国 (US)", "130", "日本 (JP)", "50", "德国 (DE)", "10"];
  const first = ranking.indexOf("美国 (US)");
  assert.deepEqual(ranking.slice(first, first + 6), rows);
  const income = await draw("income by month");
  const titles = textsOf(income.svg).filter((words) => words.startsWith("Income ("));
  assert.deepEqual(titles, ["Income (USD)", "Income (EUR)"]);
});

test("whatever stands in a title is text in the picture, and a long one is shortened", async (t) => {
  const hostile = 'Tom & </text><script>alert(1)</script> "x"\u202e';
  const long = "很长的歌名".repeat(30);
  const columns =
    "Reporting Date\tSale Month\tStore\tArtist\tTitle\tISRC\tQuantity\tSong/Album\tCountry of Sale\tEarnings (USD)";
  const sale = (title: string): string =>
    ["2026-06-01", "2026-05", "Spotify", "Me", title, "", "7", "Song", "US", "0.07"].join("\t");
  const { draw } = await drawer(t, { "statement.tsv": `${columns}\n${sale(hostile)}\n${sale(long)}\n` });
  const { svg } = await draw("2026年5月各歌曲销量");
  const texts = textsOf(svg);
  assert.ok(
    texts.some((words) => words.startsWith("《Tom &amp; &lt;/text&gt;&lt;script&gt;")),
    texts.join("\n"),
  );
  assert.ok(texts.some((words) => /^《很长.{5,15}…$/u.test(words)));
  assert.doesNotMatch(svg, /<script|\u202e/u);
});

test("nothing is drawn where the answer has no figures, and the answer is shown all the same", async (t) => {
  const { run, folder } = await drawer(t);
  const before = await readdir(folder);
  await assert.rejects(
    run("music-analysis", "ask", { question: "今天天气怎么样", picture: "a.svg" }),
    (error) => {
      const { code, message, result } = error as { code: string; message: string; result: Answer };
      assert.deepEqual([code, message], ["MUSIC_NO_PICTURE", "这个回答没有可以画成图的数据，没有写入图片。"]);
      assert.match(result.text, /^理解为：/);
      return true;
    },
  );
  assert.deepEqual(await readdir(folder), before);
});

test(
  "an answer whose picture cannot be written is shown all the same",
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
    ["logo.svg", /已经存在，而且不是本命令画的图/],
    ["folder.svg", /已经存在/],
    ["gone/new.svg", /没有这个文件夹/],
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

test("no picture is written for a remote service, nor for who asks over HTTP", async (t) => {
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
  assert.match(await reply.text(), /图片只能在命令行中写入/);
  assert.ok(!(await readdir(folder)).includes("b.svg"));
});
