import type { Environment, Subject } from "skillctl";
import type { KnownServer, SessionEntry } from "../session/entry.ts";
import { ACTIONS, take, type Action } from "../session/steps.ts";
import { fieldsOf } from "./edited-text.ts";
import { callsTo } from "./server-calls.ts";
import { holds, inside, kindOf, sameName, writtenBy, type Site } from "./sites.ts";

/** One thing that stands against a call. */
export interface Objection {
  /** Default: deny. */
  readonly decision?: "ask";
  /** A sentence for people. */
  readonly sentence: string;
  readonly session?: SessionEntry;
}

const MOVED = /^(?:SKILLCTL_STATE|XDG_STATE_HOME|LOCALAPPDATA|HOME|USERPROFILE)$/;

/** What opens the gates is kept outside the project and written by the commands alone: an agent's tools change neither. */
export function stateObjections(subject: Subject, { stateFolder }: Environment): readonly Objection[] {
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
export function skippedSteps(subject: Subject, site: Site): readonly Objection[] {
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
export function earlyCleanups(subject: Subject, site: Site): readonly Objection[] {
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
export function removals(
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

export function isRecordOf({ id }: Pick<SessionEntry, "id">, record: string): boolean {
  return sameName(record.split("/").at(-1) ?? "", `debug-${id}.md`);
}

/** States in which a cleared log is filled again by the reproduction that follows. */
const BEFORE_EVIDENCE: readonly SessionEntry["state"][] = ["observing", "instrumenting", "reproducing"];

export function endingCalls(
  subject: Subject,
  server: KnownServer,
  session: SessionEntry,
): readonly Objection[] {
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
export function evidenceWritten(subject: Subject, site: Site): readonly string[] {
  const own = writtenBy(subject).flatMap((path) => inside(site.root, path) ?? []);
  return [...new Set(own.filter((path) => kindOf(path, site.sessions) === "evidence"))];
}

const READING = /^(?:\/event)?\/(?:logs|health)$|^$/;

export function posts(subject: Subject, server: KnownServer): boolean {
  return callsTo(server, subject).some(({ path, method }) => {
    if (method === "GET" || method === "HEAD" || method === "DELETE" || method === "OPTIONS") return false;
    return method !== undefined || !READING.test(path);
  });
}
