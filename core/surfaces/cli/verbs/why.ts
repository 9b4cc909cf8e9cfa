import { APPROVED, readAudit, type AuditLine, type AgentOutcome } from "../../../adapters/audit-file.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { OWN_RULES } from "../../../guard/own/own-rules.ts";
import { answer, wrapped } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords } from "../words.ts";

const HELP = `Explains a decision of the rules.

Usage: skillctl why [ID] [--json]

  ID      the id of the decision. Default: the last one

Decisions are recorded in the state folder: time, rules, messages, and a hash of
the request.
`;

/** Explains a decision of the rules. */
export const verb: Verb = { help: HELP, run };

/** A rule that decided, with its sentence for the model. */
type RuleExplanation = AuditLine["rules"][number] & { readonly tell: string };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const [id] = readWords(words, {}, 1).positionals;
  const { stateFolder } = processEnvironment(invocation.variables, invocation.workingFolder);
  const lines = readAudit(stateFolder);
  const line = id === undefined ? lines.at(-1) : lines.findLast((one) => one.id === id);
  if (!line) throw unknown(id);
  const told = await tells(invocation);
  const rules = line.rules.map((one): RuleExplanation => ({ ...one, tell: told.get(one.rule) ?? "" }));
  const explained = { ...line, rules };
  answer(invocation, explained, () => textOf(explained, invocation.terminal.columns));
  return 0;
}

/** The sentences of all rules for the model; for rules outside of skills, their messages. */
async function tells(invocation: Invocation): Promise<ReadonlyMap<string, string>> {
  const { catalog } = await invocation.host();
  const found = new Map<string, string>();
  for (const { manifest } of catalog.skills) {
    for (const [name, { tell }] of Object.entries(manifest.rules ?? {}))
      found.set(`${manifest.name}/${name}`, tell);
  }
  for (const [name, { tell }] of Object.entries(OWN_RULES)) found.set(`core/${name}`, tell);
  for (const [tier, rules] of Object.entries(await invocation.rules())) {
    for (const [name, { message }] of Object.entries(rules)) found.set(`${tier}/${name}`, message);
  }
  return found;
}

const IDLE: Readonly<Record<string, string>> = {
  audit: "recorded only: the rule is in audit mode",
  lifted: "approved by a rule of a higher tier",
};

function textOf(
  line: Omit<AuditLine, "rules"> & { readonly rules: readonly RuleExplanation[] },
  columns: number,
): string {
  const { id, decision, said, at, tookUs, event, tool, skill, name, origin, surface, session, request } =
    line;
  const about = [tool, skill, name].filter((part) => part !== undefined).join(" ");
  const head = [
    `${id}: ${decision}, ${at}, ${(tookUs / 1_000).toFixed(1)} ms`,
    `${event}${about === "" ? "" : ` (${about})`} through ${origin ?? surface}${session === undefined ? "" : `, session ${session}`}`,
    ...(said ? [saidLine(said, decision)] : []),
    `request: sha256 ${request}`,
  ];
  const rules = line.rules.map(({ rule, version, decision: own, idle, failed, failure, tell, message }) => {
    const notes = [failed && failedNote(failure), idle !== undefined && (IDLE[idle] ?? idle)].filter(Boolean);
    const first = `  ${own}  ${rule}, version ${version}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`;
    const told = tell === "" ? "The rule is not hosted here." : tell;
    const further = message === undefined || failed || message === tell ? [] : [`Message: ${message}`];
    const below = [told, ...further].map((text) => wrapped(text, columns - 8));
    return `${first}\n${below.join("\n").replaceAll(/^(?=.)/gm, "        ")}`;
  });
  return `${[...head, ...rules].join("\n")}\n`;
}

function failedNote(failure: string | undefined): string {
  return failure === undefined ? "failed to decide" : `failed to decide: ${failure}`;
}

const BECAME: Readonly<Record<string, string>> = { deny: "denied", ask: "asked", warn: "reported only" };

/** The outcome of a decision, and the reason why it changed. */
function saidLine({ decision: said, by }: AgentOutcome, decision: string): string {
  if (said === APPROVED) return `approved for this call by a person (${by})`;
  const verb = decision === "transform" ? "change the input in this way" : decision;
  return `${BECAME[said] ?? said}: ${by} cannot ${verb} here`;
}

function unknown(id: string | undefined): SkillError {
  if (id === undefined)
    return new SkillError("NOT_FOUND", "No decision of a rule is recorded yet.", {
      hint: "Only requests about which a rule decides are recorded.",
    });
  return new SkillError("NOT_FOUND", `No decision ${id} is recorded.`, {
    hint: "Without an ID the last one is explained. Old ones are removed when the log is full.",
  });
}
