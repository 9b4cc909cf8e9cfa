import type { Host } from "../../../composition.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { ownRuleFaults } from "../own-rules.ts";
import type { VerbContext } from "../verb.ts";
import { fail, warn, type Check } from "./check.ts";

/** The rules of the working folder, the person and the machine: those that do not do what they seem to. */
export async function ruleChecks(context: VerbContext, { catalog }: Host): Promise<readonly Check[]> {
  try {
    const faults = await ownRuleFaults(context, catalog);
    return faults.map(({ tier, rule, sentence }) =>
      warn(sentence, `Mend the rule ${rule} in ${tier === "workspace" ? "" : `the ${tier}'s `}skillctl.json`),
    );
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    return [fail(caught.message, caught.hint ?? "Mend the file")];
  }
}
