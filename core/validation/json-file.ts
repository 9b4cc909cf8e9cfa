import { pointerOf } from "../schema/fault.ts";
import { isObject } from "../schema/json.ts";
import { SkillError, jsonFault } from "../errors/skill-error.ts";
import type { Files } from "../ports/files.ts";
import { quotedName } from "../quoted-name.ts";

/** One thing that is wrong in a file of a skill. */
export interface ValidationFault {
  /** Absolute. */
  readonly file: string;
  /** JSON pointer into the file; "" is all of it. */
  readonly pointer: string;
  /** Line from 1, of files that are no JSON. */
  readonly line?: number;
  /** A code of the error table or of `DocumentFaultCode`. */
  readonly code: string;
  /** `warning`: worth knowing, and no reason to refuse the skill. */
  readonly severity: "error" | "warning";
  readonly sentence: string;
}

/** Takes faults of one file, all of them errors under one code. */
export type Complain = (pointer: string, sentence: string, code?: string) => void;

/** A `Complain` that fills a list. */
export function complainInto(faults: ValidationFault[], file: string, standard: string): Complain {
  return (pointer, sentence, code = standard) => {
    faults.push({ file, pointer, code, severity: "error", sentence });
  };
}

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
    complain("", `The file is no JSON: ${jsonFault(caught, plain)}.`);
    return undefined;
  }
  try {
    for (const pointer of await duplicateKeys(plain))
      complain(pointer, `${quotedName(pointer)} stands here twice; only the last would count.`);
  } catch (caught) {
    if (!(caught instanceof RangeError)) throw caught;
    complain("", "The file is nested too deep.");
    return undefined;
  }
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

/**
 * Pointers of the keys that stand twice in one object of a JSON text. `JSON.parse` keeps the last one and says nothing, so a
 * whole command could vanish.
 */
async function duplicateKeys(text: string): Promise<readonly string[]> {
  const { visit } = await import("jsonc-parser/lib/esm/main.js");
  const keys = new Set<string>();
  const twice: string[] = [];
  visit(text, {
    onObjectProperty: (name, _offset, _length, _line, _character, path) => {
      const pointer = pointerOf(...path(), name);
      // What stands below a key that stands twice is the same mistake.
      if (keys.has(pointer) && !twice.some((outer) => pointer.startsWith(`${outer}/`))) twice.push(pointer);
      keys.add(pointer);
    },
  });
  return twice;
}
