import { checkFields, otherFields, type DocumentFault } from "./skill-document/fields.ts";
import { cutDocument, readPlainYaml } from "./skill-document/front-matter.ts";

export {
  RULES_BEGIN,
  RULES_END,
  rulesText,
  toldRule,
  withRules,
  withoutRules,
  type ToldRule,
} from "./skill-document/rules-block.ts";
export type { DocumentFault, DocumentFaultCode } from "./skill-document/fields.ts";

/** The content of a SKILL.md. */
export interface SkillDocument {
  /** Undefined if missing or invalid; `faults` then says why. */
  readonly description: string | undefined;
  /** The other fields as texts, including those that the format does not define. */
  readonly fields: Readonly<Record<string, string>>;
  /** The instructions: all text after the front matter, unchanged. */
  readonly body: string;
  /** Sorted by line; empty if the document is valid. */
  readonly faults: readonly DocumentFault[];
}

/**
 * Parses a SKILL.md in the Agent Skills format. Never throws for an invalid text: `faults` describes it. If `folderName`
 * is given, the name must equal it.
 */
export async function readSkillDocument(text: string, folderName?: string): Promise<SkillDocument> {
  const { yaml = "", body, faults: cuts } = cutDocument(text);
  const { value, typed, parsed, faults: yamlFaults } = await readPlainYaml(yaml);
  const checked = checkFields(value, folderName, (key) => lineOf(yaml, key), typed);
  const faults: DocumentFault[] = [...cuts, ...yamlFaults];
  const cut = cuts.every(({ severity }) => severity === "warning");
  // A missing front matter is one fault, without one more for each of its fields.
  if (cut && parsed) faults.push(...checked.faults);
  if (cut && body.trim() === "") {
    const sentence = "There are no instructions after the front matter.";
    faults.push({ code: "BODY_EMPTY", severity: "warning", line: text.split("\n").length, sentence });
  }
  const { description } = checked;
  return { description, fields: otherFields(value), body, faults: faults.sort((a, b) => a.line - b.line) };
}

/** Line number of a top-level key; the first line if the key is missing. */
function lineOf(yaml: string, key: string): number {
  const at = yaml.split("\n").findIndex((line) => keyOf(line) === key);
  return at < 0 ? 1 : at + 2;
}

/** The key at the start of a YAML line, without quotes. */
function keyOf(line: string): string | undefined {
  const quote = line.startsWith('"') || line.startsWith("'") ? line.charAt(0) : undefined;
  if (quote === undefined) return line.slice(0, Math.max(0, line.indexOf(":"))).trimEnd() || undefined;
  const end = line.indexOf(quote, 1);
  return end > 0 &&
    line
      .slice(end + 1)
      .trimStart()
      .startsWith(":")
    ? line.slice(1, end)
    : undefined;
}
