/** The picture of a comparison, as a browser reads it, and the file that it is written to. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, test, type TestContext } from "node:test";
import type { SkillError } from "skillctl";
import { nodePorts } from "skillctl/host";
import type { ComparisonResult } from "../compare/rows.ts";
import { writePicture } from "../compare/picture.ts";
import { picture } from "../compare/picture.ts";
import { chromium, CHROMIUM_MISSING, type Chromium } from "./browser-harness.ts";

const inChromium = { skip: CHROMIUM_MISSING };

type Row = ComparisonResult["probes"][number];

function row(hypothesis: string, probe: string, more: Partial<Row> = {}): Row {
  const [before, after] = [more.before ?? 3, more.after ?? 2];
  const counts = { before: [before, 0, 0], after: [0, after, 0] };
  return { hypothesis, probe, declared: true, before, after, hit: "both", changed: [], counts, ...more };
}

function result(probes: readonly Row[], more: Partial<ComparisonResult> = {}): ComparisonResult {
  const times = { from: "2026-11-22T08:00:00.000Z", pieceMs: 500, lastsMs: 1_200 };
  return {
    session: "cart-total-wrong",
    before: "pre-fix",
    after: "post-fix",
    events: { before: 3, after: 2 },
    probes: [...probes],
    more: 0,
    hypotheses: [
      { id: "A", text: "The tax is added twice", verdict: "confirmed", before: 3, after: 2, hit: "both" },
    ],
    timeline: [
      { run: "pre-fix", ...times, counts: [3, 0, 0] },
      { run: "post-fix", ...times, counts: [0, 2, 0] },
    ],
    text: "",
    ...more,
  };
}

const HOSTILE = `</text></svg><script>globalThis.hurt = 1</script><svg onload="globalThis.hurt = 1">&"'\u0000\u001b\uffff\ud800\u202e]]>`;
const WIDE = "購物車總額".repeat(40);

/** What a browser makes of a picture. */
interface Seen {
  readonly error: string;
  readonly hurt: boolean;
  readonly texts: readonly { readonly text: string; readonly x: number; readonly end: number }[];
  readonly bars: Readonly<Record<string, number>>;
  readonly names: readonly string[];
  readonly label: string;
}

const LOOK = `(svg) => {
  const read = new DOMParser().parseFromString(svg, "image/svg+xml");
  const error = read.querySelector("parsererror")?.textContent ?? "";
  document.body.innerHTML = svg;
  const root = document.querySelector("svg");
  const texts = [...root.querySelectorAll("text")].map((one) => {
    const { x, width } = one.getBBox();
    return { text: one.textContent, x, end: x + width };
  });
  const bars = {};
  for (const side of ["before", "after"]) bars[side] = root.querySelectorAll("g." + side + " rect").length;
  const names = [...new Set([...read.querySelectorAll("*")].map((one) => one.localName))];
  return { error, hurt: "hurt" in globalThis, texts, bars, names: names.sort(), label: read.querySelector("title")?.textContent };
}`;

async function folder(t: TestContext): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "skillctl-picture-"));
  t.after(() => rm(made, { recursive: true, force: true }));
  return made;
}

describe("the picture of a comparison", () => {
  let browser: Chromium | undefined;
  before(async () => {
    if (CHROMIUM_MISSING === false) browser = await chromium();
  });
  after(() => browser?.close());

  async function seen(t: TestContext, svg: string): Promise<Seen> {
    assert.ok(browser);
    const page = await browser.browser.newPage();
    t.after(() => page.close());
    return (await page.evaluate(`(${LOOK})(${JSON.stringify(svg)})`)) as Seen;
  }

  test("is XML, has a title, and a bar for each piece of time with events", inChromium, async (t) => {
    const rows = [
      row("A", "tax", {
        location: "tax.js:4",
        changed: [{ field: "rate", before: ["0.19"], after: ["0.07"] }],
      }),
      row("A", "total", { after: 0, hit: "before" }),
      row("", "by hand", { before: 0, hit: "after" }),
    ];
    const { error, texts, bars, names, label } = await seen(t, picture(result(rows, { more: 3 })));
    assert.equal(error, "");
    assert.deepEqual(bars, { before: 2, after: 2 });
    assert.deepEqual(names, ["desc", "g", "line", "rect", "style", "svg", "text", "title", "tspan"]);
    assert.equal(label, "cart-total-wrong: pre-fix (3 events) and post-fix (2 events)");
    const said = texts.map(({ text }) => text);
    for (const text of [
      "tax",
      "tax.js:4",
      "rate: 0.19 → 0.07",
      "not hit",
      "confirmed",
      "1.5 s",
      "and 3 more",
    ])
      assert.ok(said.includes(text), `${text} in ${said.join(" | ")}`);
  });

  test(
    "holds nothing that runs, whatever was collected, and no text leaves its place",
    inChromium,
    async (t) => {
      for (const evil of [HOSTILE, HOSTILE.repeat(20), WIDE, "W".repeat(300), "🎈".repeat(80)]) {
        const changed = [{ field: evil, before: [evil], after: [evil] }];
        const rows = [
          row(evil, evil, { location: evil, changed }),
          row("A", evil, { changed, moreChanged: 7 }),
        ];
        const { error, hurt, texts, names } = await seen(
          t,
          picture(result(rows, { session: "one-two", before: evil, after: evil })),
        );
        assert.deepEqual([error, hurt, names.includes("script")], ["", false, false], evil);
        for (const { text, x, end } of texts)
          assert.ok(x >= 0 && end <= 960, `${text} goes from ${x} to ${end}`);
      }
    },
  );

  test("of many probes shows 20, and says that there are more", inChromium, async (t) => {
    const rows = Array.from({ length: 60 }, (_, at) => row("A", `p-${at}`));
    const { bars, texts } = await seen(t, picture(result(rows, { more: 5 })));
    assert.deepEqual(bars, { before: 20, after: 20 });
    assert.ok(texts.some(({ text }) => text === "and 45 more"));
  });

  test("of runs without events, or without a fix, says so", inChromium, async (t) => {
    const empty = { events: { before: 0, after: 0 }, timeline: [], after: null };
    const rows = [row("A", "tax", { before: 0, after: 0, hit: "none", counts: { before: [0], after: [0] } })];
    const { error, texts } = await seen(t, picture(result(rows, empty)));
    const said = texts.map(({ text }) => text);
    assert.equal(error, "");
    for (const text of ["no fix yet", "not hit", "–", "No events."]) assert.ok(said.includes(text), text);
  });

  test("shrinks as a whole where there is less room, by itself and in a page", inChromium, async (t) => {
    assert.ok(browser);
    const place = await folder(t);
    const svg = picture(result([row("A", "tax"), row("A", "total")]));
    const [own, around] = [join(place, "a.svg"), join(place, "a.html")];
    await writeFile(own, svg);
    await writeFile(around, `<!doctype html><meta charset="utf-8"><body style="margin:0">${svg}`);
    for (const file of [own, around])
      for (const [room, wide] of [
        [400, 400],
        [1200, 960],
      ] as const) {
        const page = await browser.browser.newPage({ viewport: { width: room, height: 900 } });
        t.after(() => page.close());
        await page.goto(pathToFileURL(file).href);
        const seen: unknown = await page.evaluate(`(() => {
          const { width, height } = document.querySelector("svg").getBoundingClientRect();
          const ratio = document.querySelector("svg").viewBox.baseVal;
          return [Math.round(width), Math.abs(height - (width * ratio.height) / ratio.width) < 1];
        })()`);
        assert.deepEqual(seen, [wide, true], `${file} in ${room}`);
      }
  });

  test("loads nothing from anywhere", () => {
    assert.doesNotMatch(picture(result([row("A", "http://x.example/a.png")])), /href|url\(|@import|src=/);
  });
});

describe("the file of a picture", () => {
  const SVG = picture(result([]));
  const { files } = nodePorts();

  test("is written, and written again over a picture of the same command", async (t) => {
    const place = await folder(t);
    assert.equal(await writePicture(files, place, "a.svg", SVG), join(place, "a.svg"));
    const other = picture(result([row("A", "tax")]));
    await writePicture(files, place, "./a.svg", other);
    assert.equal(await readFile(join(place, "a.svg"), "utf8"), other);
  });

  test("in a folder that is missing is refused with what to do", async (t) => {
    const place = await folder(t);
    await assert.rejects(writePicture(files, place, "none/a.svg", SVG), (caught: SkillError) => {
      assert.deepEqual([caught.code, /Make it first/.test(caught.hint ?? "")], ["USAGE", true]);
      return /no folder .*none/.test(caught.message);
    });
    await writeFile(join(place, "file"), "");
    await assert.rejects(writePicture(files, place, "file/a.svg", SVG), { code: "USAGE" });
  });

  const withLinks = { skip: process.platform === "win32" && "links need rights on Windows" };
  test("is never one that somebody else has made, nor a link or a folder", withLinks, async (t) => {
    const place = await folder(t);
    await writeFile(join(place, "logo.svg"), "<svg/>");
    await writePicture(files, place, "ours.svg", SVG);
    await symlink(join(place, "ours.svg"), join(place, "link.svg"));
    await symlink(place, join(place, "linked"));
    assert.equal(
      await writePicture(files, place, "linked/ours.svg", SVG),
      join(place, "linked", "ours.svg"),
      "a folder may be a link",
    );
    await files.makeFolder(join(place, "folder.svg"));
    for (const name of ["logo.svg", "link.svg", "folder.svg"])
      await assert.rejects(writePicture(files, place, name, SVG), { code: "USAGE" }, name);
    assert.equal(await readFile(join(place, "logo.svg"), "utf8"), "<svg/>");
  });
});
