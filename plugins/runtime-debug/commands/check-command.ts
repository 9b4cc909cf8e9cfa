import {
  quotedName,
  ENVIRONMENT,
  FILES,
  inject,
  injectable,
  PROGRAMS,
  SkillError,
  token,
  type Call,
  type CommandHandler,
  type Environment,
  type Files,
  type Programs,
} from "skillctl";
import type { CheckedTree } from "../check/check-tree.ts";
import { findingsText, placed, type Finding } from "../check/finding.ts";
import type { CheckInput, CheckOutput } from "../contract.ts";
import { DRIFT, type Drift } from "../drift/drift.ts";
import { OBSERVERS, type ObservedPoint, type Observers } from "../observe/observers.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import { guidance } from "../session/next-step.ts";
import { runOf } from "../session/rounds.ts";
import { isObserved, lettersOf } from "../session/set-probes.ts";
import { SESSIONS, answered, type OpenedSession, type Sessions, type Standing } from "../session/sessions.ts";
import { withSigns } from "../session/signs.ts";
import { isHeld } from "../session/steps.ts";

/** Checks the work tree of a session, and takes the step to the reproduction if it is the next step. */
@injectable()
export class SessionCheck {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(DRIFT) private readonly drift: Drift,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(OBSERVERS) private readonly observers: Observers,
  ) {}

  /** @throws SkillError `DEBUG_CHECK_FAILED` with the output as its result, and as the manifest lists */
  async of(opened: OpenedSession, call: Call): Promise<CheckOutput & Standing> {
    const { entry } = opened;
    const checked = await this.drift.look(opened);
    const isStep = entry.state === "instrumenting";
    const asked = (await this.observers.running(opened)).flatMap((one) => one.points);
    const points = asked.filter(isStanding);
    const waiting = points.filter(({ state }) => state === "waiting").length;
    const findings = [...checked.findings, ...(isStep ? unprobed(opened, checked, asked) : [])];
    const { regions } = checked;
    const files = checked.probed.length;
    const counts = { files, regions, findings };
    const [first, ...more] = findings;
    if (first) {
      const others = more.length === 0 ? "" : ` And ${more.length} more.`;
      throw new SkillError("DEBUG_CHECK_FAILED", `${placed(first)}${others}`, {
        ...(first.hint !== undefined && { hint: first.hint }),
        result: answered(entry, [findingsText(findings), ...notesOf(checked)], { ok: false, ...counts }),
      });
    }
    const told = [
      ...(regions > 0 || points.length === 0
        ? [`${regions} ${regions === 1 ? "probe" : "probes"} in ${files} ${files === 1 ? "file" : "files"}.`]
        : []),
      ...(points.length > 0
        ? [
            `${points.length} observation ${points.length === 1 ? "point" : "points"} in the running program${waiting === 0 ? "" : `, ${waiting} of them waiting for code`}.`,
          ]
        : []),
    ].join(" ");
    const signs = withSigns(entry, [...checked.signs, ...points.map(({ at }) => at)]);
    const seen = {
      signs,
      ...(isHeld(entry.state) && { checked: await this.drift.checked(opened, checked) }),
    };
    if (!isStep) {
      await this.sessions.write(opened, { ...entry, ...seen });
      const lines = [`${told} ${differenceOf(checked)}`, ...notesOf(checked)];
      return answered(entry, lines, { ok: true, ...counts });
    }
    const { eventUrl } = await this.servers.begin(opened, call);
    const { entry: next } = await this.sessions.step(opened, "check", ({ probes }) => ({
      ...seen,
      // A probe that was removed before the check does not count as lost.
      probes: probes.filter((probe) => !checked.lost.includes(probe)),
    }));
    const lines = [
      `${told} ${differenceOf(checked)} Events of the run ${runOf(next)} are collected at ${eventUrl}.`,
      ...notesOf(checked),
      "",
      ...guidance(next.steps, regions > 0 ? "the probes" : undefined),
      ...(regions > 0 && points.length > 0
        ? ["Observation points end with their process: after a restart, set them again with observe --again."]
        : []),
    ];
    return answered(next, lines, { ok: true, ...counts });
  }
}

export const SESSION_CHECK = token<SessionCheck>("session-check");

/** Findings that may be intended and need a review. */
function notesOf({ notes }: CheckedTree): readonly string[] {
  return notes.length === 0 ? [] : ["", "To review:", findingsText(notes)];
}

function unprobed(
  { entry }: OpenedSession,
  { hypotheses, otherSessions }: CheckedTree,
  points: readonly ObservedPoint[],
): readonly Finding[] {
  const others =
    otherSessions.size === 0
      ? ""
      : ` Regions that name the session ${[...otherSessions].join(", ")} are not of ${entry.id}.`;
  return entry.hypotheses
    .filter(
      ({ id }) =>
        !hypotheses.has(id) && !points.some((one) => lettersOf(one).includes(id) && isStanding(one)),
    )
    .map(({ id, observe }) => {
      const refused = points.findLast((one) => lettersOf(one).includes(id));
      const [code, typed] = ["no-probe", `\`skillctl run runtime-debug probe --hypothesis ${id}\``];
      if (refused)
        return {
          code,
          sentence: `Hypothesis ${id} is not observed. ${refused.sentence}`,
          hint: `Name another line or other data with observe, or set a probe: ${typed}.`,
        };
      return {
        code,
        sentence: entry.probes.some((one) => lettersOf(one).includes(id) && one.at !== undefined)
          ? `Hypothesis ${id} is no longer observed: the program or its observer has ended.`
          : `Hypothesis ${id} has no probe. Its observation point: ${observe}${others}`,
        hint: `Set one whose label begins with ${id}: ${typed}${isObserved(entry) ? `, or \`observe --hypothesis ${id}\` in the program that runs` : ""}.`,
      };
    });
}

function isStanding({ state }: ObservedPoint): boolean {
  return state !== "refused";
}

function differenceOf({ changed }: CheckedTree): string {
  if (changed.length === 0) return "Nothing else has changed.";
  return `Apart from them, ${changed.length === 1 ? "this file has" : "these files have"} changed: ${changed
    .map(({ path }) => quotedName(path))
    .join(", ")}.`;
}

/** Checks the additions to the code: docs/debug-session.md, section Check. */
@injectable()
export class CheckCommand implements CommandHandler<CheckInput, CheckOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(SESSION_CHECK) private readonly check: SessionCheck,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError `DEBUG_CHECK_FAILED` with the output as its result, and as the manifest lists */
  async run({ session, staged }: CheckInput, call: Call): Promise<CheckOutput> {
    if (staged === true) {
      const { checkStaged } = await import("../check/staged.ts");
      return checkStaged(this.programs, this.files, this.environment, call.signal);
    }
    return this.sessions.turn(session, call, (opened) => this.check.of(opened, call));
  }
}
