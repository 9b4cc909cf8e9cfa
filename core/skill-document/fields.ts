import { inspect } from "node:util";

/** A fault in a SKILL.md. */
export interface DocumentFault {
  /** Stable: tools may rely on it. */
  readonly code: DocumentFaultCode;
  /** `warning`: the file is still read, and the skill is not refused. */
  readonly severity: "error" | "warning";
  /** Line of the file, from 1. */
  readonly line: number;
  readonly sentence: string;
  /** The affected field, if there is one. */
  readonly field?: string;
}

export type DocumentFaultCode =
  | "BYTE_ORDER_MARK"
  | "FRONT_MATTER_MISSING"
  | "FRONT_MATTER_OPEN"
  | "YAML_INVALID"
  | "YAML_DUPLICATE_KEY"
  | "FIELD_UNKNOWN"
  | "FIELD_MISSING"
  | "FIELD_TYPE"
  | "FIELD_EMPTY"
  | "FIELD_TOO_LONG"
  | "NAME_CHARACTERS"
  | "NAME_FOLDER"
  | "BODY_EMPTY";

/** The fields of the Agent Skills format, and no others. Lengths in code points. */
const FIELDS = {
  name: { required: true, most: 64 },
  description: { required: true, most: 1024 },
  license: { required: false, most: undefined },
  compatibility: { required: false, most: 500 },
  metadata: { required: false, most: undefined },
  "allowed-tools": { required: false, most: undefined },
} as const;

/** Checks a parsed front matter against the format and returns its description, if valid. `lineOf` returns the line of a top-level key. */
export function checkFields(
  value: unknown,
  folderName: string | undefined,
  lineOf: (key: string) => number,
  typed: readonly string[] = [],
): { readonly description: string | undefined; readonly faults: readonly DocumentFault[] } {
  const faults: DocumentFault[] = [];
  const fault = (code: DocumentFaultCode, key: string, sentence: string): void => {
    faults.push({ code, severity: "error", line: lineOf(key), sentence, field: key });
  };
  const given = isMap(value) ? value : {};
  if (!isMap(value) && value !== undefined && value !== null)
    fault("FIELD_TYPE", "", "The front matter must be a list of fields: name: value.");
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(FIELDS, key)) continue;
    const known = Object.keys(FIELDS).join(", ");
    fault(
      "FIELD_UNKNOWN",
      key,
      `${key} is not a field of the format, which has ${known}. Put your own keys under metadata.`,
    );
  }
  const text = (key: keyof typeof FIELDS): string | undefined => {
    const { required, most } = FIELDS[key];
    if (!Object.hasOwn(given, key)) {
      if (required) fault("FIELD_MISSING", key, `The field ${key} is missing.`);
      return undefined;
    }
    const raw = given[key] ?? "";
    if (typeof raw !== "string") {
      fault(
        "FIELD_TYPE",
        key,
        `${key} must be a string${key === "allowed-tools" ? ", with spaces between the tools" : ""}.`,
      );
      return undefined;
    }
    const trimmed = raw.trim();
    if (trimmed !== "" && typed.includes(key)) {
      fault(
        "FIELD_TYPE",
        key,
        `${key} is not read as a string by other programs: write it in quotes, "${trimmed}".`,
      );
      return undefined;
    }
    if (trimmed === "") {
      fault("FIELD_EMPTY", key, `${key} must not be empty.`);
      return undefined;
    }
    const length = Array.from(trimmed).length;
    if (most !== undefined && length > most)
      fault("FIELD_TOO_LONG", key, `${key} has ${length} characters; at most ${most} are allowed.`);
    return trimmed;
  };
  const name = text("name")?.normalize("NFKC");
  if (name !== undefined) {
    if (!isName(name))
      fault(
        "NAME_CHARACTERS",
        "name",
        `The name ${name} must consist of lowercase letters, digits and single hyphens between them.`,
      );
    if (folderName !== undefined && name !== folderName.normalize("NFKC")) {
      fault("NAME_FOLDER", "name", `The name ${name} is not the name of the folder, ${folderName}.`);
    }
  }
  const description = text("description");
  for (const key of ["license", "compatibility", "allowed-tools"] as const) text(key);
  checkMetadata(given["metadata"], (sentence) => fault("FIELD_TYPE", "metadata", sentence));
  return { description, faults };
}

function isName(name: string): boolean {
  return name === name.toLowerCase() && /^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u.test(name);
}

/** One line; the depth limits the expansion of YAML aliases. */
const SHORT = { depth: 1, breakLength: Infinity, compact: true };

/** Every field except name and description as a text, including those that the format does not define. */
export function otherFields(value: unknown): Readonly<Record<string, string>> {
  if (!isMap(value)) return {};
  const { name: _, description: __, ...others } = value;
  const shown = (one: unknown): string => (typeof one === "string" ? one.trim() : inspect(one, SHORT));
  return Object.fromEntries(Object.entries(others).map(([key, one]) => [key, shown(one)]));
}

function checkMetadata(value: unknown, complain: (sentence: string) => void): void {
  if (value === undefined || value === null) return;
  if (!isMap(value)) return complain("metadata must be a map: indented lines of the form key: value.");
  for (const [key, one] of Object.entries(value))
    if (typeof one !== "string" && one !== null)
      complain(`metadata.${key} must be a string; metadata has one level.`);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
