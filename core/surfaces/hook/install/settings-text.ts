import {
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser/lib/esm/main.js";
import { SkillError } from "../../../errors/skill-error.ts";

/** A settings file, read: JSON with or without comments. */
export interface SettingsText {
  /** Without a byte order mark. */
  readonly text: string;
  readonly root: Node;
}

const BOM = "\uFEFF";

/** The text of a file's bytes, `{}` for blanks alone, and what is put before it again. @throws SkillError `CONFIG_INVALID` */
export function decoded(bytes: Uint8Array, file: string): { readonly mark: string; readonly text: string } {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw unusable(file, "it is no UTF-8", cause);
  }
  const mark = text.startsWith(BOM) ? BOM : "";
  const rest = text.slice(mark.length);
  return { mark, text: rest.trim() === "" ? "{}" : rest };
}

/** Reads settings. @throws SkillError `CONFIG_INVALID` for what is no JSON object, or says something twice. */
export function readSettings(text: string, file: string): SettingsText {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  const [error] = errors;
  if (error) {
    const line = text.slice(0, error.offset).split(/\r\n|\n|\r/).length;
    throw unusable(file, `line ${line} is no JSON (${printParseErrorCode(error.error)})`);
  }
  if (root?.type !== "object") throw unusable(file, "it is no JSON object");
  return { text, root };
}

/** The value of an object's property; undefined when there is none. @throws SkillError `CONFIG_INVALID` for two of a name. */
export function member(object: Node, name: string, file: string): Node | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  if (found.length > 1) throw unusable(file, `it has "${name}" twice`);
  return found[0]?.children?.[1];
}

/** Whether there is something that JSON with comments has and JSON has not. */
export function hasComments(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

/** What a part of the settings says. */
export function valueOf(node: Node): unknown {
  return getNodeValue(node);
}

export function unusable(file: string, reason: string, cause?: unknown): SkillError {
  return new SkillError("CONFIG_INVALID", `${file} is left as it is: ${reason}.`, {
    file,
    hint: "Mend the file, or move it away, and try again.",
    ...(cause !== undefined && { cause }),
  });
}
