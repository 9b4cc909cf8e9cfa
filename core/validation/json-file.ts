import { SkillError } from "../errors/skill-error.ts";
import type { Files } from "../ports/files.ts";
import { duplicateKeys } from "./duplicate-keys.ts";
import type { Complain } from "./fault.ts";

/** A missing, unreadable or broken file answers undefined and complains; `missing` is the sentence for the first. */
export async function readJson(
  files: Files,
  file: string,
  missing: string,
  complain: Complain,
): Promise<unknown> {
  const text = await readText(files, file, missing, complain);
  if (text === undefined) return undefined;
  const plain = text.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch (caught) {
    complain("", `The file is no JSON: ${reasonOf(caught, plain)}.`);
    return undefined;
  }
  for (const pointer of duplicateKeys(plain))
    complain(pointer, `${pointer} stands here twice; only the last would count.`);
  if (isObject(value)) return value;
  complain("", "The file must hold one JSON object.");
  return undefined;
}

/** The text of a file, or undefined and a complaint. */
export async function readText(
  files: Files,
  file: string,
  missing: string,
  complain: Complain,
): Promise<string | undefined> {
  try {
    const text = await files.readText(file);
    if (text === undefined) complain("", missing);
    return text;
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    complain("", caught.message, caught.code);
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function reasonOf(caught: unknown, text: string): string {
  const message = caught instanceof Error ? caught.message : String(caught);
  const [reason = message] = message.split(" in JSON at position ");
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined) return reason;
  const before = text.slice(0, Number(position)).split("\n");
  return `${reason} at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}
