/** What a person is shown of an answer: through the host alone. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answered } from "../../../contract-tests/fake-service.ts";
import { disguisesOf, found } from "./canary.ts";
import { TOKEN, withMusic } from "./host.ts";

const PLAYS = "最近30天我的播放量怎么样？";
const HINT = (name: string): string =>
  `💡 如果需要进一步分析单首歌曲的表现，可以告诉我歌曲名，例如：分析歌曲${name}的表现`;

describe("what is shown", () => {
  const CONTENT =
    "  # 结论\t\n\n| 歌曲名 | songId | 播放量 |\n|---|---|---|\n| 风筝 | 8 | 9,876 |\n| 《海盐》 | 7 | 1.2万 |\n\n[图](https://x.example/?sig=a%2Fb&e=1)   ";

  test("an answer about the account is the content byte for byte, a blank line and the hint with the top song [music.present.hint] [music.present.top-song]", () =>
    withMusic([answered(CONTENT)], async ({ ask }) => {
      const { text, answers } = await ask(PLAYS);
      assert.equal(text, `${CONTENT}\n\n${HINT("《海盐》")}`);
      assert.equal(answers[0]?.content, CONTENT);
    }));

  test("an answer that names no song has the generic name in its hint", () =>
    withMusic([answered("没有数据。")], async ({ ask }) => {
      assert.equal((await ask(PLAYS)).text, `没有数据。\n\n${HINT("《歌曲名》")}`);
    }));

  test("an answer about a song is the content alone", () =>
    withMusic([answered(CONTENT), answered("  单曲  \n")], async ({ ask }) => {
      assert.equal((await ask("分析歌曲《海盐》的表现")).text, "  单曲  \n");
    }));

  test("product names go in any letter case, and standard error says how many", () =>
    withMusic([answered("Made with SUNO AI, suno.com and ＳＵＮＯ in Kusunoki.")], async ({ ask, host }) => {
      assert.match((await ask(PLAYS)).text, /^Made with , {2}and {2}in Kusunoki\.\n\n/);
      assert.match(host.log.notices.join("\n"), /3 product names were removed/);
    }));

  test("a service that repeats the token of the request has it masked in every form, in texts, names of fields and song names", () => {
    const said = disguisesOf(TOKEN);
    const table = said
      .map((each, place) => `| ${each.replaceAll(/\s/g, "")} | ${place + 1} | ${place} |`)
      .join("\n");
    const content = `${said.join("\n")}\n\n| 歌曲名 | songId | 播放量 |\n|---|---|---|\n${table}`;
    const reply = answered(content, { messageId: TOKEN, sessionId: `a:b:${TOKEN}:20260701`, [TOKEN]: TOKEN });
    return withMusic([reply], async ({ ask, chatSync, service }) => {
      const shown = JSON.stringify([await ask(PLAYS), await chatSync({ userMessage: PLAYS })]);
      assert.equal(service.seen[0]?.headers["svc-header-token"], TOKEN);
      assert.deepEqual(found(shown, [TOKEN]), [], shown);
      assert.match(shown, /\[token\]/);
    });
  });

  test("song names bring no image and no link into the sentences around an answer, and still name their songs", () => {
    const name = "![x](//evil.example/a) <img src=y>";
    const escaped = String.raw`!\[x](//evil.example/a) \<img src=y>`;
    const content = `| 歌曲名 | songId | 播放量 |\n|---|---|---|\n| ${escaped} | 7 | 9 |\n| ${escaped}2 | 8 | 1 |`;
    return withMusic([answered(content)], async ({ ask, service }) => {
      const { text } = await ask(PLAYS);
      assert.equal(text.slice(content.length).trim(), HINT(`《${escaped}》`));
      await ask(`分析歌曲《${name}》的表现`);
      assert.equal((service.bodies.at(-1) as { songId?: number }).songId, 7);
      const choice = await ask("分析歌曲《![x](//evil.example/a)》的表现");
      assert.equal(choice.kind, "choice");
      assert.ok(choice.text.includes(`1. 《${escaped}》`), choice.text);
      assert.doesNotMatch(choice.text, /(?<!\\)\[|(?<!\\)<img/);
    });
  });

  test("strictFilter takes the bare letters out of longer words too", () =>
    withMusic([answered("Kusunoki")], async ({ ask }) => assert.match((await ask(PLAYS)).text, /^Kuki\n\n/), {
      config: { "music-analysis": { strictFilter: true } },
    }));
});
