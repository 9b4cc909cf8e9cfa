import { Catalog } from "../../catalog.ts";
import { Guard, type Evaluation } from "../../guard.ts";
import type { Subject } from "../../plugin.ts";
import type { HostedSkill } from "../../skill.ts";
import { Complaints, shown, type CaseTools, type ContractCase } from "./contract-case.ts";
import { dataRules, decisionAt, decisionTable, findingsOf } from "./decision-table.ts";

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
          const { decision, spoke } = await judged(skill, row.subject);
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
async function judged(skill: HostedSkill, subject: Subject) {
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
