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
import manifest from "../../../skills/music-analysis/skill.json" with { type: "json" };

/** How a failure is reported: its code, the exit status, and the sentence for a Chinese and for an English question. */
interface Ending {
  readonly code: string;
  readonly exit: number;
  readonly zh: string;
  readonly en: string;
}

const { texts } = manifest;
const ending = (code: string, exit: number, text: keyof typeof texts): Ending => ({
  code,
  exit,
  zh: texts[text].text,
  en: texts[`${text}-en` as keyof typeof texts].text,
});

/** Every ending of the tables of the specification, and those that docs/music-analysis.md adds. */
export const ENDINGS = {
  BUSY: ending("MUSIC_BUSY", 75, "busy"),
  TIMEOUT: ending("MUSIC_TIMEOUT", 75, "timeout"),
  SAFETY: ending("MUSIC_SAFETY_REVOKED", 69, "safety-revoked"),
  QUOTA: ending("MUSIC_QUOTA_REACHED", 75, "quota"),
  SONG: ending("MUSIC_SONG_BLOCKED", 69, "song-blocked"),
  PARAMETER: ending("MUSIC_PARAMETER", 65, "parameter"),
  EMPTY: ending("MUSIC_PARAMETER", 65, "parameter-empty"),
  FIELD: ending("MUSIC_FIELD_REFUSED", 70, "field-refused"),
  LOGIN: ending("MUSIC_LOGIN_NEEDED", 77, "login-needed"),
  REFUSED: ending("MUSIC_REFUSED", 69, "refused"),
  BROKEN: ending("MUSIC_REPLY_BROKEN", 69, "reply-broken"),
  UNKNOWN: ending("MUSIC_OUTCOME_UNKNOWN", 76, "outcome-unknown"),
} as const;

/** One row: the behaviour of the service, and the outcome. */
export interface Row {
  readonly title: string;
  readonly script: readonly FakeReply[];
  /** The counts of the server. */
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

/** Tests each row with a question in each language. */
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
