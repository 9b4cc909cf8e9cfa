import { ENVIRONMENT, FILES, inject, injectable, SkillError } from "skillctl";
import type { Call, CommandHandler, Environment, Files } from "skillctl";
import type { HypothesizeInput, HypothesizeOutput } from "../contract.ts";
import { reproductionOf } from "../reproduce/reproduction.ts";
import {
  checkedHypotheses,
  HYPOTHESIS_LINE,
  hypothesisLines,
  hypothesisRows,
  listed,
  probesOf,
  refuseFew,
} from "../session/hypotheses.ts";
import { ending } from "../session/next-step.ts";
import { given } from "../session/session-start.ts";
import { isObserved, lettersOf } from "../session/set-probes.ts";
import { SESSIONS, answered, standing, type Sessions } from "../session/sessions.ts";
import { PROBE, REPRODUCE, type Handler } from "./handlers.ts";

type Flags = Pick<HypothesizeInput, "sync" | "allowCall" | "inside">;

/** Lists the hypotheses of a session; a new list replaces unjudged hypotheses and those of earlier rounds. */
@injectable()
export class HypothesizeCommand implements CommandHandler<HypothesizeInput, HypothesizeOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(PROBE) private readonly probe: Handler<"probe">,
    @inject(REPRODUCE) private readonly reproduce: Handler<"reproduce">,
  ) {}

  /**
   * Takes the steps that the hypotheses allow, and stops at the first that is not possible.
   * @throws SkillError `INPUT_INVALID` as `checkedHypotheses` does, `DEBUG_STEP`, and the errors of finding the
   * session.
   */
  async run(
    { session, hypotheses, run, times, failsWhen, timeout, ...flags }: HypothesizeInput,
    call: Call,
  ): Promise<HypothesizeOutput> {
    const command = given({ command: run, times, failsWhen, timeout });
    const told = await this.sessions.turn(session, call, async (opened) => {
      this.sessions.refuse(opened, "hypothesize");
      const { workingFolder } = this.environment;
      const wished = await checkedHypotheses(hypotheses, opened.root, workingFolder, this.files);
      refuseFew(wished, opened.entry);
      const reproduction = reproductionOf(command, workingFolder, opened.entry.reproduction);
      if (!reproduction && Object.keys(command).length > 0)
        throw new SkillError("USAGE", "The session has no command yet: --run is missing.");
      const { entry } = await this.sessions.step(opened, "hypothesize", (now) => ({
        ...listed(wished, now),
        ...(reproduction && { reproduction }),
      }));
      const { hypotheses: rows } = entry;
      return answered(entry, ["Hypotheses:", ...hypothesisLines(rows)], { hypotheses: hypothesisRows(rows) });
    });
    return this.#goOn(told, flags, call);
  }

  /** Sets the probes that the hypotheses ask for, and runs the command that shows the bug. */
  async #goOn(told: HypothesizeOutput, flags: Flags, call: Call): Promise<HypothesizeOutput> {
    const { session } = told;
    const { entry } = await this.sessions.open(session);
    const isSet = (point: string, letter: string): boolean =>
      entry.probes.some((one) => one.point === point && lettersOf(one).includes(letter));
    const from = probesOf(entry.hypotheses).filter(({ point, hypothesis }) => !isSet(point, hypothesis));
    if (from.length === 0) return told;
    const probed = new Set([...from, ...entry.probes].flatMap(lettersOf));
    const check = entry.hypotheses.every(({ id }) => probed.has(id));
    const isRun = check && entry.reproduction && !isObserved(entry) && call.surface !== "http";
    try {
      const set = await this.probe.run({ session, from, check, ...flags }, call);
      const { text } = isRun ? await this.reproduce.run({ session }, call) : set;
      const now = (await this.sessions.open(session)).entry;
      return { ...told, ...standing(now), text: check ? text : `${text}\n${ending(now)}` };
    } catch (caught) {
      if (!(caught instanceof SkillError) || caught.code === "CANCELLED") throw caught;
      // The hypotheses are recorded: the session continues from the step that failed.
      const now = await this.sessions.open(session);
      const again = `List all of them again with other places or data: skillctl run runtime-debug hypothesize --session ${session} --hypotheses "${HYPOTHESIS_LINE}"`;
      const lines = [
        caught.message,
        ...(caught.hint === undefined ? [] : [caught.hint]),
        ...(now.entry.state === "instrumenting" ? [again] : []),
      ];
      return { ...told, ...answered(now.entry, lines, {}), stopped: caught.message };
    }
  }
}
