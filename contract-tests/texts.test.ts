/** The fixed sentences of the specification and of the message catalogue, character for character. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SKILLS } from "./harness.ts";

const texts = SKILLS.find(({ manifest }) => manifest.name === "music-analysis")?.manifest.texts ?? {};

const PINS: Readonly<Record<string, string>> = {
  // Specification, tier C
  "song-unsupported-line":
    "很抱歉，暂时不支持对《{USER_SONG_NAME}》这首歌进行数据分析，您可以尝试分析其他歌曲~",
  // Specification, presentation rule 3
  "account-hint":
    "💡 如果需要进一步分析单首歌曲的表现，可以告诉我歌曲名，例如：分析歌曲《{TOP_SONG_NAME}》的表现",
  "generic-song-name": "歌曲名",
  "safety-revoked": "您的问题或 AI 回答中可能包含敏感内容，请调整提问方式后重试。",
  timeout: "数据分析耗时较长，请稍后再试~",
  busy: "服务繁忙，请稍后再试",
  quota: "您今天的数据助手提问次数已达上限，欢迎明天再来~",
  "song-blocked": "很抱歉，这首歌当前不支持数据分析。换一首试试？",
  "progress-started": "📊 正在分析中，请稍候...",
  "progress-usual": "⏳ 数据分析通常需要 20~90 秒，马上为您呈现结果",
  "mapping-question": "看看我的整体歌曲表现",
  "song-choice":
    "没有找到与《{USER_SONG_NAME}》完全一样的歌曲，您是想分析以下哪一首呢？\n\n{CANDIDATES}\n\n请回复歌曲名或前面的编号；如果都不是，也可以告诉我“都不是”。",
};

for (const [name, sentence] of Object.entries(PINS)) {
  test(`the text ${name} of music-analysis is the fixed sentence`, () => {
    assert.equal(texts[name]?.text, sentence);
  });
}

const gateway = SKILLS.find(({ manifest }) => manifest.name === "music-gateway")?.manifest.texts ?? {};

const GATEWAY: Readonly<Record<string, string>> = {
  "wrong-field": "数据异常，请稍候再试",
  "blank-message": "userMessage 不能为空",
  "quota-exceeded": "您今天在数据助手的使用次数达 10 次啦！",
  "song-not-supported": "歌曲不支持分析",
};

for (const [name, sentence] of Object.entries(GATEWAY)) {
  test(`the embedded gateway says ${name} in the words of the service`, () => {
    assert.equal(gateway[name]?.text, sentence);
  });
}
