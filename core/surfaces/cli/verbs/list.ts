import type { SkillFault } from "../../../skill.ts";
import type { Shelf } from "../shelf.ts";
import { jsonResult, printable } from "../text.ts";
import type { Verb, VerbContext } from "../verb.ts";

const HELP = `Names and summaries of the hosted skills: those in the box, then foreign ones.

Usage: skillctl list [--json] [--plugin PATH]

A skill that cannot be used is named on standard error with the reason.
`;

export const verb: Verb = { help: HELP, run };

const NONE: Shelf = { indexed: [], faults: [], refuses: () => false };

async function run(words: readonly string[], context: VerbContext): Promise<number> {
  if (words.length > 0) {
    const { readWords, superfluous } = await import("../words.ts");
    const see = "skillctl list --help";
    const { positionals } = readWords(words, new Map(), see);
    if (positionals[0] !== undefined) {
      throw superfluous(see, "For one skill: skillctl info SKILL");
    }
  }
  const { terminal, options, builtin } = context;
  const foreign =
    options.plugins.length > 0 ? await (await import("../shelf.ts")).foreignShelf(context) : NONE;
  const names = builtin.map(({ manifest }) => manifest.name);
  const summaries = builtin.map(({ manifest }) => manifest.summary);
  for (const one of foreign.indexed) {
    for (let index = 0; index < one.names.length; index += 1) {
      const name = one.names[index] as string;
      if (foreign.refuses(one, name)) continue;
      names.push(name);
      summaries.push(one.summaries[index] as string);
    }
  }
  terminal.out(
    options.json ? document(names, summaries, builtin.length, foreign.faults) : rows(names, summaries),
  );
  if (!options.json && foreign.faults.length > 0)
    terminal.err(printable(foreign.faults.map(faultLine).join("")));
  return 0;
}

function rows(names: readonly string[], summaries: readonly string[]): string {
  let width = 0;
  for (const name of names) width = Math.max(width, name.length);
  let text = "";
  for (let index = 0; index < names.length; index += 1) {
    text += `${(names[index] as string).padEnd(width)}  ${summaries[index]}\n`;
  }
  return printable(text);
}

function document(
  names: readonly string[],
  summaries: readonly string[],
  builtin: number,
  faults: readonly SkillFault[],
): string {
  const skills = names.map((name, index) => ({ name, summary: summaries[index], builtin: index < builtin }));
  return jsonResult({ skills, faults });
}

function faultLine({ skill, sentence, file, pointer }: SkillFault): string {
  const place = pointer === "" ? file : `${file}#${pointer}`;
  return `left out: ${skill}: ${sentence} (${place})\n`;
}
