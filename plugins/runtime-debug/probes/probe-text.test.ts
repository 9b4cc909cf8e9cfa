import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LANGUAGES } from "./languages.ts";
import { strip } from "../regions/regions.ts";
import { headRegion, probeRegion, type ProbeWish } from "./probe-text.ts";

const WRITTEN = LANGUAGES.filter((language) => language !== "sql");
describe("the text of a probe", () => {
  for (const language of WRITTEN) {
    const wish: ProbeWish = {
      language,
      session: "login-timeout",
      hypothesis: "A",
      point: "cart",
      data: [{ name: "total", expression: /shell|perl|php/.test(language) ? "$total" : "total" }],
      location: "cart:7",
      fallbackUrl: "http://127.0.0.1:7777/event",
    };

    it(`in ${language} is a few lines between two markers, and goes without a trace`, () => {
      const lines = probeRegion(wish);
      assert.ok(lines.length <= 22 && lines.every((line) => !/[\r\n]/.test(line)));
      assert.deepEqual(strip(`a\n${lines.join("\n")}\nb\n`), { ok: true, text: "a\nb\n", count: 1 });
    });

    it(`in ${language} holds what an event needs, and no mark of its template`, () => {
      const text = probeRegion(wish).join("\n");
      assert.doesNotMatch(text, /@[A-Z]@|¤/);
      assert.deepEqual(text.match(/\w+:\/\/\S/g), ["http://1"], "no other address than the fallback");
      for (const part of ["login-timeout", "[DEBUG] ", "DEBUG_SERVER_URL"])
        assert.ok(text.includes(part), part);
    });
  }

  it("needs imports in a region of their own in the languages that have no other way", () => {
    const needed = WRITTEN.filter((language) => headRegion(language) !== undefined);
    assert.deepEqual(needed, ["go", "swift", "cpp", "dart"]);
  });

  it("in JavaScript and TypeScript has at most 400 characters beside what is filled in", () => {
    for (const language of ["javascript", "typescript"] as const) {
      const empty = { session: "", hypothesis: "", point: "", location: "", fallbackUrl: "" };
      const text = probeRegion({ ...empty, language, data: [] }).slice(1, -1);
      assert.ok(text.join("\n").length <= 400, `${language}: ${text.join("\n").length}`);
    }
  });

  it("cannot be had in SQL, and the refusal says where to set it", () => {
    const wish = {
      language: "sql",
      session: "a-b",
      hypothesis: "A",
      point: "p",
      data: [],
      location: "",
      fallbackUrl: "",
    };
    assert.throws(() => probeRegion(wish as ProbeWish), {
      code: "DEBUG_PROBE_INVALID",
      hint: /sends the query/,
    });
  });
});
