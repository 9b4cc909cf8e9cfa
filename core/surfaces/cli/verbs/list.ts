import type { SkillFault, SkillSummary } from "../../../skill.ts";
import { fittingError, jsonResult, printable, row, wrapped } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords, SERVED_FLAGS, SERVED_HELP, superfluous, type ReadWords } from "../words.ts";
import { quotedName } from "../../../quoted-name.ts";

const HELP = `Names and summaries of the hosted skills: the built-in ones, third-party
ones, and plain SKILL.md folders, which are documents.

Usage: skillctl list [--only NAMES] [--without NAMES] [--json] [--plugin PATH]

Flags:
${SERVED_HELP}
A skill that cannot be used is named on standard error with the reason.
`;

export const verb: Verb = { help: HELP, flags: SERVED_FLAGS, run };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const read = readWords(words, SERVED_FLAGS);
  if (read.positionals.length > 0) throw superfluous("For one skill: skillctl info SKILL");
  const { terminal, options } = invocation;
  const { skills, faults, withheld } = await listed(read, invocation);
  const rows = skills.map((one) => ({ ...one, summary: one.summary.replaceAll(/\s+/g, " ") }));
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  // One line per skill for other programs.
  const fitting = ({ summary, document }: (typeof rows)[number]): string => {
    const text = document ? `Document: ${summary}` : summary;
    return terminal.showsOut ? wrapped(text, terminal.columns, width + 2) : text;
  };
  terminal.out(
    options.json
      ? jsonResult({ skills: rows, faults })
      : printable(rows.map((one) => `${one.name.padEnd(width)}  ${fitting(one)}\n`).join("")),
  );
  if (options.json) return 0;
  if (faults.length > 0) terminal.err(fittingError(faults.map(faultLine).join(""), terminal));
  if (withheld.length > 0) terminal.err(`Not served: ${withheld.join(", ")}.\n`);
  return 0;
}

interface ListedSkill extends SkillSummary {
  readonly builtin: boolean;
  readonly document?: true;
}

interface ListedSkills {
  readonly skills: readonly ListedSkill[];
  readonly faults: readonly SkillFault[];
  /** Names of hosted skills that are not served. */
  readonly withheld: readonly string[];
}

/** Built-in skills alone need neither a host nor a catalogue nor whole manifests, which take time to load. */
async function listed(read: ReadWords, invocation: Invocation): Promise<ListedSkills> {
  const { options, builtin, summaries, skills } = invocation;
  const isAll = read.flags.size === 0 && skills === undefined;
  const documents = await invocation.documents();
  const hasDocuments = documents.skills.length + documents.faults.length > 0;
  if (isAll && options.plugins.length === 0 && !hasDocuments)
    return { skills: summaries().map((one) => listedSkill(one, true)), faults: [], withheld: [] };
  const [{ Catalog }, { servedSkills }] = await Promise.all([
    import("../../../catalog.ts"),
    import("../served.ts"),
  ]);
  const hosted =
    options.plugins.length > 0
      ? (await invocation.host()).catalog
      : new Catalog([...(await builtin()), ...documents.skills], documents.faults);
  const served = hosted.served(servedSkills(read, invocation, hosted));
  const shown = served.skills.map((one) => listedSkill(one.manifest, one.builtin, one.document));
  return { skills: shown, faults: served.faults, withheld: served.withheld() };
}

function listedSkill({ name, summary }: SkillSummary, builtin: boolean, document?: unknown): ListedSkill {
  return { name, summary, builtin, ...(document !== undefined && { document: true }) };
}

export function faultLine({ skill, sentence, file, pointer }: SkillFault): string {
  const place = quotedName(pointer === "" ? file : `${file}#${pointer}`);
  return `${row(`left out: ${quotedName(skill)}: ${sentence} (${place})`)}\n`;
}
