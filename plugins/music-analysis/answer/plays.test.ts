import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parsePlays, playsIn } from "./plays.ts";

describe("parsePlays", () => {
  it("reads these texts as plays", () => {
    for (const [text, plays] of [
      ["0", 0],
      ["12345", 12345],
      ["12,345", 12345],
      ["12，345", 12345],
      ["1,234,567", 1234567],
      ["1.2万", 12000],
      ["1.1万", 11000],
      ["0.57万", 5700],
      ["1.2 萬", 12000],
      ["3.4亿", 340000000],
      ["300百万", 300000000],
      ["2千万", 20000000],
      ["12.3k", 12300],
      ["12.3K+", 12300],
      ["1.2M", 1200000],
      ["2.5w", 25000],
      ["1B", 1000000000],
      [" 约1.2万次 ", 12000],
      ["12,345 plays", 12345],
      ["１２３", 123],
    ] as const)
      assert.equal(parsePlays(text), plays, JSON.stringify(text));
  });

  it("refuses texts that are no plays", () => {
    for (const text of [
      "",
      "-",
      "12%",
      "+12",
      "-5",
      "1.2.3",
      "12,34",
      "1e5",
      "万",
      "12x",
      "12 mil",
      "海盐 12",
      "1-2",
      "NaN",
    ])
      assert.equal(parsePlays(text), undefined, JSON.stringify(text));
  });
});

describe("playsIn", () => {
  it("finds plays in these texts", () => {
    for (const [text, plays] of [
      ["：播放量 12,345", 12345],
      ["，播放量为1.2万次", 12000],
      [" 播放次数：3.4亿", 340000000],
      [" — 12.3k plays", 12300],
      ["：1.2万次播放", 12000],
      [" streams: 500", 500],
      ["（播放约 1.2万）", 12000],
      [" 2026 播放量 500", 500],
      [": plays 12 max", 12],
    ] as const)
      assert.equal(playsIn(text), plays, JSON.stringify(text));
  });

  it("finds no plays in other texts", () => {
    for (const text of [
      "播放量增长 12%",
      "播放量 12%",
      "播放量占比 35%",
      "近30天播放量上升",
      "收藏 500",
      "排名第1",
      "",
    ])
      assert.equal(playsIn(text), undefined, JSON.stringify(text));
  });
});
