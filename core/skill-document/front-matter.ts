import type { DocumentFault } from "./fault.ts";

/** A SKILL.md cut in two. */
export interface CutDocument {
  /** The lines between the delimiters; undefined when there is no complete front matter. */
  readonly yaml: string | undefined;
  /** Everything after the closing delimiter, as it stands. */
  readonly body: string;
  readonly faults: readonly DocumentFault[];
}

const DELIMITER = /^---[ \t]*$/;

/** Cuts at lines that are `---` and nothing else, so that `---` inside a value cuts nothing. */
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
