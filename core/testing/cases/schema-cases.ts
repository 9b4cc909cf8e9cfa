import { nodeFiles } from "../../adapters/files.ts";
import type { Check, JsonSchema } from "../../schema/schemas.ts";
import { derive, names } from "../derive.ts";
import { SecondOpinion } from "../derive/second-opinion.ts";
import { Complaints, casesOf, shown, type CaseTools, type SkillCase } from "./contract-case.ts";
import { parsedJson } from "../../schema/json.ts";

/** Validates the examples and the derived values of every schema file with the validator of the host. */
export async function schemaCases(tools: CaseTools): Promise<readonly SkillCase[]> {
  const { manifest, schemas } = tools.skill;
  const files = ((await nodeFiles.list(schemas)) ?? []).filter((file) => file.endsWith(".json"));
  return casesOf(
    files.map((file) => {
      const name = `${manifest.name}/${file.slice(0, -5)}`;
      return [`schema ${name}`, () => schemaCase(name, file, tools)];
    }),
  );
}

async function schemaCase(
  name: string,
  file: string,
  { skill, schemas, coverage, seed }: CaseTools,
): Promise<readonly SkillCase[]> {
  const document = parsedJson((await nodeFiles.readText(`${skill.schemas}/${file}`)) ?? "") as JsonSchema;
  const { accepts, refuses, combined, unbroken } = derive(document, seed);
  for (const place of unbroken)
    coverage.miss(skill.manifest.name, `schema ${name}`, `no value could be derived that breaks ${place}`);
  const of = (title: string, look: (check: Check, complaints: Complaints) => void): SkillCase => ({
    title: `schema ${name}: ${title}`,
    run: async () => {
      const complaints = new Complaints();
      look(await schemas.check(name), complaints);
      complaints.raise();
    },
  });
  const examples = Array.isArray(document["examples"]) ? (document["examples"] as unknown[]) : [];
  return [
    of("has examples, and two validators accept each", (check, complaints) => {
      const opinion = new SecondOpinion(document);
      if (examples.length === 0) complaints.add("There is no example.");
      for (const example of examples) {
        const fault = check(example);
        if (fault) complaints.add(`The host refuses the example ${shown(example)}: ${fault.sentence}`);
        if (!opinion.accepts(example))
          complaints.add(`The second validator refuses the example ${shown(example)}.`);
      }
    }),
    of(`accepts the values derived from it (${accepts.length})`, (check, complaints) => {
      for (const { title, value } of accepts) {
        const fault = check(value);
        if (fault) complaints.add(`${title}: ${shown(value)} is refused: ${fault.sentence}`);
      }
      for (const value of combined) {
        const fault = check(value);
        if (fault)
          complaints.add(`a combination of seed ${seed}: ${shown(value)} is refused: ${fault.sentence}`);
      }
    }),
    of(
      `refuses the wrong values derived from it (${refuses.length}), naming keyword and place`,
      (check, complaints) => {
        for (const refusal of refuses) {
          const { title, value, pointer } = refusal;
          const fault = check(value);
          if (!fault) complaints.add(`${title}: ${shown(value)} is accepted.`);
          else if (!names(refusal, fault))
            complaints.add(
              `${title}: the fault is ${fault.keyword} at "${fault.pointer}", not "${pointer}".`,
            );
        }
      },
    ),
  ];
}
