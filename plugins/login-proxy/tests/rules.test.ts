/** What an agent may do about the login token and what not, with the real shell reader. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TOKEN, agentSession, tryAll } from "../../../contract-tests/agent-calls.ts";
import { LOGIN_CALLS } from "./rules-calls.ts";

const options = { skip: process.platform === "win32" && "there is no bash" };

describe("rules of login-proxy", () => {
  test("daily work and the commands of the skill are let through", options, (t) =>
    tryAll(t, LOGIN_CALLS.LET_THROUGH),
  );
  test("the cache file is nobody else's [music.auth.no-login-logic]", options, (t) =>
    tryAll(t, LOGIN_CALLS.CACHE),
  );
  test("the folder of the cache file stands for it, and a folder above it does not", options, (t) =>
    tryAll(t, LOGIN_CALLS.HOME_READS),
  );
  test("the token is not shown, typed or asked of others [music.wrapper.no-token]", options, (t) =>
    tryAll(t, LOGIN_CALLS.TOKENS),
  );

  test("all variables are listed only where none of them is the token", options, async (t) => {
    const { call } = await agentSession(t, { variables: { SVC_HEADER_TOKEN: "opaque" } });
    for (const command of [
      "env",
      "env | grep NODE",
      "printenv",
      "export -p",
      "cat /proc/self/environ",
      "cat /proc/$PPID/environ",
      "ps auxe",
      "jq -n env",
      "node -p process.env",
    ])
      assert.equal((await call(command)).rule, "login-proxy/no-token-dump", command);
    for (const file_path of ["/proc/self/environ", "/proc/1/task/1/environ"])
      assert.equal(
        (await call({ tool: "Read", input: { file_path } })).rule,
        "login-proxy/no-token-dump",
        file_path,
      );
    assert.equal((await call("printenv PATH")).decision, "allow");
  });

  test("a pasted token is told to go to the login, and is not given back [music.auth.paste]", async (t) => {
    const { event } = await agentSession(t);
    const pasted = await event("UserPromptSubmit", { prompt: `Log me in: ${TOKEN}` });
    assert.equal(pasted.decision, "warn");
    assert.match(pasted.agentMessage ?? "", /login --mode paste/);
    const stop = (answer: string, repeated = false) =>
      event("Stop", { last_assistant_message: answer, stop_hook_active: repeated });
    assert.equal((await stop(`I used ${TOKEN}.`)).rule, "login-proxy/no-token-answer");
    assert.equal((await stop("The login is good for 12 days.")).decision, "allow");
    assert.equal((await stop(`I used ${TOKEN}.`, true)).decision, "allow");
  });
});
