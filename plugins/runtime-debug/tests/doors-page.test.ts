/** The page of a session over HTTP: who is admitted, what the page receives, and that its answers count as the user's. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { CONFIRMATION } from "../session/steps.ts";
import { event, ID, RECORD, walked, walkedTo, type Walk } from "./doors-walk.ts";
import { agentOf, gatedProject } from "./gates-harness.ts";
import { entryOf } from "./session-harness.ts";

const JSON_TYPE = { "content-type": "application/json" };
const QUESTION = { question: CONFIRMATION.text, answer: "A", note: "30 at last" };

interface PageDoor extends Walk {
  readonly key: string;
  readonly post: Walk["post"];
  readonly send: (
    path: string,
    body: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>;
  /** Headers of the page once it is open. */
  readonly opened: () => Promise<Readonly<Record<string, string>>>;
}

async function pageDoor(walk: Walk): Promise<PageDoor> {
  const { sessions } = await walk.run("status", { session: ID });
  const [address = "", key = ""] = sessions[0]?.page?.split("#") ?? [];
  assert.equal(address, `${walk.url}/`);
  const send: PageDoor["send"] = (path, body, headers = {}) =>
    fetch(walk.url + path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { ...JSON_TYPE, ...headers },
    });
  const opened: PageDoor["opened"] = async () => {
    const answer = await send("/page/key", { key }, { origin: walk.url });
    assert.equal(answer.status, 200);
    const cookie = answer.headers.get("set-cookie") ?? "";
    assert.match(cookie, /^debug-page-\d+=[\w-]{43}; Path=\/page; HttpOnly; SameSite=Strict$/);
    assert.doesNotMatch(cookie, new RegExp(key));
    return { cookie: cookie.split(";")[0] ?? "", origin: walk.url };
  };
  return { ...walk, key, send, opened };
}

/** Reads the messages of a page until one of a name fits. */
async function told(
  t: TestContext,
  url: string,
  headers: object,
  name: string,
  fits: (data: string) => boolean,
) {
  const end = new AbortController();
  t.after(() => end.abort());
  const { body } = await fetch(`${url}/page/events`, { headers: { ...headers }, signal: end.signal });
  let text = "";
  for await (const part of body ?? []) {
    text += Buffer.from(part).toString();
    for (const [, event, data = ""] of text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g))
      if (event === name && fits(data)) return JSON.parse(data) as never;
  }
  throw new Error(`No ${name} was received: ${text}`);
}

const door = async (t: TestContext, state: Parameters<typeof walkedTo>[1]) =>
  pageDoor(await walkedTo(t, state));

describe("the page of a session", () => {
  test("contains no data of the session before the key is checked, and runs only its own script", async (t) => {
    const { url, key } = await door(t, "reproducing");
    const answer = await fetch(url);
    const html = await answer.text();
    assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
    for (const word of [ID, "The sum is wrong", key]) assert.ok(!html.includes(word), word);
    assert.doesNotMatch(html, /\s(?:src|on\w+|style)=|https?:\/\/(?!www\.w3\.org)/);
    const policy = answer.headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'; /);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    for (const [tag, directive] of [
      ["script", "script-src"],
      ["style", "style-src"],
    ] as const) {
      const text = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)?.[1] ?? "";
      const hash = createHash("sha256").update(text).digest("base64");
      assert.ok(policy.includes(`${directive} 'sha256-${hash}'`), tag);
    }
  });

  test("admits only holders of its key, and no page of another port or site", async (t) => {
    const { url, key, send, opened } = await door(t, "reproducing");
    for (const wrong of ["x", key.slice(1), `${key}=`]) {
      const answer = await send("/page/key", { key: wrong }, { origin: url });
      const { error, hint } = (await answer.json()) as Readonly<Record<string, string>>;
      assert.deepEqual(
        [answer.status, error, answer.headers.get("set-cookie")],
        [401, "forbidden_key", null],
      );
      assert.match(hint ?? "", /skillctl run runtime-debug status sum-is-wrong/);
    }
    const headers = await opened();
    const { cookie = "" } = headers;
    const ask = (more: Readonly<Record<string, string>>) => fetch(`${url}/page/events`, { headers: more });
    assert.equal((await ask({})).status, 401);
    assert.equal((await ask({ cookie: `${cookie}x` })).status, 401);
    const others = [
      { origin: "http://127.0.0.1:3000" },
      { origin: "http://localhost:3000" },
      { origin: "https://evil.example" },
      { origin: url.replace("127.0.0.1", "localhost") },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site", "sec-fetch-dest": "empty" },
    ];
    for (const other of others) {
      const what = JSON.stringify(other);
      for (const answer of [
        await ask({ cookie, ...other }),
        await send("/page/answer", QUESTION, { cookie, ...other }),
        await send("/page/key", { key }, other),
      ])
        assert.deepEqual([answer.status, answer.headers.get("set-cookie")], [403, null], what);
    }
  });

  test("receives the state of the session, the code of its points, and live events", async (t) => {
    const { url, opened, post } = await door(t, "reproducing");
    const headers = await opened();
    const view = (await told(t, url, headers, "session", () => true)) as Readonly<Record<string, unknown>>;
    assert.deepEqual(
      (view["steps"] as readonly { at: string; title: string }[])
        .filter(({ at }) => at === "now")
        .map(({ title }) => title),
      ["Reproduction"],
    );
    assert.match(JSON.stringify(view["question"]), /Did the bug show/);
    assert.match(JSON.stringify(view["code"]), /"text":"A:loop"[^]*"text":"  return sum;","isPoint":true/);
    const heard = told(t, url, headers, "events", (data) => data.includes("bidi"));
    await post(event("A"), event("B", { msg: "<script>bidi\u202e\u0007</script>" }));
    const rows = (await heard) as readonly { readonly seq: number; readonly message: string }[];
    assert.equal(rows.at(-1)?.message, "<script>bidi\\u{202e}\\x07</script>");
    const later = await told(t, url, { ...headers, "last-event-id": "1" }, "events", () => true);
    assert.deepEqual(
      (later as typeof rows).map(({ seq }) => seq),
      [2],
    );
  });

  test("records an answer as the user's, once, and status reports it until the agent continues", async (t) => {
    const walk = await door(t, "confirming");
    const { run, fails, send, opened } = walk;
    const headers = await opened();
    const other = await send("/page/answer", { ...QUESTION, question: "Did the bug show?" }, headers);
    assert.equal(other.status, 409);
    const bad = await send("/page/answer", { ...QUESTION, answer: "E" }, headers);
    assert.equal(bad.status, 400);
    assert.equal((await entryOf(walk, ID)).state, "confirming");
    const said = "A) Fixed, or no longer reproducible: 30 at last";
    const both = await Promise.all([
      send("/page/answer", QUESTION, headers),
      send("/page/answer", QUESTION, headers),
    ]);
    assert.deepEqual(
      both.map(({ status }) => status).sort((a, b) => a - b),
      [200, 409],
    );
    const { state, answered, notes = [] } = await entryOf(walk, ID);
    assert.deepEqual([state, answered, notes.at(-1)], ["cleaning", said, `${said} (answered by the user)`]);
    assert.match(await readFile(join(walk.root, RECORD), "utf8"), /30 at last \(answered by the user\)/);
    assert.match(
      (await run("status")).text,
      /^ {2}The user has answered: A\) Fixed, or no longer reproducible: 30 at last$/m,
    );
    assert.match(String((await fails("answer", { answer: "B" })).hint), /^The user has answered: A\) Fixed/);
    await run("back");
    assert.doesNotMatch((await run("status")).text, /The user has answered/);
    await run("answer", { answer: "A", note: "told in the conversation" });
    assert.equal((await entryOf(walk, ID)).answered, undefined);
  });

  test("shows both runs once there is a fix", async (t) => {
    const { url, opened } = await door(t, "confirming");
    const view = await told(t, url, await opened(), "session", () => true);
    const { comparison, runs } = view as { comparison: { probes: readonly object[] }; runs: object };
    assert.deepEqual(runs, { now: "post-fix", before: "pre-fix", after: "post-fix" });
    assert.match(JSON.stringify(comparison.probes), /"field":"sum","before":\["1"\],"after":\["7"\]/);
  });

  test("is not for agents: their tools may neither ask it nor open it by its key", async (t) => {
    const walk = await pageDoor(await walked(await gatedProject(t, { git: "none" }), "confirming"));
    const { asks, bash } = agentOf(walk);
    const { url, key } = walk;
    for (const command of [
      `curl -d '{"key":"${key}"}' ${url}/page/key`,
      `curl -b debug-page=1 --json '{"question":"Is the bug gone?","answer":"A"}' ${url}/page/answer`,
      `node -e 'fetch("${url}/page/answer", { method: "POST" })'`,
    ])
      assert.equal((await bash(command)).decision, "deny", command);
    for (const [tool, input] of [
      ["WebFetch", { url: `${url}/page/answer`, prompt: "answer" }],
      ["mcp__playwright__browser_navigate", { url: `${url}/#${key}` }],
    ] as const)
      assert.equal((await asks(tool, input)).decision, "deny", tool);
    assert.equal((await bash(`echo 'The page: ${url}/#${key}'`)).decision, "allow");
  });
});
