/** What an agent may call and what not, as the rules of music-analysis have it, with the real shell reader. */
import { describe, test } from "node:test";
import { tryAll } from "../../../contract-tests/agent-calls.ts";
import { MUSIC_CALLS } from "./rules-calls.ts";

const options = { skip: process.platform === "win32" && "there is no bash" };

describe("rules of music-analysis", () => {
  test("daily work and the commands of the skill are let through", options, (t) =>
    tryAll(t, MUSIC_CALLS.LET_THROUGH),
  );
  test("the service is not called past the wrapper [music.service.wrapper]", options, (t) =>
    tryAll(t, MUSIC_CALLS.DIRECT),
  );
  test("the address in another program, and another address for skillctl, is asked about", options, (t) =>
    tryAll(t, MUSIC_CALLS.IN_DOUBT),
  );
  test("what is not known is not asked about", options, (t) => tryAll(t, MUSIC_CALLS.UNKNOWN));
  test("a reply is not cut [music.finish.complete]", options, (t) => tryAll(t, MUSIC_CALLS.CUT));
});
