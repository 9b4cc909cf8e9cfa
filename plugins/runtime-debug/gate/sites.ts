import { dirname } from "node:path";
import {
  ENVIRONMENT,
  FILES,
  inject,
  injectable,
  token,
  type Environment,
  type Files,
  type Subject,
} from "skillctl";
import { STEPS, type State } from "../session/steps.ts";
import type { SessionEntry } from "../session/entry.ts";
import { fieldsOf, textAt } from "./edited-text.ts";
import { LEDGER, type Ledger } from "../session/ledger.ts";

/** A project that a request has to do with, and its sessions. */
export interface Site {
  /** The project folder, absolute, without links. */
  readonly root: string;
  readonly sessions: readonly SessionEntry[];
}

/** States in which no code beside probes may change (specification, Gates 1). */
const SHUT: readonly State[] = ["observing", "instrumenting", "reproducing", "judging"];

/** The sessions of a site that keep its code shut. */
export function shutIn({ sessions }: Site): readonly SessionEntry[] {
  return sessions.filter(({ state }) => SHUT.includes(state));
}

/** The sessions of a site that nobody has answered A or D for. */
export function openIn({ sessions }: Site): readonly SessionEntry[] {
  return sessions.filter(({ state }) => state !== "cleaning" && state !== "closed");
}

/** Finds the projects that a request can reach: of its folder, and of all that it names. */
@injectable()
export class Sites {
  readonly #known = new WeakMap<Subject, Promise<readonly Site[]>>();

  constructor(
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Those with sessions, each once, found as `phases` of the request are. Asked by several rules, looked up once.
   * @throws SkillError `FILE_UNREADABLE`, `DEBUG_STATE_DAMAGED`
   */
  of(subject: Subject): Promise<readonly Site[]> {
    const known = this.#known.get(subject) ?? this.#find(subject);
    this.#known.set(subject, known);
    return known;
  }

  async #find(subject: Subject): Promise<readonly Site[]> {
    const { cwd = this.environment.workingFolder, paths = [], shell } = subject;
    const { writes = [], scripts = [], programs = [] } = shell ?? {};
    const named = [cwd, ...paths, ...writes, ...scripts, ...programs.flatMap((one) => one.cwd ?? [])];
    const sites = new Map<string, Site>();
    const seen = new Set<string>();
    for (const place of new Set(named)) {
      const start = (await this.files.realPath(place)) ?? place;
      for (let at = start; !seen.has(at); at = dirname(at)) {
        seen.add(at);
        const sessions = Object.values(await this.ledger.sessionsAt(at));
        if (sessions.length === 0) continue;
        sites.set(at, { root: at, sessions });
        break;
      }
    }
    // The request says that there are sessions: what is known of none is taken for shut, and nothing of it for known.
    if (sites.size === 0) return (await this.#isListed(subject)) ? [] : supposed(subject, cwd);
    return [...sites.values()];
  }

  /** After a call the phases are those of all projects that are listed. */
  async #isListed({ event }: Subject): Promise<boolean> {
    return event !== "tool.pre" && (await this.ledger.roots()).length > 0;
  }
}

export const SITES = token<Sites>("sites");

/** What a request says of sessions whose entries are not here, as when another state folder is asked. */
function supposed({ phases = [] }: Subject, root: string): readonly Site[] {
  const states = phases.flatMap((phase): readonly State[] => {
    const [, state] = /^runtime-debug:(\w+)$/.exec(phase) ?? [];
    return state !== undefined && Object.hasOwn(STEPS, state) ? [state as State] : [];
  });
  if (states.length === 0) return [];
  return [{ root, sessions: states.map(supposedEntry) }];
}

function supposedEntry(state: State): SessionEntry {
  return {
    id: "unknown-session",
    revision: 0,
    state,
    issue: "",
    steps: [],
    createdAt: 0,
    baseline: { images: "" },
    hypotheses: [],
    probes: [],
    runs: { before: "pre-fix" },
    fixes: [],
    iterations: [],
    conclusion: "",
    accepted: {},
    recordText: "",
  };
}

/** How two spellings of a path are held for one: Unicode composed (UAX 15), letters without case. */
function folded(path: string): string {
  return path.replaceAll("\\", "/").normalize("NFC").toLowerCase();
}

/**
 * A path as seen from a folder, with `/`; "" is the folder itself, `undefined` what lies outside. Where file systems
 * differ in what they take for the same name, it is inside: letter case and the form of accents do not count.
 */
export function inside(folder: string, path: string): string | undefined {
  const [base, full] = [folder.replace(/[/\\]+$/, ""), path.replace(/(?<=.)[/\\]+$/, "")];
  if (full.startsWith(`${base}/`)) return full.slice(base.length + 1);
  if (full === base) return "";
  const [foldedBase, foldedFull] = [folded(base), folded(full)];
  if (foldedFull === foldedBase) return "";
  return foldedFull.startsWith(`${foldedBase}/`) ? foldedFull.slice(foldedBase.length + 1) : undefined;
}

/** Whether a path is a folder that holds another one, or is it. */
export function holds(path: string, folder: string): boolean {
  return inside(path === "/" ? "" : path, folder) !== undefined;
}

/** Whether two names are the same on some file system. */
export function sameName(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

/** What a path is for the sessions of its project. */
type PathKind =
  /** The record of a session. */
  | "record"
  /** What the server alone writes: the log of a session, its segments and what it says of itself. */
  | "evidence"
  /** In `.dbg`, or git's own: neither is code. */
  | "other"
  /** Everything else: the code of the project. */
  | "code";

const RECORD = /^debug-[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*){1,3}\.md$/;
const LOG = /^(?:svc|trae)-debug-[a-z]+-.*/;

/** `path` is from the project folder, with `/`. */
export function kindOf(path: string, sessions: readonly SessionEntry[]): PathKind {
  const words = path.split("/");
  const name = words.at(-1) ?? "";
  if (isRecord(path, sessions)) return "record";
  const isInDbg = words.some((word) => sameName(word, ".dbg"));
  if (LOG.test(name) && (isInDbg || /\.ndjson/.test(path))) return "evidence";
  if (isInDbg) return name.endsWith(".server.json") ? "evidence" : "other";
  return words.some((word) => sameName(word, ".git")) ? "other" : "code";
}

function isRecord(path: string, sessions: readonly SessionEntry[]): boolean {
  if (sessions.some(({ baseline }) => baseline.images === "")) return RECORD.test(path);
  return sessions.some(({ id }) => sameName(path, `debug-${id}.md`));
}

/** Tools of MCP servers and of agents that write the file that they name, by their names. */
const EDITORS =
  /(?:^|__|:)(?:(?:write|edit|create|append|replace|delete|move)(?:_?(?:text_?)?file)?|str_?replace\w*)$/i;

/** The files that a call surely writes. */
export function writtenBy({ tool, name = "", input, paths = [], shell }: Subject): readonly string[] {
  if (tool === "shell") return shell?.writes ?? [];
  if (tool !== "write" && tool !== "edit" && !EDITORS.test(name)) return [];
  // An editor of several commands that is asked to show.
  return textAt(fieldsOf(input), "command") === "view" ? [] : paths;
}
