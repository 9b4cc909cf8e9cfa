import {
  FILES,
  inject,
  injectable,
  LOG,
  PHASES,
  quotedName,
  SkillError,
  token,
  type Files,
  type Log,
  type Phases,
} from "skillctl";
import type { StartInput } from "../contract.ts";
import type { Reproduction, SessionEntry } from "./entry.ts";
import { excludeRecord, includeRecord } from "./exclude.ts";
import { checkedHypotheses } from "./hypotheses.ts";
import { LEDGER, type Ledger, type Project } from "./ledger.ts";
import { recordPath, recordText } from "./record.ts";
import { freeName, taken } from "./session-name.ts";
import type { OpenedSession } from "./sessions.ts";
import { WORKTREE, type Baseline, type Worktree } from "../worktree/worktree.ts";

/** Creates the record, the baseline and the entry of a session. */
@injectable()
export class SessionStart {
  constructor(
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(FILES) private readonly files: Files,
    @inject(LOG) private readonly log: Log,
    @inject(PHASES) private readonly phases: Phases,
  ) {}

  get workingFolder(): string {
    return this.ledger.workingFolder;
  }

  /** The project of a session that is to begin. @throws SkillError `INPUT_INVALID` for hypotheses, and as `Ledger.project` does */
  async project(hypotheses: StartInput["hypotheses"]): Promise<Project> {
    const project = await this.ledger.project();
    if (hypotheses) await checkedHypotheses(hypotheses, project.root, this.workingFolder, this.files);
    return project;
  }

  /**
   * Writes the record, then the image of the code, then the entry in the ledger. An interrupted start leaves a record;
   * the next one with the same words continues it. A failed start leaves nothing.
   * @param now in milliseconds since 1970
   * @throws SkillError `DEBUG_SESSION_TAKEN`, `DEBUG_SESSION_INVALID`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, as `Phases.change` does,
   * and errors of the comparison
   */
  async run(
    input: StartInput,
    now: number,
    reproduction: Reproduction | undefined,
    signal: AbortSignal,
  ): Promise<OpenedSession> {
    const project = await this.ledger.project();
    const { root } = project;
    const draftOf = (id: string): Draft => firstEntry(id, input, now, reproduction);
    const id = await freeName(project, input, (id) => recordText(draftOf(id)), this.files);
    const draft = draftOf(id);
    const text = recordText(draft);
    await this.phases.change({ folder: root, session: id, to: "observing" });
    const path = recordPath(root, id);
    if (!(await this.files.create(path, text)) && (await this.files.readText(path)) !== text)
      throw taken(
        `Another program has just created ${quotedName(path)}.`,
        "Try again, or choose another id with --session.",
      );
    const baseline = this.worktree.baselineOf(root, id);
    try {
      await this.#exclude(root, id);
      await this.worktree.begin(root, id, signal, (sentence) => this.log.notice(sentence));
      const entry = { ...draft, baseline, recordText: text };
      await this.ledger.write(root, entry);
      return { root, entry };
    } catch (caught) {
      await this.#undo(root, id, text, baseline);
      throw caught;
    }
  }

  /** Makes git ignore the record. If that fails, the session still starts. */
  async #exclude(root: string, id: string): Promise<void> {
    try {
      await excludeRecord(root, id, this.files);
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      this.log.notice(`${caught.message} Git does not ignore debug-${id}.md: do not commit it.`);
    }
  }

  async #undo(root: string, id: string, text: string, baseline: Baseline): Promise<void> {
    const path = recordPath(root, id);
    try {
      if ((await this.files.readText(path)) === text) await this.files.remove(path);
      await this.worktree.forget(baseline);
      await includeRecord(root, id, this.files);
    } catch (caught) {
      // This error must not hide the reason why the start failed.
      if (!(caught instanceof SkillError)) throw caught;
      this.log.notice(caught.message);
    }
  }
}

export const SESSION_START = token<SessionStart>("session-start");

/** The entry of a session before its baseline exists. */
type Draft = Omit<SessionEntry, "baseline" | "recordText">;

/** The entry of a session that begins. `now` in milliseconds since 1970. */
function firstEntry(id: string, input: StartInput, now: number, reproduction?: Reproduction): Draft {
  const { issue, expected, actual, environment, impact, material, run, page, steps = [] } = input;
  const facts = { expected, actual, environment, impact, material, reproduction };
  return {
    id,
    state: "observing",
    issue,
    ...given(facts),
    steps: steps.length > 0 ? steps : shownBy(run, page),
    createdAt: now,
    hypotheses: [],
    probes: [],
    runs: { before: "pre-fix" },
    fixes: [],
    iterations: [],
    conclusion: "",
    accepted: {},
  };
}

/** The steps that show the bug. */
function shownBy(run?: string, page?: string): string[] {
  if (page !== undefined) return [`Open \`${page}\`.`];
  return run === undefined ? [] : [`Run \`${run}\`.`];
}

/** The members that are not `undefined`. */
export function given<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  const all = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as { [Name in keyof Members]?: NonNullable<Members[Name]> };
}
