/** More than 200 instrumented files over all languages: a cleanup gives back the code, byte for byte. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { headRegion, probeRegion } from "../probes/probe-text.ts";
import { insert, strip } from "../regions/strip.ts";
import { LANGUAGES, type Language } from "../probes/languages.ts";
import { PROGRAMS } from "./fixture-programs.ts";
import { planned } from "./fixture-planning.ts";

/** Markers as people write them, for languages with such comments. */
const FORMS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "//": [
    ["// #region debug-point A:token", "// #endregion"],
    ["//#region debug-point", "//# endregion"],
    ["// region debug-point C", "// endregion C"],
    ["/* #region debug-point E:e */", "/* #endregion E:e */"],
    ["// #region agent log", "// #endregion"],
  ],
  "#": [
    ["# #region debug-point A:token", "# #endregion debug-point A:token"],
    ["# region debug-point F", "# endregion"],
    ["#region debug-point D", "#endregion"],
    ["# #region agent log", "# #endregion agent log"],
  ],
  "--": [["-- #region debug-point B", "-- #endregion"]],
  "<!--": [["<!-- #region debug-point H -->", "<!-- #endregion debug-point H -->"]],
};

const SHAPES: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "with CRLF": (text) => text.replaceAll("\n", "\r\n"),
  "without a last line end": (text) => text.replace(/\n$/, ""),
  "with a byte order mark": (text) => `\uFEFF${text}`,
};

/** Regions that are put into a program of a language, each at a line of its own choice. */
function regionsFor(language: Language): readonly (readonly string[])[] {
  const { comment, call } = PROGRAMS[language];
  const hand = (FORMS[comment] ?? []).map(([begin, end]) => [begin, call, end]);
  if (language === "sql") return hand;
  const wish = {
    language,
    session: "login-times-out",
    hypothesis: "B",
    point: "total",
    data: [],
    location: "file:1",
    fallbackUrl: "http://127.0.0.1:7777/event",
  };
  return [probeRegion(wish), ...hand];
}

interface Sample {
  readonly name: string;
  readonly language: Language;
  readonly before: string;
  readonly now: string;
  readonly region: readonly string[];
}

function samples(): readonly Sample[] {
  return LANGUAGES.flatMap((language) =>
    regionsFor(language).flatMap((region, form) =>
      Object.entries(SHAPES).map(([shape, shaped]) => {
        const before = shaped(PROGRAMS[language].text);
        const head = form === 0 && language !== "sql" ? headRegion(language) : undefined;
        const probed = insert(before, PROGRAMS[language].line, region);
        const now = head ? insert(probed, PROGRAMS[language].headLine ?? 1, head) : probed;
        return { name: `${language} ${shape}: ${region[0] ?? ""}`, language, before, now, region };
      }),
    ),
  );
}

const ALL = samples();

test(`regions taken out of ${ALL.length} instrumented files leave the bytes as they were`, () => {
  assert.ok(ALL.length >= 200, `${ALL.length} files`);
  assert.equal(new Set(ALL.map(({ language }) => language)).size, LANGUAGES.length);
  for (const { name, before, now } of ALL) {
    assert.notEqual(now, before, name);
    const result = strip(now);
    assert.equal(result.ok && result.text, before, name);
  }
});

/** What grammars say is for other tests: it takes longer than all the rest. */
const syntax = { faults: async () => undefined };

test("a cleanup gives all of them back, and keeps a fix in the same file [debug.resource.regions]", async () => {
  for (const { name, language, before, now } of ALL) {
    const { path, fix } = PROGRAMS[language];
    const plain = await planned({ [path]: { before, now } }, { syntax });
    assert.deepEqual([plain.codes, plain.texts[path]], [[], before], name);
    assert.ok(now.includes(fix[0]), name);
    const fixed = await planned({ [path]: { before, now: now.replace(...fix) } }, { syntax });
    assert.deepEqual([fixed.codes, fixed.texts[path]], [[], before.replace(...fix)], `${name}, with a fix`);
  }
});
