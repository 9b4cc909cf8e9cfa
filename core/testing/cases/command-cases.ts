import { SkillError, asSkillError } from "../../errors/skill-error.ts";
import type { Command } from "../../contract.ts";
import type { SurfaceName } from "../../plugin.ts";
import type { JsonSchema, Schemas } from "../../schema/schemas.ts";
import { derive, pointsAt } from "../derive.ts";
import { Complaints, shown, type CaseTools, type ContractCase } from "./contract-case.ts";
import { safelyDerived } from "./schema-cases.ts";

/** A command that goes on is stopped after this long when it has announced nothing, in milliseconds. */
const SILENCE_MS = 20_000;

/** Every command with every example of its input, and with every input that its schema must refuse. */
export async function commandCases(tools: CaseTools): Promise<readonly ContractCase[]> {
  const cases: ContractCase[] = [];
  for (const [name, command] of Object.entries(tools.skill.manifest.commands ?? {})) {
    cases.push(...(await casesOf(name, command, tools)));
  }
  return cases;
}

async function casesOf(
  name: string,
  command: Command,
  { skill, schemas, open }: CaseTools,
): Promise<readonly ContractCase[]> {
  const owner = skill.manifest.name;
  const document = await documentOf(command.input, schemas);
  const derived = document && safelyDerived(document);
  const examples = (document?.["examples"] ?? []) as readonly unknown[];
  const surface: SurfaceName =
    command.surfaces && !command.surfaces.includes("host") ? (command.surfaces[0] ?? "host") : "host";
  const run: ContractCase[] = examples.map((input, index) => ({
    skill: owner,
    title: `command ${name}: example ${index + 1} of its input ends in its output or a declared code`,
    run: async () => {
      await using test = await open();
      const stop = new AbortController();
      const timer = command.keepsRunning ? setTimeout(() => stop.abort(), SILENCE_MS) : undefined;
      const announce = (): void => void (command.keepsRunning && stop.abort());
      try {
        await test.run({ skill: owner, command: name, input, surface, signal: stop.signal, announce });
      } catch (caught) {
        const error = asSkillError(caught);
        const declared = [...(command.errors ?? []), ...(command.keepsRunning ? ["CANCELLED"] : [])];
        if (declared.includes(error.code)) return;
        const sentence = `${shown(input)} ends in ${error.code}, which the manifest does not declare: ${error.message}`;
        throw new Error(sentence, { cause: caught });
      } finally {
        clearTimeout(timer);
      }
    },
  }));
  if (examples.length === 0) {
    run.push({
      skill: owner,
      title: `command ${name}: an example of its input ends in its output or a declared code`,
      skip: `the schema ${command.input} has no example`,
      run: async () => {},
    });
  }
  if (!derived) return [...run, underivable(owner, `command ${name}: its input`, command.input, schemas)];
  const refuse: ContractCase = {
    skill: owner,
    ...(derived.refuses.length === 0 && { skip: "its schema refuses nothing" }),
    title: `command ${name}: the ${derived.refuses.length} derived wrong inputs end in INPUT_INVALID with the place, before its code is loaded`,
    run: async () => {
      await using test = await open();
      const complaints = new Complaints();
      for (const refusal of derived.refuses) {
        const caught = await failureOf(() =>
          test.run({ skill: owner, command: name, input: refusal.value, surface }),
        );
        if (!(caught instanceof SkillError) || caught.code !== "INPUT_INVALID") {
          complaints.add(`${refusal.title}: ${shown(refusal.value)} ends in ${asSkillError(caught).message}`);
        } else if (!pointsAt(refusal, caught.pointer)) {
          complaints.add(
            `${refusal.title}: the error points at "${caught.pointer}" instead of "${refusal.pointer}".`,
          );
        }
      }
      const { loaded } = test.host.activator;
      if (loaded.length > 0) complaints.add(`Code was loaded for a refused input: ${loaded.join(", ")}.`);
      complaints.raise();
    },
  };
  return [...run, refuse];
}

/** The schema of that name, whoever owns it; undefined when it cannot be read, which `underivable` then tells. */
export async function documentOf(name: string, schemas: Schemas): Promise<JsonSchema | undefined> {
  try {
    return await schemas.document(name);
  } catch {
    // The case made of it reads again, and fails with the reason.
    return undefined;
  }
}

/** The case of a schema that nothing could be derived from: it fails with the reason. */
export function underivable(skill: string, what: string, schema: string, schemas: Schemas): ContractCase {
  return {
    skill,
    title: `${what} has a schema, ${schema}, that values can be derived from`,
    run: async () => void derive(await schemas.document(schema)),
  };
}

async function failureOf(action: () => Promise<unknown>): Promise<unknown> {
  try {
    await action();
  } catch (caught) {
    return caught;
  }
  return new Error("no error at all");
}
