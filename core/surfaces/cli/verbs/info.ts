import { foreignSkills } from "../../../adapters/foreign-skills.ts";
import { Catalog } from "../../../catalog.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { HostedSkill } from "../../../skill.ts";
import { infoDocument } from "../info-document.ts";
import { infoText } from "../info-text.ts";
import { schemasIn } from "../schema-files.ts";
import { nameCatalog } from "../name-catalog.ts";
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
  const names = await nameCatalog(context);
  const skill = whole(names.skill(name));
  const schemas = schemasIn((owner) => names.skill(owner).schemas);
  const document = await infoDocument(skill, new Catalog([skill]), schemas);
  const { terminal, options } = context;
  terminal.out(options.json ? jsonResult(document) : printable(infoText(document, terminal.columns)));
  return 0;
}

/** The skill with all of its manifest; the index has just vouched for the file. */
function whole(skill: HostedSkill): HostedSkill {
  if (skill.builtin) return skill;
  const { skills, faults } = foreignSkills(
    [skill.folder],
    () => undefined,
    () => true,
  );
  const [read] = skills;
  if (read) return read;
  throw new SkillError("MANIFEST_INVALID", faults[0]?.sentence ?? `${skill.folder} has changed just now.`, {
    hint: "Try again.",
  });
}
