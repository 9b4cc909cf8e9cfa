import type { Command } from "../../contract.ts";
import { derive, pointsAt } from "../derive.ts";
import {
  Complaints,
  casesOf,
  shown,
  type CaseTools,
  type SkillCase,
  type TestedServer,
} from "./contract-case.ts";
import { routeCases } from "./route-cases.ts";
import { runSteps, sequenceTitle, skipOf } from "./sequence-cases.ts";
import { postCommand, reasonToSkip, type CallEnd } from "./surface-cases.ts";

/** Calls the commands, routes and sequences of a skill at a server, which hosts the skill with its own data. */
export async function serverCases(tools: CaseTools, server: TestedServer): Promise<readonly SkillCase[]> {
  const { commands = {}, sequences = {} } = tools.skill.manifest;
  const called = Object.entries(commands).map(
    ([name, command]) => [`command ${name}`, () => commandCases(name, command, tools, server)] as const,
  );
  const inRow = Object.entries(sequences).map(([name, steps]): SkillCase => {
    const skip = steps
      .map(({ command }) => untouched(commands[command], server))
      .find((one) => one !== undefined);
    const reason = skip ?? skipOf(steps, "http", tools);
    return {
      ...(reason !== undefined && { skip: reason }),
      title: sequenceTitle(name, steps, "at the server"),
      run: () => runSteps(steps, tools, (one, input) => postCommand(server.http, server, one, input)),
    };
  });
  return [...(await casesOf(called)), ...inRow, ...(await routeCases(tools, server))];
}

/** The reason why a command is not called. */
function untouched(command: Command | undefined, { allowsWrites }: TestedServer): string | undefined {
  if (allowsWrites || command?.effects?.readOnly === true) return undefined;
  return "it may change something; --allow-writes calls it";
}

async function commandCases(
  name: string,
  command: Command,
  { skill, schemas, coverage }: CaseTools,
  server: TestedServer,
): Promise<readonly SkillCase[]> {
  const owner = skill.manifest.name;
  const skip = reasonToSkip("http", command) ?? untouched(command, server);
  const skipped = skip === undefined ? {} : { skip };
  const document = await schemas.document(command.input);
  const call = async (input: unknown): Promise<CallEnd> => {
    const end = await postCommand(server.http, server, { skill: owner, name, command }, input);
    coverage.see(owner, `command ${name}`, "code" in end ? end.code : undefined);
    return end;
  };
  for (const code of command.errors ?? []) coverage.expect(owner, `command ${name}`, code);
  const examples = (document["examples"] ?? []) as readonly unknown[];
  const right = examples.map((input, index): SkillCase => ({
    ...skipped,
    title: `command ${name}: example ${index + 1} of its input ends in its output or a declared code, at the server`,
    run: async () => {
      const end = await call(input);
      if ("code" in end && command.errors?.includes(end.code)) return;
      if ("code" in end)
        throw new Error(
          `${shown(input)} ends in ${end.code}, which the manifest does not declare: ${end.message}`,
        );
      const fault = (await schemas.check(command.output))(end.output);
      if (fault)
        throw new Error(
          `${shown(input)} ends in an output that ${command.output} does not allow: ${fault.sentence}`,
        );
    },
  }));
  const { refuses } = derive(document);
  const wrong: SkillCase = {
    ...(refuses.length === 0 ? { skip: "its schema refuses nothing" } : skipped),
    title: `command ${name}: the ${refuses.length} derived wrong inputs end in INPUT_INVALID with the place, at the server`,
    run: async () => {
      const complaints = new Complaints();
      for (const refusal of refuses) {
        const end = await call(refusal.value);
        if (!("code" in end) || end.code !== "INPUT_INVALID")
          complaints.add(`${refusal.title}: ${shown(refusal.value)} ends in ${shown(end)}`);
        else if (!pointsAt(refusal, end.pointer))
          complaints.add(
            `${refusal.title}: the error points at "${end.pointer}" instead of "${refusal.pointer}".`,
          );
      }
      complaints.raise();
    },
  };
  return [...right, wrong];
}
