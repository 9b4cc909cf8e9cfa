/** `report`: the figures of a period as one page, in a file that the user names. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { own } from "./doors-harness.ts";

interface Written {
  readonly file: string;
  readonly period: { readonly from: string; readonly to: string };
  readonly language: string;
  readonly text: string;
}

/** A person with imported files who has reports made. */
async function reporter(t: TestContext, files?: Readonly<Record<string, string>>) {
  const { host, run, ask } = await own(t, files);
  const folder = host.environment.workingFolder;
  const report = async (
    input: { readonly period?: string; readonly language?: string; readonly out?: string } = {},
  ) => {
    const written = await run<Written>("music-gateway", "report", { out: "report.html", ...input });
    return { ...written, html: await readFile(written.file, "utf8") };
  };
  return { host, run, ask, folder, report };
}

/** The text of a page, without its marks. */
const words = (html: string): string =>
  html
    .replace(/<style[^>]*>(?:(?!<\/style)[^])*<\/style>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

test("a report has the figures, songs, stores, countries, milestones and changes of a period, in both languages", async (t) => {
  const { report, ask } = await reporter(t);
  const english = await report({ period: "May 2026" });
  assert.deepEqual([english.period, english.language], [{ from: "2026-05-01", to: "2026-05-31" }, "en"]);
  const text = words(english.html);
  for (const heading of [
    "Music report",
    "May 2026",
    "Trend",
    "Songs",
    "Stores",
    "Countries",
    "Income per 1,000 plays",
    "Milestones",
    "What changed and why",
  ])
    assert.ok(text.includes(heading), heading);
  // The figures are those of answers.
  assert.match(await ask("plays in May 2026"), /\| 13,600 \|/);
  assert.match(text, /Plays 13,600/);
  assert.match(text, /Income \(EUR\) 2\.50 .*Income \(USD\) 1\.81/);
  assert.match(text, /Plays first reached 10,000 on 2026-05-14/);
  const chinese = await report({ period: "2026年5月" });
  assert.equal(chinese.language, "zh");
  for (const heading of [
    "音乐数据报告",
    "2026年5月",
    "歌曲",
    "平台",
    "国家与地区",
    "每千次播放收入",
    "里程碑",
    "变化与原因",
  ])
    assert.ok(words(chinese.html).includes(heading), heading);
  assert.match((await report({ period: "2026-05", language: "zh" })).html, /<html lang="zh-CN">/);
  assert.equal((await report({ period: "2026-05" })).language, "en");
});

test("a report is one page without scripts and references, and the same bytes each time", async (t) => {
  const { report } = await reporter(t);
  const { html } = await report({ period: "2026-05" });
  assert.match(html, /^<!doctype html>/);
  assert.match(html, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
  assert.doesNotMatch(
    html.replaceAll("http://www.w3.org/", ""),
    /<script|<link|<img|<iframe|\ssrc=|href=|https?:|\son\w+=/i,
  );
  assert.match(html, /@page\{size:A4/);
  assert.match(html, /prefers-color-scheme:dark/);
  const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length, "an id that occurs twice");
  assert.equal((await report({ period: "2026-05" })).html, html);
});

test("a report without a period covers the last whole month, and names the missing figures", async (t) => {
  const days = Array.from({ length: 51 }, (_, at) =>
    new Date(Date.UTC(2026, 5, 1 + at)).toISOString().slice(0, 10),
  );
  const { report } = await reporter(t, {
    "Me-audience-timeline.csv": `date,listeners,monthly listeners,streams,followers\n${days.map((day) => `${day},1,2,100,5`).join("\n")}\n`,
  });
  const { period, html } = await report();
  assert.deepEqual(period, { from: "2026-06-01", to: "2026-06-30" });
  assert.match(words(html), /Income: The files hold no figures for “Income”/);
  assert.match(words(html), /Plays 3,000/);
});

test("a chapter of a report is not split between printed pages", async (t) => {
  const { html } = await (await reporter(t)).report({ period: "2026-05" });
  assert.match(html, /@media print\{[^\n]*section,[^{}]*\{break-inside:avoid\}/);
});

test("a period that is not understood or has no figures is refused with one that has, and nothing is written", async (t) => {
  const { run, folder } = await reporter(t);
  for (const [period, message] of [
    ["banana", /could not be understood/],
    ["May against April", /could not be understood/],
    ["2019", /no figures from 2019-01-01 to 2019-12-31/],
  ] as const)
    await assert.rejects(
      run("music-gateway", "report", { out: "r.html", period }),
      (error: Error & { code?: string; hint?: string }) => {
        assert.equal(error.code, "USAGE", period);
        assert.match(error.message, message);
        assert.match(error.hint ?? "", /--period 2026-05/);
        return true;
      },
    );
  await assert.rejects(readFile(join(folder, "r.html")));
});

test("a report replaces an earlier one, and no other file", async (t) => {
  const { report, run, folder } = await reporter(t);
  await report({ period: "2026-05" });
  assert.match((await report({ period: "2026-05", language: "zh" })).html, /音乐数据报告/);
  await writeFile(join(folder, "mine.html"), "<p>mine</p>");
  for (const [out, message] of [
    ["mine.html", /mine\.html exists and is not a report/],
    ["gone/r.html", /There is no folder/],
  ] as const)
    await assert.rejects(run("music-gateway", "report", { out }), { code: "USAGE", message });
  assert.equal(await readFile(join(folder, "mine.html"), "utf8"), "<p>mine</p>");
  await assert.rejects(run("music-gateway", "report", { out: "r.pdf" }), { code: "INPUT_INVALID" });
});

test("titles and stores are escaped in a report, and over HTTP a client gets the page instead of a file", async (t) => {
  const columns =
    "Reporting Date\tSale Month\tStore\tArtist\tTitle\tISRC\tQuantity\tSong/Album\tCountry of Sale\tEarnings (USD)";
  const sale = [
    "2026-06-01",
    "2026-05",
    "<b>Shop",
    "Me",
    "</td><script>alert('1')</script> | \u202ex",
    "",
    "7",
    "Song",
    "US",
    "0.07",
  ];
  const { report, host } = await reporter(t, { "statement.tsv": `${columns}\n${sale.join("\t")}\n` });
  const { html } = await report({ period: "2026-05" });
  assert.match(html, /&lt;script&gt;alert\(&#39;1&#39;\)/);
  assert.match(html, /&lt;b&gt;Shop/);
  assert.doesNotMatch(html, /<script|<b>Shop|\u202e/u);
  const { url } = await host.serve();
  const reply = await fetch(`${url}/v1/skills/music-gateway/commands/report`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ out: "b.html" }),
  });
  assert.equal(reply.status, 403);
  const page = await fetch(`${url}/music-gateway/report?period=2026-05`);
  assert.equal(await page.text(), html);
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(
    page.headers.get("content-security-policy") ?? "",
    /^default-src 'none'; style-src 'unsafe-inline', sandbox /,
  );
  const refused = await fetch(`${url}/music-gateway/report?period=2019`);
  assert.equal(refused.status, 400);
  assert.match(
    await refused.text(),
    /There are no figures from 2019[^]*The files have figures from 2026-05-01/,
  );
});
