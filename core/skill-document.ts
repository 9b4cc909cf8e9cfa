import { checkFields, type DocumentFault } from "./skill-document/fields.ts";
import { cutDocument, readPlainYaml } from "./skill-document/front-matter.ts";

export {
  RULES_BEGIN,
  rulesText,
  toldRule,
  withRules,
  withoutRules,
  type ToldRule,
} from "./skill-document/rules-block.ts";
export type { DocumentFault, DocumentFaultCode } from "./skill-document/fields.ts";

/** A SKILL.md as it was read. */
export interface SkillDocument {
  /** Undefined where it does not fit, which is a fault. */
  readonly description: string | undefined;
  /** The instructions: everything after the front matter, as it stands. */
  readonly body: string;
  /** In the order of the lines; empty when the document is in order. */
  readonly faults: readonly DocumentFault[];
}

/**
 * Reads a SKILL.md by the Agent Skills format. Nothing is thrown for a text that does not fit: its faults say why.
 * `folderName` is what the name must equal; without it that is not checked.
 */
export async function readSkillDocument(text: string, folderName?: string): Promise<SkillDocument> {
  const { yaml = "", body, faults: cuts } = cutDocument(text);
  const { value, typed, parsed, faults: yamlFaults } = await readPlainYaml(yaml);
  const checked = checkFields(value, folderName, (key) => lineOf(yaml, key), typed);
  const faults: DocumentFault[] = [...cuts, ...yamlFaults];
  const cut = cuts.every(({ severity }) => severity === "warning");
  // What was not found has one fault, not one more for every field that is not in it.
  if (cut && parsed) faults.push(...checked.faults);
  if (cut && body.trim() === "") {
    const sentence = "There are no instructions after the front matter.";
    faults.push({ code: "BODY_EMPTY", severity: "warning", line: text.split("\n").length, sentence });
  }
  return { description: checked.description, body, faults: faults.sort((a, b) => a.line - b.line) };
}

/** Line in the file of a top-level key; the first line of the file when it has none. */
function lineOf(yaml: string, key: string): number {
  const at = yaml.split("\n").findIndex((line) => keyOf(line) === key);
  return at < 0 ? 1 : at + 2;
}

/** The key that a line of YAML begins with, without its quotes. */
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
