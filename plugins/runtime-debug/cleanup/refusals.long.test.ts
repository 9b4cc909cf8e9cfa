/** What a cleanup cannot prove to be right it shows and leaves; files that look like instrumentation but are none stay. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { probeRegion } from "../probes/probe-text.ts";
import { text } from "./fixture-hazards.ts";
import { PROBE, REFUSED } from "./fixture-refusals.ts";
import { planned, type GivenFile } from "./fixture-planning.ts";

describe("a cleanup shows and leaves", () => {
  for (const { name, path, before, now, shown, judged } of REFUSED) {
    for (const judge of [undefined, "real"] as const) {
      test(judge ? `${name}, judged on its syntax tree` : name, async () => {
        const { plan, texts } = await planned({ [path]: { before, now } }, judge ? { judge } : {});
        assert.deepEqual(
          plan.findings.map(({ code, line }) => `${code}:${line ?? ""}`),
          (judge && judged) ?? shown,
        );
        assert.equal(texts[path], now);
        assert.ok(plan.findings.every(({ file, hint }) => file === path && hint !== undefined));
      });
    }
  }

  test("copies of instrumented files, and takes the probes out of one when that is accepted", async () => {
    const before = text("go();");
    const now = text(...PROBE, "go();");
    const files: Record<string, GivenFile> = {
      "a.js": { before, now },
      "a.js.backup-1": { now },
      "a.js.orig": { now: text(...PROBE, "go(1);") },
      "copy-of-it.js": { now },
    };
    const { plan, texts } = await planned(files);
    assert.deepEqual(
      plan.findings.map(({ code, file }) => `${code} ${file ?? ""}`),
      ["backup-copy a.js.backup-1", "backup-copy a.js.orig", "backup-copy copy-of-it.js"],
    );
    assert.equal(texts["a.js"], before);
    const accept = ["a.js.backup-1:1", "a.js.orig:2", "copy-of-it.js:1"];
    const accepted = await planned(files, { accept });
    assert.deepEqual(accepted.codes, []);
    assert.equal(accepted.texts["a.js.backup-1"], before);
    assert.equal(accepted.texts["a.js.orig"], text("go(1);"));
  });
});

describe("code behind a report in the same region is shown and left, however far in it stands", () => {
  const before = text("for (const item of items) {", "  total += item;", "}");
  const own = probeRegion({
    language: "javascript",
    session: "login-times-out",
    hypothesis: "A",
    point: "line-sum",
    data: [{ name: "total", expression: "total" }],
    location: "a.js:3",
    fallbackUrl: "http://127.0.0.1:7777/event",
  });
  const [begin = "", line = "", end = ""] = own;
  const [open = "", report = "", close = ""] = PROBE;
  const cases: Readonly<Record<string, readonly string[]>> = {
    "a probe as it is printed": [begin, line, "  total -= 0;", end],
    "a report by hand": [open, report, "  total -= 0;", close],
    "a report by hand without a semicolon": [open, report.replace(/;$/, ""), "  total -= 0", close],
  };
  for (const [name, region] of Object.entries(cases))
    for (const judge of [undefined, "real"] as const)
      test(`${name}${judge ? ", judged on its syntax tree" : ""}`, async () => {
        const now = before.replace("}\n", `${region.join("\n")}\n}\n`);
        const { plan, texts } = await planned({ "a.js": { before, now } }, judge ? { judge } : {});
        assert.deepEqual(
          plan.findings.map(({ code, line }) => `${code}:${line ?? ""}`),
          ["production-code:5"],
        );
        assert.equal(texts["a.js"], now);
        const aborted = await planned({ "a.js": { before, now } }, { aborted: true });
        assert.equal(aborted.texts["a.js"], before);
        assert.deepEqual(
          aborted.plan.dropped.map(({ file, line }) => `${file ?? ""}:${line ?? ""}`),
          ["a.js:5"],
        );
      });
});

describe("what somebody has looked at and accepts", () => {
  test("in a region goes with the region", async () => {
    const before = text("a();");
    const now = text("a();", "// #region debug-point A", "b();", "// #endregion");
    assert.deepEqual((await planned({ "a.js": { before, now } })).codes, ["production-code"]);
    const { codes, texts } = await planned({ "a.js": { before, now } }, { accept: ["a.js:3"] });
    assert.deepEqual(codes, []);
    assert.equal(texts["a.js"], before);
  });

  test("elsewhere stays as it is", async () => {
    const before = text("a();");
    const now = text('send("http://127.0.0.1:7777/event");', ...PROBE, "a();");
    assert.deepEqual((await planned({ "a.js": { before, now } })).codes, ["residue"]);
    const { codes, texts } = await planned({ "a.js": { before, now } }, { accept: ["a.js:1"] });
    assert.deepEqual(codes, []);
    assert.equal(texts["a.js"], text('send("http://127.0.0.1:7777/event");', "a();"));
  });
});

test("a fix that names what a probe reports is kept", async () => {
  const before = text("show({", "  count: items.length,", "});");
  const after = text("show({", "  count: items.length,", "  total: 0,", "});");
  const own = probeRegion({
    language: "javascript",
    session: "login-times-out",
    hypothesis: "A",
    point: "shown",
    data: [{ name: "total", expression: "cart.total" }],
    location: "show.js:1",
    fallbackUrl: "http://127.0.0.1:7777/event",
  });
  const { codes, texts } = await planned({ "show.js": { before, now: text(...own) + after } });
  assert.deepEqual(codes, []);
  assert.equal(texts["show.js"], after);
});

test("documents that mention markers, and files without anything of the session, stay as they are", async () => {
  const guide = text(
    "# Guide",
    "Wrap probes:",
    "// #region debug-point A",
    "probe",
    "// #endregion",
    "http://127.0.0.1:7777/event",
  );
  const files = {
    "docs/guide.md": { before: text("# Guide"), now: guide },
    "CHANGELOG.txt": { now: guide },
    total: { now: `\u007fELF\0${guide}` },
    "src/fix.js": { before: text("a();"), now: text("b();") },
    "gone.js": { before: text("x();"), now: undefined },
  };
  const { plan, texts } = await planned(files);
  assert.deepEqual(plan.findings, []);
  assert.equal(texts["docs/guide.md"], guide);
  assert.deepEqual(plan.fixed, ["docs/guide.md", "CHANGELOG.txt", "total", "src/fix.js", "gone.js"]);
});

test("a file under another name is held against what it was before", async () => {
  const before = text("const a = 1;", "const b = 2;", "use(a, b);");
  const now = text("const a = 1;", "// #region debug-point A", "const b = 2;", "// #endregion", "use(b, a);");
  const { codes, texts } = await planned({ "old.js": { before }, "new.js": { now } });
  assert.deepEqual(codes, []);
  assert.equal(texts["new.js"], text("const a = 1;", "const b = 2;", "use(b, a);"));
});
