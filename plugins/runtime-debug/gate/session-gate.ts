import { dirname, extname } from "node:path";
import {
  quotedName,
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
import { placed, type Finding } from "../check/finding.ts";
import type { Contract } from "../contract.ts";
import { DRIFT, driftText, type Drift } from "../drift/drift.ts";
import type { SessionEntry } from "../session/entry.ts";
import { LEDGER, type Ledger } from "../session/ledger.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { STEPS, isFixState, isHeld, probeCommand, type State } from "../session/steps.ts";
import { isCode, isProduct, isProse } from "../worktree/code-files.ts";
import { WORKTREE, type Worktree } from "../worktree/worktree.ts";
import {
  endersOf,
  inside,
  isRemoval,
  kindOf,
  makesFolder,
  purges,
  removesFile,
  sendsTo,
  writtenBy,
  onlyEnters,
} from "./call-effects.ts";
import { isForeign, rewritten } from "./foreign-tools.ts";

/** The rules that judge a call before it. */
type Rule = Exclude<Contract["rules"], "tree-check">;

/** The reason of a rule, for people, and the alternative for the model; `ROOT` stands for the project folder, `SESSION` for its session. */
const REASONS: Readonly<Record<Rule, readonly [why: string, instead: string]>> = {
  "evidence-gate": [
    "No log line has confirmed a cause yet, so only probes may be added to the code.",
    "No log line has confirmed a cause yet: in ROOT only probes may be added, with any tool. PROBE Put scratch files outside of it; undo earlier changes with `skillctl run runtime-debug undo --session SESSION`.",
  ],
  "confirmation-gate": [
    "Nothing of a session is removed before the user has answered A or D.",
    "No file of a session may be removed before the user has answered A or D; add a remark with `--note` of `answer`.",
  ],
  "server-stays-up": [
    "The debug server must run until the user has confirmed.",
    "The debug server must run until the cleanup. To restart the program, end only its process by its id.",
  ],
  "no-forged-evidence": [
    "Evidence comes only from the running program.",
    "Evidence comes only from the running program: run it with its probes. You may read /logs and /health; the page is for the user.",
  ],
};

/** The records among written files that a call would remove, or whose text would lose the head of this session's record. */
function recordsLost(subject: Subject, own: readonly string[], { id }: SessionEntry): readonly string[] {
  const isHeaded = (text: string | undefined): boolean => text?.includes(`Debug Session: ${id}`) === true;
  const { edits } = subject;
  const text = isForeign(subject) ? rewritten(subject) : undefined;
  return own.filter((path) => {
    const lost = edits?.some(
      (edit) =>
        edit.path === path &&
        (edit.unclear !== undefined ||
          edit.after === undefined ||
          (isHeaded(edit.before) && !isHeaded(edit.after))),
    );
    return lost ?? (text !== undefined && !isHeaded(text));
  });
}

/** The sentence about a file that an edit would change, from the first finding in its new text. */
function resultText(path: string, finding: Finding): string {
  const file = quotedName(path);
  if (finding.code === "new-file") return `${file} would be a new file.`;
  if (finding.code === "file-removed") return `${file} would be removed.`;
  const isOpen = finding.code === "marker-unbalanced";
  return `${file} would ${isOpen ? "have a region that is not closed" : "be changed"}: ${placed(finding)}`;
}

/** The objections to a call, a sentence each. */
interface Objections extends OpenedSession {
  readonly sentences: readonly string[];
}

/** Judges a call by the sessions of the projects that it can reach, for each rule separately. */
@injectable()
export class SessionGate {
  /** Several rules need the sessions of a call; they are looked up once. */
  readonly #reached = new WeakMap<Subject, Promise<readonly OpenedSession[]>>();

  constructor(
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(FILES) private readonly files: Files,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(DRIFT) private readonly drift: Drift,
  ) {}

  /** @throws SkillError `FILE_UNREADABLE`, `DEBUG_STATE_DAMAGED`, `PROGRAM_FAILED`: then the rule has denied */
  async judge(rule: Rule, subject: Subject): Promise<Verdict> {
    const found: Objections[] = [];
    // All sessions apply: each has its own earlier text.
    for (const reached of await this.#sessions(subject)) {
      const sentences = await this.#objections(rule, subject, reached);
      if (sentences.length > 0) found.push({ ...reached, sentences });
    }
    return verdictOf(rule, found);
  }

  /**
   * After each call of a tool and at the end of a turn: reports changes beyond probes before the evidence, or since the
   * fix was accepted (specification, Gates 1). It changes no file and reverts nothing: the commands of the session refuse
   * to continue.
   * @throws SkillError `FILE_UNREADABLE`, `DEBUG_STATE_DAMAGED`
   */
  async afterCall(subject: Subject): Promise<Verdict> {
    const told: string[] = [];
    const hints = new Set<string>();
    for (const { root, entry } of await this.#sessions(subject))
      if (isHeld(entry.state))
        try {
          const found = await this.drift.of({ root, entry });
          if (found.length > 0)
            told.push(`In ${quotedName(root)} (session ${entry.id}) ${driftText({ root, entry }, found)}`);
          for (const { hint } of found) if (hint !== undefined) hints.add(hint);
        } catch (caught) {
          if (!(caught instanceof SkillError)) throw caught;
          told.push(`The code of ${quotedName(root)} could not be checked for changes: ${caught.message}`);
        }
    if (told.length === 0) return { decision: "allow" };
    const message = told.join(" ");
    const rest = `The session does not continue until that is undone. ${[...hints].join(" ")}`.trim();
    return { decision: "warn", message, agentMessage: `${message} ${rest}` };
  }

  async #objections(rule: Rule, subject: Subject, reached: OpenedSession): Promise<readonly string[]> {
    const { root, entry } = reached;
    if (rule === "evidence-gate") return isFixState(entry.state) ? [] : this.#codeWritten(subject, reached);
    if (entry.state === "cleaning" || entry.state === "closed") return [];
    const written = writtenBy(subject).filter((path) => {
      const kind = kindOf(inside(root, path) ?? "");
      return kind === "evidence" || (kind === "record" && rule === "confirmation-gate");
    });
    // A copy into a folder names the folder as well as the file in it: only the file counts.
    const own = written.filter((path) => !written.includes(dirname(path)));
    // The server that was known at the last step.
    const { server } = entry;
    if (rule === "no-forged-evidence")
      return [
        ...own.map((path) => `${quotedName(path)} is written only by the debug server.`),
        ...(sendsTo(subject, server, this.environment.addresses)
          ? ["This sends events to the debug server."]
          : []),
      ];
    if (rule === "server-stays-up")
      return server
        ? endersOf(subject, server, entry.id).map((name) => `${name} would end the debug server.`)
        : [];
    const isTaken = isRemoval(subject);
    const whole = isTaken ? writtenBy(subject).filter((path) => inside(path, root) !== undefined) : [];
    return [
      // Notes in the record are allowed: the contents of a record have no effect on the session.
      ...[...(isTaken || subject.tool === "shell" ? own : recordsLost(subject, own, entry)), ...whole].map(
        (path) => `${quotedName(path)} belongs to the session.`,
      ),
      ...(server && purges(subject, server, this.environment.addresses)
        ? ["This removes the events of the session."]
        : []),
    ];
  }

  /**
   * The code that a call would change while no log line has confirmed a cause (specification, Gates 1; Rules on instrumentation
   * 2). An edit is judged by its result, which may differ from the start only by regions. For a command, and an edit whose
   * result cannot be computed, the files that it names as targets count; the comparison after the call finds the rest.
   */
  async #codeWritten(subject: Subject, reached: OpenedSession): Promise<readonly string[]> {
    const { root, entry } = reached;
    const edits = entry.id === SUPPOSED ? undefined : subject.edits;
    const unclear = (edits ?? []).filter((edit) => edit.unclear !== undefined);
    const clear = (edits ?? []).filter((edit) => edit.unclear === undefined);
    const isTold = edits !== undefined && unclear.length === 0;
    const sentences = await this.#namedCode(subject, isTold ? [] : writtenBy(subject), reached);
    for (const { path, unclear: reason } of unclear) {
      const named = await this.#namedCode(subject, [path], reached);
      if (named.length > 0) sentences.push(...named, `The result of this call is unknown, since ${reason}.`);
    }
    const byPath = new Map(clear.map((edit) => [edit, inside(root, edit.path)]));
    const code = [...byPath.values()].flatMap((path) => (path && kindOf(path) === "code" ? path : []));
    const leftOut = await this.#leftOut([...new Set(code)], reached);
    for (const [edit, path] of byPath)
      if (path && code.includes(path) && !leftOut.has(path))
        sentences.push(...(await this.#resultOf(edit, path, reached)));
    return [...new Set(sentences)];
  }

  /** The objections to the text that an edit would give a file. */
  async #resultOf(
    { before, after }: { readonly before?: string; readonly after?: string },
    path: string,
    reached: OpenedSession,
  ): Promise<readonly string[]> {
    const checked = (text?: string) =>
      this.drift.ifItBecame(reached, path, text === undefined ? undefined : Buffer.from(text));
    const { findings, regions } = await checked(after);
    // Native logging has a separate rule.
    const [first] = findings.filter(({ code }) => code !== "native-log");
    if (first) return [resultText(path, first)];
    if (reached.entry.state !== "observing" || regions === 0) return [];
    const isNew = before === undefined || regions > (await checked(before)).regions;
    return isNew ? ["Probes come after the hypotheses, and none are listed yet."] : [];
  }

  /** The code among the files that a call writes or removes. */
  async #namedCode(subject: Subject, written: readonly string[], reached: OpenedSession): Promise<string[]> {
    const { root } = reached;
    const paths = [...new Set(written.flatMap((path) => inside(root, path) || []))];
    // A tool of a server may name the folder of the project and the file separately.
    const sentences = written
      .filter((path) => inside(path, root) !== undefined && !(isForeign(subject) && paths.length > 0))
      .map(() => "Files throughout the project would be changed.");
    const code = paths.filter((path) => kindOf(path) === "code" && (isRemoval(subject) || !isProse(path)));
    const leftOut = await this.#leftOut(code, reached);
    const factsOf = (path: string) => this.files.facts(`${root}/${path}`);
    for (const path of code.filter((one) => !leftOut.has(one))) {
      const facts = await factsOf(path);
      if (facts?.kind === "folder" && onlyEnters(subject, path)) continue;
      if (!facts) {
        const parent = dirname(path);
        // A copy also names the file inside its destination, in case the destination is a folder.
        const isFolder = (await factsOf(parent))?.kind === "folder" || makesFolder(subject, parent);
        const isElsewhere = subject.shell !== undefined && paths.includes(parent) && !isFolder;
        // Removing a missing file is harmless.
        if (!isElsewhere && this.#isNewCode(subject, path) && !removesFile(subject, path))
          sentences.push(`${quotedName(path)} would be a new file.`);
      } else if (this.#isNewCode(subject, path) || (await this.#isOfStart(path, reached)))
        sentences.push(`${quotedName(path)} would be changed.`);
    }
    return sentences;
  }

  /** Whether a path that was not there at the start is code. Without an extension it may be a folder, a build product or a mere word. */
  #isNewCode(subject: Subject, path: string): boolean {
    if (!isCode(path)) return false;
    if (isForeign(subject)) return extname(path) !== "" && !/\s/.test(path);
    const isBuilt = subject.shell?.programs.some(({ name }) => isProduct(path, name)) === true;
    return !isBuilt && !(extname(path) === "" && makesFolder(subject, path));
  }

  /** The paths that may be changed because git ignores them; git does not ignore tracked files. */
  async #leftOut(paths: readonly string[], reached: OpenedSession): Promise<ReadonlySet<string>> {
    const { root, entry } = reached;
    if (paths.length === 0 || entry.id === SUPPOSED) return new Set();
    const leftOut = new Set(await (await this.worktree.tree(root, entry.baseline)).leftOut(paths));
    for (const path of leftOut) if (await this.#hasImage(path, reached)) leftOut.delete(path);
    return leftOut;
  }

  async #isOfStart(path: string, reached: OpenedSession): Promise<boolean> {
    const { root, entry } = reached;
    if (entry.id === SUPPOSED || (await this.files.facts(`${root}/${path}`))?.kind === "folder") return true;
    return this.#hasImage(path, reached);
  }

  async #hasImage(path: string, { root, entry }: OpenedSession): Promise<boolean> {
    try {
      return (await (await this.worktree.tree(root, entry.baseline)).before(path)) !== undefined;
    } catch (caught) {
      // The file existed, although it has no image.
      if (caught instanceof SkillError && caught.code === "FILE_UNREADABLE") return true;
      throw caught;
    }
  }

  #sessions(subject: Subject): Promise<readonly OpenedSession[]> {
    const known = this.#reached.get(subject) ?? this.#find(subject);
    this.#reached.set(subject, known);
    return known;
  }

  /** The sessions of the projects of its folder and of all paths that it names, found like `phases` of the request. */
  async #find(subject: Subject): Promise<readonly OpenedSession[]> {
    const { cwd = this.environment.workingFolder, paths = [], shell } = subject;
    const { writes = [], programs = [] } = shell ?? {};
    const found: OpenedSession[] = [];
    const seen = new Set<string>();
    for (const place of new Set([cwd, ...paths, ...writes, ...programs.flatMap((one) => one.cwd ?? [])])) {
      const start = (await this.files.realPath(place)) ?? place;
      for (let root = start; !seen.has(root); root = dirname(root)) {
        seen.add(root);
        const entries = Object.values(await this.ledger.sessionsAt(root));
        found.push(...entries.map((entry) => ({ root, entry })));
        if (entries.length > 0) break;
      }
    }
    // After a call, the phases are those of all listed projects.
    const isElsewhere = subject.event !== "tool.pre" && (await this.ledger.roots()).length > 0;
    return found.length === 0 && !isElsewhere ? supposed(subject, cwd) : found;
  }
}

export const SESSION_GATE = token<SessionGate>("session-gate");

const SUPPOSED = "unknown-session";

/** A request may name sessions without an entry here: nothing is assumed about them. */
function supposed({ phases = [] }: Subject, root: string): readonly OpenedSession[] {
  return phases.flatMap((phase): readonly OpenedSession[] => {
    const [, state] = /^runtime-debug:(\w+)$/.exec(phase) ?? [];
    if (state === undefined || !Object.hasOwn(STEPS, state)) return [];
    const entry: SessionEntry = {
      id: SUPPOSED,
      state: state as State,
      issue: "",
      steps: [],
      createdAt: 0,
      baseline: { images: "" },
      hypotheses: [],
      probes: [],
      // A placeholder: the address and the process of its server are unknown.
      server: { url: "http://127.0.0.1:1", pid: NaN, instance: "" },
      runs: { before: "pre-fix" },
      fixes: [],
      iterations: [],
      conclusion: "",
      accepted: {},
      recordText: "",
    };
    return [{ root, entry }];
  });
}

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

/** The number of objections that a message shows. */
const MOST = 3;

/** One denial from several objections, without duplicates, with the step of the first session. */
function verdictOf(rule: Rule, objections: readonly Objections[]): Verdict {
  const [first] = objections;
  if (!first) return { decision: "allow" };
  const all = [...new Set(objections.flatMap(({ sentences }) => sentences))];
  const more = all.length > MOST ? ` And ${all.length - MOST} more.` : "";
  const told = `${all.slice(0, MOST).join(" ")}${more}`;
  const { id, state } = first.entry;
  const probe =
    state === "observing" ? "They come after the hypotheses." : `\`${probeCommand(id)}\` adds one.`;
  const [why, instead] = REASONS[rule].map((text) =>
    text
      .replace("PROBE", () => probe)
      .replace("ROOT", () => first.root)
      .replace("SESSION", id),
  );
  const at = `Session ${id}, step ${STEPS[state].number} of 11`;
  return {
    decision: "deny",
    message: `${told} ${why} (${at}.)`,
    agentMessage: `${told} ${instead} ${at}: \`skillctl run runtime-debug status\` shows the next step.`,
  };
}
