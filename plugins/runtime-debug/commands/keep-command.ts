import {
  quotedName,
  ENVIRONMENT,
  SkillError,
  inject,
  injectable,
  type Call,
  type CommandHandler,
  type Environment,
} from "skillctl";
import type { CheckedTree } from "../check/check-tree.ts";
import { placed } from "../check/finding.ts";
import type { KeepInput, KeepOutput } from "../contract.ts";
import { DRIFT, filesOf, namedFiles, type Drift } from "../drift/drift.ts";
import { NEW_RUN, type NewRun } from "../drift/new-run.ts";
import { runOf } from "../session/rounds.ts";
import { SESSIONS, answered, type Sessions } from "../session/sessions.ts";
import { isHeld } from "../session/steps.ts";
import { WORKTREE, type Worktree } from "../worktree/worktree.ts";

/** The findings that a user can accept. Faults of probes must be corrected. */
const OF_CODE: ReadonlySet<string> = new Set(["code-changed", "new-file", "file-removed"]);
/** Accepts code that was changed too early, at the user's request: docs/debug-session.md, section Drift. */
@injectable()
export class KeepCommand implements CommandHandler<KeepInput, KeepOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(DRIFT) private readonly drift: Drift,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(NEW_RUN) private readonly newRun: NewRun,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError `USAGE`, `DEBUG_CHECK_FAILED` for faults of probes, and errors of the comparison and the server */
  run({ session, files }: KeepInput, call: Call): Promise<KeepOutput> {
    return this.sessions.turn(session, call, async (opened) => {
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
      const seen = Object.entries(await this.drift.checked(opened, { ...looked, changed }));
      const checked = entry.checked && {
        ...entry.checked,
        ...Object.fromEntries(seen.filter(([path]) => kept.includes(path))),
      };
      const said = `Kept at the user's request: ${kept.map(quotedName).join(", ")}.`;
      const { opened: next, lines } = await this.newRun.begin(opened, said, { accepted, checked }, call);
      return answered(next.entry, lines, { kept: [...kept], run: runOf(next.entry) });
    });
  }
}

const NOTHING: Pick<CheckedTree, "findings" | "changed" | "probed" | "tree"> = {
  findings: [],
  changed: [],
  probed: [],
  tree: [],
};

function refuseFaults({ findings }: Pick<CheckedTree, "findings">, kept: readonly string[]): void {
  const fault = findings.find(({ file, code }) => kept.includes(file ?? "") && !OF_CODE.has(code));
  if (fault)
    throw new SkillError("DEBUG_CHECK_FAILED", `It cannot be kept as it is: ${placed(fault)}`, {
      hint: fault.hint,
    });
}
