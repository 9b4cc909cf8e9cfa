import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SkillError } from "skillctl";
import { OVERALL, catalogue, type Body } from "./asking-service.ts";
import { withHarness, type Visitor } from "./conversation-harness.ts";
import { LISTED, MESSAGES, Model, SONGS, type Outcome } from "./conversation-model.ts";
import { refused } from "../../../contract-tests/fake-service.ts";
import { effort } from "../../../contract-tests/effort.ts";

const RUNS = effort(10, 40);
const START = Date.parse("2026-07-01T00:00:00Z");
/** Never longer than a day in all, after which a conversation is forgotten. */
const PAUSES_MS = [0, 1_000, 30 * 60_000, 61 * 60_000];

const step = fc.record({
  // Choices and their answers come more often than chance would have them.
  message: fc.oneof(
    fc.constantFrom(...MESSAGES),
    fc.constantFrom(...MESSAGES.filter(({ text }) => /！|山雀|灯塔/.test(text))),
    fc.constantFrom(...MESSAGES.filter(({ means }) => /place|none|vague/.test(means))),
  ),
  pauseMs: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constantFrom(...PAUSES_MS)),
  fails: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
  host: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constantFrom(1, 2)),
});

async function outcomeOf(person: Visitor, text: string, conversation: string, bodies: readonly Body[]) {
  const before = bodies.length;
  const kind = await person.ask(text, conversation).then(
    (shown) => shown.kind,
    (caught: unknown) => {
      if (caught instanceof SkillError && caught.code === "MUSIC_REFUSED") return "failed";
      if (caught instanceof SkillError && caught.code === "INPUT_INVALID") return "nothing waits";
      throw caught;
    },
  );
  return { kind, sent: bodies.slice(before) } satisfies Outcome;
}

test("[music.tier-c.no-fallback] any talk goes as a simple model says, and no question about a song goes out without its id", () => {
  const answers = {
    a: catalogue({ overall: SONGS, listed: LISTED, account: "11" }),
    b: catalogue({ overall: SONGS, listed: LISTED, account: "22" }),
  };
  return withHarness(answers.a, async (harness) => {
    // The second shares the first one's login, as another process of the same person does.
    const tokens = ["a-token", "a-token", "b-token"] as const;
    const hosts: Visitor[] = [];
    for (const token of tokens) hosts.push(await harness.host({ token }));
    let talks = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const model = new Model();
        const conversation = `talk-${(talks += 1)}`;
        let now = START;
        for (const { message, pauseMs, fails, host } of steps) {
          now += pauseMs;
          const [person, token] = [hosts[host] as Visitor, tokens[host] ?? "a-token"];
          person.test.clock.set(now);
          harness.service.answer = fails
            ? () => refused(-1, "")
            : (body, sender) => answers[sender === "b-token" ? "b" : "a"](body, sender);
          const expected = model.say(message, token, now, fails);
          const actual = await outcomeOf(person, message.text, conversation, harness.service.bodies);
          assert.deepEqual(actual, expected, message.text);
          for (const body of actual.sent) assert.ok(isAllowed(body), JSON.stringify(body));
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** Only the internal question and questions that no song is read in go out without an id. */
function isAllowed({ userMessage, songId }: Body): boolean {
  if (songId !== undefined || userMessage === OVERALL.userMessage) return true;
  const means = MESSAGES.find(({ text }) => text === userMessage)?.means;
  return means !== undefined && !["songs", "pointer", "place", "none"].includes(means);
}
