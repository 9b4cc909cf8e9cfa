import {
  ENVIRONMENT,
  FILES,
  SkillError,
  inject,
  injectable,
  token,
  type Environment,
  type Files,
  type RuleHandler,
  type Subject,
  type Verdict,
} from "skillctl";
import type { Contract } from "../contract.ts";
import { DRIFT, driftText, isHeld, type Drift } from "../drift/drift.ts";
import type { SessionEntry } from "../session/entry.ts";
import { RECORD_FILE, type RecordFile } from "../session/record-file.ts";
import { STEPS } from "../session/steps.ts";
import { statusIn } from "../session/record-text.ts";
import { WORKTREE, type Worktree } from "../worktree/worktree.ts";
import { edited } from "./edited-text.ts";
import {
  earlyCleanups,
  endingCalls,
  evidenceWritten,
  isRecordOf,
  posts,
  removals,
  skippedSteps,
  stateObjections,
  type Objection,
} from "./objections.ts";
import { endersOf, sendsByVariable } from "./server-calls.ts";
import { SITES, inside, kindOf, openIn, shutIn, type Site, type Sites } from "./sites.ts";

/** The rules that judge a call by the session. */
type Rule = Exclude<Contract["rules"], "tree-check">;

/** Why there is a rule, for people, and what the model does in place of the call; `ROOT` stands for the project folder. */
const REASONS: Readonly<Record<Rule, readonly [why: string, instead: string]>> = {
  "evidence-gate": [
    "No log line has confirmed a cause yet, so only probes may be added to the code.",
    "No log line has confirmed a cause yet: in ROOT only probes may be added, whichever tool it is.",
  ],
  "no-new-file": [
    "Instrumentation adds no files to the project.",
    "Instrumentation adds no files to the project: write it outside of ROOT.",
  ],
  "confirmation-gate": [
    "Nothing of a session is removed before the user has answered A or D.",
    "Nothing of a session is removed before the user has answered A or D; a remark goes in with `--note` of `answer`.",
  ],
  "server-stays-up": [
    "The debug server stays until the user has confirmed.",
    "The debug server stays until the cleanup: leave it running. To start the program anew, end that one process by its id.",
  ],
  "phase-order": ["The steps of a session come in order.", "Do the step that is missing first."],
  "no-forged-evidence": [
    "Evidence comes from the running program alone.",
    "Evidence comes from the running program alone: run it with its probes. Reading /logs and /health is free.",
  ],
  "ledger-untouched": [
    "Only skillctl writes there.",
    "Only the commands of skillctl write there. Where a session stands, and what comes next, says `skillctl run runtime-debug status`.",
  ],
};

/** What a call does to the code of a site, told by two rules. */
interface Breach extends Objection {
  readonly isNewFile: boolean;
  readonly root: string;
}

/** Judges a call by the sessions of the projects that it can reach; each rule asks for what is its own. */
@injectable()
export class SessionGate {
  readonly #breaches = new WeakMap<Subject, Promise<readonly Breach[]>>();

  constructor(
    @inject(SITES) private readonly sites: Sites,
    @inject(FILES) private readonly files: Files,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(RECORD_FILE) private readonly record: RecordFile,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(DRIFT) private readonly drift: Drift,
  ) {}

  /** @throws SkillError as `Sites.of` does, `PROGRAM_FAILED`, and what reading the server's record throws: then the rule has denied. */
  async judge(rule: Rule, subject: Subject): Promise<Verdict> {
    if (rule === "ledger-untouched") return verdictOf(rule, stateObjections(subject, this.environment));
    if (rule === "evidence-gate" || rule === "no-new-file") return this.#ofCode(rule, subject);
    const sites = await this.sites.of(subject);
    const found = await Promise.all(sites.map((site) => this.#inSite(rule, subject, site)));
    return verdictOf(rule, found.flat());
  }

  /**
   * After each call of a tool and at the end of a turn: tells what has changed by more than probes before the evidence, or
   * since the fix was accepted (specification, Gates 1). It touches no file and stops nothing that is done already: the
   * commands of the session refuse to go on.
   * @throws SkillError as `Sites.of` does
   */
  async afterCall(subject: Subject): Promise<Verdict> {
    const told: string[] = [];
    const hints = new Set<string>();
    for (const { root, sessions } of await this.sites.of(subject))
      for (const entry of sessions.filter(({ state }) => isHeld(state)))
        try {
          const found = entry.baseline.images === "" ? undefined : await this.drift.of({ root, entry });
          if (!found)
            told.push(
              "A debug session holds the code, but what is kept of it is not here, so it cannot be compared.",
            );
          else if (found.length > 0)
            told.push(`In ${root} (session ${entry.id}) ${driftText({ root, entry }, found)}`);
          for (const { hint } of found ?? []) if (hint !== undefined) hints.add(hint);
        } catch (caught) {
          if (!(caught instanceof SkillError)) throw caught;
          told.push(`Whether the code of ${root} has changed could not be seen: ${caught.message}`);
        }
    if (told.length === 0) return { decision: "allow" };
    const message = told.join(" ");
    const rest = `The session does not go on until that is undone. ${[...hints].join(" ")}`.trim();
    return { decision: "warn", message, agentMessage: `${message} ${rest}` };
  }

  /**
   * What a call surely does to code while no log line has confirmed a cause (specification, Gates 1; Rules on instrumentation
   * 2): an editor that leaves a file other than with probes, a command that names a file of the project as what it writes.
   * What is merely possible passes: the look at the work tree after the call finds what it did.
   */
  async #ofCode(rule: "evidence-gate" | "no-new-file", subject: Subject): Promise<Verdict> {
    const known = this.#breaches.get(subject) ?? this.#breachesOf(subject);
    this.#breaches.set(subject, known);
    const all = await known;
    const own = all.filter(({ isNewFile }) => isNewFile === (rule === "no-new-file"));
    // Where both deny, the evidence gate says what comes next.
    const isLast = rule === "evidence-gate" || own.length === all.length;
    return verdictOf(rule, own, { isLast, root: own[0]?.root ?? "" });
  }

  async #breachesOf(subject: Subject): Promise<readonly Breach[]> {
    const found: Breach[] = [];
    const { CodeRefusals } = await import("./code-refusals.ts");
    const refusals = new CodeRefusals(this.files, this.worktree);
    for (const site of await this.sites.of(subject))
      // All of them hold: each has its own text before.
      for (const session of shutIn(site))
        for (const { sentence, isNewFile = false } of await refusals.of(subject, site, session))
          found.push({ sentence, isNewFile, root: site.root, session });
    return found;
  }

  async #inSite(rule: Rule, subject: Subject, site: Site): Promise<readonly Objection[]> {
    if (rule === "phase-order") return skippedSteps(subject, site);
    const found: Objection[] = rule === "confirmation-gate" ? [...earlyCleanups(subject, site)] : [];
    const [first] = openIn(site);
    if (rule === "no-forged-evidence" && first)
      for (const path of evidenceWritten(subject, site))
        found.push({ sentence: `${path} is written by the debug server alone.`, session: first });
    for (const session of openIn(site)) {
      if (rule === "confirmation-gate")
        found.push(
          ...removals(subject, site, session),
          ...(await this.#recordStatus(subject, site, session)),
        );
      else found.push(...(await this.#onServer(rule, subject, site, session)));
    }
    return found;
  }

  /** The server stays until the user has confirmed, and nobody but the program sends it events (States and transitions; Limits). */
  async #onServer(
    rule: Rule,
    subject: Subject,
    { root }: Site,
    session: SessionEntry,
  ): Promise<readonly Objection[]> {
    const isKnown = session.baseline.images !== "";
    // As it says of itself in the project, else as it was known at the last step.
    const server = (isKnown ? await this.record.server(root, session.id) : undefined) ?? session.server;
    if (rule === "no-forged-evidence")
      return (server && posts(subject, server)) || sendsByVariable(subject, session.id)
        ? [{ sentence: "This sends events to the debug server.", session }]
        : [];
    // No server has been begun for it yet.
    if (!server && isKnown) return [];
    const enders = endersOf(subject, server, session.id);
    return [
      ...enders.map((name): Objection => ({ sentence: `${name} would end the debug server.`, session })),
      ...(server ? endingCalls(subject, server, session) : []),
    ];
  }

  /** Notes of people are kept; what says that the session is over is not for an editor. */
  async #recordStatus(subject: Subject, site: Site, session: SessionEntry): Promise<readonly Objection[]> {
    const { tool, name = "", input, paths = [] } = subject;
    if (tool === "shell" || tool === "read" || tool === "search" || tool === "fetch" || tool === "agent")
      return [];
    const record = paths.find((path) => kindOf(inside(site.root, path) ?? "", site.sessions) === "record");
    if (record === undefined || (!isRecordOf(session, record) && session.baseline.images !== "")) return [];
    if (tool !== "write" && tool !== "edit" && !/write|edit|replace|delete|move|update|create/i.test(name))
      return [];
    const now =
      (await this.files.facts(record))?.kind === "file" ? await this.files.readText(record) : undefined;
    const after = edited(name, input, record, now);
    const status = "text" in after ? statusIn(after.text) : undefined;
    if (now !== undefined && status === statusIn(now) && status !== undefined) return [];
    return [{ sentence: `The status in ${record} is set by the session alone.`, session }];
  }
}

export const SESSION_GATE = token<SessionGate>("session-gate");

/** The handler of a rule. */
export function gateOf(rule: Contract["rules"]): new (gate: SessionGate) => RuleHandler {
  @injectable()
  class SessionRule implements RuleHandler {
    constructor(@inject(SESSION_GATE) private readonly gate: SessionGate) {}

    judge(subject: Subject): Promise<Verdict> {
      return rule === "tree-check" ? this.gate.afterCall(subject) : this.gate.judge(rule, subject);
    }
  }
  return SessionRule;
}

/** As many as people read. */
const MOST = 3;
const NEXT = "`skillctl run runtime-debug status` says what comes next.";

/** The strictest of several objections, told once each. Where another rule speaks of the same call too, one of them says what comes next. */
function verdictOf(
  rule: Rule,
  objections: readonly Objection[],
  { isLast = true, root = "" }: { readonly isLast?: boolean; readonly root?: string } = {},
): Verdict {
  const decision = objections.every((one) => one.decision === "ask") ? "ask" : "deny";
  const counted = objections.filter((one) => (one.decision ?? "deny") === decision);
  const [first] = counted;
  if (!first) return { decision: "allow" };
  const sentences = [...new Set(counted.map(({ sentence }) => sentence))];
  const more = sentences.length > MOST ? ` And ${sentences.length - MOST} more.` : "";
  const told = `${sentences.slice(0, MOST).join(" ")}${more}`;
  const [why, instead] = REASONS[rule].map((text) => text.replace("ROOT", () => root));
  const { session } = first;
  const at =
    isLast && session ? `Session ${session.id}, step ${STEPS[session.state].number} of 11` : undefined;
  return {
    decision,
    message: `${told} ${why}${at === undefined ? "" : ` (${at}.)`}`,
    agentMessage: `${told} ${instead}${at === undefined ? "" : ` ${at}: ${NEXT}`}`,
  };
}
