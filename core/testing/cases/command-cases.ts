import { CODES } from "../../errors/codes.ts";
import { SkillError, asSkillError, coreEntry, describedIn } from "../../errors/skill-error.ts";
import type { Command } from "../../contract.ts";
import type { SurfaceName } from "../../plugin.ts";
import { derive, pointsAt } from "../derive.ts";
import {
  Complaints,
  casesOf,
  settingsAdvice,
  shown,
  toldIn,
  type CaseTools,
  type SkillCase,
} from "./contract-case.ts";

/** A long-running command without an announcement is stopped after this time, in milliseconds. */
const SILENCE_MS = 20_000;

/** Runs every command with every example of its input, and with every input that its schema must refuse. */
export function commandCases(tools: CaseTools): Promise<readonly SkillCase[]> {
  const commands = Object.entries(tools.skill.manifest.commands ?? {});
  return casesOf(
    commands.map(([name, command]) => [`command ${name}`, () => commandCase(name, command, tools)]),
  );
}

async function commandCase(
  name: string,
  command: Command,
  { skill, schemas, open, coverage }: CaseTools,
): Promise<readonly SkillCase[]> {
  const owner = skill.manifest.name;
  const part = `command ${name}`;
  for (const code of command.errors ?? []) coverage.expect(owner, part, code);
  const document = await schemas.document(command.input);
  const { refuses } = derive(document);
  const examples = (document["examples"] ?? []) as readonly unknown[];
  if (examples.length > 0 && !command.keepsRunning) coverage.expect(owner, part);
  const surface: SurfaceName =
    command.surfaces && !command.surfaces.includes("host") ? (command.surfaces[0] ?? "host") : "host";
  const request = (input: unknown) => ({ skill: owner, command: name, input, surface });
  const run: SkillCase[] = examples.map((input, index) => ({
    title: `command ${name}: example ${index + 1} of its input ends in its output or a declared code`,
    run: async () => {
      await using test = await open();
      const stop = new AbortController();
      const timer = command.keepsRunning ? setTimeout(() => stop.abort(), SILENCE_MS) : undefined;
      const announce = (): void => void (command.keepsRunning && stop.abort());
      try {
        await test.run({ ...request(input), signal: stop.signal, announce });
        coverage.see(owner, part);
      } catch (caught) {
        const error = asSkillError(caught);
        coverage.see(owner, part, error.code);
        const declared = [...(command.errors ?? []), ...(command.keepsRunning ? ["CANCELLED"] : [])];
        if (declared.includes(error.code)) return;
        const { folder } = skill;
        const told =
          caught === error ? toldIn(folder, error.message, error.cause) : describedIn(folder, caught);
        const isOwn = Object.hasOwn(CODES, error.code) && coreEntry(error.code).fault === "system";
        const reason = isOwn ? "" : `, which is not in /commands/${name}/errors of skill.json`;
        const sentence = `${shown(input)} ends in ${error.code}${reason}: ${told}${settingsAdvice(error.code)}`;
        throw new Error(sentence, { cause: caught });
      } finally {
        clearTimeout(timer);
      }
    },
  }));
  const none: SkillCase = {
    title: `command ${name}: an example of its input ends in its output or a declared code`,
    skip: `the schema ${command.input} has no example`,
    run: async () => {},
  };
  const refuse: SkillCase = {
    ...(refuses.length === 0 && { skip: "its schema refuses nothing" }),
    title: `command ${name}: the ${refuses.length} derived wrong inputs end in INPUT_INVALID with the place, before its code is loaded`,
    run: async () => {
      await using test = await open();
      const complaints = new Complaints();
      // Calls by `prepare` do not count.
      const before = test.host.activator.loaded;
      for (const refusal of refuses) {
        const { title, value, pointer } = refusal;
        const caught = await test.run(request(value)).then(
          () => new Error("no error at all"),
          (failure: unknown) => failure,
        );
        if (!(caught instanceof SkillError) || caught.code !== "INPUT_INVALID")
          complaints.add(`${title}: ${shown(value)} ends in ${asSkillError(caught).message}`);
        else if (!pointsAt(refusal, caught.pointer))
          complaints.add(`${title}: the error points at "${caught.pointer}" instead of "${pointer}".`);
      }
      const loaded = test.host.activator.loaded.filter((name) => !before.includes(name));
      if (loaded.length > 0) complaints.add(`Code was loaded for a refused input: ${loaded.join(", ")}.`);
      complaints.raise();
    },
  };
  if (run.length > 0) return [...run, refuse];
  coverage.miss(owner, part, `the schema ${command.input} has no example`);
  return [none, refuse];
}
