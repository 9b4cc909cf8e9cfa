/** The promises of `skillctl serve`: access, accepted requests, responses, and data that is never sent. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, symlink } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { HttpServerOptions } from "skillctl/host";
import { hostOf } from "../../../../contract-tests/doors-harness.ts";

const text = (more: object = {}) => ({ type: "string", ...more });
const closed = (properties: object, required: readonly string[] = []) => ({
  title: "A shape",
  description: "A shape of the sample.",
  type: "object",
  required,
  additionalProperties: false,
  properties,
});
const command = (name: string, more: object = {}) => ({
  summary: `Does ${name}.`,
  input: "sample/any",
  output: "sample/text-output",
  ...more,
});
const MANIFEST = {
  commands: {
    greet: command("greet", { input: "sample/greet-input", default: true, errors: ["HOUSE_CLOSED"] }),
    boom: command("boom"),
    closed: command("closed"),
    wrong: command("wrong"),
    talk: command("talk"),
    read: command("read", { paths: ["file", "more"] }),
    draw: command("draw", { input: "sample/draw-input", withheld: { http: ["file"], mcp: ["file"] } }),
    local: command("local", { surfaces: ["cli"] }),
    keeps: command("keeps", { keepsRunning: true }),
  },
  routes: {
    echo: {
      summary: "Echoes.",
      method: "POST",
      path: "/echo",
      query: "sample/query",
      body: "sample/greet-input",
      replies: { 200: "sample/text-output" },
    },
    page: {
      summary: "Shows.",
      method: "GET",
      path: "/page",
      query: "sample/query",
      replies: { 200: "sample/page" },
    },
  },
  errors: { HOUSE_CLOSED: { summary: "The sample is closed.", exit: 69, http: 503, fault: "user" } },
  rules: {
    "no-mallory": {
      tell: "Never greet Mallory.",
      on: ["command.pre", "route.request"],
      when: {
        type: "object",
        required: ["input"],
        properties: {
          input: { type: "object", required: ["name"], properties: { name: { const: "Mallory" } } },
        },
      },
      decision: "deny",
      message: "Mallory is not greeted.",
    },
    "ask-askew": {
      tell: "Ask before Askew is greeted.",
      on: ["command.pre"],
      when: {
        type: "object",
        required: ["input"],
        properties: {
          input: { type: "object", required: ["name"], properties: { name: { const: "Askew" } } },
        },
      },
      decision: "ask",
      message: "Greet Askew?",
    },
    "no-nine": {
      tell: "Never nine times.",
      on: ["route.request"],
      when: {
        type: "object",
        required: ["input"],
        properties: { input: { type: "object", required: ["times"], properties: { times: { const: 9 } } } },
      },
      decision: "deny",
      message: "Not nine times.",
    },
    "no-force": {
      tell: "Never push by force.",
      on: ["tool.pre"],
      when: {
        type: "object",
        required: ["command"],
        properties: { command: { type: "string", pattern: "--force" } },
      },
      decision: "deny",
      message: "Do not push by force.",
    },
  },
};
const CODE = `
const known = (code, message, more = {}) => Object.assign(new Error(message), { code, [Symbol.for("skillctl.error")]: true, ...more });
const does = (run) => class { run = async (input, call) => ({ text: await run(input, call) }); };
export default {
  commands: {
    greet: does(({ name }, { session }) => "Hello " + name + (session === undefined ? "" : " of " + session)),
    boom: does(() => { throw new Error("the password is hunter2"); }),
    closed: does(() => { throw known("HOUSE_CLOSED", "Closed.", { hint: "Come back.", cause: new Error("the key is hunter2") }); }),
    wrong: class { run = async () => ({ words: 1 }); },
    read: does(({ file }) => "read " + file),
    talk: does((_, { progress }) => { progress("Cooking."); throw new Error("the password is hunter2"); }),
    draw: does(({ file }) => "drew " + file),
    local: does(() => ""),
    keeps: does(() => ""),
  },
  routes: {
    echo: class { handle = async ({ body, query }) => body.name === "Odd" ? { status: 201, body: {} } : { status: 200, body: { text: body.name + " " + JSON.stringify(query) } }; },
    page: class { handle = async ({ query }) => ({ status: 200, body: "<b>" + JSON.stringify(query) + "</b>" }); },
  },
  rules: {},
};
`;
const SCHEMAS = {
  any: { ...closed({}), additionalProperties: true },
  "draw-input": { ...closed({ word: text(), file: text() }), examples: [{ word: "a" }, { file: "a.svg" }] },
  query: closed({
    times: { type: "integer", minimum: 1, maximum: 9 },
    tags: { type: "array", items: text() },
  }),
  page: { ...text(), title: "A page", description: "A page." },
};

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}
interface RequestOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}
interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly hint?: string;
  readonly pointer?: string;
}

/** A server of one skill, and its response. */
async function served(t: TestContext, options?: HttpServerOptions) {
  const host = await hostOf(t, "sample", { manifest: MANIFEST, schemas: SCHEMAS, code: CODE });
  const { port } = await host.serve(options);
  const ask = (path: string, { method, body, headers }: RequestOptions = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
      const out = request(
        {
          host: "127.0.0.1",
          port,
          path,
          method: method ?? (sent === undefined ? "GET" : "POST"),
          agent: false,
          headers: { ...(sent !== undefined && { "content-type": "application/json" }), ...headers },
        },
        (reply) => {
          let all = "";
          reply.setEncoding("utf8").on("data", (part: string) => (all += part));
          reply.on("end", () =>
            resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: all }),
          );
        },
      );
      out.on("error", reject);
      out.end(sent);
    });
  const problem = async (path: string, asked?: RequestOptions): Promise<Problem> => {
    const { status, headers, text: body } = await ask(path, asked);
    assert.match(String(headers["content-type"]), /^application\/problem\+json/, body);
    const value = JSON.parse(body) as Problem;
    assert.equal(value.status, status);
    assert.equal((await host.host.schemas.check("core/problem"))(value), undefined);
    return value;
  };
  const refused = async (path: string, asked?: RequestOptions) => {
    const { status, code } = await problem(path, asked);
    return `${status} ${code}`;
  };
  return { host, port, ask, problem, refused };
}

const GREET = "/v1/skills/sample/commands/greet";
const ADA = { body: { name: "Ada" } };

function bodyHead(port: number, length: number): string {
  return `POST ${GREET} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
}

describe("access to the server", () => {
  test("a rebound host name and a page of another origin are refused at every address", async (t) => {
    const { port, ask, refused } = await served(t);
    const headers = (more: Readonly<Record<string, string>>) => ({ ...ADA, headers: more });
    assert.equal(await refused(GREET, headers({ host: "evil.example" })), "403 HOST_REFUSED");
    assert.equal(await refused(GREET, headers({ host: `evil.example:${port}` })), "403 HOST_REFUSED");
    assert.equal(await refused(GREET, headers({ host: `localhost:${port + 1}` })), "403 HOST_REFUSED");
    assert.equal(await refused("/health", { headers: { host: "evil.example" } }), "403 HOST_REFUSED");
    assert.equal(await refused(GREET, headers({ origin: "https://evil.example" })), "403 ORIGIN_REFUSED");
    assert.equal(await refused(GREET, headers({ origin: "null" })), "403 ORIGIN_REFUSED");
    assert.equal(
      await refused("/health", { headers: { "sec-fetch-site": "cross-site" } }),
      "403 ORIGIN_REFUSED",
    );
    assert.equal((await ask(GREET, headers({ host: `localhost:${port}` }))).status, 200);
    assert.equal((await ask(GREET, headers({ origin: "http://localhost:3000" }))).status, 200);
  });

  test("an allowed page may call and read; pages with a similar name may not", async (t) => {
    const { ask, refused } = await served(t, { allowOrigins: ["https://app.example"] });
    const from = (origin: string) => ({ ...ADA, headers: { origin } });
    const own = await ask(GREET, from("https://app.example"));
    assert.deepEqual([own.status, own.headers["access-control-allow-origin"]], [200, "https://app.example"]);
    assert.equal(own.headers["vary"], "Origin");
    assert.equal(await refused(GREET, from("https://app.example.evil")), "403 ORIGIN_REFUSED");
    const preflight = {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    };
    assert.equal((await ask(GREET, preflight)).headers["access-control-allow-methods"], undefined);
    const asked = { ...preflight, headers: { ...preflight.headers, origin: "https://app.example" } };
    assert.match(String((await ask(GREET, asked)).headers["access-control-allow-methods"]), /POST/);
  });

  test("with a key only /health answers without it", async (t) => {
    const { ask, refused, problem } = await served(t, { key: "open sesame".replace(" ", "-") });
    assert.equal(await refused(GREET, ADA), "401 KEY_REFUSED");
    assert.equal(await refused("/openapi.json"), "401 KEY_REFUSED");
    assert.equal(await refused("/sample/page"), "401 KEY_REFUSED");
    assert.equal(await refused("/v1/guard", { body: {} }), "401 KEY_REFUSED");
    assert.equal(await refused("/nowhere"), "401 KEY_REFUSED");
    const wrong = await problem(GREET, { ...ADA, headers: { authorization: "Bearer open" } });
    assert.deepEqual([wrong.status, /Authorization: Bearer KEY/.test(wrong.hint ?? "")], [401, true]);
    assert.equal(await refused(`${GREET}?k=open-sesame`, ADA), "401 KEY_REFUSED");
    assert.equal(await refused("/openapi.json?k=open"), "401 KEY_REFUSED");
    assert.equal((await ask("/openapi.json?k=open-sesame")).status, 200);
    assert.equal((await ask("/sample/page?times=2&k=open-sesame")).status, 200);
    assert.equal((await ask("/sample/page?k=open-sesame&times=2")).status, 200);
    const right = { ...ADA, headers: { authorization: "Bearer open-sesame" } };
    assert.equal((await ask(GREET, right)).status, 200);
    assert.equal((await ask("/health")).status, 200);
  });
});

describe("an unknown address, skill or command", () => {
  test("has its own status, with the nearest name", async (t) => {
    const { ask, problem, refused } = await served(t);
    const near = await problem("/helth");
    assert.deepEqual([near.status, near.code, near.hint], [404, "NOT_FOUND", "Did you mean /health?"]);
    assert.equal(await refused("/v1/skills/smaple/commands/greet", ADA), "404 UNKNOWN_SKILL");
    assert.equal(await refused("/v1/skills/sample/commands/gret", ADA), "404 UNKNOWN_COMMAND");
    assert.equal(await refused("/v1/skills/sample/commands/local", ADA), "403 SURFACE_REFUSED");
    assert.equal(await refused("/v1/skills/sample/commands/keeps", ADA), "403 SURFACE_REFUSED");
    const keeps = await problem("/v1/skills/sample/commands/keeps", ADA);
    assert.equal(keeps.hint, "It is offered on: cli, host.");
    const method = await ask(GREET);
    assert.deepEqual([method.status, method.headers["allow"]], [405, "POST"]);
    assert.equal((await problem(GREET)).code, "METHOD_REFUSED");
  });
});

describe("a body", () => {
  test("that is not JSON, of another type, compressed, too long or poisoned is refused", async (t) => {
    const { refused } = await served(t);
    const typed = (type: string, more: object = {}) => ({
      ...ADA,
      headers: { "content-type": type, ...more },
    });
    assert.equal(await refused(GREET, { body: "{" }), "400 BODY_UNREADABLE");
    assert.equal(await refused(GREET, typed("text/plain")), "415 MEDIA_TYPE_REFUSED");
    assert.equal(await refused(GREET, typed("application/json; charset=latin1")), "415 MEDIA_TYPE_REFUSED");
    assert.equal(
      await refused(GREET, typed("application/json", { "content-encoding": "gzip" })),
      "415 MEDIA_TYPE_REFUSED",
    );
    assert.equal(await refused(GREET, { body: '{"name":"Ada","__proto__":{}}' }), "400 BODY_UNREADABLE");
    assert.equal(await refused(GREET, { body: `"${"a".repeat(2 * 1024 * 1024)}"` }), "413 BODY_TOO_LARGE");
  });

  test("that is announced over the limit is refused before it is sent", async (t) => {
    const { port } = await served(t);
    const socket = connect(port, "127.0.0.1");
    t.after(() => socket.destroy());
    socket.write(bodyHead(port, 1024 * 1024 + 1));
    const told = await Promise.race([once(socket, "data"), pause(5_000, "no answer")]);
    assert.match(String(told), /^HTTP\/1\.1 413 /);
  });

  test("is refused beyond 32 MiB of open bodies, and a complete one is answered meanwhile", async (t) => {
    const { port, ask } = await served(t);
    const part = Buffer.alloc(1024 * 1024 - 1, " ");
    const heard = Array.from({ length: 40 }, () => {
      const socket = connect(port, "127.0.0.1");
      t.after(() => socket.destroy());
      socket.on("error", () => undefined).write(bodyHead(port, part.length + 1));
      socket.write(part);
      return new Promise<string>((resolve) => socket.once("data", (told) => resolve(String(told))));
    });
    const first = await Promise.race([...heard, pause(5_000, "no answer")]);
    assert.match(first, /^HTTP\/1\.1 503 [^]*"code":"SERVER_BUSY"/);
    assert.equal((await ask(GREET, ADA)).status, 200);
  });

  test("is validated, and the error names the place", async (t) => {
    const { problem, ask } = await served(t);
    const { code, status, pointer, detail, type } = await problem(GREET, { body: { name: 7 } });
    assert.deepEqual([code, status, pointer], ["INPUT_INVALID", 400, "/name"]);
    assert.deepEqual([detail, type], ["/name must be a string.", "urn:skillctl:error:INPUT_INVALID"]);
    assert.equal((await problem("/sample/echo", { body: { nam: "x" } })).code, "INPUT_INVALID");
    assert.equal((await problem("/sample/echo?times=12", ADA)).pointer, "/query/times");
    assert.equal((await problem("/sample/echo?more=1", ADA)).code, "INPUT_INVALID");
    const read = await ask("/sample/echo?times=3&tags=a&tags=7", ADA);
    assert.deepEqual(JSON.parse(read.text), { text: 'Ada {"times":3,"tags":["a","7"]}' });
    const page = await ask("/sample/page");
    assert.match(String(page.headers["content-type"]), /^text\/plain/);
  });
});

describe("a path in an input", () => {
  test("stays inside the served project, links followed, and is no longer than names can be", async (t) => {
    const { host, ask, problem } = await served(t);
    const { workingFolder } = host.environment;
    await mkdir(join(workingFolder, "src"), { recursive: true });
    await symlink("/etc", join(workingFolder, "out"));
    await symlink(join(workingFolder, "src"), join(workingFolder, "in"));
    const read = "/v1/skills/sample/commands/read";
    for (const file of ["a.js", "src/new.js:12", "in/a.js", join(workingFolder, "a.js")])
      assert.equal((await ask(read, { body: { file } })).status, 200, file);
    const outside = [
      "../a",
      "/etc/passwd",
      "out/passwd:1",
      "out",
      "src/../../a",
      "~/a",
      "x".repeat(300),
      `src/${"ö".repeat(150)}`,
    ];
    for (const file of outside) {
      const { status, pointer, detail } = await problem(read, { body: { file } });
      assert.deepEqual([status, pointer], [400, "/file"], detail);
      assert.equal((await problem(read, { body: { more: ["a.js", file] } })).pointer, "/more/1");
    }
  });
});

describe("an answer", () => {
  test("is the output; the session that a call names reaches the command", async (t) => {
    const { ask, refused } = await served(t);
    const plain = await ask(GREET, ADA);
    assert.deepEqual([plain.status, plain.text], [200, '{"text":"Hello Ada"}']);
    const named = (session: string) => ({ ...ADA, headers: { "skillctl-session": session } });
    assert.equal((await ask(GREET, named("tab-7"))).text, '{"text":"Hello Ada of tab-7"}');
    assert.equal(await refused(GREET, named("../7")), "400 INPUT_INVALID");
  });

  test("of an error contains its code and not its causes", async (t) => {
    const { ask, problem, host } = await served(t);
    const closed = await problem("/v1/skills/sample/commands/closed", { body: {} });
    assert.deepEqual(
      [closed.status, closed.title, closed.detail, closed.hint],
      [503, "The sample is closed.", "Closed.", "Come back."],
    );
    const boom = await ask("/v1/skills/sample/commands/boom", { body: {} });
    assert.deepEqual([boom.status, boom.text.includes("hunter2")], [500, false]);
    assert.match(JSON.stringify(host.log), /the password is hunter2/);
    const stream = { body: {}, headers: { accept: "text/event-stream" } };
    const talk = await ask("/v1/skills/sample/commands/talk", stream);
    assert.match(talk.text, /event: progress\ndata: \{"text":"Cooking\."\}/);
    assert.match(talk.text, /event: problem\ndata: .*"code":"INTERNAL"/);
    assert.ok(!talk.text.includes("hunter2"));
    assert.equal((await problem("/v1/skills/sample/commands/wrong", { body: {} })).code, "OUTPUT_INVALID");
    assert.equal((await problem("/sample/echo", { body: { name: "Odd" } })).code, "OUTPUT_INVALID");
  });

  test("of an input that does not fit and of an unknown skill has a hint without the command line", async (t) => {
    const { problem } = await served(t);
    const schema = "The schema of the request is in /openapi.json.";
    for (const path of [GREET, "/sample/echo"])
      assert.equal((await problem(path, { body: { name: 5 } })).hint, schema, path);
    const { hint } = await problem("/v1/skills/quite-unknown/commands/greet", { body: {} });
    assert.equal(hint, "The skills here: sample.");
  });

  test("of a command or a route that a rule refuses names the rule and the decision", async (t) => {
    const { problem, ask } = await served(t);
    for (const path of [GREET, "/sample/echo"]) {
      const { status, code, detail, hint } = await problem(path, { body: { name: "Mallory" } });
      assert.deepEqual([status, code, detail], [403, "GUARD_DENIED", "Mallory is not greeted."], path);
      assert.match(hint ?? "", /^Rule: sample\/no-mallory\. Evaluation: g-\S+\.$/);
    }
    assert.equal((await problem("/sample/page?times=9")).code, "GUARD_DENIED");
    assert.equal(
      (await problem(GREET, { body: { name: "Askew" } })).hint?.replace(/g-[^.]+/, "ID"),
      "Only a person at a terminal can answer the question of this rule. Rule: sample/ask-askew. Evaluation: ID.",
    );
    const call = (line: string) => ({
      event: "tool.pre",
      surface: "hook",
      name: "Bash",
      input: { command: line },
    });
    const denied = await ask("/v1/guard", { body: call("git push --force") });
    assert.equal(denied.status, 200);
    assert.equal((JSON.parse(denied.text) as { rule: string }).rule, "sample/no-force");
    assert.equal((await ask("/v1/guard", { body: call("git push") })).text, '{"decision":"allow"}');
    assert.equal((await problem("/v1/guard", { body: { event: "lunch" } })).code, "INPUT_INVALID");
  });
});

describe("the OpenAPI document", () => {
  test("names every address that answers, its codes and its session, and no other", async (t) => {
    const { ask } = await served(t);
    interface Operation {
      readonly responses: Readonly<Record<string, { readonly description: string }>>;
      readonly parameters?: readonly { readonly name: string; readonly in: string }[];
      readonly security?: readonly object[];
    }
    const { paths } = JSON.parse((await ask("/openapi.json")).text) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    };
    const command = (name: string) => `/v1/skills/sample/commands/${name}`;
    assert.deepEqual(Object.keys(paths), [
      ...["greet", "boom", "closed", "wrong", "talk", "read", "draw"].map(command),
      "/sample/echo",
      "/sample/page",
      "/v1/skills/{skill}/commands/{command}/events",
      "/v1/tasks/{task}",
      "/v1/guard",
      "/v1/hook/claude-code",
      "/mcp/server-card",
      "/.well-known/ai-catalog.json",
      "/.well-known/agent-skills/index.json",
      "/.well-known/agent-skills/{archive}",
      "/health",
      "/openapi.json",
    ]);
    const greet = paths[GREET]?.["post"];
    assert.deepEqual(Object.keys(greet?.responses ?? {}), [
      "200",
      "202",
      "400",
      "401",
      "403",
      "404",
      "405",
      "408",
      "413",
      "415",
      "431",
      "500",
      "503",
    ]);
    assert.match(greet?.responses["503"]?.description ?? "", /HOUSE_CLOSED: The sample is closed\./);
    assert.match(greet?.responses["403"]?.description ?? "", /GUARD_ASKS[^]*GUARD_DENIED[^]*ORIGIN_REFUSED/);
    assert.doesNotMatch(JSON.stringify(paths["/health"]), /GUARD_|KEY_REFUSED/);
    assert.deepEqual(
      greet?.parameters?.map(({ name }) => name),
      ["Skillctl-Session", "Prefer"],
    );
    const query = paths["/sample/page"]?.["get"]?.parameters?.map((one) => `${one.in} ${one.name}`);
    assert.deepEqual(query, ["query times", "query tags"]);
  });

  test("offers no property that the manifest withholds from HTTP, and a call with it is refused", async (t) => {
    const { ask, problem } = await served(t);
    const { components } = JSON.parse((await ask("/openapi.json")).text) as {
      components: { schemas: Record<string, { properties: object; examples: unknown }> };
    };
    const { properties, examples } = components.schemas["sample.draw.input"] ?? {};
    assert.deepEqual([properties, examples], [{ word: { type: "string" } }, [{ word: "a" }]]);
    const draw = "/v1/skills/sample/commands/draw";
    assert.equal((await ask(draw, { body: { word: "a" } })).status, 200);
    const { status, detail, hint, pointer } = await problem(draw, { body: { file: "a.svg" } });
    assert.deepEqual(
      [status, pointer, detail, hint],
      [400, "/file", "/file is not offered on http.", "Leave it out; it is offered on: cli, host."],
    );
  });

  test("is sent once to clients that keep its tag, and compressed if they accept that", async (t) => {
    const { ask } = await served(t);
    const got = (headers: Readonly<Record<string, string>>) => ask("/openapi.json", { headers });
    const codingFor = async (accepted: string) =>
      (await got({ "accept-encoding": accepted })).headers["content-encoding"];
    for (const accepted of ["gzip", "br, GZIP", "gzip;q=0.5, br"])
      assert.equal(await codingFor(accepted), "gzip", accepted);
    for (const accepted of ["identity", "br", "gzip;q=0", "br, gzip; q=0.000"])
      assert.equal(await codingFor(accepted), undefined, accepted);
    const tag = String((await got({})).headers["etag"]);
    assert.equal((await got({ "if-none-match": `"other", ${tag}` })).status, 304);
    assert.equal((await got({ "if-none-match": '"other"' })).status, 200);
  });

  test("states whether its server has a key, and which addresses need none", async (t) => {
    const key = "correct-horse-battery-staple";
    for (const [options, expected] of [
      [{}, []],
      [{ key }, [{ key: [] }]],
    ] as const) {
      const { ask } = await served(t, options);
      const { security, paths, components } = JSON.parse(
        (await ask("/openapi.json", { headers: { authorization: `Bearer ${key}` } })).text,
      ) as Readonly<Record<"security" | "paths" | "components", Readonly<Record<string, unknown>>>>;
      assert.deepEqual(security, expected);
      assert.equal("securitySchemes" in components, expected.length > 0);
      assert.deepEqual((paths["/health"] as { get: { security: unknown } }).get.security, []);
    }
  });
});
