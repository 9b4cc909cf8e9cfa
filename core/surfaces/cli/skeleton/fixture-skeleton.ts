import { mkdir, mkdtemp, realpath, rm, writeFile, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { TestContext } from "node:test";
import { processEnvironment } from "../../../adapters/environment.ts";
import { linkPackage } from "../../../adapters/link-package.ts";
import type { Host } from "../../../composition.ts";
import { createHost } from "../../../host.ts";
import type { HostedSkill } from "../../../skill.ts";
import { VERSION } from "../../../version.ts";
import type { Verb, Invocation } from "../verb.ts";
import { skeletonFiles } from "./skeleton-files.ts";

/** What a verb said. */
export interface VerbResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

interface SayOptions extends Partial<Pick<Invocation, "builtin" | "variables" | "configurationFault">> {
  /** Relative to the folder. */
  readonly plugins?: readonly string[];
  readonly json?: boolean;
}

/** An empty folder of a test, removed after it. */
export async function testFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "skillctl-verb-")));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a verb in a folder, on a real host, and answers what it said. What it throws is thrown. */
export async function say(
  verb: Verb,
  words: readonly string[],
  folder: string,
  options: SayOptions = {},
): Promise<VerbResult> {
  let out = "";
  let err = "";
  let opened: Promise<Host> | undefined;
  const builtin: readonly HostedSkill[] = options.builtin ?? [];
  const plugins = (options.plugins ?? []).map((path) => resolve(folder, path));
  const variables = options.variables ?? { HOME: folder, SKILLCTL_STATE: join(folder, "state") };
  const ports = { environment: processEnvironment(variables, folder) };
  const invocation: Invocation = {
    terminal: {
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      lively: false,
      colour: false,
      columns: 80,
      signal: new AbortController().signal,
    },
    options: { json: options.json ?? false, verbose: false, progress: false, plugins },
    builtin,
    workingFolder: folder,
    variables,
    ...(options.configurationFault && { configurationFault: options.configurationFault }),
    rules: async () => ({}),
    host: () => (opened ??= createHost({ skills: builtin, plugins, toleratesMissing: true, ports })),
  };
  try {
    const status = await verb.run(words, invocation);
    return { status, out, err };
  } finally {
    await (await opened)?.close();
  }
}

/** A folder with the skill that `skillctl new greeting` writes, and its path. */
export async function greetingFolder(
  t: TestContext,
): Promise<{ readonly root: string; readonly skill: string }> {
  const root = await testFolder(t);
  const skill = join(root, "greeting");
  const schema = "../node_modules/skillctl/schemas/core/skill-manifest.json";
  const content = await skeletonFiles({ name: "greeting", version: VERSION, schema, isTyped: false });
  for (const [path, text] of Object.entries(content)) await put(skill, path, text);
  await linkPackage(root);
  return { root, skill };
}

/** Writes a file of a skill; what is no text becomes JSON. */
export async function put(folder: string, path: string, content: unknown): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
}

type Json = Record<string, unknown>;

/** Changes the value at a path of keys in a file; undefined removes it. */
export type Edit = readonly [file: string, path: string, value: unknown];

/** Edits one JSON file of a skill. */
export async function edit(skill: string, [file, path, value]: Edit): Promise<void> {
  const document = JSON.parse(await readFile(join(skill, file), "utf8")) as Json;
  const keys = path.split("/").slice(1);
  const last = keys.pop() as string;
  let at: Json = document;
  for (const key of keys) at = (at[key] ??= {}) as Json;
  if (value === undefined) delete at[last];
  else at[last] = value;
  await put(skill, file, document);
}
