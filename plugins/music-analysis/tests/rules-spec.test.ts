/** Every sentence of the specification that binds who asks has a rule, and every rule has such a sentence. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { builtinSkills } from "../../index.ts";
import { ROOT } from "../../../contract-tests/harness.ts";
import { MUSIC_REQUIREMENTS } from "../../../contract-tests/music-requirements.ts";

type Id = keyof typeof MUSIC_REQUIREMENTS;

/** By sentence: the rules that tell it to a model. */
const RULES: Partial<Readonly<Record<Id, string>>> = {
  "music.service.wrapper": "wrapper-only unread-call",
  "music.service.account": "two-fields",
  "music.request.fields": "two-fields",
  "music.request.forbidden": "two-fields",
  "music.request.message": "original-words",
  "music.request.song-id": "two-fields no-song-fallback choice-waits",
  "music.response.session": "two-fields",
  "music.resolve.overall": "overall-hidden",
  "music.tier-b": "plain-choice choice-waits",
  "music.tier-b.words": "plain-choice",
  "music.tier-c": "tier-c-line-only",
  "music.tier-c.nothing-else": "tier-c-line-only reply-unchanged",
  "music.tier-c.no-attempt": "tier-c-no-attempt",
  "music.tier-c.restart": "tier-c-no-attempt",
  "music.tier-c.no-fallback": "no-song-fallback",
  "music.endpoint.address": "wrapper-only base-address",
  "music.endpoint.header": "wrapper-only",
  "music.wrapper.forms": "whole-reply",
  "music.wrapper.no-token": "no-token-argument no-argument",
  "music.check.prints": "no-token-print",
  "music.finish.complete": "reply-unchanged verbatim-reply whole-reply",
  "music.finish.safety": "no-retry say-refusal",
  "music.finish.timeout": "no-retry say-refusal",
  "music.finish.upstream": "no-retry say-refusal",
  "music.present.verbatim": "verbatim-reply reply-unchanged",
  "music.present.lead-in": "verbatim-reply reply-unchanged",
  "music.present.keyword": "no-product-name",
  "music.present.hint": "account-hint reply-unchanged",
  "music.present.waiting": "positive-waiting",
  "music.cache.order": "no-cache-read cache-in-doubt login-server",
  "music.auth.missing": "log-in-once",
  "music.auth.no-login-logic": "no-cache-write no-cache-read no-token-answer no-token-dump no-token-print",
  "music.auth.paste": "pasted-token no-token-argument",
  "music.auth.renew": "log-in-once",
  "music.auth.install": "install-login log-in-once",
  "music.error.quota": "no-retry say-refusal",
  "music.error.song": "no-retry say-refusal",
  "music.error.field": "no-retry wrapper-only",
};

/** Sentences that bind the program or the service; the tests that name them show that they hold. */
const BY_THE_PROGRAM: readonly Id[] = [
  "music.service.question",
  "music.service.scope",
  "music.response.code",
  "music.response.data",
  "music.cache.helpers",
  "music.resolve.named",
  "music.resolve.pointer",
  "music.resolve.pronoun",
  "music.resolve.account",
  "music.resolve.known",
  "music.tier-a",
  "music.tier-c.name",
  "music.present.top-song",
  "music.auth.check",
  "music.error.parameter",
  "music.limit.time",
  "music.limit.questions",
];

const MANIFESTS = builtinSkills(ROOT)
  .map(({ manifest }) => manifest)
  .filter(({ name }) => name === "music-analysis" || name === "login-proxy");
const KNOWN = new Map(MANIFESTS.flatMap(({ rules = {} }) => Object.entries(rules)));

test("every sentence of the specification has a rule, or is kept by the program itself", () => {
  const all = [...Object.keys(RULES), ...BY_THE_PROGRAM].sort();
  assert.deepEqual(all, Object.keys(MUSIC_REQUIREMENTS).sort());
});

test("the rules of the two skills are those that the sentences name", () => {
  const named = new Set(Object.values(RULES).flatMap((names) => names.split(" ")));
  assert.deepEqual([...named].sort(), [...KNOWN.keys()].sort());
});

test("waiting is told in positive words only [music.present.waiting]", () => {
  const { texts = {} } = MANIFESTS.find(({ name }) => name === "music-analysis") ?? assert.fail();
  const progress = Object.entries(texts).filter(([name]) => name.startsWith("progress-"));
  assert.equal(progress.length, 4);
  for (const [name, { text }] of progress)
    assert.doesNotMatch(
      text,
      /slow|delay|fail|error|time-?out|stuck|sorry|unfortunately|慢|失败|错误|超时|抱歉|卡|异常/i,
      name,
    );
});
