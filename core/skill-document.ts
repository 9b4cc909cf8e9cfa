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
  const { value, parsed, faults: yamlFaults } = await readPlainYaml(yaml);
  const checked = checkFields(value, folderName, (key) => lineOf(yaml, key));
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

const KEY = /^(?:"([^"]*)"|'([^']*)'|([^\s:#][^:]*?))[ \t]*:/;

/** Line in the file of a top-level key; the first line of the file when it has none. */
function lineOf(yaml: string, key: string): number {
  const at = yaml.split("\n").findIndex((line) => {
    const [, double, single, plain] = KEY.exec(line) ?? [];
    return (double ?? single ?? plain) === key;
  });
  return at < 0 ? 1 : at + 2;
}
