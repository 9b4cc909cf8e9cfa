/** The choice of hosted skills that are offered: `--only`, `--without`, and `skills` in skillctl.json. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, test, type TestContext } from "node:test";
import { createHost, nodePorts, serveHttp, SkillError } from "skillctl/host";
import { sayInProcess, variablesOf } from "../../../../contract-tests/command-line.ts";
import { ownFolder } from "../../../../contract-tests/doors-harness.ts";
import { connect, textOf } from "../../mcp/tests/mcp-harness.ts";
import { runCli, writeSkill } from "../fixture-command-line.ts";

const VERBS = ["list", "prompt", "serve", "mcp"];

/** Denies every call of every skill whose input names Mallory. */
const WATCHED = {
  "no-mallory": {
    tell: "Never greet Mallory.",
    on: ["command.pre", "tool.pre"],
    applies: "all",
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
};

/** Three skills: `letter` needs a port of `greeting`, and a rule of `watch` sees all calls. */
async function three(t: TestContext) {
  const folder = await ownFolder(t);
  const plugins = join(folder, "skills");
  const page = { summary: "Shows.", method: "GET", path: "/page", replies: { 200: "greeting/text-output" } };
  await writeSkill(plugins, "greeting", {
    manifest: { provides: ["hellos"], routes: { page } },
    code: `import { port } from "skillctl";
export default {
  wire: (scope) => scope.value(port("hellos"), { hello: (name) => "Hello " + name }),
  commands: { greet: class { run = async (input) => ({ text: "Hello " + input.name }); } },
  routes: { page: class { handle = async () => ({ status: 200, body: { text: "page" } }); } },
};
`,
  });
  await writeSkill(plugins, "letter", {
    manifest: { requires: { hellos: "required" } },
    code: `import { port } from "skillctl";
class Greet {
  static inject = [port("hellos")];
  constructor(hellos) { this.hellos = hellos; }
  run = async ({ name }) => ({ text: this.hellos.hello(name) });
}
export default { commands: { greet: Greet } };
`,
  });
  await writeSkill(plugins, "watch", { manifest: { rules: WATCHED } });
  const variables = variablesOf(folder);
  const say = (...words: readonly string[]) => runCli(folder, [...words, "--plugin", plugins], { variables });
  const configure = (configuration: object): Promise<void> =>
    writeFile(join(folder, "skillctl.json"), JSON.stringify(configuration));
  const host = async () => {
    const made = await createHost({
      plugins: [plugins],
      ports: nodePorts({
        environment: {
          variable: () => undefined,
          home: folder,
          workingFolder: folder,
          stateFolder: join(folder, "state"),
          addresses: () => [],
        },
      }),
    });
    t.after(() => made.close());
    return made;
  };
  return { folder, plugins, say, configure, variables, host };
}

/** The names that `list` shows. */
async function listed(say: (...words: readonly string[]) => ReturnType<typeof runCli>, ...words: string[]) {
  const { status, out, err } = await say("list", "--json", ...words);
  assert.equal(status, 0, err);
  const { output } = JSON.parse(out) as { readonly output: { readonly skills: { readonly name: string }[] } };
  return output.skills.map(({ name }) => name);
}

describe("the choice of skills on the command line", () => {
  test("--only and --without take names with commas and can be repeated; the order is that of the host", async (t) => {
    const { say } = await three(t);
    assert.deepEqual(await listed(say), ["greeting", "letter", "watch"]);
    assert.deepEqual(await listed(say, "--only", "watch,greeting"), ["greeting", "watch"]);
    assert.deepEqual(await listed(say, "--only", "watch", "--only=letter"), ["letter", "watch"]);
    assert.deepEqual(await listed(say, "--without", "greeting, letter"), ["watch"]);
    assert.deepEqual(await listed(say, "--only", "letter,watch", "--without", "letter"), ["watch"]);
    const { err } = await say("list", "--only", "letter");
    assert.match(err, /^Not served: greeting, watch\.\n$/);
  });

  test("skillctl.json chooses, without trust, and flags win over it", async (t) => {
    const { say, configure } = await three(t);
    await configure({ skills: { only: ["letter", "watch"] } });
    assert.deepEqual(await listed(say), ["letter", "watch"]);
    assert.deepEqual(await listed(say, "--without", "watch"), ["greeting", "letter"]);
    await configure({ skills: { without: ["letter"] }, config: { greeting: {} } });
    const waiting = await say("list", "--json");
    assert.match(waiting.err, /is not trusted/);
    assert.doesNotMatch(waiting.out, /letter/);
  });

  test("built-in skills can be left out without third-party skills", async (t) => {
    const folder = await ownFolder(t);
    const say = (...words: readonly string[]) =>
      sayInProcess(words, folder, { variables: variablesOf(folder) });
    assert.deepEqual(await listed(say, "--only", "runtime-debug"), ["runtime-debug"]);
    await writeFile(join(folder, "skillctl.json"), '{ "skills": { "without": ["runtime-debug"] } }');
    assert.ok(!(await listed(say)).includes("runtime-debug"));
  });

  for (const verb of VERBS)
    test(`${verb} refuses an unknown name and suggests the nearest`, async (t) => {
      const { say, configure } = await three(t);
      for (const flag of ["--only", "--without"]) {
        const { status, out, err } = await say(verb, flag, "greting");
        assert.deepEqual([status, out], [64, ""]);
        assert.equal(err, 'error: There is no skill "greting".\nhint: Did you mean greeting?\n');
      }
      for (const key of ["only", "without"]) {
        await configure({ skills: { [key]: ["letter", "greting"] } });
        const { status, out, err } = await say(verb);
        assert.deepEqual([status, out], [78, ""], err);
        assert.match(
          err,
          /skillctl\.json: \/skills\/\w+\/1 is greting, but no hosted skill has this name\.[^]*Did you mean greeting\?/,
        );
      }
    });

  test("a choice without a name, or with an invalid one, is refused", async (t) => {
    const { say, configure } = await three(t);
    for (const words of [
      ["--only", ""],
      ["--only", "letter,,watch"],
      ["--without", ","],
    ]) {
      const { status, err } = await say("list", ...words);
      assert.equal(status, 64, words.join(" "));
      assert.match(err, /^error: --(only|without) [^\n]+\n(hint: [^\n]+\n)?$/);
    }
    for (const skills of [
      { only: [] },
      ["letter"],
      { only: ["../x"] },
      { without: ["a\nb"] },
      { but: ["letter"] },
    ]) {
      await configure({ skills });
      const { status, err } = await say("list");
      assert.equal(status, 78, JSON.stringify(skills));
      assert.match(err, /^error: [^\n]+skillctl\.json: \/skills[^\n]+\nhint: [^\n]+\n$/);
    }
  });

  test("validate and doctor name a skill in skillctl.json that is not hosted", async (t) => {
    const { say, configure } = await three(t);
    await configure({ skills: { only: ["greting"] } });
    const { out, err } = await say("validate");
    assert.match(out + err, /is greting, but no hosted skill has this name/);
    assert.match((await say("doctor")).out, /is greting, but no hosted skill has this name/);
  });

  test("the name of an untrusted skill is not a fault", async (t) => {
    const { say, configure, folder } = await three(t);
    await writeSkill(folder, "later");
    await configure({ plugins: ["./later"], skills: { only: ["later", "watch"] } });
    assert.deepEqual(await listed(say), ["watch"]);
    assert.equal((await say("trust")).status, 0);
    assert.deepEqual(await listed(say), ["watch", "later"]);
  });

  test("the file of the person has no choice of skills", async (t) => {
    const { folder, plugins, variables } = await three(t);
    const user = join(folder, "user.json");
    await writeFile(user, '{ "skills": { "only": ["letter"] } }');
    const { status, err } = await runCli(folder, ["list", "--plugin", plugins], {
      variables,
      ruleFiles: { user },
    });
    assert.equal(status, 78, err);
    assert.match(err, /may have `rules`, `config` and `state` and nothing else/);
    const doctor = await runCli(folder, ["doctor"], { variables, ruleFiles: { user } });
    assert.equal(doctor.status, 1, doctor.err);
    assert.match(
      doctor.out,
      /^fail {2}\S+user\.json may have `rules`, `config` and `state` and nothing else\.\s+-> Remove the/m,
    );
    assert.match(doctor.out, /^ok {4}State folder/m);
  });
});

describe("a skill that is not served", () => {
  test("is left out of prompt, while the rules of the core are included", async (t) => {
    const { say } = await three(t);
    const { out } = await say("prompt", "--without", "watch");
    assert.match(out, /<skill name="letter">/);
    assert.doesNotMatch(out, /watch|Mallory/);
    assert.match(out, /<rules>/);
    const refused = await say("prompt", "watch", "--without", "watch");
    assert.equal(refused.status, 64);
    assert.equal(
      refused.err,
      "error: The skill watch is hosted, but not served.\nhint: Served: greeting, letter.\n",
    );
  });

  test("keeps its rules in force, whatever an untrusted folder contains", async (t) => {
    const { folder, plugins, variables, say, configure } = await three(t);
    await configure({ skills: { without: ["watch"] } });
    const denied = await say("run", "letter", "greet", "Mallory");
    assert.match(denied.err, /Mallory is not greeted/);
    const event = {
      session_id: "s",
      cwd: folder,
      hook_event_name: "PreToolUse",
      tool_name: "Greet",
      tool_input: { name: "Mallory" },
    };
    const hook = await runCli(folder, ["guard", "--dialect", "claude-code", "--plugin", plugins], {
      variables,
      standardInput: () => Readable.from([Buffer.from(JSON.stringify(event))]),
    });
    assert.match(hook.out + hook.err, /Mallory is not greeted/);
  });

  test("is missing in MCP, but lends its ports and guards", async (t) => {
    const { folder, plugins } = await three(t);
    await using opened = await connect({
      folder,
      words: ["--plugin", plugins, "--only", "letter"],
    });
    const { client } = opened;
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["letter_greet"],
    );
    assert.doesNotMatch(client.getInstructions() ?? "", /greeting:|watch:|Mallory|music-analysis/);
    const { resources } = await client.listResources();
    const others = resources.map(({ uri }) => uri).filter((uri) => !/letter|index/.test(uri));
    assert.deepEqual(others, []);
    assert.equal(
      textOf(await client.callTool({ name: "letter_greet", arguments: { name: "Bo" } })),
      "Hello Bo",
    );
    const denied = await client.callTool({ name: "letter_greet", arguments: { name: "Mallory" } });
    assert.match(textOf(denied), /GUARD_DENIED: Mallory is not greeted/);
    await assert.rejects(
      client.callTool({ name: "greeting_greet", arguments: { name: "Bo" } }),
      /The skill greeting is hosted, but not served\./,
    );
    await assert.rejects(client.callTool({ name: "nobody_greet", arguments: {} }), /There is no tool/);
  });

  test("is missing in HTTP, but lends its ports and guards", async (t) => {
    const { host } = await three(t);
    const server = await serveHttp(await host(), { skills: { only: ["letter"] } });
    t.after(() => server.close());
    const post = (skill: string, name: string) =>
      fetch(`${server.url}/v1/skills/${skill}/commands/greet`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name }),
      });
    assert.deepEqual(await (await post("letter", "Bo")).json(), { text: "Hello Bo" });
    const denied = (await (await post("letter", "Mallory")).json()) as { readonly code: string };
    assert.equal(denied.code, "GUARD_DENIED");
    const page = await fetch(`${server.url}/greeting/page`);
    for (const answer of [await post("greeting", "Bo"), page]) {
      const { status, detail, hint } = (await answer.json()) as Readonly<Record<string, unknown>>;
      assert.deepEqual(
        [answer.status, status, detail, hint],
        [404, 404, "The skill greeting is hosted, but not served.", "Served: letter."],
      );
    }
    const health = (await (await fetch(`${server.url}/health`)).json()) as { readonly skills: string[] };
    assert.deepEqual(health.skills, ["letter"]);
    const openApi = await (await fetch(`${server.url}/openapi.json`)).text();
    assert.match(openApi, /\/v1\/skills\/letter\//);
    assert.doesNotMatch(openApi, /skills\/greeting|\/greeting\/page|skills\/watch/);
    const event = { event: "tool.pre", surface: "hook", name: "Greet", input: { name: "Mallory" } };
    const judged = await fetch(`${server.url}/v1/guard`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(event),
    });
    assert.match(await judged.text(), /Mallory is not greeted/);
  });

  test("is refused by the verb serve and by serveHttp", async (t) => {
    const { folder, plugins, variables } = await three(t);
    const stop = new AbortController();
    const words = ["serve", "--no-key", "--port", "0", "--plugin", plugins, "--without", "greeting"];
    let listening = (_url: string): void => undefined;
    const started = new Promise<string>((resolve) => (listening = resolve));
    const ended = sayInProcess(words, folder, {
      variables,
      signal: stop.signal,
      onOut: (out) => listening(out.trim()),
    });
    const url = await Promise.race([started, ended.then(({ err }) => assert.fail(err))]);
    const answer = await fetch(`${url}/greeting/page`);
    assert.match(await answer.text(), /The skill greeting is hosted, but not served\./);
    stop.abort();
    assert.equal((await ended).status, 0);
  });

  test("serveHttp refuses an unknown name", async (t) => {
    const { host } = await three(t);
    const wrong = serveHttp(await host(), { skills: { without: ["greting"] } }).then((server) =>
      server.close(),
    );
    await assert.rejects(wrong, (caught) => caught instanceof SkillError && caught.code === "UNKNOWN_SKILL");
  });
});
