import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { LANGUAGES, type Language } from "./languages.ts";
import { strip } from "../regions/strip.ts";
import { headRegion, probeRegion, type ProbeWish } from "./probe-text.ts";
import { probeIn } from "./read-probe.ts";
import { effort } from "../../../contract-tests/effort.ts";

const WRITTEN = LANGUAGES.filter((language) => language !== "sql");
/** Expressions that every language but the shell's takes. */
const PLAIN = ["total + 1", "a + b", "items[0]", 'f("x")', "(a)", "a == b", "1", "g(a, b)"];

function expressionOf(language: Language): fc.Arbitrary<string> {
  if (language === "shell")
    return fc.constantFrom("$total", "${text}", "$1", "$#", "${#items}", "${list[1]}");
  return fc.constantFrom(...PLAIN);
}

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/);
const words = (least: number, most: number): fc.Arbitrary<string> =>
  fc.array(word, { minLength: least, maxLength: most }).map((all) => all.join("-"));

const wishes: fc.Arbitrary<ProbeWish> = fc.constantFrom(...WRITTEN).chain((language) =>
  fc.record({
    language: fc.constant(language),
    session: words(2, 4),
    hypothesis: fc.constantFrom("A", "B", "C", "D", "E"),
    point: words(1, 3),
    location: fc.constantFrom("cart.ts:7", "src/a b/ü 'q'.py:12", "token-check"),
    fallbackUrl: fc.constantFrom("http://127.0.0.1:7777/event", "http://192.168.0.7:8080/event?abc_DEF-123"),
    sync: fc.boolean(),
    allowCall: fc.constant(true),
    data: fc.uniqueArray(
      fc.record({ name: fc.stringMatching(/^[A-Za-z][\w.-]{0,8}$/), expression: expressionOf(language) }),
      { selector: ({ name }) => name, maxLength: 12 },
    ),
  }),
);

describe("the text of a probe", () => {
  it("says again what it was made of, at every indentation", () => {
    fc.assert(
      fc.property(wishes, fc.constantFrom("", "  ", "\t\t"), (wish, indentation) => {
        const lines = probeRegion(wish).map((line) => indentation + line);
        const { hypothesis, point, session } = wish;
        const data = wish.data.map(({ name, expression }) => ({ name, expression }));
        assert.deepEqual(probeIn(wish.language, lines), { hypothesis, point, data, session });
      }),
      { numRuns: effort(83, 1_500) },
    );
  });

  it("is not known again when one character of what is fixed is another", () => {
    fc.assert(
      fc.property(wishes, fc.nat(), fc.constantFrom(" ", "x", ";", '"', ")"), (wish, place, other) => {
        const lines = probeRegion(wish);
        const text = lines.join("\n");
        const at = place % text.length;
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        if (changed === text) return;
        const read = probeIn(wish.language, changed.split("\n"));
        if (read === undefined) return;
        // What was filled in may be another; what is read again then says so, but for session, address and location.
        const differs = JSON.stringify(read) !== JSON.stringify(probeIn(wish.language, lines));
        const filled = [wish.session, wish.fallbackUrl, wish.location.replaceAll(/[^\w./:@+ -]/g, "_")];
        const inside = filled.some((value) => covers(text, value, at));
        assert.ok(differs || inside, `${at}: ${changed}`);
      }),
      { numRuns: effort(333, 6_000) },
    );
  });

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

  it("of imports is known again, and stands in the languages that need it", () => {
    const needed = WRITTEN.filter((language) => headRegion(language) !== undefined);
    assert.deepEqual(needed, ["go", "swift", "cpp", "dart"]);
    for (const language of needed)
      assert.deepEqual(probeIn(language, headRegion(language) ?? []), {
        hypothesis: "",
        point: "imports",
        data: [],
      });
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

/** Whether a place of a text lies in one of the places where a value stands, or where it could go on. */
function covers(text: string, value: string, at: number): boolean {
  for (let from = text.indexOf(value); from >= 0; from = text.indexOf(value, from + 1))
    if (at >= from && at <= from + value.length) return true;
  return false;
}
