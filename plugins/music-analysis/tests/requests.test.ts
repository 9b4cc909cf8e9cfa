/** Requests to the service: exactly two fields, a fixed address, one header with the token. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { answered, type SeenRequest } from "../../../contract-tests/fake-service.ts";
import { TOKEN, failureOf, withMusic } from "./host.ts";
import { effort } from "../../../contract-tests/harness.ts";
import { ANY_CHARACTER } from "../../../contract-tests/any-character.ts";

const SHOWN = answered("shown");
/** The names that the specification forbids, and some more. */
const FORBIDDEN =
  "query question prompt message text input content sessionId accountId userId uid excludeFraudulentPlays dataCaliber " +
  "songid song_id SongId userMessages data __proto__ constructor toJSON anything";
const SONG_IDS = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
/** Questions that both schemas accept: 1 to 4000 characters, not all of them blank. */
const QUESTIONS = fc
  .oneof(
    fc.string({ unit: ANY_CHARACTER, minLength: 1, maxLength: 60 }),
    fc
      .array(
        fc.constantFrom(" ", "\n", "《海盐》", "“", "👩‍👩‍👧", '"', "\\", "\uD800", "\u2028", "播放量", "\u0000"),
        {
          minLength: 1,
        },
      )
      .map((parts) => parts.join("")),
  )
  .filter((text) => /\S/.test(text));

/** Holds for every request, whatever was asked. */
function assertForm(seen: SeenRequest): void {
  const { method, url, headers, rawHeaders, bytes, body } = seen;
  assert.equal(`${method} ${url}`, "POST /openapi/v1/musician/data/agent/chat-sync");
  assert.equal(headers["content-type"], "application/json");
  assert.equal(headers["svc-header-token"], TOKEN);
  assert.equal(headers.connection, "close");
  assert.equal(headers["content-length"], String(bytes.length));
  assert.equal(headers["transfer-encoding"], undefined);
  const names = rawHeaders.filter((_, place) => place % 2 === 0).map((name) => name.toLowerCase());
  assert.equal(new Set(names).size, names.length, "a header came twice");
  assert.equal(rawHeaders.filter((text) => text.includes(TOKEN)).length, 1);
  assert.equal(Buffer.from(bytes.toString("utf8")).equals(bytes), true, "the body is not UTF-8");
  assert.equal(body, JSON.stringify(JSON.parse(body)));
  assert.ok(!body.includes(TOKEN));
}

const fieldsOf = ({ body }: SeenRequest): readonly string[] => Object.keys(JSON.parse(body) as object);

test("no accepted input of ask produces a third field, and the message is the question, unmodified [music.request.fields] [music.request.message]", () =>
  withMusic([SHOWN], async ({ service, ask }) => {
    const inputs = fc.record(
      { question: QUESTIONS, conversation: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,9}$/) },
      { requiredKeys: ["question"] },
    );
    await fc.assert(
      fc.asyncProperty(inputs, async ({ question, ...more }) => {
        service.seen.length = 0;
        const { kind } = await ask(question, more).catch((caught: unknown) => {
          // A number or refusal alone is not a question: it is refused before anything is sent.
          assert.equal((caught as { readonly code?: unknown }).code, "INPUT_INVALID");
          return { kind: "choice" };
        });
        for (const seen of service.seen) assertForm(seen);
        const overall = "看看我的整体歌曲表现";
        for (const body of service.bodies)
          assert.ok([question, overall].includes((body as { userMessage: string }).userMessage));
        // Blank marks and a pronoun that stands for no song are asked back.
        assert.ok(kind === "choice" || service.seen.length > 0);
        assert.ok(service.seen.every((seen) => fieldsOf(seen).join() === "userMessage"));
      }),
      { numRuns: effort(13, 80) },
    );
  }));

test("no accepted input of chat-sync produces a third field [music.request.fields] [music.request.song-id]", () =>
  withMusic([SHOWN], async ({ service, chatSync }) => {
    await fc.assert(
      fc.asyncProperty(QUESTIONS, SONG_IDS, async (userMessage, songId) => {
        service.seen.length = 0;
        await chatSync({ userMessage, songId });
        assert.deepEqual(service.bodies, [{ userMessage, songId }]);
        for (const seen of service.seen) assertForm(seen);
      }),
      { numRuns: effort(13, 80) },
    );
  }));

test("a third field is refused by the schema before a request is made [music.request.fields] [music.service.account]", () =>
  withMusic([SHOWN], async ({ service, ask, chatSync }) => {
    for (const field of FORBIDDEN.split(" ").filter((name) => name !== "__proto__")) {
      const refusal = { code: "INPUT_INVALID", pointer: `/${field}` };
      if (field !== "question") await assert.rejects(ask("我的播放量", { [field]: "x" }), refusal);
      await assert.rejects(chatSync({ userMessage: "我的播放量", [field]: "x" }), refusal);
    }
    assert.equal(service.seen.length, 0);
  }));

test("a songId that is not a song number, and a blank question, are refused before a request is made [music.error.parameter]", () =>
  withMusic([SHOWN], async ({ service, ask, chatSync }) => {
    for (const songId of [0, -1, 1.5, "7", null, 2 ** 53, Number.NaN])
      await assert.rejects(chatSync({ userMessage: "我的播放量", songId }), { code: "INPUT_INVALID" });
    for (const blank of ["", " ", "\n\t\u3000", "x".repeat(4001)]) {
      await assert.rejects(ask(blank), { code: "INPUT_INVALID" });
      await assert.rejects(chatSync({ userMessage: blank }), { code: "INPUT_INVALID" });
    }
    assert.equal(service.seen.length, 0);
  }));

test("a token in the question is refused before a request is made, and not repeated [music.wrapper.no-token]", () =>
  withMusic(
    [SHOWN],
    async ({ service, ask, chatSync }) => {
      const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLWJ5dGVz";
      for (const asked of [ask(`我的播放量 ${jwt}`), chatSync({ userMessage: `播放量 ${jwt}` })]) {
        const error = await failureOf(asked);
        assert.equal(error.code, "GUARD_DENIED");
        assert.ok(!`${error.message} ${error.hint}`.includes(jwt));
      }
      assert.equal(service.seen.length, 0);
    },
    { boxed: true },
  ));

test("the session of an answer is passed on, and never sent back [music.response.session]", () =>
  withMusic([answered("shown", { sessionId: "a.b:a.b:1001:20260701" })], async ({ service, ask }) => {
    for (const conversation of ["one", "one"]) {
      const { answers } = await ask("我的播放量", { conversation });
      assert.deepEqual(
        answers.map(({ sessionId }) => sessionId),
        ["a.b:a.b:1001:20260701"],
      );
    }
    assert.ok(service.seen.every(({ body }) => !body.includes("1001")));
  }));
