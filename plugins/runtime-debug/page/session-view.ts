import { basename, dirname } from "node:path";
import { FILES, inject, injectable, token, type Files } from "skillctl";
import { COMPARISON, type Comparison } from "../compare/comparison.ts";
import type { CompareOutput } from "../contract.ts";
import type { OpenSession } from "../open-session.ts";
import { rateOf, ratesLines, triesOf } from "../reproduce/rates.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import type { Hypothesis, SessionEntry } from "../session/entry.ts";
import { LEDGER, type Ledger } from "../session/ledger.ts";
import { openQuestion } from "../session/next-step.ts";
import { citedRun, runOf } from "../session/rounds.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { STEPS } from "../session/steps.ts";
import { inert } from "../store/event/inert-text.ts";
import { codeAround } from "./code-view.ts";
import type { PageHypothesis, PageStep, PageView } from "./page-view.ts";

/** Short names of the steps for the page. */
const TITLES: readonly (readonly [number: number, title: string])[] = [
  [2, "Hypotheses"],
  [4, "Probes"],
  [6, "Reproduction"],
  [7, "Verdicts"],
  [8, "Fix"],
  [9, "Trial"],
  [10, "Confirmation"],
  [11, "Cleanup"],
];

/** Reads the state of the session that this process serves. */
@injectable()
export class SessionViews {
  constructor(
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(COMPARISON) private readonly comparison: Comparison,
    @inject(FILES) private readonly files: Files,
  ) {}

  /** The current session of the commands; `undefined` for a server without one. @throws SkillError as `Ledger.sessionsAt` does */
  async find({ id, folder }: OpenSession): Promise<OpenedSession | undefined> {
    if (basename(folder) !== DEFAULT_FOLDER) return undefined;
    const root = dirname(folder);
    const entry = (await this.ledger.sessionsAt(root))[id];
    return entry && { root, entry };
  }

  /** @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE` */
  async of(opened: OpenedSession): Promise<PageView> {
    const { entry } = opened;
    const { state, runs } = entry;
    const before = citedRun(entry);
    const question = openQuestion(state);
    const tries = triesOf(entry, runs.after === undefined ? undefined : before);
    const code = await codeAround(opened, this.files);
    const compared =
      runs.after === undefined ? undefined : await this.comparison.of(opened, before, runs.after);
    const view: PageView = {
      id: entry.id,
      issue: entry.issue,
      ...(entry.expected !== undefined && { expected: entry.expected }),
      ...(entry.actual !== undefined && { actual: entry.actual }),
      steps: stepsOf(entry),
      runs: { now: runOf(entry), before, ...(runs.after !== undefined && { after: runs.after }) },
      ...(question && { question: { ...question, steps: entry.steps } }),
      ...(entry.answered !== undefined && { answered: entry.answered }),
      hypotheses: entry.hypotheses.map(hypothesisOf),
      earlier: (entry.earlier ?? []).map(hypothesisOf),
      ...(entry.cause !== undefined && { cause: entry.cause }),
      fixes: entry.fixes.map(({ summary }) => summary),
      notes: [...entry.iterations, ...(entry.notes ?? [])],
      rates: [...new Set(tries.map(({ run }) => run))].map((run) => ({ run, ...rateOf(tries, run) })),
      ratesLines: runs.after === undefined ? [] : ratesLines(entry, before, runs.after),
      ...(compared && { comparison: comparedOf(compared) }),
      code,
    };
    return JSON.parse(JSON.stringify(view), (_, value: unknown) =>
      typeof value === "string" ? inert(value) : value,
    ) as PageView;
  }
}

export const SESSION_VIEWS = token<SessionViews>("session-views");

function stepsOf({ state }: SessionEntry): readonly PageStep[] {
  const { number: now } = STEPS[state];
  return TITLES.map(([number, title]) => ({
    number,
    title,
    at: state === "closed" || number < now ? "done" : number === now ? "now" : "later",
  }));
}

function hypothesisOf(one: Hypothesis): PageHypothesis {
  const { id, text, refutedBy, observe, verdict, because, lines, cited = [] } = one;
  return { id, text, refutedBy, observe, verdict, ...(because !== undefined && { because }), lines, cited };
}

function comparedOf({ before, after, events, probes, order }: CompareOutput) {
  return { before, after, events, probes, order };
}
