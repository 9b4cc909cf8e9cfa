import type { Catalog } from "../../../catalog.ts";
import type { SkillFault } from "../../../skill.ts";
import { jsonResult, printable, row, wrapped } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords, superfluous } from "../words.ts";
import { quotedName } from "../../../quoted-name.ts";

const HELP = `Names and summaries of the hosted skills: those in the box, then foreign ones.

Usage: skillctl list [--json] [--plugin PATH]

A skill that cannot be used is named on standard error with the reason.
`;

export const verb: Verb = { help: HELP, run };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  if (readWords(words).positionals.length > 0) throw superfluous("For one skill: skillctl info SKILL");
  const { terminal, options, builtin } = invocation;
  const { skills, faults }: Pick<Catalog, "skills" | "faults"> =
    options.plugins.length > 0 ? (await invocation.host()).catalog : { skills: builtin, faults: [] };
  const rows = skills.map(({ manifest: { name, summary }, builtin: own }) => ({
    name,
    summary: summary.replaceAll(/\s+/g, " "),
    builtin: own,
  }));
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  // One line a skill for a program that reads them.
  const fitting = (summary: string): string =>
    terminal.showsOut ? wrapped(summary, terminal.columns, width + 2) : summary;
  terminal.out(
    options.json
      ? jsonResult({ skills: rows, faults })
      : printable(rows.map(({ name, summary }) => `${name.padEnd(width)}  ${fitting(summary)}\n`).join("")),
  );
  if (!options.json && faults.length > 0) terminal.err(printable(faults.map(faultLine).join("")));
  return 0;
}

export function faultLine({ skill, sentence, file, pointer }: SkillFault): string {
  const place = quotedName(pointer === "" ? file : `${file}#${pointer}`);
  return `${row(`left out: ${quotedName(skill)}: ${sentence} (${place})`)}\n`;
}
