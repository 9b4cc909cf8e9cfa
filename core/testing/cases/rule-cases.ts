import { join } from "node:path";
import { nodeFiles } from "../../adapters/files.ts";
import { Catalog } from "../../catalog.ts";
import { Guard, type Evaluation } from "../../guard.ts";
import type { Decision, Subject } from "../../plugin.ts";
import type { HostedSkill } from "../../skill.ts";
import { Complaints, shown, type CaseTools, type ContractCase } from "./contract-case.ts";
import { dataRules, decisionAt, decisionTable, findingsOf } from "./decision-table.ts";
import type { TestHost } from "../test-host.ts";

/** The two tables of a rule: `rules/<rule>.json` beside the manifest. */
interface RuleTables {
  readonly passes: readonly Subject[];
  readonly stops: readonly { readonly subject: Subject; readonly decision: Decision }[];
}

/** @throws Error when a rule has no tables, or an empty one. */
export async function readTables(folder: string, rule: string): Promise<RuleTables> {
  const path = join(folder, "rules", `${rule}.json`);
  const text = await nodeFiles.readText(path);
  if (text === undefined) throw new Error(`The rule has no tables: ${path} is missing.`);
  const { passes, stops } = JSON.parse(text) as Partial<RuleTables>;
  if (!passes?.length) throw new Error(`${path} has no case that passes.`);
  if (!stops?.length) throw new Error(`${path} has no case that is stopped.`);
  return { passes, stops };
}

/** Every request in the tables of rules. Tables that are missing or empty are passed over: they fail a case of their own. */
export async function subjectsIn(folder: string, rules: readonly string[]): Promise<readonly Subject[]> {
  const tables = rules.map(async (rule) => {
    const { passes, stops } = await readTables(folder, rule).catch(() => ({ passes: [], stops: [] }));
    return [...passes, ...stops.map(({ subject }) => subject)];
  });
  return (await Promise.all(tables)).flat();
}

/** Each rule against its two tables. A rule without tables, or with an empty one, fails. */
export async function ruleCases(tools: CaseTools): Promise<readonly ContractCase[]> {
  const { skill, open } = tools;
  const { name, rules = {} } = skill.manifest;
  const cases = Object.entries(rules)
    .filter(([, { enforced }]) => enforced !== false)
    .map(([rule, { on = [] }]) => ({
      skill: name,
      title: `rule ${rule}: lets pass and stops what its tables say`,
      run: async () => {
        const tables = await readTables(skill.folder, rule);
        await using test = await open();
        const complaints = new Complaints();
        // A rule's time to answer is not what is tried here: opening its plugin may take long.
        if (rules[rule]?.handler) await test.host.activator.rule(name, rule).catch(() => undefined);
        for (const subject of tables.passes) {
          const decision = await judged(test, `${name}/${rule}`, subject);
          if (decision !== "allow") complaints.add(`${shown(subject)} gets ${decision} and should pass.`);
        }
        for (const { subject, decision: wanted } of tables.stops) {
          const decision = await judged(test, `${name}/${rule}`, subject);
          if (decision !== wanted) complaints.add(`${shown(subject)} gets ${decision} instead of ${wanted}.`);
        }
        const events = new Set(
          [...tables.passes, ...tables.stops.map(({ subject }) => subject)].map(({ event }) => event),
        );
        for (const event of on)
          if (!events.has(event)) complaints.add(`The tables have no case at ${event}.`);
        complaints.raise();
      },
    }));
  const strays = ((await nodeFiles.list(join(skill.folder, "rules"))) ?? []).filter(
    (file) => rules[file.replace(/\.json$/, "")]?.on === undefined,
  );
  const own = {
    skill: name,
    title: "rules: every table belongs to a rule",
    run: async () => {
      if (strays.length > 0) throw new Error(`No rule has the tables ${strays.join(", ")}.`);
    },
  };
  const given = (): Promise<readonly Subject[]> => subjectsIn(skill.folder, Object.keys(rules));
  return cases.length + strays.length === 0 ? [] : [...cases, ...decisionCases(tools, given), own];
}

/** What one rule says of a subject; a rule that fails to decide throws. */
async function judged({ host }: TestHost, id: string, subject: Subject): Promise<Decision> {
  const plan = host.guard.plan(subject.event, subject.skill);
  const own = plan.filter((planned) => planned.id === id);
  const { findings, decision } = await host.guard.judge(own, subject);
  const failed = findings.find((finding) => finding.failed);
  if (failed) throw new Error(failed.message);
  return decision;
}

/**
 * All rules that are data before a whole table of requests: the guard and a second validator say the same of each, and no
 * rule is unreachable or shadowed.
 */
export function decisionCases(
  { skill, schemas }: CaseTools,
  given: () => Promise<readonly Subject[]>,
): readonly ContractCase[] {
  const { name } = skill.manifest;
  const rules = dataRules(skill.manifest);
  if (rules.length === 0) return [];
  return [
    {
      skill: name,
      title:
        "rules: the decision table of all that are data agrees with a second validator, and each rule matters",
      run: async () => {
        const fits = await schemas.check("core/guard-request");
        const rows = decisionTable(name, rules, await given(), fits);
        const complaints = new Complaints();
        for (const row of rows) {
          const { decision, spoke } = await judgedByData(skill, row.subject);
          const expected = row.speaking.map(({ id }) => id).sort();
          if (decision !== decisionAt(row) || spoke.join() !== expected.join())
            complaints.add(
              `${shown(row.subject)} gets ${decision} of ${spoke.join(", ") || "no rule"} instead of ${decisionAt(row)} of ${expected.join(", ") || "no rule"}.`,
            );
        }
        for (const { sentence } of findingsOf(rules, rows)) complaints.add(sentence);
        complaints.raise();
      },
    },
  ];
}

/** What the guard says when only rules that are data are asked. */
async function judgedByData(skill: HostedSkill, subject: Subject) {
  const rules = Object.fromEntries(
    Object.entries(skill.manifest.rules ?? {}).filter(([, { decision }]) => decision !== undefined),
  );
  const records: Evaluation[] = [];
  const catalog = new Catalog([{ ...skill, manifest: { ...skill.manifest, rules } }]);
  const handlers = { rule: () => Promise.reject(new Error("No handler is asked here.")) };
  const guard = new Guard(catalog, handlers, {
    audit: { record: (evaluation) => void records.push(evaluation) },
  });
  const { decision } = await guard.decide(subject);
  const spoke = records.flatMap(({ findings }) => findings.map(({ rule }) => rule));
  return { decision, spoke: spoke.sort() };
}
