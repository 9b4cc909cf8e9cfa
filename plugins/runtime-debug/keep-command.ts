import { ENVIRONMENT, PHASES, SkillError, inject, injectable } from "skillctl";
import type { Call, CommandHandler, Environment, Phases } from "skillctl";
import type { CheckedTree } from "./check/check-tree.ts";
import { placed } from "./check/finding.ts";
import type { KeepInput, KeepOutput } from "./contract.ts";
import { DRIFT, isHeld, type Drift } from "./drift/drift.ts";
import { filesOf, namedFiles } from "./drift/drifted-files.ts";
import type { State } from "./protocol/steps.ts";
import { DEBUG_SERVERS, type DebugServers } from "./server/ensure-server.ts";
import type { Hypothesis, SessionEntry } from "./session/entry.ts";
import { ending } from "./session/next-step.ts";
import { afterKeep, runOf } from "./session/rounds.ts";
import { SESSIONS, standing, type OpenedSession, type Sessions } from "./session/sessions.ts";
import { WORKTREE, type Worktree } from "./worktree/worktree.ts";

/** What a user can answer for. Faults of probes are mended, whatever anybody says. */
const OF_CODE: ReadonlySet<string> = new Set(["code-changed", "new-file", "file-removed"]);
/** Where events were collected already, they are collected again. */
const AGAIN: Readonly<Partial<Record<State, State>>> = { judging: "reproducing", confirming: "verifying" };
const COLLECTING: readonly State[] = ["reproducing", "verifying"];

/** Accepts code that has changed too early, because the user says so: docs/debug-session.md, section Drift. */
@injectable()
export class KeepCommand implements CommandHandler<KeepInput, KeepOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(DRIFT) private readonly drift: Drift,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(PHASES) private readonly phases: Phases,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError `USAGE`, `DEBUG_CHECK_FAILED` for faults of probes, and what the look at the code and the server throw */
  run(input: KeepInput, call: Call): Promise<KeepOutput> {
    return this.sessions.turn(input.session, call.signal, () => this.#run(input, call));
  }

  async #run({ session, files }: KeepInput, call: Call): Promise<KeepOutput> {
    const opened = await this.sessions.open(session);
    const { root, entry } = opened;
    const { workingFolder } = this.environment;
    const looked = isHeld(entry.state) ? await this.drift.look(opened) : NOTHING;
    const kept = namedFiles(files, filesOf(looked.findings), { root, workingFolder });
    refuseFaults(looked, kept);
    const changed = looked.changed.filter(({ path }) => kept.includes(path));
    await this.worktree.keepAccepted(entry.baseline, changed);
    const others = Object.entries(entry.accepted).filter(([path]) => !kept.includes(path));
    const accepted = Object.fromEntries([
      ...others,
      ...changed.map(({ path, hash }) => [path, hash] as const),
    ]);
    const state = AGAIN[entry.state] ?? entry.state;
    const run = runOf({ runs: afterKeep(entry) });
    const line = `Kept because the user says so: ${kept.join(", ")}. Events count from the run ${run} on.`;
    const next: SessionEntry = {
      ...entry,
      state,
      accepted,
      runs: afterKeep(entry),
      // What was shown was shown of other code.
      ...(entry.runs.after === undefined && { hypotheses: entry.hypotheses.map(pending) }),
      drift: [...(entry.drift ?? []), line],
      // Steps before were taken with other code.
      past: [],
    };
    if (COLLECTING.includes(state)) await this.servers.begin({ root, entry: next }, call);
    if (state !== entry.state)
      await this.phases.change({ folder: root, session: entry.id, from: entry.state, to: state });
    const { entry: written } = await this.sessions.write(root, next);
    return {
      ...standing(written),
      kept: [...kept],
      run,
      text: [line, ...againLines(opened, state), "", ending(written)].join("\n"),
    };
  }
}

const NOTHING: Pick<CheckedTree, "findings" | "changed"> = { findings: [], changed: [] };

function refuseFaults({ findings }: Pick<CheckedTree, "findings">, kept: readonly string[]): void {
  const fault = findings.find(({ file, code }) => kept.includes(file ?? "") && !OF_CODE.has(code));
  if (fault)
    throw new SkillError("DEBUG_CHECK_FAILED", `It cannot be kept as it is: ${placed(fault)}`, {
      hint: fault.hint ?? "Mend the probe, or put the file back: `skillctl run runtime-debug undo FILE`.",
    });
}

function pending({ because: _because, cited: _cited, ...one }: Hypothesis): Hypothesis {
  return { ...one, verdict: "pending", lines: [] };
}

function againLines({ entry }: OpenedSession, state: State): readonly string[] {
  if (!COLLECTING.includes(state)) return [];
  const isBack = entry.state !== state;
  return [
    `Events that came before are of other code${isBack ? ", and so is what was found by them" : ""}: the user goes the same way once more.`,
  ];
}
