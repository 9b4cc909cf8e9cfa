import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "./languages.ts";
import { strip } from "../regions/regions.ts";
import { COMPILED, NEVER_RUN } from "../tests/probes/compiled.ts";
import { INTERPRETED } from "../tests/probes/interpreted.ts";
import { sampleWish, WRITTEN } from "../tests/probes/sample.ts";
import { headRegion, probeRegion } from "./probe-text.ts";

it("each language has a file, and a program in which tests run its probes", () => {
  const files = readdirSync(join(import.meta.dirname, "languages")).map((name) => name.replace(".json", ""));
  const unlisted = files.filter(
    (name) => name !== "others" && !(LANGUAGES as readonly string[]).includes(name),
  );
  assert.deepEqual(unlisted, []);
  const run = new Set<string>([...COMPILED, ...INTERPRETED].map(({ language }) => language));
  const unrun = WRITTEN.filter((language) => !run.has(language) && !Object.hasOwn(NEVER_RUN, language));
  // probe-browser.long.test.ts runs those of pages.
  assert.deepEqual(unrun, ["jsx", "vue", "svelte", "typescript", "tsx", "html"]);
});

describe("the text of a probe", () => {
  for (const language of WRITTEN) {
    it(`in ${language} is a few lines between two markers, contains the fields of an event, and is removed completely`, () => {
      const lines = probeRegion(sampleWish(language));
      assert.ok(lines.length <= 22 && lines.every((line) => !/[\r\n]/.test(line)));
      assert.deepEqual(strip(`a\n${lines.join("\n")}\nb\n`), { ok: true, text: "a\nb\n", count: 1 });
      const text = [...(headRegion(language, "a:1") ?? []), ...lines].join("\n");
      assert.doesNotMatch(text, /@[A-Z]@|¤/);
      assert.deepEqual(text.match(/\w+:\/\/\S/g), ["http://1"], "no other address than the fallback");
      for (const part of ["sum-is-wrong", "[DEBUG] ", "DEBUG_SERVER_URL"])
        assert.ok(text.includes(part), part);
    });
  }

  it("uses no short name outside of its own functions, since the program may use it", () => {
    // Their short names are inside functions, or the programs of probe-names show that they do no harm.
    const others = /^(?:javascript|jsx|typescript|tsx|vue|svelte|html|dart|shell)$/;
    const words = new Set("as do if in is it my no or os".split(" "));
    for (const language of WRITTEN.filter((one) => !others.test(one))) {
      const code = probeRegion(sampleWish(language)).slice(1, -1).join("\n");
      const bare = code.replaceAll(/f?(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g, '""');
      const names = [...bare.matchAll(/(?<![\w.%\\:&*^-])[$@]?([a-z]{1,2})(?!\w)/gi)].map(
        ([, name = ""]) => name,
      );
      assert.deepEqual(
        names.filter((name) => !words.has(name)),
        [],
        language,
      );
    }
  });

  it("has its imports in a separate region in the languages that require it", () => {
    const needed = WRITTEN.filter((language) => headRegion(language, "a:1") !== undefined);
    assert.deepEqual(needed, ["go", "swift", "cpp", "dart"]);
  });

  it("in JavaScript and TypeScript has at most 1,500 characters besides its values", () => {
    for (const language of ["javascript", "typescript"] as const) {
      const empty = { session: "", hypothesis: "", point: "", location: "", fallbackUrl: "" };
      const text = probeRegion({ ...empty, language, data: [] }).slice(1, -1);
      assert.ok(text.join("\n").length <= 1500, `${language}: ${text.join("\n").length}`);
    }
  });

  it("is not available in SQL, and the refusal says where to set it instead", () => {
    assert.throws(() => probeRegion(sampleWish("c", { language: "sql" })), {
      code: "DEBUG_PROBE_INVALID",
      hint: /sends the query/,
    });
  });
});
