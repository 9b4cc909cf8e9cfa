import type { SkillManifest } from "../../contract.ts";
import type { SurfaceName } from "../../plugin.ts";
import { equal, isObject } from "../../schema/json.ts";
import { shown, type CaseTools, type SkillCase } from "./contract-case.ts";
import { endOf, reasonToSkip, type CallEnd, type SurfaceCall } from "./surface-cases.ts";

type Step = NonNullable<SkillManifest["sequences"]>[string][number];

/** Runs the sequences of a manifest, each in its own host: in the process, and over each tested surface. */
export function sequenceCases(
  tools: CaseTools,
  calls: Readonly<Partial<Record<SurfaceName, SurfaceCall>>>,
): readonly SkillCase[] {
  const { name: skill, sequences = {} } = tools.skill.manifest;
  const inProcess: SurfaceCall = (test, { name }, input) =>
    endOf(test.run({ skill, command: name, input }), tools.skill.folder);
  const ways = [["in the process", "host", inProcess], ...overSurfaces(calls)] as const;
  return Object.entries(sequences).flatMap(([sequence, steps]) =>
    ways.map(([way, surface, call]): SkillCase => {
      const skip = skipOf(steps, surface, tools);
      return {
        ...(skip !== undefined && { skip }),
        title: sequenceTitle(sequence, steps, way),
        run: async () => {
          await using test = await tools.open();
          await runSteps(steps, tools, (called, input) => call(test, called, input));
        },
      };
    }),
  );
}

export function sequenceTitle(name: string, { length }: readonly Step[], way: string): string {
  return `sequence ${name}: its ${length === 1 ? "step ends" : `${length} steps end`} as declared, ${way}`;
}

function overSurfaces(calls: Readonly<Partial<Record<SurfaceName, SurfaceCall>>>) {
  return Object.entries(calls).map(
    ([surface, call]) => [`over ${surface}`, surface as SurfaceName, call] as const,
  );
}

/** The reason why a surface cannot run the steps. */
export function skipOf(
  steps: readonly Step[],
  surface: SurfaceName,
  { skill }: CaseTools,
): string | undefined {
  for (const { command } of steps) {
    const reason = reasonToSkip(surface, skill.manifest.commands?.[command]);
    if (reason !== undefined) return `${command}: ${reason}`;
  }
  return undefined;
}

/** @throws Error that names the first step with a different end */
export async function runSteps(
  steps: readonly Step[],
  { skill: { manifest }, coverage }: CaseTools,
  call: (called: Parameters<SurfaceCall>[1], input: unknown) => Promise<CallEnd>,
): Promise<void> {
  for (const [index, { command: name, input = {}, output, error }] of steps.entries()) {
    const command = manifest.commands?.[name];
    if (!command) throw new Error(`Step ${index + 1}: the skill has no command ${name}.`);
    const end = await call({ skill: manifest.name, name, command }, input);
    const code = "code" in end ? end.code : undefined;
    coverage.see(manifest.name, `command ${name}`, code);
    const isOwn = code !== undefined && Object.hasOwn(manifest.errors ?? {}, code);
    if (isOwn && command.errors?.includes(code) !== true)
      throw new Error(
        `Step ${index + 1}, ${name} ${shown(input)}, ends in ${code}, which the command does not declare.`,
      );
    const isAsSaid = error === undefined ? "output" in end && holds(end.output, output) : code === error;
    if (isAsSaid) continue;
    const wanted = error ?? (output === undefined ? "an output" : shown(output));
    throw new Error(
      `Step ${index + 1}, ${name} ${shown(input)}, ends in ${shown(end)} instead of ${wanted}.`,
    );
  }
}

/** Whether a value has at least the given members, at every depth. */
function holds(value: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  if (!isObject(wanted)) return equal(value, wanted);
  return isObject(value) && Object.entries(wanted).every(([key, one]) => holds(value[key], one));
}
