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
import { findingsText, placed } from "../check/finding.ts";
import type { UndoInput, UndoOutput } from "../contract.ts";
import { DRIFT, filesOf, namedFiles, type Drift } from "../drift/drift.ts";
import { NEW_RUN, type NewRun, type Renewed } from "../drift/new-run.ts";
import type { Stuck, Undone } from "../drift/undo.ts";
import { SESSIONS, answered, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { isHeld } from "../session/steps.ts";

/** Restores code that was changed too early: docs/debug-session.md, section Drift. */
@injectable()
export class UndoCommand implements CommandHandler<UndoInput, UndoOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(DRIFT) private readonly drift: Drift,
    @inject(NEW_RUN) private readonly newRun: NewRun,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError `USAGE`, `DEBUG_DRIFT` if no file could be restored, and errors of the comparison */
  run(input: UndoInput, call: Call): Promise<UndoOutput> {
    return this.sessions.turn(input.session, call, (opened) => this.#run(input, opened, call));
  }

  async #run({ files: names }: UndoInput, opened: OpenedSession, call: Call): Promise<UndoOutput> {
    const { root, entry } = opened;
    const looked = await this.drift.look(held(opened));
    const drifted = isHeld(held(opened).entry.state) ? filesOf(looked.findings) : [];
    const { workingFolder } = this.environment;
    const paths = names ? namedFiles(names, drifted, { root, workingFolder }) : drifted;
    if (paths.length === 0)
      return answered(entry, ["Apart from probes, nothing has changed."], { undone: [], stuck: [] });
    const results = await this.drift.undo(held(opened), looked.tree, paths);
    const undone = results.filter((one): one is Undone => "kind" in one);
    const stuck = results.filter((one): one is Stuck => !("kind" in one));
    const [first] = stuck;
    if (first && undone.length === 0)
      throw new SkillError(
        "DEBUG_DRIFT",
        `${quotedName(first.file)} could not be restored: ${first.sentence}`,
        {
          hint: `Restore it by hand, or keep it: \`skillctl run runtime-debug keep FILE --session ${entry.id}\`.`,
        },
      );
    const said = `Undone: ${undone.map(({ file }) => quotedName(file)).join(", ")}.${keptText(undone)}`;
    const { opened: next, lines } = await this.#written(opened, said, call);
    const told = [
      ...lines,
      ...goneLines(undone),
      ...stuck.map(({ file, sentence }) => `Not restored: ${quotedName(file)}: ${sentence}`),
      ...(await this.#restLines(next)),
    ];
    return answered(next.entry, told, {
      undone,
      stuck,
    });
  }

  /** Events that arrived while the code was changed are not evidence: if there are any, another run begins. */
  async #written(opened: OpenedSession, said: string, call: Call): Promise<Renewed> {
    const { entry } = opened;
    if (isHeld(entry.state) && (await this.newRun.isDue(opened)))
      return this.newRun.begin(opened, said, {}, call);
    const drift = [...(entry.drift ?? []), said];
    return { opened: await this.sessions.write(opened, { ...entry, drift }), lines: [said] };
  }

  async #restLines(opened: OpenedSession): Promise<readonly string[]> {
    const { findings, notes } = await this.drift.look(held(opened));
    return [
      ...(findings.length === 0 || !isHeld(held(opened).entry.state)
        ? ["Apart from probes, nothing differs now."]
        : ["Still different:", findingsText(findings)]),
      ...notes.map((note) => `To review: ${placed(note)}`),
    ];
  }
}

/** Until the cleanup, changes that remain after an abort can be undone too. */
function held(opened: OpenedSession): OpenedSession {
  const { entry } = opened;
  if (entry.state !== "cleaning") return opened;
  return { ...opened, entry: { ...entry, state: entry.outcome === "fixed" ? "confirming" : "judging" } };
}

function keptText(undone: readonly Undone[]): string {
  const kept = undone.flatMap(({ keptAt }) => keptAt ?? []);
  return kept.length === 0 ? "" : ` The replaced text is kept in ${kept.map(quotedName).join(", ")}.`;
}

function goneLines(undone: readonly Undone[]): readonly string[] {
  return undone
    .filter(({ gone }) => gone.length > 0)
    .map(({ file, gone }) => `${quotedName(file)}: set the removed probes again: ${gone.join(", ")}`);
}
