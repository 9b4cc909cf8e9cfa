/** The presentation of answers, through the host. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answered } from "../../../contract-tests/fake-service.ts";
import { disguisesOf, found } from "./canary.ts";
import { TOKEN, withMusic } from "./host.ts";

const PLAYS = "最近30天我的播放量怎么样？";
const HINT = (name: string): string =>
  `💡 如果需要进一步分析单首歌曲的表现，可以告诉我歌曲名，例如：分析歌曲${name}的表现`;

describe("the shown text", () => {
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

  test("product names are removed in any letter case, and standard error says how many", () =>
    withMusic([answered("Made with SUNO AI, suno.com and ＳＵＮＯ in Kusunoki.")], async ({ ask, host }) => {
      assert.match((await ask(PLAYS)).text, /^Made with , {2}and {2}in Kusunoki\.\n\n/);
      assert.match(host.log.notices.join("\n"), /3 product names were removed/);
    }));

  test("product names are removed between marks and invisible characters, and kept in the parameters of a signed address", () => {
    const rows = [
      ["by **Su**no today", "by  today"],
      ["by Su**no** today", "by  today"],
      ["by S**un**o today", "by  today"],
      ["**by Su**no today", "**by ** today"],
      ["by su\u200bn\u2060o today", "by  today"],
      ["by `su`no today", "by  today"],
      ["by **Kusu**noki today", "by **Kusu**noki today"],
      [
        "suno ![图](https://x.example/suno.png?part=suno&Signature=a-suno-b)",
        " ![图](https://x.example/.png?part=suno&Signature=a-suno-b)",
      ],
      ["https://x.example/?from=suno", "https://x.example/?from="],
    ] as const;
    return withMusic(
      rows.map(([content]) => answered(content)),
      async ({ ask }) => {
        for (const [content, shown] of rows)
          assert.equal((await ask(PLAYS)).answers[0]?.content, shown, content);
      },
    );
  });

  test("the hint names the top song also where lists and sentences give it without title marks, and never a figure", () => {
    const rows = [
      ["## 热门歌曲\n1. **海盐** - 12,345 次播放\n2. **晚风**：9,000 次播放", "海盐"],
      ["热门歌曲 TOP3：\n\n1. 海盐（songId：102）\n2. 晚风（songId：103）", "海盐"],
      ["## 热门歌曲\n1. 海盐（9,345 次播放）\n2. 晚风 (Live)（12,000 次播放）", "晚风 (Live)"],
      ["- 海盐（songId：102）：100 次播放\n- 晚风（songId：103）：900 次播放", "晚风"],
      ["播放最高的歌曲是 **海盐**，12,345 次播放", "海盐"],
      ["**海盐** 是您播放量最高的歌曲", "海盐"],
      ["## Top songs\n1. **Sea Salt** — 1,234 plays\n2. Night — 900 plays", "Sea Salt"],
      ["## 概览\n1. 总播放量：12,345 次播放\n2. 粉丝：9", "歌曲名"],
      ["## 热门歌曲\n- 播放量：9,000\n- 完播率：80%", "歌曲名"],
      ["**总播放量** 12,345 次播放，**新增粉丝** 9", "歌曲名"],
      ["## 热门歌曲\n本周 **播放量** 上升", "歌曲名"],
    ] as const;
    return withMusic(
      rows.map(([content]) => answered(content)),
      async ({ ask }) => {
        for (const [content, name] of rows)
          assert.equal((await ask(PLAYS)).text, `${content}\n\n${HINT(`《${name}》`)}`);
      },
    );
  });

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

  test("song names add no image and no link to the sentences around an answer, and still name their songs", () => {
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

  test("strictFilter removes the letters of a product name from longer words too", () =>
    withMusic([answered("Kusunoki")], async ({ ask }) => assert.match((await ask(PLAYS)).text, /^Kuki\n\n/), {
      config: { "music-analysis": { strictFilter: true } },
    }));
});
