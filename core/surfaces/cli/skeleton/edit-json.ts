import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { put } from "./test-context.ts";

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
