/** What holds for any name, any content, any object and any order: the rules that no table can exhaust. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { present } from "../answer/answer.ts";
import { filterKeywords } from "../answer/keyword-filter.ts";
import { bodyOf } from "../client.ts";
import type { ChatRequest } from "../contract.ts";
import { Presentation } from "../presentation.ts";
import { bareName } from "../songs/marks.ts";
import manifest from "../../../skills/music-analysis/skill.json" with { type: "json" };
import { GROUPS, resolution, type ResolutionCase } from "./song-table.ts";
import { effort } from "../../../contract-tests/effort.ts";

const LINE_ENDS = /[\n\r\u0085\u2028\u2029]/u;
const NASTY = [
  ..."$& $1 $$ $` {USER_SONG_NAME} 《{USER_SONG_NAME}》 {TOP_SONG_NAME} 《 》 《海盐》 海《盐》 “ ” \" ' 〈 \\ | 海盐 Live 🌙".split(
    " ",
  ),
  " ",
  "\ud800",
  "\u200b",
];
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.constantFrom(...NASTY), { maxLength: 8 }).map((parts) => parts.join("")),
);
const anyName = anyText.filter((text) => text.trim() !== "" && !LINE_ENDS.test(text));

const LINE_START = "很抱歉，暂时不支持对《";
const LINE_END = "》这首歌进行数据分析，您可以尝试分析其他歌曲~";

describe("the line of tier C", () => {
  it("is the fixed line with the name in its place, whatever the name", () => {
    const silent = { notice: () => undefined, detail: () => undefined };
    const presentation = new Presentation({ forbiddenWords: [], strictFilter: false }, silent);
    fc.assert(
      fc.property(anyName, (name) => {
        const { text, answers } = presentation.unsupported(name);
        assert.equal(text, `${LINE_START}${bareName(name)}${LINE_END}`);
        assert.deepEqual(answers, []);
      }),
      { examples: NASTY.filter((name) => name.trim() !== "").map((name) => [name]) },
    );
  });

  it("is what any unknown title comes to, under the name that was asked for", () => {
    fc.assert(
      fc.property(anyName, fc.boolean(), (name, focused) => {
        fc.pre(!/[《》〈〉]/u.test(name) && bareName(name).replace(/[\s\u200b\u2060]/gu, "") !== "");
        const asked = { question: `分析《${name}》的表现`, songs: [] };
        assert.deepEqual(resolution(focused ? { ...asked, focus: ["风筝", 2] } : asked), {
          tier: "C",
          name: bareName(name).replace(/\s+/gu, " "),
        });
      }),
    );
  });
});

describe("the body of a request", () => {
  const songId = fc.option(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { nil: undefined });
  const strange = fc.dictionary(
    fc.oneof(
      fc.constantFrom("query", "sessionId", "accountId", "uid", "__proto__", "constructor", "toJSON"),
      fc.string(),
    ),
    fc.anything(),
    { noNullPrototype: false },
  );
  const body = (message: string, id: number | undefined): string =>
    JSON.stringify(id === undefined ? { userMessage: message } : { userMessage: message, songId: id });

  it("has the two fields and no third, whatever else the object holds", () => {
    fc.assert(
      fc.property(strange, anyText, songId, (more, message, id) => {
        const fields = id === undefined ? { userMessage: message } : { userMessage: message, songId: id };
        const question: ChatRequest = Object.assign(Object.create(null), more, fields);
        if (id === undefined) Reflect.deleteProperty(question, "songId");
        assert.equal(bodyOf(question), body(message, id));
      }),
    );
  });

  it("has no third field from a prototype, a getter, a toJSON or a parsed __proto__", () => {
    fc.assert(
      fc.property(anyText, songId, (message, id) => {
        const fields = { userMessage: message, ...(id === undefined ? {} : { songId: id }) };
        const games: readonly ChatRequest[] = [
          Object.assign(Object.create({ query: "x", toJSON: () => ({ prompt: "x" }) }), fields),
          Object.defineProperties(
            { ...fields },
            { text: { enumerable: true, get: () => "x" }, toJSON: { value: () => ({ uid: 1 }) } },
          ),
          JSON.parse(`{"__proto__":{"content":"x"},${JSON.stringify(fields).slice(1)}`),
          new Proxy(fields, { ownKeys: () => ["userMessage", "songId", "accountId"] }),
          Object.assign([], fields),
        ];
        for (const question of games) assert.equal(bodyOf(question), body(message, id));
      }),
    );
  });
});

describe("the keyword filter", () => {
  const form = "[sSｓＳ][uUｕＵ][nNｎＮ][oOｏＯ]";
  const holds = new RegExp(`${form}|音造`, "u");
  const holdsWord = new RegExp(
    `(?<![\\p{Script=Latin}\\p{M}])${form}(?![\\p{Ll}\\p{Script=Latin}\\p{M}])|音造`,
    "u",
  );
  const pieces = [
    ..."suno SUNO Suno ＳＵＮＯ ｓuｎo SunoAI suno.ai Suno.com Suno-AI suno_v4 Kusunoki Sunoda su no s u ai .ai .com AI 音造 音 造".split(
      " ",
    ),
    ..." |\r|\n|《|》|歌|é|\u0301|7|-|.|**|\ud800|🎵|[a](https://x.example/?s=1&g=%2B)".split("|"),
  ];
  const near = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(""));
  const text = fc.oneof(
    near,
    fc.string({ unit: "binary" }),
    fc.tuple(near, anyText, near).map((parts) => parts.join("")),
  );
  const filtered = (raw: string, mode: "words" | "strict") =>
    filterKeywords(raw, { keywords: ["suno", "音造"], mode });

  for (const mode of ["words", "strict"] as const) {
    it(`leaves a text without the keyword byte for byte as it was (${mode})`, () => {
      fc.assert(
        fc.property(text, (raw) => {
          fc.pre(!holds.test(raw));
          assert.deepEqual(filtered(raw, mode), { text: raw, removed: 0 });
        }),
      );
    });

    it(`changes nothing the second time (${mode})`, () => {
      fc.assert(
        fc.property(text, (raw) => {
          const { text: once } = filtered(raw, mode);
          assert.deepEqual(filtered(once, mode), { text: once, removed: 0 });
        }),
        { numRuns: effort(83, 1_500) },
      );
    });

    it(`only takes away, and counts what it takes (${mode})`, () => {
      fc.assert(
        fc.property(text, (raw) => {
          const { text: kept, removed } = filtered(raw, mode);
          assert.equal(removed > 0, kept !== raw);
          let at = 0;
          for (let place = 0; place < kept.length; place += 1, at += 1) {
            at = raw.indexOf(kept.charAt(place), at);
            assert.notEqual(at, -1);
          }
        }),
      );
    });
  }

  it("leaves no whole word of it behind in the mode of words", () => {
    fc.assert(
      fc.property(text, (raw) => assert.doesNotMatch(filtered(raw, "words").text, holdsWord)),
      { numRuns: effort(83, 1_500) },
    );
  });

  it("leaves none of its letters together behind in the strict mode", () => {
    fc.assert(
      fc.property(text, (raw) => assert.doesNotMatch(filtered(raw, "strict").text, holds)),
      { numRuns: effort(83, 1_500) },
    );
  });
});

describe("an account-wide answer", () => {
  const hintTemplate = manifest.texts["account-hint"].text;
  const placeholderName = manifest.texts["generic-song-name"].text;
  const [hintStart = "", hintEnd = ""] =
    "💡 如果需要进一步分析单首歌曲的表现，可以告诉我歌曲名，例如：分析歌曲|的表现".split("|");
  const pieces = [
    ..."## 一、整体播放表现;| 歌曲 | 播放量 |;| --- | ---: |;| 《海盐》 | 1.2万 |;| A\\|B | 12,345 |;| $& | 9 |;代表作《夜曲》;🎵;```;".split(
      ";",
    ),
    "1. 《风筝》 songId: 3",
    "![封面](https://cdn.example/c.png?Expires=1&Signature=a%2Bb~c_&Key-Pair-Id=K)",
    "<b>海盐</b>",
    "> 引用  ",
    "\ud800",
    "  ",
    "\u00a0",
  ];
  const content = fc.oneof(
    anyText,
    fc
      .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom("\n", "\r\n", "\r", "\n\n")), {
        maxLength: 12,
      })
      .map((lines) => lines.flat().join("")),
  );
  const shownOf = (text: string): string =>
    present({ content: text, accountWide: true, hintTemplate, placeholderName });

  it("is the content byte for byte, a blank line and the hint line, for any content", () => {
    fc.assert(
      fc.property(content, (text) => {
        const shown = shownOf(text);
        assert.equal(shown.slice(0, text.length), text);
        const lines = shown.split(/\r\n|\n|\r/u);
        const hint = lines.at(-1) ?? "";
        assert.ok(hint.startsWith(hintStart) && hint.endsWith(hintEnd), hint);
        assert.match(hint.slice(hintStart.length, -hintEnd.length), /《.+》/u);
        assert.equal(lines.at(-2)?.trim(), "");
        assert.match(shown.slice(text.length, -hint.length || undefined), /^[\r\n]*$/u);
      }),
      { numRuns: effort(83, 1_500) },
    );
  });

  it("names the song with the most plays, wherever its row stands", () => {
    const row = fc.tuple(
      fc.stringMatching(/^[海盐风筝夜曲a-z]{1,8}$/u),
      fc.integer({ min: 0, max: 99_999_999 }),
    );
    const rows = fc.uniqueArray(row, { minLength: 1, maxLength: 12, selector: ([, plays]) => plays });
    fc.assert(
      fc.property(rows, fc.constantFrom("\n", "\r\n"), (songs, lineEnd) => {
        const [top] = songs.toSorted(([, left], [, right]) => right - left);
        const lines = songs.map(([name, plays]) => `| ${name} | ${plays.toLocaleString("en-US")} |`);
        const text = ["| 歌曲 | 播放量 |", "|---|---|", ...lines].join(lineEnd);
        assert.ok(shownOf(text).endsWith(`${hintStart}《${top?.[0]}》${hintEnd}`));
      }),
    );
  });

  it("is the bare content when it is about one song", () => {
    fc.assert(
      fc.property(content, (text) =>
        assert.equal(present({ content: text, accountWide: false, hintTemplate, placeholderName }), text),
      ),
    );
  });
});

describe("the order of the mapping", () => {
  const cases: readonly ResolutionCase[] = GROUPS.flatMap((group) =>
    group.kind === "resolution" ? group.cases : [],
  ).filter(({ songs }) => songs.length > 1);

  it("never changes what a case of the table comes to", () => {
    const shuffled = fc
      .constantFrom(...cases)
      .chain((each) =>
        fc.tuple(fc.constant(each), fc.shuffledSubarray([...each.songs], { minLength: each.songs.length })),
      );
    fc.assert(
      fc.property(shuffled, ([{ question, focus, expected }, songs]) =>
        assert.deepEqual(
          resolution({ question, songs, ...(focus === undefined ? {} : { focus }) }),
          expected,
        ),
      ),
      { numRuns: effort(83, 1_500) },
    );
  });

  it("never changes the tier or the candidates of any name in any mapping", () => {
    const name = fc
      .array(
        fc.constantFrom("海盐", "海", "盐", "(Live)", "Live", "！", "Blue", "River", " ", "鹽", "7", "🌙"),
        {
          minLength: 1,
          maxLength: 4,
        },
      )
      .map((parts) => parts.join(""))
      .filter((text) => text.trim() !== "");
    const songs = fc.uniqueArray(fc.tuple(name, fc.integer({ min: 1, max: 30 })), {
      minLength: 2,
      maxLength: 12,
      selector: ([, id]) => id,
    });
    const mappings = songs.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(name, mappings, fc.constantFrom("《》", "“”"), (asked, [first, second], marks) => {
        const question = `分析${marks.charAt(0)}${asked}${marks.charAt(1)}的表现`;
        assert.deepEqual(resolution({ question, songs: first }), resolution({ question, songs: second }));
      }),
      { numRuns: effort(83, 1_500) },
    );
  });
});
