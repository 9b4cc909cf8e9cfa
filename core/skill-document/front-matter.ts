import type { DocumentFault, DocumentFaultCode } from "./fields.ts";

/** A SKILL.md, split into front matter and body. */
export interface CutDocument {
  /** The lines between the delimiters; undefined when there is no complete front matter. */
  readonly yaml: string | undefined;
  /** Everything after the closing delimiter, unchanged. */
  readonly body: string;
  readonly faults: readonly DocumentFault[];
}

const DELIMITER = /^---[ \t]*$/;

/** Splits at lines that contain only `---`, so that `---` inside a value has no effect. */
export function cutDocument(text: string): CutDocument {
  const faults: DocumentFault[] = [];
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (plain !== text) {
    const sentence = "The file starts with a byte-order mark, which some readers refuse.";
    faults.push({ code: "BYTE_ORDER_MARK", severity: "warning", line: 1, sentence });
  }
  const lines = plain.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (!DELIMITER.test(lines[0] ?? "")) {
    const sentence = "The first line must be ---, the start of the front matter.";
    faults.push({ code: "FRONT_MATTER_MISSING", severity: "error", line: 1, sentence });
    return { yaml: undefined, body: plain, faults };
  }
  const end = lines.findIndex((line, index) => index > 0 && DELIMITER.test(line));
  if (end < 0) {
    const sentence = "The front matter is never closed: a line that is only --- is missing.";
    faults.push({ code: "FRONT_MATTER_OPEN", severity: "error", line: 1, sentence });
    return { yaml: undefined, body: "", faults };
  }
  const body = plain
    .split("\n")
    .slice(end + 1)
    .join("\n");
  return { yaml: lines.slice(1, end).join("\n"), body, faults };
}

/** The value of a front matter, all scalars as strings, and why it cannot be read. */
export interface PlainYaml {
  /** Undefined when it cannot be parsed at all. */
  readonly value: unknown;
  /** The keys whose value other readers take for a YAML boolean, number, date or null. */
  readonly typed: readonly string[];
  readonly parsed: boolean;
  readonly faults: readonly DocumentFault[];
}

/** The front matter starts on the second line of the file; js-yaml counts from 0. */
const FIRST_LINE = 2;

/** The booleans of YAML 1.1, which many readers still follow. */
const OLD_TRUTH = /^(?:y|yes|n|no|on|off)$/i;

/** Parses the YAML of a front matter. */
export async function readPlainYaml(yaml: string): Promise<PlainYaml> {
  const { default: parser } = await import("js-yaml");
  try {
    const value = parser.load(yaml, { schema: parser.FAILSAFE_SCHEMA });
    const typed = Object.entries(Object(parser.load(yaml)) as object).flatMap(([key, one]) => {
      const isText = typeof one === "string" && !OLD_TRUTH.test(one);
      return isText || (typeof one === "object" && one !== null && !(one instanceof Date)) ? [] : [key];
    });
    return { value, typed, parsed: true, faults: [] };
  } catch (caught) {
    if (!(caught instanceof parser.YAMLException)) throw caught;
    const line = caught.mark?.line ?? 0;
    const isTwice = caught.reason.includes("duplicated mapping key");
    const code = isTwice ? "YAML_DUPLICATE_KEY" : "YAML_INVALID";
    const sentence = sentenceOf(code, caught.reason, yaml, line);
    const fault = { code, severity: "error", line: line + FIRST_LINE, sentence } as const;
    return { value: undefined, typed: [], parsed: false, faults: [fault] };
  }
}

function sentenceOf(code: DocumentFaultCode, reason: string, yaml: string, line: number): string {
  const around = yaml.split("\n").slice(Math.max(0, line - 1), line + 1);
  if (code === "YAML_DUPLICATE_KEY") return "The key occurs here for the second time.";
  const colon = around.find((text) => {
    const value = text.slice(text.indexOf(":") + 1).trim();
    return /^[a-z-]+:[ \t]/.test(text) && !/^["'|>]/.test(value) && /:(?:[ \t]|$)/.test(value);
  });
  if (colon !== undefined) return `A value with a colon must be quoted: ${colon.slice(0, 60).trim()}`;
  return `The front matter is not valid YAML: ${reason}.`;
}
