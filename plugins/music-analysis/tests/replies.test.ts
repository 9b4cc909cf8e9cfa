/** Replies that are not what the contract says: an error that shows neither the body nor the token. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { builtinSkills } from "skillctl/skills";
import { createTestHost } from "skillctl/testing";
import { answered } from "../../../contract-tests/fake-service.ts";
import { BODY, failureOf, withMusic } from "./host.ts";
import { ENDINGS, document, once, testRows, type Row } from "./table.ts";

const { BROKEN, UNKNOWN } = ENDINGS;

const BODIES: readonly Row[] = [
  ...["APPLICATION/JSON; charset=utf-8", "application/problem+json ;x=y"].map((type, index): Row => ({
    title: `a content type of JSON, number ${index + 1}, is read`,
    script: [{ ...answered("shown"), headers: { "content-type": type } }],
    requests: 1,
  })),
  {
    title: "a byte-order mark is not part of the document",
    script: [{ body: `\uFEFF${answered("shown").body}` }],
    requests: 1,
  },
  once("empty content", answered(""), BROKEN),
  ...[null, { text: BODY }].map((content, index) =>
    once(`content that is not a text, number ${index + 1}`, answered("", { content }), BROKEN),
  ),
  once("no data", document({ code: 0 }), BROKEN),
  once("data that is null", document({ code: 0, data: null }), BROKEN),
  ...[`["${BODY}"]`, "null"].map((body, index) =>
    once(`JSON that is not an object, number ${index + 1}`, { body }, BROKEN),
  ),
  ...[500, 502].map((status) =>
    once(
      `a gateway's page with the status ${status}, behind which the service may have answered`,
      { status, headers: { "content-type": "text/html" }, body: `<h1>${BODY}</h1>` },
      UNKNOWN,
    ),
  ),
  once(
    "a page with the status 404",
    { status: 404, headers: { "content-type": "text/html" }, body: BODY },
    BROKEN,
  ),
  ...["", "<h1>Not found</h1>", '{"code":'].map((body, index) =>
    once(
      `the status 404 with a body that claims to be JSON, number ${index + 1}`,
      { status: 404, body },
      BROKEN,
    ),
  ),
  ...["text/plain", "application/jsonp", ""].map((type, index) =>
    once(
      `a content type that is not JSON, number ${index + 1}`,
      { ...answered(BODY), headers: { "content-type": type } },
      BROKEN,
    ),
  ),
  once("204 without a body", { status: 204, headers: { "content-type": "" }, body: "" }, BROKEN),
  once("half a document", { body: `{"code":0,"data":{"content":"${BODY}` }, UNKNOWN),
  once("an empty document", { body: "" }, UNKNOWN),
];

testRows("reply", BODIES);

test("a refusal for a reason that the contract does not know shows the service's own message", async () => {
  const rows = [
    ["我的播放量", /维护中…/],
    ["How are my plays?", /: Under maintenance$/],
  ] as const;
  for (const [question, message] of rows) {
    const said = question === "我的播放量" ? "维护中…\u001b[2J" : "Under\n maintenance";
    await withMusic([document({ code: 777, message: said })], async ({ ask }) => {
      const error = await failureOf(ask(question));
      assert.equal(error.code, "MUSIC_REFUSED");
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /[\p{Cc}]/u);
    });
  }
});

test("replies of the embedded service fit the schema of the client", async () => {
  const host = await createTestHost({ skills: builtinSkills() });
  try {
    const check = await host.host.schemas.check("music-analysis/chat-reply");
    for (const userMessage of ["最近30天我的播放量怎么样？", "Top songs, last 90 days", "我的歌曲排行"]) {
      const run = host.run({ skill: "music-analysis", command: "chat-sync", input: { userMessage } });
      assert.equal(check(JSON.parse(((await run) as { text: string }).text)), undefined);
    }
  } finally {
    await host.close();
  }
});
