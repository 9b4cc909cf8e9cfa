import { SkillError } from "../../../errors/skill-error.ts";
import { catalogOf } from "../catalog.ts";
import { infoDocument } from "../info-document.ts";
import { infoText } from "../info-text.ts";
import { schemasIn } from "../schema-files.ts";
import { jsonResult, printable } from "../text.ts";
import type { Verb, VerbContext } from "../verb.ts";
import { readWords, superfluous } from "../words.ts";

const SEE = "skillctl info --help";
const HELP = `What one skill contributes: commands, routes, rules, ports, permissions,
settings, prompts and errors. Loads none of its code.

Usage: skillctl info SKILL [--json]
`;

export const verb: Verb = { help: HELP, run };

async function run(words: readonly string[], context: VerbContext): Promise<number> {
  const [name, more] = readWords(words, new Map(), SEE).positionals;
  if (more !== undefined) throw superfluous(SEE);
  if (name === undefined) {
    throw new SkillError("USAGE", "No skill is named.", {
      hint: "skillctl info SKILL; `skillctl list` shows the skills.",
    });
  }
  const catalog = await catalogOf(context);
  const schemas = schemasIn((owner) => catalog.skill(owner).schemas);
  const document = await infoDocument(catalog.skill(name), catalog, schemas);
  const { terminal, options } = context;
  terminal.out(options.json ? jsonResult(document) : printable(infoText(document, terminal.columns)));
  return 0;
}
