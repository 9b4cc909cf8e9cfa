/** What an agent may call and what not, as the rules of music-analysis have it, with the real shell reader. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { tryAll } from "../../../contract-tests/agent-calls.ts";
import { LOGIN_CALLS } from "../../login-proxy/tests/rules-calls.ts";
import { MUSIC_CALLS } from "./rules-calls.ts";

const options = { skip: process.platform === "win32" && "there is no bash" };

describe("rules of music-analysis", () => {
  test("the corpus is large, and a good part of it must be let through", () => {
    const all = [...Object.values(MUSIC_CALLS), ...Object.values(LOGIN_CALLS)].flat();
    const different = new Map(all.map(([expected, call]) => [JSON.stringify(call), expected]));
    assert.ok(different.size >= 120);
    assert.ok([...different.values()].filter((expected) => expected === "allow").length >= 40);
  });

  test("daily work and the commands of the skill are let through", options, (t) =>
    tryAll(t, MUSIC_CALLS.LET_THROUGH),
  );
  test("the service is not called past the wrapper [music.service.wrapper]", options, (t) =>
    tryAll(t, MUSIC_CALLS.DIRECT),
  );
  test("what cannot be told is asked", options, (t) => tryAll(t, MUSIC_CALLS.IN_DOUBT));
  test("a reply is not cut [music.finish.complete]", options, (t) => tryAll(t, MUSIC_CALLS.CUT));
});
