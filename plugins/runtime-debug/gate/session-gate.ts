import {
  ENVIRONMENT,
  FILES,
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
import type { KnownServer, SessionEntry } from "../session/entry.ts";
import { RECORD_FILE, type RecordFile } from "../session/record-file.ts";
import { ACTIONS, STEPS, take, type Action } from "../session/steps.ts";
import { statusIn } from "../record/status.ts";
import { WORKTREE, type Worktree } from "../worktree/worktree.ts";
import { edited, fieldsOf } from "./edited-text.ts";
import { callsTo, endersOf, sendsByVariable } from "./server-calls.ts";
import {
  SITES,
  holds,
  inside,
  kindOf,
  openIn,
  sameName,
  shutIn,
  writtenBy,
  type Site,
  type Sites,
} from "./sites.ts";

/** The rules that judge a call by the session. */
type Rule = Exclude<Contract["rules"], "tree-check">;

/** One thing that stands against a call. */
interface Objection {
  /** Default: deny. */
  readonly decision?: "ask";
  /** A sentence for people. */
  readonly sentence: string;
  readonly session?: SessionEntry;
}

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
export function gateOf(rule: Rule): new (gate: SessionGate) => RuleHandler {
  @injectable()
  class SessionRule implements RuleHandler {
    constructor(@inject(SESSION_GATE) private readonly gate: SessionGate) {}

    judge(subject: Subject): Promise<Verdict> {
      return this.gate.judge(rule, subject);
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

const MOVED = /^(?:SKILLCTL_STATE|XDG_STATE_HOME|LOCALAPPDATA|HOME|USERPROFILE)$/;

/** What opens the gates is kept outside the project and written by the commands alone: an agent's tools change neither. */
function stateObjections(subject: Subject, { stateFolder }: Environment): readonly Objection[] {
  const path = writtenBy(subject).find(
    (one) => inside(stateFolder, one) !== undefined || holds(one, stateFolder),
  );
  if (path !== undefined) return [{ sentence: `${path} holds the state of debug sessions.` }];
  const { phases = [], shell } = subject;
  const isOurs = shell?.programs.some(({ name }) => name === "skillctl") === true;
  const variable = shell?.sets.map((set) => set.split("=")[0] ?? "").find((name) => MOVED.test(name));
  return isOurs && variable !== undefined && phases.some((phase) => phase.startsWith("runtime-debug:"))
    ? [{ sentence: `With ${variable} skillctl would look for the session somewhere else.` }]
    : [];
}

/** Phases are run in order and none is skipped (specification, States and transitions). The command says the same. */
function skippedSteps(subject: Subject, site: Site): readonly Objection[] {
  return ownCommands(subject).flatMap((command) => {
    const action = actionOf(command);
    if (action === undefined) return [];
    const sessions = meant(command, site);
    const refusals = sessions.flatMap((session): readonly Objection[] => {
      const taken = take(session.state, action, () => true);
      return taken.ok ? [] : [{ sentence: taken.sentence, session }];
    });
    // Which of several sessions is meant the command finds out: one that can is enough.
    return refusals.length === sessions.length ? refusals : [];
  });
}

/** The cleanup has a rule of its own; looking changes no state. */
function actionOf({ name, words }: OwnCommand): Action | undefined {
  if (name === "cleanup" || words.includes("--staged")) return undefined;
  const letter = words.find((word) => /^(?:--answer=)?[A-Da-d]$/.test(word));
  // What a session is asked at any step is looked at; `check` only tells elsewhere.
  if (name === "check") return undefined;
  const action =
    name === "answer" && letter !== undefined ? `answer ${letter.slice(-1).toUpperCase()}` : name;
  return ACTIONS.find((one) => one === action);
}

/** A command of this skill that a shell command calls. */
interface OwnCommand {
  readonly name: string;
  /** The words behind the name. */
  readonly words: readonly string[];
  /** The folder that it is called in, where that is known. */
  readonly cwd: string | undefined;
}

/** The calls of `skillctl run runtime-debug`, and of its tools through MCP; those that only ask for help are none. */
function ownCommands({ shell, cwd, tool, name = "", input }: Subject): readonly OwnCommand[] {
  const [, called] = (tool === "mcp" && /(?:__|:)runtime-debug_([a-z-]+)$/.exec(name)) || [];
  if (called !== undefined) {
    const given = Object.values(fieldsOf(input)).filter((value) => typeof value === "string");
    return [{ name: called, words: given, cwd }];
  }
  return (shell?.programs ?? []).flatMap((program): readonly OwnCommand[] => {
    if (program.name !== "skillctl" || program.args.some((word) => word === "--help" || word === "-h"))
      return [];
    const at = program.args.indexOf("run");
    const [skill, name, ...words] = program.args.slice(at + 1).filter((word) => !/^--?json$/.test(word));
    if (at < 0 || skill !== "runtime-debug" || name === undefined) return [];
    return [{ name, words, cwd: program.cwd ?? cwd }];
  });
}

/** The sessions of a site that a command may be about: the one that it names, else all. */
function meant({ words, cwd }: OwnCommand, { root, sessions }: Site): readonly SessionEntry[] {
  if (cwd !== undefined && inside(root, cwd) === undefined) return [];
  const said = words.map((word) => word.replace(/^--session=/, ""));
  const named = sessions.filter(({ id }) => said.includes(id));
  return named.length > 0 ? named : sessions;
}

/** No cleanup while the record says [OPEN]: only after the user has answered A or D (specification, Gates 2). */
function earlyCleanups(subject: Subject, site: Site): readonly Objection[] {
  return ownCommands(subject)
    .filter(({ name }) => name === "cleanup")
    .flatMap((command): readonly Objection[] => {
      const sessions = meant(command, site);
      const [session] = sessions;
      if (!session || sessions.some(({ state }) => state === "cleaning")) return [];
      return [{ sentence: "The cleanup comes last.", session }];
    });
}

/** The record, the folder of the session and its files; a folder that holds them too, where something is removed. */
function removals(
  { shell, tool, name = "", paths = [] }: Subject,
  site: Site,
  session: SessionEntry,
): readonly Objection[] {
  const { root } = site;
  const isRemover =
    tool === "shell"
      ? (shell?.programs.some(takesAway) ?? false)
      : /delete|remove|move|rename|trash/i.test(name);
  const written = tool === "shell" ? (shell?.writes ?? []) : isRemover ? paths : [];
  return written
    .filter((path) => isOwn(path, site, session) || (isRemover && holds(path, root)))
    .map((path) => ({ sentence: `${inside(root, path) || path} belongs to the session.`, session }));
}

/** Whether a program takes away what it names, with what git leaves out where git does it. */
function takesAway({ name, args }: NonNullable<Subject["shell"]>["programs"][number]): boolean {
  if (name !== "git")
    return /^(?:rm|rmdir|unlink|shred|mv|trash|trash-put|rimraf|del|erase|rd|gio)$/.test(name);
  return (
    (args.includes("clean") && args.some((word) => /^-[a-zA-Z]*[xX]/.test(word))) ||
    (args.includes("stash") && args.some((word) => word === "-a" || word === "--all"))
  );
}

function isOwn(path: string, site: Site, { id, baseline }: SessionEntry): boolean {
  const own = inside(site.root, path);
  if (own === undefined || own === "") return false;
  if (kindOf(own, site.sessions) === "record") return baseline.images === "" || isRecordOf({ id }, own);
  const words = own.split("/");
  const at = words.findIndex((word) => sameName(word, ".dbg"));
  if (at < 0) return false;
  const name = words.slice(at + 1).join("/");
  return name === "" || baseline.images === "" || name.includes(`${id}.`);
}

function isRecordOf({ id }: Pick<SessionEntry, "id">, record: string): boolean {
  return sameName(record.split("/").at(-1) ?? "", `debug-${id}.md`);
}

/** States in which a cleared log is filled again by the reproduction that follows. */
const BEFORE_EVIDENCE: readonly SessionEntry["state"][] = ["observing", "instrumenting", "reproducing"];

function endingCalls(subject: Subject, server: KnownServer, session: SessionEntry): readonly Objection[] {
  return callsTo(server, subject).flatMap(({ path, method }): readonly Objection[] => {
    if (/\/(?:shutdown|stop|quit|exit|kill|close)$/.test(path) && method !== "GET")
      return [{ sentence: "This asks the debug server to end.", session }];
    if (method === "DELETE" && !BEFORE_EVIDENCE.includes(session.state))
      return [
        {
          decision: "ask",
          sentence: "This clears the log that the hypotheses are judged by.",
          session,
        },
      ];
    return [];
  });
}

/** Evidence comes from the running program alone (specification, Gates 1; States and transitions). */
function evidenceWritten(subject: Subject, site: Site): readonly string[] {
  const own = writtenBy(subject).flatMap((path) => inside(site.root, path) ?? []);
  return [...new Set(own.filter((path) => kindOf(path, site.sessions) === "evidence"))];
}

const READING = /^(?:\/event)?\/(?:logs|health)$|^$/;

function posts(subject: Subject, server: KnownServer): boolean {
  return callsTo(server, subject).some(({ path, method }) => {
    if (method === "GET" || method === "HEAD" || method === "DELETE" || method === "OPTIONS") return false;
    return method !== undefined || !READING.test(path);
  });
}
