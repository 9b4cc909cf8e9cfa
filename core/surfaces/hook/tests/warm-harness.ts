import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { nodeFiles } from "../../../adapters/files.ts";
import { createAjv } from "../../../schema/ajv.ts";
import type { Validator } from "../../../schema/schemas.ts";
import type { HostedSkill } from "../../../skill.ts";
import { runCli, writeSkill, type Shown } from "../../cli/fixture.ts";
import { EVENTS } from "../fixture-events.ts";
import { dispatcherFile, hostSocket } from "../warm/dispatcher.ts";
import { ROOT } from "../../../../contract-tests/harness.ts";

export const DIALECTS = ["claude-code", "codex", "cursor", "gemini", "skillctl"] as const;

const FITS = createAjv().compile(
  JSON.parse(readFileSync(join(ROOT, "schemas", "core", "guard-request.json"), "utf8")) as object,
) as Validator;

const data = (decision: string) => ({
  tell: `It is told (${decision}).`,
  on: ["tool.pre"],
  when: {
    type: "object",
    required: ["command"],
    properties: { command: { type: "string", pattern: `${decision}$` } },
  },
  decision,
  message: `Said: ${decision}.`,
});
const asked = (name: string, timeoutMs = 5_000) => {
  const { decision, ...rule } = data(name);
  return { ...rule, message: decision, handler: true, timeoutMs };
};
const RULES = {
  warn: data("warn"),
  ask: data("ask"),
  deny: data("deny"),
  count: asked("count"),
  crash: asked("crash"),
  slow: asked("slow"),
};
const CODE = `let n = 0;
export default { commands: { greet: class {} }, rules: {
  count: class { judge() { n += 1; return { decision: "deny", message: "Asked " + n + " times." }; } },
  crash: class { judge() { throw new Error("boom"); } },
  slow: class { judge() { return new Promise((r) => setTimeout(r, 2600, { decision: "deny", message: "At last." })); } },
} };`;

/** Stands in for the cold program, where only that it was asked matters: it says so, with its words and what it was given. */
const COLD = `#!/bin/sh\nprintf 'cold: %s; ' "$*"\ncksum\necho said >&2\nexit 77\n`;

/** A state folder with a dispatcher, a skill with rules, and programs that run there. */
export interface WarmPlace {
  readonly folder: string;
  readonly state: string;
  readonly dispatcher: string;
  readonly socket: string;
  readonly cold: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Starts the host in this process and waits until it listens; `end` ends it and answers its exit status. */
  readonly host: () => Promise<{ readonly end: () => Promise<number>; readonly ended: Promise<number> }>;
  /** What the program itself says, in this process. */
  readonly plain: (dialect: string, event: string | Buffer) => Promise<Shown>;
  readonly ask: (dialect: string, event: string | Buffer, options?: AskOptions) => Promise<Shown>;
}

export interface AskOptions {
  readonly cwd?: string;
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly shell?: readonly string[];
  /** Standard input stays open after the event. */
  readonly open?: boolean;
  readonly dispatcher?: string;
}

export function eventOf(dialect: string, command: string): string {
  return JSON.stringify(EVENTS[dialect]?.["tool.pre"]).replace("npm test", command);
}

export async function warmPlace(t: TestContext, name = "a place"): Promise<WarmPlace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "skillctl-warm-")));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const state = join(folder, name);
  const skill = await writeSkill(folder, "greeting", { manifest: { rules: RULES }, code: CODE });
  const hosted: HostedSkill = {
    manifest: JSON.parse(await readFile(join(skill, "skill.json"), "utf8")) as HostedSkill["manifest"],
    folder: skill,
    schemas: join(skill, "schemas"),
    builtin: true,
    load: async () => (await import(pathToFileURL(join(skill, "plugin.js")).href)) as { default?: unknown },
  };
  await mkdir(join(folder, "program"));
  const program = join(folder, "program", "it's cold");
  await writeFile(program, COLD);
  const cold = ["/bin/sh", program];
  const dispatcher = await dispatcherFile(state, { own: cold, files: nodeFiles });
  const variables = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, "settings"),
    SKILLCTL_STATE: state,
    SKILLCTL_GUARD_TIMEOUT: "60",
    ...(process.env["TMPDIR"] !== undefined && { TMPDIR: process.env["TMPDIR"] }),
  };
  const surroundings = {
    builtin: [hosted],
    precompiled: async (owner: string) => (owner === "core" ? { "core/guard-request": FITS } : undefined),
    variables,
    ownProgram: cold,
    ruleFiles: {},
  };
  const socket = hostSocket(state);
  const host: WarmPlace["host"] = async () => {
    const control = new AbortController();
    const ran = runCli(folder, ["guard", "--host"], { ...surroundings, signal: control.signal });
    const ended = ran.then(({ status }) => status);
    const end = async (): Promise<number> => {
      control.abort();
      return ended;
    };
    t.after(end);
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
    while (!existsSync(socket)) if ((await Promise.race([pause(), ended])) !== undefined) break;
    return { end, ended };
  };
  const plain: WarmPlace["plain"] = async (dialect, event) => {
    const { Readable } = await import("node:stream");
    const standardInput = () => Readable.from([Buffer.from(event)]);
    return runCli(folder, ["guard", "--dialect", dialect], { ...surroundings, standardInput });
  };
  const ask: WarmPlace["ask"] = (dialect, event, options = {}) =>
    said([...(options.shell ?? ["sh"]), options.dispatcher ?? dispatcher, dialect], event, {
      cwd: options.cwd ?? folder,
      env: { ...variables, ...options.variables },
      open: options.open ?? false,
    });
  return { folder, state, dispatcher, socket, cold, variables, host, plain, ask };
}

function said(
  [program = "", ...words]: readonly string[],
  event: string | Buffer,
  { cwd, env, open }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly open: boolean },
): Promise<Shown> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd, env });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.once("error", reject);
    child.once("close", (code, signal) => {
      child.stdin.destroy();
      resolve({ status: code ?? (signal === null ? -1 : -2), out, err });
    });
    child.stdin.on("error", () => undefined);
    if (open) child.stdin.write(event);
    else child.stdin.end(event);
  });
}

/** Without what differs from run to run. */
export function steady(shown: Shown): Shown {
  const without = (text: string): string =>
    text.replaceAll(/ \(skillctl why g-[0-9a-z-]+\)/g, "").replaceAll(/,"evaluation":"g-[^"]+"/g, "");
  return { ...shown, out: without(shown.out), err: without(shown.err) };
}
