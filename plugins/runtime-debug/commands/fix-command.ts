import { quotedName, SkillError, inject, injectable, type Call, type CommandHandler } from "skillctl";
import type { CheckedTree } from "../check/check-tree.ts";
import { placed, type Finding } from "../check/finding.ts";
import type { FixInput, FixOutput } from "../contract.ts";
import { DRIFT, type Drift } from "../drift/drift.ts";
import { NEW_RUN, type NewRun } from "../drift/new-run.ts";
import type { SessionEntry, SetProbe } from "../session/entry.ts";
import { guidance } from "../session/next-step.ts";
import { nextFixRun } from "../session/rounds.ts";
import { isObserved } from "../session/set-probes.ts";
import { SESSIONS, answered, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { withSigns } from "../session/signs.ts";
import { probeCommand } from "../session/steps.ts";
import { WORKTREE, type Worktree } from "../worktree/worktree.ts";
import { REPRODUCE, type Handler } from "./handlers.ts";

/** Records a fix; new events belong to the run after it. */
@injectable()
export class FixCommand implements CommandHandler<FixInput, FixOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(DRIFT) private readonly drift: Drift,
    @inject(NEW_RUN) private readonly newRun: NewRun,
    @inject(REPRODUCE) private readonly reproduce: Handler<"reproduce">,
  ) {}

  /**
   * Runs the reproducing command again, if the session has one. @throws SkillError `DEBUG_STEP`,
   * `DEBUG_CHECK_FAILED`, and errors of the check, the server and `reproduce`
   */
  async run(input: FixInput, call: Call): Promise<FixOutput> {
    const fixed = await this.sessions.turn(input.session, call, (opened) => this.#run(input, opened, call));
    const { entry } = await this.sessions.open(fixed.session);
    if (!entry.reproduction || isObserved(entry) || call.surface === "http") return fixed;
    try {
      const { session, state, step, next, text } = await this.reproduce.run({ session: entry.id }, call);
      return { ...fixed, session, state, step, next, text: `${changeLine(fixed.files)}\n${text}` };
    } catch (caught) {
      if (!(caught instanceof SkillError) || caught.code === "CANCELLED") throw caught;
      // The fix is already recorded: the session continues from the run, which was not possible.
      const stopped = [caught.message, ...(caught.hint === undefined ? [] : [caught.hint])].join("\n");
      return { ...fixed, text: `${stopped}\n\n${fixed.text}` };
    }
  }

  async #run({ summary, cause }: FixInput, opened: OpenedSession, call: Call): Promise<FixOutput> {
    this.sessions.refuse(opened, "fix");
    const looked = await this.#looked(opened);
    const { changed, notes, signs } = looked;
    const accepted = Object.fromEntries(changed.map(({ path, hash }) => [path, hash]));
    await this.worktree.keepAccepted(opened.entry.baseline, changed);
    const files = otherwise(opened.entry.accepted, accepted);
    const inside = notes.find(({ code }) => code === "probe-changed");
    if (files.length === 0 && inside)
      throw refused(
        `Only probes have changed. ${placed(inside)}`,
        "Make the change outside the region as well, and call fix again.",
      );
    this.sessions.refuse(opened, "fix", files.length > 0 ? ["changed"] : []);
    const { hypotheses, fixes, runs } = opened.entry;
    const run = nextFixRun(opened.entry);
    // Before the step: otherwise events could still get the old run, which would spoil the comparison.
    await this.newRun.fixed(opened, run, call);
    const confirmed = hypotheses.filter(({ verdict }) => verdict === "confirmed").map(({ text }) => text);
    const change = {
      signs: withSigns(opened.entry, [...signs]),
      runs: { ...runs, after: run },
      fixes: [...fixes, { summary, files }],
      cause: cause ?? confirmed.join("; "),
      accepted,
      checked: await this.drift.checked(opened, looked),
    };
    const { entry } = await this.sessions.step(opened, "fix", () => change, ["changed"]);
    const lines = [
      changeLine(files),
      `New events belong to the run ${run}; earlier events are kept for the comparison. The probes stay in the code.`,
      ...notes.map((note) => `To review: ${placed(note)}`),
      "",
      ...guidance(entry.steps, "the fix"),
      ...(isObserved(entry)
        ? [
            `The observation points were removed. Before these steps, set them again at their statements in the restarted program: skillctl run runtime-debug observe --again --session ${entry.id} --pid N (or --inspect, --adapter, --run).`,
          ]
        : []),
    ];
    return answered(entry, lines, { files: [...files], run });
  }

  /** The changes since the start other than the probes, which must still be in place. */
  async #looked(opened: OpenedSession): Promise<CheckedTree> {
    const checked = await this.drift.look(opened);
    const { entry } = opened;
    const [first, ...more] = [...checked.findings, ...checked.lost.map((probe) => lostFinding(entry, probe))];
    const others = more.length === 0 ? "" : ` And ${more.length} more: check lists all.`;
    if (first) throw refused(`${placed(first)}${others}`, first.hint);
    if (checked.regions === 0 && !isObserved(entry))
      throw refused(
        "No probe is left in the code, so nothing would show whether the fix helps.",
        againHint(entry),
      );
    return checked;
  }
}

function changeLine(files: readonly string[]): string {
  return `The fix changes: ${files.map(quotedName).join(", ")}`;
}

/** The files that differ between the two, sorted. */
function otherwise(before: SessionEntry["accepted"], now: SessionEntry["accepted"]): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...paths].filter((path) => before[path] !== now[path]).sort();
}

function lostFinding(entry: SessionEntry, { hypothesis, point, file }: SetProbe): Finding {
  return {
    ...(file !== undefined && { file }),
    code: "probe-lost",
    sentence: `The probe ${hypothesis}:${point} is missing, so no event would show whether the fix works.`,
    hint: againHint(entry, hypothesis, point),
  };
}

function againHint({ id, hypotheses }: SessionEntry, letter = hypotheses[0]?.id, point?: string): string {
  return `Set it again, at this line or another: \`${probeCommand(id, letter, point)}\`.`;
}

function refused(sentence: string, hint?: string): SkillError {
  return new SkillError("DEBUG_CHECK_FAILED", sentence, hint === undefined ? {} : { hint });
}
