import { offers, type Catalog, type CommandEntry } from "../../catalog.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { nearest } from "../../nearest.ts";

/** A command, and the words that are its own. */
export interface Chosen {
  readonly entry: CommandEntry;
  readonly words: readonly string[];
}

const NAME_LIKE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Which command of a skill the words after its name ask for: the first word where it names one, else the default.
 * @throws SkillError `UNKNOWN_SKILL`, `UNKNOWN_COMMAND`; also where the first word looks like a mistyped command.
 */
export function chooseCommand(catalog: Catalog, skill: string, words: readonly string[]): Chosen {
  const { commands = {} } = catalog.skill(skill).manifest;
  const [first, ...rest] = words;
  if (first !== undefined && Object.hasOwn(commands, first))
    return { entry: catalog.command(skill, first), words: rest };
  const preset = Object.keys(commands).find((name) => commands[name]?.default);
  const takesWords = preset !== undefined && (commands[preset]?.positional ?? []).length > 0;
  if (first === undefined || first.startsWith("-") || (takesWords && !NAME_LIKE.test(first))) {
    return { entry: defaultOf(catalog, skill, preset), words };
  }
  const guess = nearest(first, Object.keys(commands));
  if (!takesWords && guess !== undefined) return { entry: catalog.command(skill, first), words: rest };
  // What is near to no name is not repeated: it may be a token that was pasted there.
  if (!takesWords)
    throw new SkillError("UNKNOWN_COMMAND", `${skill} has no command of that name.`, {
      hint: `Its commands: ${namesOf(catalog, skill).join(", ") || "none"}.`,
    });
  if (guess === undefined) return { entry: catalog.command(skill, preset), words };
  throw new SkillError("UNKNOWN_COMMAND", `${skill} has no command "${first}".`, {
    hint: `Did you mean ${guess}? To pass it as text: skillctl run ${skill} ${preset} ${first}`,
  });
}

function defaultOf(catalog: Catalog, skill: string, preset: string | undefined): CommandEntry {
  if (preset !== undefined) return catalog.command(skill, preset);
  const names = namesOf(catalog, skill);
  const hint =
    names.length > 0 ? `Name one of its commands: ${names.join(", ")}.` : "It has rules or routes only.";
  throw new SkillError("UNKNOWN_COMMAND", `${skill} has no default command.`, { hint });
}

function namesOf(catalog: Catalog, skill: string): readonly string[] {
  const entries = catalog.commands("cli").filter((entry) => entry.skill === skill);
  return entries.filter(({ command }) => offers(command, "cli")).map(({ name }) => name);
}
