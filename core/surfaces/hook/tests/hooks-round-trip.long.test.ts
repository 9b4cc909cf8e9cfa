/** The hooks as each agent reads and runs them: its settings, its shell, an event on standard input, its own verdict. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { createAjv } from "../../../schema/ajv.ts";
import { runCli, temporaryFolder } from "../../cli/fixture.ts";
import { CLIENTS } from "../install/clients.ts";
import { PROGRAM as WORDS } from "../../../../contract-tests/command-line.ts";
import { AGENTS, type Agent } from "./hooks-agents.ts";

const PROGRAM = [process.execPath, ...WORDS];

interface Installed {
  readonly agent: Agent;
  readonly path: string;
  readonly dispatcher: string;
  /** Has the agent ask its hook before a file is written. */
  readonly write: (file: string) => Promise<string>;
}

async function installed(t: TestContext, name: string): Promise<Installed> {
  const { path, close } = await temporaryFolder();
  t.after(close);
  // A folder whose name a shell would take apart, and that Gemini CLI would fill in.
  const project = join(path, "it's $HOME; a project");
  const variables = {
    HOME: join(path, "h"),
    SKILLCTL_STATE: join(project, ".state"),
  };
  await mkdir(project);
  const words = ["hooks", "install", "--client", name];
  const { status, err } = await runCli(project, words, { variables, ownProgram: PROGRAM });
  assert.equal(status, 0, err);
  const agent = AGENTS[name] ?? assert.fail();
  const { file } = CLIENTS.find((client) => client.name === name) ?? assert.fail();
  const settings: unknown = JSON.parse(await readFile(join(project, file), "utf8"));
  const fits = createAjv().compile(agent.settings);
  assert.ok(fits(settings), JSON.stringify(fits.errors));
  const write = (target: string): Promise<string> => {
    const event = agent.event(target, project);
    const command = agent.command(settings, String(event["hook_event_name"]));
    // Not the variables of the person: agents hand on what they like.
    const env = {
      PATH: process.env["PATH"],
      HOME: variables.HOME,
      SKILLCTL_GUARD_HOST: "off",
      SKILLCTL_GUARD_TIMEOUT: "60",
    };
    return new Promise((resolve, reject) => {
      const child = spawn("sh", ["-c", agent.expanded(command, project)], { cwd: project, env });
      let [out, err] = ["", ""];
      child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString("utf8")));
      child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString("utf8")));
      child.on("error", reject).on("close", (status) => resolve(agent.verdict({ status, out, err })));
      child.stdin.on("error", () => undefined).end(JSON.stringify(event));
    });
  };
  return { agent, path: project, dispatcher: join(project, ".state", "guard", "dispatcher.sh"), write };
}

describe("a hook that was installed", { skip: process.platform === "win32" }, () => {
  for (const { name } of CLIENTS) {
    test(`${name}: stops, asks and lets through as the rules say`, async (t) => {
      const { path, agent, write } = await installed(t, name);
      const [denied, asked, allowed] = await Promise.all([
        write(join(path, ".state", "guard", "audit.ndjson")),
        write(join(path, "skillctl.json")),
        write(join(path, "src", "a.ts")),
      ]);
      assert.deepEqual([denied, asked, allowed], ["stopped", agent.asks ? "asks" : "stopped", "runs"]);
    });

    test(`${name}: a dispatcher that is missing, no file, or that ends in any way stops the call`, async (t) => {
      const { path, dispatcher, write } = await installed(t, name);
      const target = join(path, "src", "a.ts");
      const rows: readonly (readonly [string, () => Promise<unknown>])[] = [
        ["missing", () => rm(dispatcher)],
        ["a folder", () => mkdir(dispatcher)],
        ["empty", () => rm(dispatcher, { recursive: true }).then(() => writeFile(dispatcher, ""))],
        ["no shell script", () => writeFile(dispatcher, "if then (")],
        ["ends with 1", () => writeFile(dispatcher, "echo no >&2\nexit 1\n")],
        ["is killed", () => writeFile(dispatcher, "kill -9 $$\n")],
        ["starts what is not there", () => writeFile(dispatcher, "exec /no/such/node skillctl\n")],
      ];
      for (const [what, make] of rows) {
        await make();
        assert.equal(await write(target), "stopped", what);
      }
    });

    test(
      `${name}: a dispatcher that cannot be read stops the call`,
      { skip: process.getuid?.() === 0 && "root may read and write everything" },
      async (t) => {
        const { path, dispatcher, write } = await installed(t, name);
        await chmod(dispatcher, 0);
        assert.equal(await write(join(path, "a.ts")), "stopped");
      },
    );
  }
});
