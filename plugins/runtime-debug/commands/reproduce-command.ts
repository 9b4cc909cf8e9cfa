import { inject, injectable, SkillError, type Call, type CommandHandler } from "skillctl";
import type { ReproduceInput, ReproduceOutput } from "../contract.ts";
import { endText } from "../reproduce/command-run.ts";
import { differenceLines } from "../reproduce/difference.ts";
import { REPRODUCTIONS, type Reproductions, type Tried, type Tries } from "../reproduce/reproductions.ts";
import { isTried, rateOf, rateText, triesOf } from "../reproduce/rates.ts";
import { EVIDENCE, type Evidence } from "../session/evidence.ts";
import { guidance, nextStep } from "../session/next-step.ts";
import { backLine, citedRun, runOf } from "../session/rounds.ts";
import { SESSIONS, answered, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { impossible, isCollecting } from "../session/steps.ts";
import { framed, inert } from "../store/event/inert-text.ts";
import { ANSWER, type Handler } from "./handlers.ts";
import { VERIFY, type VerifyCommand } from "./verify-command.ts";

const MOST_TRIES = 1_000;
const SYNC = "With `reproduce --sync` a Node program waits until each event is stored.";

/** The start of a frame of collected text; the mark of a frame is random. */
const BEGIN = /^----- begin [0-9a-f]+ -----$/m;

/**
 * Runs the command that shows the bug, and takes the step for its result; docs/debug-session.md, section Reproduction.
 */
@injectable()
export class ReproduceCommand implements CommandHandler<ReproduceInput, ReproduceOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(REPRODUCTIONS) private readonly reproductions: Reproductions,
    @inject(ANSWER) private readonly answer: Handler<"answer">,
    @inject(VERIFY) private readonly verify: VerifyCommand,
  ) {}

  /** @throws SkillError as the manifest lists; `USAGE` without a command */
  async run(input: ReproduceInput, call: Call): Promise<ReproduceOutput> {
    const opened = await this.sessions.open(input.session);
    const { entry } = opened;
    if (!isCollecting(entry.state))
      throw new SkillError(
        "DEBUG_STEP",
        impossible(entry.state, "reproduce", "it belongs to steps 6 and 9"),
        {
          hint: [backLine(entry, "reproduce"), nextStep(entry)].filter(Boolean).join("\n"),
        },
      );
    const tries = await this.reproductions.run(input, opened, call);
    const written = await this.sessions.turn(entry.id, call, (now) => {
      const all = [...(now.entry.tries ?? []), ...tries.tried.map(({ one }) => one)].slice(-MOST_TRIES);
      return this.sessions.write(now, { ...now.entry, reproduction: tries.wish, tries: all });
    });
    return this.#goOn(written, tries, call);
  }

  /** Takes the step for the result of the runs. */
  async #goOn(opened: OpenedSession, tries: Tries, call: Call): Promise<ReproduceOutput> {
    const { entry } = opened;
    const { wish } = tries;
    const run = runOf(entry);
    const rate = rateOf(triesOf(entry), run);
    const events = await this.evidence.passes(opened, run);
    const own = triesOf(entry).filter((one) => one.run === run);
    const isAllSilent = events.length === 0;
    const lines = ranLines(tries, rateText(rate), isAllSilent);
    const collected = collectedLines(tries, differenceLines(own, events), isAllSilent);
    const frame = collected.length === 0 ? [] : [framed(collected)];
    const isMeasured = wish.failsWhen !== undefined || wish.times > 1;
    const late = isMeasured ? tries.tried.filter(({ end }) => end.isLate).length : 0;
    if (late > 0)
      lines.push(
        `${late} ${late === 1 ? "run was" : "runs were"} ended after ${wish.timeout} s (--timeout): later output is missing.`,
      );
    const silent = own.filter(({ failed, from, to }) => failed && to < from).length;
    if (silent > 0 && events.length > 0)
      lines.push(
        `${silent} of the failing runs reported no event: a program that crashes loses pending events. ${SYNC}`,
      );
    const more = { command: wish.command, ...rate };
    const isFirst = entry.state === "reproducing";
    const isSilent = events.length === 0 && (isFirst || !isTried(triesOf(entry), citedRun(entry), run));
    const why = isSilent
      ? `No event has arrived: the command does not reach the probes, or ends before they have reported. ${SYNC}`
      : isFirst && isMeasured && rate.failed === 0
        ? "The command has not failed, so it does not show the bug yet: run it more often (--times), or have the user answer B."
        : undefined;
    if (why !== undefined) {
      const steps = guidance(entry.steps, isFirst ? "the probes" : "the fix");
      return answered(entry, [...lines, ...frame, why, "", ...steps], more);
    }
    const note = isMeasured ? `${wish.command}: ${rateText(rate)}` : `${wish.command} was run`;
    const { text } = isFirst
      ? await this.answer.run({ session: entry.id, answer: "A", note }, call)
      : await this.verify.run({ session: entry.id }, call);
    const now = await this.sessions.open(entry.id);
    // The result is complete, so one frame can hold all collected data.
    const said = text.replace(/^A\) .*\n\n?/, "");
    const rest = BEGIN.test(said)
      ? [said.replace(BEGIN, (mark) => [mark, ...collected.map(inert)].join("\n"))]
      : [...frame, said];
    return { ...answered(now.entry, [], more), text: [...lines, ...rest].join("\n") };
  }
}

/** The first failing try, otherwise the last one. */
function shownTry(tried: readonly Tried[]): Tried | undefined {
  return tried.find(({ one }) => one.failed) ?? tried.at(-1);
}

/** The output of the tries, and where they differ. */
function collectedLines(
  { wish, tried, server }: Tries,
  difference: readonly string[],
  isSilent: boolean,
): readonly string[] {
  const shown = shownTry(tried);
  const isShown = shown?.one.failed === true || isSilent;
  return [
    ...(shown && isShown ? shown.output.lines(wish.failsWhen) : []),
    ...(server.end ? server.output.lines("Error") : []),
    ...difference,
  ];
}

/** How the tries ended. */
function ranLines({ wish, tried, server }: Tries, rate: string, isSilent: boolean): string[] {
  const { command, timeout, failsWhen, server: meanwhile } = wish;
  const shown = shownTry(tried);
  if (!shown) return [];
  const { end, output, one } = shown;
  const ended = endText(end, timeout);
  const isShown = one.failed || isSilent;
  const which = one.failed ? `; the first failing run ${ended}` : isSilent ? `; the last run ${ended}` : "";
  const lines = [
    wish.times === 1 && failsWhen === undefined
      ? `\`${command}\` ${ended}${isShown || end.says !== undefined ? "" : output.last()}.`
      : `\`${command}\` ${rate}${which}.`,
  ];
  if (meanwhile && server.end)
    lines.push(`The server \`${meanwhile.command}\` ${endText(server.end, timeout)} meanwhile.`);
  return lines;
}
