/** The tables of the specification: every finish reason and every error, with the exact number of requests. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, finished, refused } from "../../../contract-tests/fake-service.ts";
import { BODY, withMusic } from "./host.ts";
import { ENDINGS, SHOWN, UPSTREAM, document, once, testRows, type Row } from "./table.ts";

const { BUSY, TIMEOUT, SAFETY, QUOTA, SONG, EMPTY, PARAMETER, FIELD, REFUSED, BROKEN } = ENDINGS;

/** A refusal for a reason that the contract does not know, with the message of the service. */
const withReason = (reason: string, ending: typeof REFUSED = REFUSED): typeof REFUSED => ({
  ...ending,
  zh: ending.zh.replace("。", `：${reason}`),
  en: ending.en.replace(/\.$/, `: ${reason}`),
});

const FINISHES: readonly Row[] = [
  { title: "COMPLETE is shown [music.finish.complete]", script: [SHOWN], requests: 1 },
  {
    title: 'the code "0" is success too [music.response.code]',
    script: [document({ code: "0", data: { content: "shown", finishReason: "COMPLETE" } })],
    requests: 1,
  },
  {
    title: "UPSTREAM_ERROR is asked again once, then shown [music.finish.upstream]",
    script: [UPSTREAM, SHOWN],
    requests: 2,
  },
  {
    title: "UPSTREAM_ERROR twice is busy; a third answer is not asked for [music.finish.upstream]",
    script: [UPSTREAM, UPSTREAM, SHOWN],
    requests: 2,
    ending: BUSY,
  },
  once("TIMEOUT is reported, not asked again [music.finish.timeout]", finished("TIMEOUT"), TIMEOUT),
  once(
    "SAFETY_REVOKED is reported, not asked again [music.finish.safety]",
    answered(BODY, { finishReason: "SAFETY_REVOKED" }),
    SAFETY,
  ),
  once("the safety flag counts like the reason", answered(BODY, { safetyRevoked: true }), SAFETY),
  once(
    "a safety flag that is not a boolean is not a permission",
    answered(BODY, { safetyRevoked: "true" }),
    SAFETY,
  ),
  once("an unknown finish reason", answered(BODY, { finishReason: "PARTIAL" }), BROKEN),
  once("no finish reason", answered(BODY, { finishReason: undefined }), BROKEN),
];

const ERRORS: readonly Row[] = [
  once(
    "the quota, as the service words it [music.error.quota] [music.limit.questions]",
    refused(5001, "您今天在数据助手的使用次数达 10 次啦！"),
    QUOTA,
  ),
  once("the quota in English", refused(429, `Usage reached 10 times, ${BODY}`), QUOTA),
  once("the quota by its code", refused("QUOTA_EXCEEDED", BODY), QUOTA),
  once("a song that is not supported [music.error.song]", refused(5002, `歌曲不支持分析 ${BODY}`), SONG),
  once("a song that is not supported, in English", refused(1, `This song cannot be analysed: ${BODY}`), SONG),
  once("a song that is not supported, by its code", refused("SONG_NOT_SUPPORTED", ""), SONG),
  ...["歌曲不可分析", "该单曲暂不能进行分析", "当前歌曲无法进行数据分析", "This song is not analyzable"].map(
    (message) => once(`a song that is not supported: ${message}`, refused(1, message), SONG),
  ),
  ...["songId must be a number", "songId 必须为数字", "参数错误：songId"].map((message) =>
    once(`a parameter: ${message}`, refused(1, message), withReason(message, PARAMETER)),
  ),
  once("a parameter [music.error.parameter]", refused(400, `userMessage 不能为空 ${BODY}`), EMPTY),
  once("a parameter, in English", refused(400, "userMessage must not be empty"), EMPTY),
  once("a parameter, by its code", refused("INVALID_PARAM", ""), PARAMETER),
  once("100010 as text [music.error.field]", refused("100010", "数据异常，请稍候再试"), FIELD),
  once("100010 as a number [music.error.field]", refused(100010, BODY), FIELD),
  once("100010 with a message about the login", refused("100010", "未登录"), FIELD),
  once("an unknown code, with a message", refused(-7, "维护中…"), withReason("维护中…")),
  once(
    "an unknown code beside a complete answer",
    document({ code: 9, data: { content: BODY, finishReason: "COMPLETE" } }),
    REFUSED,
  ),
  once(
    "a message about another number of times",
    refused(7, "系统异常 100 次，达到上限"),
    withReason("系统异常 100 次，达到上限"),
  ),
  once("no code", document({ data: { content: BODY, finishReason: "COMPLETE" } }), BROKEN),
  once("null as code", document({ code: null, data: { content: BODY, finishReason: "COMPLETE" } }), BROKEN),
];

testRows("finish reason", FINISHES);
testRows("error", ERRORS);

test("MUSIC_OUTCOME_UNKNOWN is the only code whose exit status is 76", () =>
  withMusic([SHOWN], async ({ host }) => {
    const { catalog } = host.host;
    const { errors = {} } = catalog.skill("music-analysis").manifest;
    const rows = Object.keys(errors).map(
      (code) => [code, catalog.codeEntry(code, "music-analysis").exit] as const,
    );
    assert.deepEqual(
      rows.filter(([, exit]) => exit === 76).map(([code]) => code),
      ["MUSIC_OUTCOME_UNKNOWN"],
    );
  }));
