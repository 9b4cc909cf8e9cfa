import { isUtf8 } from "node:buffer";
import { basename } from "node:path";
import { pointerOf } from "../schema/fault.ts";
import { isObject } from "../schema/json.ts";
import { SkillError } from "../errors/skill-error.ts";
import { jsonFault } from "../adapters/json-fault.ts";
import type { Files } from "../ports/files.ts";
import { quotedName } from "../quoted-name.ts";

/** One fault in a file of a skill. */
export interface ValidationFault {
  /** Absolute. */
  readonly file: string;
  /** JSON pointer into the file; "" is the whole file. */
  readonly pointer: string;
  /** Line number from 1, for files that are not JSON. */
  readonly line?: number;
  /** A code of the error table or of `DocumentFaultCode`. */
  readonly code: string;
  /** `warning`: does not prevent the use of the skill. */
  readonly severity: "error" | "warning";
  readonly sentence: string;
}

/** Reports a fault of one file under a default code. */
export type FaultReporter = (
  pointer: string,
  sentence: string,
  code?: string,
  severity?: ValidationFault["severity"],
) => void;

/** A reporter that appends to a list. The default severity is `error`. */
export function reporterInto(faults: ValidationFault[], file: string, standard: string): FaultReporter {
  return (pointer, sentence, code = standard, severity = "error") => {
    faults.push({ file, pointer, code, severity, sentence });
  };
}

/** Reads a JSON object; undefined, with a fault, if the file is missing, unreadable or invalid. `missing` is the sentence for a missing file. */
export async function readJson(
  files: Files,
  file: string,
  missing: string,
  report: FaultReporter,
): Promise<unknown> {
  const text = await readText(files, file, missing, report);
  if (text === undefined) return undefined;
  const plain = text.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch {
    report("", `The file is not valid JSON: ${jsonFault(plain)}.`);
    return undefined;
  }
  try {
    for (const pointer of await duplicateKeys(plain))
      report(pointer, `${quotedName(pointer)} occurs twice; only the last one would be used.`);
  } catch (caught) {
    if (!(caught instanceof RangeError)) throw caught;
    report("", "The file is nested too deep.");
    return undefined;
  }
  if (isObject(value)) return value;
  report("", "The file must hold one JSON object.");
  return undefined;
}

/** The text of a file, or undefined with a fault. */
export async function readText(
  files: Files,
  file: string,
  missing: string,
  report: FaultReporter,
): Promise<string | undefined> {
  try {
    const text = await files.readText(file);
    if (text === undefined) report("", missing);
    // Stands for bytes that cannot be decoded, or for itself.
    if (text?.includes("\uFFFD") !== true || isUtf8((await files.readBytes(file)) ?? new Uint8Array()))
      return text;
    report("", `${quotedName(basename(file))} is not in UTF-8: save it as UTF-8.`);
    return undefined;
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    report("", caught.message, caught.code);
    return undefined;
  }
}

/**
 * Pointers of duplicate keys in a JSON text. `JSON.parse` silently keeps the last one, so a whole command could be
 * lost.
 */
async function duplicateKeys(text: string): Promise<readonly string[]> {
  const { visit } = await import("jsonc-parser/lib/esm/main.js");
  const keys = new Set<string>();
  const twice: string[] = [];
  visit(text, {
    onObjectProperty: (name, _offset, _length, _line, _character, path) => {
      const pointer = pointerOf(...path(), name);
      // Keys below a duplicate key belong to the same mistake.
      if (keys.has(pointer) && !twice.some((outer) => pointer.startsWith(`${outer}/`))) twice.push(pointer);
      keys.add(pointer);
    },
  });
  return twice;
}
