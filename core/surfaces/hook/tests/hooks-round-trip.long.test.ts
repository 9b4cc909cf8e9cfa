/** The hooks as each agent reads and runs them: its settings, its shell, an event on standard input, its own verdict. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { createAjv } from "../../../schema/ajv.ts";
import { runCli, ownFolder } from "../../cli/fixture-command-line.ts";
import { CLIENTS } from "../hook.ts";

import { ROOT } from "../../../../contract-tests/harness.ts";
import { AGENTS, type Agent } from "../fixture-agents.ts";

const BUILT = join(ROOT, "bin", "skillctl.cjs");
const SHELLS = ["sh", "dash", "bash", "bash --posix", "busybox sh", "zsh", "ksh", "fish"];

interface Installation {
  readonly agent: Agent;
  readonly path: string;
  /** The program that the hooks start. */
  readonly program: string;
  /** Has the agent ask its hook before a file is written. */
  readonly write: (file: string, shell?: string) => Promise<string>;
}

async function installed(t: TestContext, name: string): Promise<Installation> {
  const path = await ownFolder(t);
  // A folder name that a shell would split and in which Gemini CLI would replace a variable.
  const project = join(path, "it's $HOME; a project");
  const state = join(project, ".state");
  await mkdir(project);
  const program = join(project, "skillctl.cjs");
  await writeFile(program, `require(${JSON.stringify(BUILT)});\n`);
  const variables = { HOME: join(path, "h"), SKILLCTL_STATE: state };
  const words = ["hooks", "install", "--client", name];
  const ownProgram = [process.execPath, program];
  const { status, err } = await runCli(project, words, { variables, ownProgram });
  assert.equal(status, 0, err);
  const agent = (AGENTS as Readonly<Record<string, Agent>>)[name] ?? assert.fail(name);
  const { file } = CLIENTS.find((client) => client.name === name) ?? assert.fail();
  const settings: unknown = JSON.parse(await readFile(join(project, file), "utf8"));
  const fits = createAjv().compile(agent.settings);
  assert.ok(fits(settings), JSON.stringify(fits.errors));
  const write = (target: string, shell = "sh"): Promise<string> => {
    const event = agent.event(target, project);
    const command = agent.command(settings, String(event["hook_event_name"]));
    // Without the variables of the person: agents do not pass all of them to hooks.
    const env = { PATH: process.env["PATH"], HOME: variables.HOME, SKILLCTL_GUARD_TIMEOUT: "60" };
    const [start = "", ...flags] = shell.split(" ");
    return new Promise((resolve, reject) => {
      const child = spawn(start, [...flags, "-c", agent.expanded(command, project)], { cwd: project, env });
      let [out, err] = ["", ""];
      child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString("utf8")));
      child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString("utf8")));
      child.on("error", reject).on("close", (status) => resolve(agent.verdict({ status, out, err })));
      child.stdin.on("error", () => undefined).end(JSON.stringify(event));
    });
  };
  return { agent, path: project, program, write };
}

describe("an installed hook", { skip: process.platform === "win32" }, () => {
  for (const { name } of CLIENTS) {
    test(`${name}: stops, asks and lets through as the rules say, in every shell`, async (t) => {
      const { path, agent, write } = await installed(t, name);
      for (const shell of SHELLS) {
        const [start = "", ...flags] = shell.split(" ");
        if (spawnSync(start, [...flags, "-c", "exit 5"]).status !== 5) continue;
        const denied = await write(join(path, ".state", "guard", "audit.ndjson"), shell);
        const asked = await write(join(path, "skillctl.json"), shell);
        const allowed = await write(join(path, "src", "a.ts"), shell);
        assert.deepEqual(
          [denied, asked, allowed],
          ["stopped", agent.asks ? "asks" : "stopped", "runs"],
          shell,
        );
      }
    });

    test(`${name}: a program that is missing, not a file, or ends without an answer stops the call`, async (t) => {
      const { path, program, write } = await installed(t, name);
      const target = join(path, "src", "a.ts");
      const rows: readonly (readonly [string, () => Promise<unknown>])[] = [
        ["missing", () => rm(program)],
        ["a folder", () => mkdir(program)],
        ["not a program", () => rm(program, { recursive: true }).then(() => writeFile(program, "if then ("))],
        ["ends with 1", () => writeFile(program, "console.error('no'); process.exit(1);")],
        ["ends with 64", () => writeFile(program, "console.error('no'); process.exit(64);")],
        ["is killed", () => writeFile(program, "process.kill(process.pid, 'SIGKILL');")],
        ["a part of the program is missing", () => writeFile(program, "require('./dist/skillctl.cjs');")],
      ];
      for (const [what, make] of rows) {
        await make();
        assert.equal(await write(target), "stopped", what);
      }
    });
  }
});
