import { dirname, join } from "node:path";
import { ENVIRONMENT, FILES, STATE, SkillError, inject, injectable, token } from "skillctl";
import type { DocumentName, Environment, Files, State } from "skillctl";
import { readRecord, recordFile, type ServerRecord } from "../server/server-files.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import type { SessionEntry } from "./entry.ts";
import { recordFault, strangeRecords, type StrangeRecord } from "./record.ts";

const COLLECTION = "runtime-debug-sessions";
/** The name of the document that lists the projects with sessions; the manifest also contains it. */
const INDEX: DocumentName = { collection: COLLECTION, id: "folders" };
/** A session does not expire. */
const KEEP_MS = Infinity;
/** The longest name of a document: see `DocumentName`. */
const LONGEST_ID = 1_000;

/** The sessions of one project. */
export interface Project {
  /** Absolute, without links. */
  readonly root: string;
  readonly sessions: Readonly<Record<string, SessionEntry>>;
}

interface LedgerDocument {
  readonly version: 1;
  readonly sessions: Readonly<Record<string, SessionEntry>>;
}

/** Stores the state of sessions in the user's state folder, with one document per project. */
@injectable()
export class Ledger {
  constructor(
    @inject(STATE) private readonly state: State,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * The project of the working folder: the nearest folder, itself or above, that has sessions; else the project folder.
   * The search ends at a folder with a git repository.
   * @throws SkillError `FILE_UNREADABLE`, `DEBUG_STATE_DAMAGED`
   */
  async project(): Promise<Project> {
    const { workingFolder } = this.environment;
    const start = (await this.files.realPath(workingFolder)) ?? workingFolder;
    const root = await projectFolder(start, this.files);
    for (let folder = start; ; folder = dirname(folder)) {
      const { sessions } = checkedDocument(await this.state.read(nameOf(folder)));
      if (Object.keys(sessions).length > 0) return { root: folder, sessions };
      const isTop = dirname(folder) === folder || (folder === root && (await hasGit(folder, this.files)));
      if (isTop) return { root, sessions: {} };
    }
  }

  get workingFolder(): string {
    return this.environment.workingFolder;
  }

  /** The sessions of exactly this folder, absolute; empty for a path that is too long to be stored. Throws as `project` does. */
  async sessionsAt(folder: string): Promise<Project["sessions"]> {
    if (folder.length > LONGEST_ID) return {};
    return checkedDocument(await this.state.read(nameOf(folder))).sessions;
  }

  /**
   * Writes a session, during its turn, and passes its accepted changes on to the other sessions. @throws SkillError
   * `FILE_UNWRITABLE`
   */
  async write(root: string, entry: SessionEntry): Promise<void> {
    await this.#change(root, (sessions) => withEntry(sessions, entry));
  }

  /** Removes a session; the document is removed with the last one. */
  async remove(root: string, id: string): Promise<void> {
    await this.#change(root, (sessions) => {
      const { [id]: _, ...others } = sessions;
      return others;
    });
  }

  /** The folders of all projects with sessions, absolute, without links; may include one whose last session has just ended. */
  async roots(): Promise<readonly string[]> {
    return foldersIn(await this.state.read(INDEX));
  }

  /** The server of a session, or its last one. @throws SkillError `FILE_UNREADABLE` */
  async server(root: string, id: string): Promise<ServerRecord | undefined> {
    const folder = join(root, DEFAULT_FOLDER);
    const place = { folder: (await this.files.realPath(folder)) ?? folder };
    return readRecord(recordFile(this.environment, place, id), this.files);
  }

  /** The difference between the record of a session and the session, as a sentence. @throws SkillError `FILE_UNREADABLE` */
  recordFault(root: string, entry: SessionEntry): Promise<string | undefined> {
    return recordFault(root, entry, this.files);
  }

  /** The records in a project folder without a session. @throws SkillError `FILE_UNREADABLE` */
  strangeRecords({ root, sessions }: Project): Promise<readonly StrangeRecord[]> {
    return strangeRecords(root, Object.keys(sessions), this.files);
  }

  async #change(
    root: string,
    change: (sessions: LedgerDocument["sessions"]) => LedgerDocument["sessions"],
  ): Promise<void> {
    const document = await this.state.update(nameOf(root), KEEP_MS, (current) => {
      const sessions = change(checkedDocument(current).sessions);
      return Object.keys(sessions).length === 0 ? undefined : { version: 1, sessions };
    });
    if (document !== undefined) return this.#list(root, true);
    await this.#list(root, false);
    // Another process may have begun a session there in the meantime.
    if (Object.keys(await this.sessionsAt(root)).length > 0) await this.#list(root, true);
  }

  /** Called after the sessions are written: the process that removes the folder checks them again. */
  async #list(root: string, isIn: boolean): Promise<void> {
    if ((await this.roots()).includes(root) === isIn) return;
    await this.state.update(INDEX, KEEP_MS, (current) => {
      const others = foldersIn(current).filter((folder) => folder !== root);
      const folders = isIn ? [...others, root] : others;
      return folders.length === 0 ? undefined : { version: 1, folders };
    });
  }
}

export const LEDGER = token<Ledger>("ledger");

function nameOf(root: string): DocumentName {
  return { collection: COLLECTION, id: root };
}

function foldersIn(found: unknown): readonly string[] {
  const { version, folders } = (found ?? {}) as { readonly version?: unknown; readonly folders?: unknown };
  if (version !== 1 || !Array.isArray(folders)) return [];
  return folders.filter((one): one is string => typeof one === "string");
}

function checkedDocument(found: unknown): LedgerDocument {
  if (found === undefined) return { version: 1, sessions: {} };
  const { version, sessions } = (found ?? {}) as Partial<LedgerDocument>;
  if (version === 1 && typeof sessions === "object" && sessions !== null) return { version, sessions };
  throw new SkillError("DEBUG_STATE_DAMAGED", "The stored sessions of this project cannot be read.", {
    hint: "A newer skillctl may have written them; `skillctl doctor` shows where skillctl keeps its data.",
  });
}

function withEntry(sessions: LedgerDocument["sessions"], entry: SessionEntry): LedgerDocument["sessions"] {
  const { accepted: former = {}, shared } = sessions[entry.id] ?? {};
  const { accepted } = entry;
  const paths = Object.keys({ ...former, ...accepted }).filter((path) => former[path] !== accepted[path]);
  // The caller may have read the entry before another session accepted a change.
  const { shared: _, ...own } = entry;
  const written: SessionEntry = { ...own, ...(shared && { shared }) };
  const all = Object.values({ ...sessions, [entry.id]: written });
  const isOther = ({ id }: SessionEntry): boolean => id !== entry.id && paths.length > 0;
  return Object.fromEntries(
    all.map((one) => [one.id, isOther(one) ? withShared(one, paths, former, accepted) : one]),
  );
}

/** A session with the changes that another one has accepted, and without those that it no longer accepts. */
function withShared(
  other: SessionEntry,
  paths: readonly string[],
  former: SessionEntry["accepted"],
  accepted: SessionEntry["accepted"],
): SessionEntry {
  const shared = new Map(Object.entries(other.shared ?? {}));
  for (const path of paths) {
    const [hash, after] = [accepted[path], other.accepted[path]];
    if (hash !== undefined) shared.set(path, { hash, ...(after !== undefined && { after }) });
    else if (shared.get(path)?.hash === former[path]) shared.delete(path);
  }
  return { ...other, shared: Object.fromEntries(shared) };
}

/** Whether a folder is the top of a git work tree. */
export async function hasGit(folder: string, files: Files): Promise<boolean> {
  return (await files.facts(join(folder, ".git"))) !== undefined;
}

/** The project folder of a folder: the nearest one with a git repository, itself or above; otherwise itself. */
export async function projectFolder(start: string, files: Files): Promise<string> {
  const real = (await files.realPath(start)) ?? start;
  for (let folder = real; ; folder = dirname(folder)) {
    if (await hasGit(folder, files)) return folder;
    if (dirname(folder) === folder) return real;
  }
}
