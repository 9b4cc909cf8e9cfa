import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { linkPackage } from "../../../adapters/link-package.ts";
import { VERSION } from "../../../version.ts";
import { ownFolder, runCli, type Shown } from "../fixture-command-line.ts";
import { skeletonFiles } from "./skeleton-files.ts";

interface SayOptions extends Pick<
  NonNullable<Parameters<typeof runCli>[2]>,
  "builtin" | "ruleFiles" | "variables"
> {
  /** Relative to the folder. */
  readonly plugins?: readonly string[];
  readonly json?: boolean;
}

/** The command line in a folder, as this version of skillctl. */
export function say(
  words: readonly string[],
  folder: string,
  { plugins = [], json = false, ...surroundings }: SayOptions = {},
): Promise<Shown> {
  const flags = [...plugins.flatMap((path) => ["--plugin", path]), ...(json ? ["--json"] : [])];
  return runCli(folder, [...words, ...flags], { version: VERSION, ...surroundings });
}

/** A folder with the skill that `skillctl new greeting` writes, and its path. */
export async function greetingFolder(
  t: TestContext,
): Promise<{ readonly root: string; readonly skill: string }> {
  const root = await ownFolder(t);
  const skill = join(root, "greeting");
  const schema = "../node_modules/skillctl/schemas/core/skill-manifest.json";
  const content = await skeletonFiles({ name: "greeting", version: VERSION, schema, isTyped: false });
  for (const [path, text] of Object.entries(content)) await put(skill, path, text);
  await linkPackage(root);
  return { root, skill };
}

/** Writes a file of a skill; a value other than a string is written as JSON. */
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
