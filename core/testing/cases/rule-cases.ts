import { join } from "node:path";
import { nodeFiles } from "../../adapters/files.ts";
import type { Decision, Subject } from "../../plugin.ts";
import type { TestHost } from "../test-host.ts";
import { decisionCases } from "./decision-cases.ts";
import { Complaints, shown, type CaseTools, type ContractCase } from "./contract-case.ts";
import { readTables, subjectsIn } from "./rule-tables.ts";

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
  const plan = await host.guard.plan(subject.event, subject.skill);
  const own = plan.filter((planned) => planned.id === id);
  const { findings, decision } = await host.guard.judge(own, subject);
  const failed = findings.find((finding) => finding.failed);
  if (failed) throw new Error(failed.message);
  return decision;
}
