import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../../../contract-tests/harness.ts";

const RULES = [
  "skills/runtime-debug/skill.json",
  "skills/music-analysis/skill.json",
  "skills/login-proxy/skill.json",
  "core/guard/own/rules.json",
];
const LONG = 100_000;

/** What begins like what the rules look for, as the texts of an agent may, over and over. */
const BEGINNINGS = [
  ..." \n\t/\\\"',;:.-_=~%[({#$a1e",
  "x\n",
  " \n",
  "-a ",
  "://",
  "http://a ",
  "agent",
  "agent;",
  "agent/",
  "agent/chat-sync",
  "agent%2Fchat-sync,",
  "openapi",
  "://agent;",
  ".svc-login",
  "/.svc-login",
  "/.svc-login/",
  "/.svc-login/a",
  "~.svc-login\\",
  "svc-header-token",
  "svc-header-token ",
  "SVC_HEADER_TOKEN=",
  "SVC_HEADER_TOKEN='eyJ",
  "SVC_BASE_URL=",
  "eyJ",
  " eyJaaaaaaaaaa.",
  ".eyJaaaaaaaaaa.aaaaaaaaaa.",
  "login-proxy ",
  "check ",
  "check --quiet ",
  "-n ",
  "region debug-point ",
  "Region ",
  "console.a",
  "print ",
  "/skillctl",
  "/.local/state/skillctl",
  "/.claude/settings",
  "/.config/fish/",
  "/proc/",
  "token.json",
  "《a》",
  "很抱歉，暂时不支持对《",
  "很抱歉，暂时不支持对《a》这首歌进行数据分析，您可以尝试分析其他歌曲~ ",
  "\n没有找到与《",
  "没有找到与《a》完全一样的歌曲，您是想分析以下哪一首呢？",
  "1. a\n",
  "\n💡 如果需要进一步分析单首歌曲的表现，可以告诉我歌曲名，例如：分析歌曲a的表现",
];

function patternsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(patternsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "pattern" && typeof inner === "string" ? [inner] : patternsIn(inner),
  );
}

for (const file of RULES) {
  const text = readFileSync(join(ROOT, file), "utf8");
  const sources = [...new Set(patternsIn(JSON.parse(text)))];
  assert.ok(sources.length > 0);
  test(`no pattern of ${file} hangs on a long text`, { timeout: 30_000 }, () => {
    for (const source of sources) {
      const pattern = new RegExp(source.replaceAll(/\{(?:state|above|home)\}/g, "/home"), "u");
      for (const beginning of BEGINNINGS) {
        const long = beginning.repeat(LONG / beginning.length);
        const started = process.hrtime.bigint();
        for (const end of ["", "!", " \n!"]) pattern.test(`${beginning}${long}${end}`);
        const seconds = Number(process.hrtime.bigint() - started) / 1e9;
        // A thousand times what a walk over the text takes; a pattern of quadratic time takes more.
        assert.ok(seconds < 4, `${source} on ${JSON.stringify(beginning)}: ${seconds} s`);
      }
    }
  });
}
