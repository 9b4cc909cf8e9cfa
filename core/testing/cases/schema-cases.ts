import { nodeFiles } from "../../adapters/files.ts";
import type { Check, JsonSchema } from "../../schema/schemas.ts";
import { derive, names, type Derived } from "../derive.ts";
import { SecondOpinion } from "../derive/second-opinion.ts";
import { Complaints, shown, type CaseTools, type ContractCase } from "./contract-case.ts";

/** For every schema file of a skill: examples, and the derived values, against the validator of the host. */
export async function schemaCases(tools: CaseTools): Promise<readonly ContractCase[]> {
  const { name } = tools.skill.manifest;
  const files = (await nodeFiles.list(tools.skill.schemas)) ?? [];
  const schemaNames = files
    .filter((file) => file.endsWith(".json"))
    .map((file) => `${name}/${file.slice(0, -5)}`);
  const cases: ContractCase[] = [];
  for (const schema of schemaNames) cases.push(...(await casesOf(schema, tools)));
  return cases;
}

async function casesOf(name: string, { skill, schemas }: CaseTools): Promise<readonly ContractCase[]> {
  const of = (title: string, run: () => Promise<void>, skip?: string): ContractCase => ({
    skill: skill.manifest.name,
    title: `schema ${name}: ${title}`,
    run,
    ...(skip !== undefined && { skip }),
  });
  const document = await readDocument(`${skill.schemas}/${name.split("/")[1]}.json`);
  const derived = document && safelyDerived(document);
  if (!document || !derived) {
    return [
      of(
        "is a JSON Schema that values can be derived from",
        async () => void derive(await mustRead(name, skill.schemas)),
      ),
    ];
  }
  const checked = async (look: (check: Check, complaints: Complaints) => void): Promise<void> => {
    const complaints = new Complaints();
    look(await schemas.check(name), complaints);
    complaints.raise();
  };
  return [
    of("has examples, and two validators accept each", () =>
      checked((check, complaints) => {
        const examples = Array.isArray(document["examples"]) ? (document["examples"] as unknown[]) : [];
        if (examples.length === 0) complaints.add("There is no example.");
        const opinion = new SecondOpinion(document);
        for (const example of examples) {
          const fault = check(example);
          if (fault) complaints.add(`The host refuses the example ${shown(example)}: ${fault.sentence}`);
          if (!opinion.accepts(example))
            complaints.add(`The second validator refuses the example ${shown(example)}.`);
        }
      }),
    ),
    of(`accepts the ${derived.accepts.length} values derived from it`, () =>
      checked((check, complaints) => {
        for (const { title, value } of derived.accepts) {
          const fault = check(value);
          if (fault) complaints.add(`${title}: ${shown(value)} is refused: ${fault.sentence}`);
        }
      }),
    ),
    of(
      `refuses the ${derived.refuses.length} values derived from it, naming keyword and place`,
      () =>
        checked((check, complaints) => {
          for (const refusal of derived.refuses) {
            const fault = check(refusal.value);
            if (!fault) complaints.add(`${refusal.title}: ${shown(refusal.value)} is accepted.`);
            else if (!names(refusal, fault)) {
              complaints.add(
                `${refusal.title}: the fault is ${fault.keyword} at "${fault.pointer}" instead of "${refusal.pointer}".`,
              );
            }
          }
        }),
      derived.refuses.length === 0 ? "every value fits this schema" : undefined,
    ),
    ...derived.skips.map(({ title, reason }) => of(title, nothing, reason)),
  ];
}

/** Values for a schema that can be read; undefined for one that is itself the fault. */
export function safelyDerived(document: JsonSchema): Derived | undefined {
  try {
    return derive(document);
  } catch {
    // The case made of it derives again, and fails with the reason.
    return undefined;
  }
}

/** The schema in a file; undefined when there is none or it is no JSON object. */
export async function readDocument(path: string): Promise<JsonSchema | undefined> {
  const text = await nodeFiles.readText(path);
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? (value as JsonSchema) : undefined;
  } catch {
    // The case made of it reads again, and fails with the reason.
    return undefined;
  }
}

async function mustRead(name: string, folder: string): Promise<JsonSchema> {
  return JSON.parse((await nodeFiles.readText(`${folder}/${name.split("/")[1]}.json`)) ?? "") as JsonSchema;
}

async function nothing(): Promise<void> {
  // A skipped case is never run.
}
