import { quotedName } from "../../quoted-name.ts";
import { join } from "node:path";
import type { RuleCases, StoppedCase } from "../../contract.ts";
import { nodeFiles } from "../../adapters/files.ts";
import { jsonFault } from "../../adapters/json-fault.ts";
import type { Decision, Subject } from "../../plugin.ts";
import { Complaints, shown, toldIn, type CaseTools, type SkillCase } from "./contract-case.ts";
import type { TestHost } from "../test-host.ts";
import { parsedJson } from "../../schema/json.ts";
import type { Schemas } from "../../schema/schemas.ts";

/** The two tables of a rule: `rules/<rule>.json` beside the manifest. */
interface RuleTables extends Record<keyof RuleCases, unknown> {
  readonly passes: readonly Subject[];
  readonly stops: readonly (Pick<StoppedCase, "decision"> & { readonly subject: Subject })[];
}

/** @throws Error if a rule has no tables, or some that do not fit `core/rule-cases`. */
export async function readTables(folder: string, rule: string, schemas: Schemas): Promise<RuleTables> {
  const path = join(folder, "rules", `${rule}.json`);
  const text = await nodeFiles.readText(path);
  if (text === undefined) throw new Error(`The rule has no tables: ${path} is missing.`);
  let tables: unknown;
  try {
    tables = parsedJson(text);
  } catch (caught) {
    throw new Error(`${path} is not JSON: ${jsonFault(text)}.`, { cause: caught });
  }
  const fault = (await schemas.check("core/rule-cases"))(tables);
  if (fault) throw new Error(`${path}#${fault.pointer}: ${fault.sentence}`);
  return tables as RuleTables;
}

/** Evaluates each rule on its two tables. A rule without tables, or with an empty one, fails. */
export async function ruleCases({
  skill,
  schemas,
  open,
  coverage,
}: CaseTools): Promise<readonly SkillCase[]> {
  const { name, rules = {} } = skill.manifest;
  for (const [rule, { enforced }] of Object.entries(rules))
    if (
      enforced !== false &&
      (await nodeFiles.facts(join(skill.folder, "rules", `${rule}.json`))) === undefined
    )
      coverage.miss(name, `rule ${rule}`, `rules/${rule}.json is missing`);
  const cases = Object.entries(rules)
    .filter(([, { enforced }]) => enforced !== false)
    .map(([rule, { on = [], handler }]) => ({
      title: `rule ${rule}: passes and stops the cases of its tables`,
      run: async () => {
        const { passes, stops } = await readTables(skill.folder, rule, schemas);
        const wanted = [
          ...passes.map((subject, index) => ({ at: `passes/${index}`, subject, decision: "allow" as const })),
          ...stops.map((stop, index) => ({ at: `stops/${index}/subject`, ...stop })),
        ];
        await using test = await open();
        const complaints = new Complaints();
        const check = await schemas.check("core/guard-request");
        // The time limit is not tested here, since opening the plugin may take long.
        if (handler) await test.host.activator.rule(name, rule).catch(() => undefined);
        for (const { at, subject, decision: expected } of wanted) {
          const place = `rules/${rule}.json#/${at}`;
          const fault = check(subject);
          if (fault) complaints.add(`${place}: ${shown(subject)} is not a valid request: ${fault.sentence}`);
          const decision = await judged(test, `${name}/${rule}`, subject);
          if (decision !== expected)
            complaints.add(
              `${place}: ${shown(subject)} gets ${decision} ${expected === "allow" ? "but should pass" : `instead of ${expected}`}.${await unfitInput(skill, schemas, subject)}`,
            );
        }
        const events = new Set(wanted.map(({ subject }) => subject.event));
        for (const event of on)
          if (!events.has(event)) complaints.add(`The tables have no case at ${event}.`);
        complaints.raise();
      },
    }));
  const strays = ((await nodeFiles.list(join(skill.folder, "rules"))) ?? []).filter(
    (file) => file.endsWith(".json") && rules[file.slice(0, -5)]?.on === undefined,
  );
  const own = {
    title: "rules: every table belongs to a rule",
    run: async () => {
      if (strays.length > 0)
        throw new Error(
          `These files in rules belong to no enforced rule: ${strays.map(quotedName).join(", ")}.`,
        );
    },
  };
  return cases.length + strays.length === 0 ? [] : [...cases, own];
}

/** A sentence about an input that its command would refuse before any rule is asked. */
async function unfitInput(
  { manifest: { name, commands = {} } }: CaseTools["skill"],
  schemas: Schemas,
  { event, skill, name: called = "", input }: Subject,
): Promise<string> {
  const command = event === "command.pre" && skill === name ? commands[called] : undefined;
  const fault = command && (await schemas.check(command.input))(input);
  return fault ? ` Its input does not fit ${command?.input}: ${fault.sentence}` : "";
}

/** The decision of one rule about a subject. Throws if the rule fails to decide. */
async function judged({ host }: TestHost, id: string, subject: Subject): Promise<Decision> {
  const plan = host.guard.plan(subject.event, subject.skill);
  const own = plan.filter((planned) => planned.id === id);
  const { findings, decision } = await host.guard.judge(own, subject);
  const failed = findings.find((finding) => finding.failed);
  const { folder } = host.catalog.skill(id.split("/", 1)[0] as string);
  if (failed) throw new Error(toldIn(folder, failed.message, failed.cause));
  return decision;
}
