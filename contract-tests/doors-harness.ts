/** Doors for the tests that catch planted faults of the core: the command line and the guard of an agent's hook. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import type { HostedSkill } from "skillctl/host";
import { createTestHost, type TestHost } from "skillctl/testing";
import {
  ownFolder,
  runCli,
  type Ending,
  writeSkill,
  type SkillFixture,
} from "../core/surfaces/cli/fixture-command-line.ts";
import {
  greetingFiles,
  writeSkill as writeFiles,
  type SkillFiles,
} from "../core/testing/fixture-greeting.ts";
import { SKILLS } from "./harness.ts";

type Settings = NonNullable<Parameters<typeof runCli>[2]>;

export { ownFolder };

/** A rule about shell commands that end in a word. */
export function endRule(word: string, more: object = { decision: word }): object {
  return {
    tell: `It is told of ${word}.`,
    on: ["tool.pre"],
    when: {
      type: "object",
      required: ["command"],
      properties: { command: { type: "string", pattern: `${word}$` } },
    },
    message: `Said: ${word}.`,
    ...more,
  };
}

/** A built-in skill named `sample`, and the command line that hosts it alone. */
export async function sample(t: TestContext, parts: SkillFixture = {}) {
  const path = await ownFolder(t);
  const folder = await writeSkill(path, "sample", parts);
  const skill: HostedSkill = {
    manifest: JSON.parse(await readFile(join(folder, "skill.json"), "utf8")) as HostedSkill["manifest"],
    folder,
    schemas: join(folder, "schemas"),
    builtin: true,
    load: async () => (await import(pathToFileURL(join(folder, "plugin.js")).href)) as { default?: unknown },
  };
  const say = (words: readonly string[], settings: Settings = {}) =>
    runCli(path, words, { builtin: [skill], ...settings });
  return { path, say, ...guardIn(say) };
}

/** Like `sample`, but with a third-party skill, named by `--plugin`. */
export async function foreignHarness(t: TestContext, parts: SkillFixture = {}) {
  const path = await ownFolder(t);
  const plugin = await writeSkill(path, "sample", parts);
  const say = (words: readonly string[], settings: Settings = {}) =>
    runCli(path, [...words, "--plugin", plugin], settings);
  return { path, plugin, say, ...guardIn(say) };
}

/** A host of a third-party skill, whose schema `any` takes any object. It is closed after the test. */
export async function hostOf(t: Ending, name: string, parts: SkillFixture): Promise<TestHost> {
  const schemas = { any: { type: "object", additionalProperties: true }, ...parts.schemas };
  const plugin = await writeSkill(await ownFolder(t), name, { ...parts, schemas });
  const host = await createTestHost({ plugins: [plugin] });
  t.after(host.close);
  return host;
}

/** The built-in skills, or some of them, in a separate folder. */
export async function box(t: TestContext, ...names: readonly string[]) {
  const path = await ownFolder(t);
  const builtin = SKILLS.filter(({ manifest }) => names.length === 0 || names.includes(manifest.name));
  const say = (words: readonly string[], settings: Settings = {}) =>
    runCli(path, words, { builtin, ...settings });
  return { path, say, ...guardIn(say) };
}

type Say = (
  words: readonly string[],
  settings?: Settings,
) => Promise<{ readonly status: number; readonly out: string; readonly err: string }>;

/** The answer of `skillctl guard` to an event, and to a tool call in the format of Claude Code. */
function guardIn(say: Say) {
  const guard = (dialect: string, event: unknown, settings: Settings = {}) =>
    say(["guard", "--dialect", dialect], {
      ...settings,
      standardInput: () =>
        Readable.from([Buffer.from(typeof event === "string" ? event : JSON.stringify(event))]),
    });
  /** The decision in skillctl's own words about a request. */
  const decided = async (request: object, settings: Settings = {}) =>
    JSON.parse((await guard("skillctl", { surface: "hook", ...request }, settings)).out) as Decided;
  return { guard, decided };
}

/** The parts of a decision that tests read. */
export interface Decided {
  readonly decision: string;
  readonly rule?: string;
  readonly reasonCode?: string;
  readonly message?: string;
  readonly agentMessage?: string;
  readonly evaluation?: string;
}

/** A shell command before it runs, in skillctl's words. */
export const shell = (command: string, more: object = {}) => ({
  event: "tool.pre",
  tool: "shell",
  command,
  ...more,
});

/** One document on standard output. */
export function documentOf({ out }: { readonly out: string }): unknown {
  return JSON.parse(out) as unknown;
}

/** A small valid skill with changes to its files, and the command line without and with it. */
export async function greetingHarness(t: TestContext, changes: SkillFiles = {}) {
  const path = await ownFolder(t);
  const skill = await writeFiles(path, "greeting", { ...greetingFiles(), ...changes });
  const say = (...words: readonly string[]) => runCli(path, words, { version: "0.1.0" });
  return { path, skill, say, hosted: (...words: readonly string[]) => say(...words, "--plugin", skill) };
}
