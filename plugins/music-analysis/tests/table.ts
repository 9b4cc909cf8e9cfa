import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, finished, type FakeReply } from "../../../contract-tests/fake-service.ts";
import {
  FakeLogin,
  assertNoCanary,
  failureOf,
  toldOf,
  withMusic,
  type Music,
  type MusicOptions,
} from "./host.ts";

/** How a failure is told: its code, the exit status, and the sentence for a Chinese and for an English question. */
export interface Ending {
  readonly code: string;
  readonly exit: number;
  readonly zh: string;
  readonly en: string;
}

/** Every ending of the tables of the specification, and those that docs/music-analysis.md adds. */
export const ENDINGS = {
  BUSY: {
    code: "MUSIC_BUSY",
    exit: 75,
    zh: "服务繁忙，请稍后再试",
    en: "The service is busy. Please try again later.",
  },
  TIMEOUT: {
    code: "MUSIC_TIMEOUT",
    exit: 75,
    zh: "数据分析耗时较长，请稍后再试~",
    en: "The analysis takes long. Please try again later.",
  },
  SAFETY: {
    code: "MUSIC_SAFETY_REVOKED",
    exit: 69,
    zh: "您的问题或 AI 回答中可能包含敏感内容，请调整提问方式后重试。",
    en: "Your question or the answer may contain sensitive content. Please rephrase the question and try again.",
  },
  QUOTA: {
    code: "MUSIC_QUOTA_REACHED",
    exit: 75,
    zh: "您今天的数据助手提问次数已达上限，欢迎明天再来~",
    en: "You have reached today's limit of questions. Please come back tomorrow.",
  },
  SONG: {
    code: "MUSIC_SONG_BLOCKED",
    exit: 69,
    zh: "很抱歉，这首歌当前不支持数据分析。换一首试试？",
    en: "Sorry, this song is currently not supported for analysis. Try another one?",
  },
  PARAMETER: {
    code: "MUSIC_PARAMETER",
    exit: 65,
    zh: "问题内容有误，请修改后重试。",
    en: "The question could not be read. Please correct it and try again.",
  },
  EMPTY: {
    code: "MUSIC_PARAMETER",
    exit: 65,
    zh: "问题不能为空，请写出想了解的内容。",
    en: "The question must not be empty. Please write what you want to know.",
  },
  FIELD: {
    code: "MUSIC_FIELD_REFUSED",
    exit: 70,
    zh: "请求字段异常，请使用标准命令提问。",
    en: "The request had fields that are not allowed. Ask through the command only.",
  },
  LOGIN: {
    code: "MUSIC_LOGIN_NEEDED",
    exit: 77,
    zh: "登录状态已失效，请重新登录后再试。",
    en: "You are not logged in any more. Please log in again and ask once more.",
  },
  REFUSED: {
    code: "MUSIC_REFUSED",
    exit: 69,
    zh: "服务未能处理这个问题。",
    en: "The service did not answer this question.",
  },
  BROKEN: {
    code: "MUSIC_REPLY_BROKEN",
    exit: 69,
    zh: "服务的回复无法识别。",
    en: "The service's reply could not be read.",
  },
  UNKNOWN: {
    code: "MUSIC_OUTCOME_UNKNOWN",
    exit: 76,
    zh: "没有收到完整的回复，本次提问可能已计入今日次数。",
    en: "No complete answer arrived. The question may have used one of today's.",
  },
} as const satisfies Readonly<Record<string, Ending>>;

/** One row: what the service does, and what comes of it. */
export interface Row {
  readonly title: string;
  readonly script: readonly FakeReply[];
  /** What the server counts. */
  readonly requests: number;
  /** Missing: the last reply is shown. */
  readonly ending?: Ending;
  /** How often a new login is asked for. Default 0. */
  readonly logins?: number;
  /** The tokens that the logins yield, the first one among them. */
  readonly tokens?: readonly string[];
  readonly options?: MusicOptions;
}

/** A reply that is not asked for again. */
export const once = (title: string, reply: FakeReply, ending: Ending): Row => ({
  title,
  script: [reply, answered("never asked for")],
  requests: 1,
  ending,
});
/** A reply that is this document. */
export const document = (value: unknown, status = 200): FakeReply => ({
  status,
  body: JSON.stringify(value),
});
export const UPSTREAM = finished("UPSTREAM_ERROR");
export const SHOWN = answered("shown");

const QUESTIONS = [
  ["zh", "我的播放量"],
  ["en", "How are my plays?"],
] as const;

/** Holds each row for a question in either language. */
export function testRows(table: string, rows: readonly Row[]): void {
  for (const row of rows)
    test(`${table}: ${row.title}`, async () => {
      for (const [language, question] of QUESTIONS) {
        const login = new FakeLogin(row.tokens);
        await withMusic(row.script, (music) => holds(row, music, language, question), {
          ...row.options,
          login,
        });
      }
    });
}

async function holds(row: Row, music: Music, language: "zh" | "en", question: string): Promise<void> {
  const { requests, ending, logins = 0, title } = row;
  const { service, host, login, ask } = music;
  const outcome = ask(question);
  if (ending) {
    const error = await failureOf(outcome);
    assert.deepEqual([error.code, error.message], [ending.code, ending[language]]);
    assert.equal(host.host.catalog.codeEntry(error.code, "music-analysis").exit, ending.exit);
    assertNoCanary(toldOf(error, host), title);
  } else {
    const shown = await outcome;
    assert.ok(shown.text.startsWith("shown\n\n"));
    assert.equal(shown.requests, requests);
  }
  assert.deepEqual([service.seen.length, login.renewals.length], [requests, logins]);
  assert.ok(service.seen.every(({ body }) => body === JSON.stringify({ userMessage: question })));
}
