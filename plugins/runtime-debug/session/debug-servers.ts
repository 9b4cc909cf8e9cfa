import { join } from "node:path";
import {
  CLAIMS,
  ENVIRONMENT,
  FILES,
  HTTP,
  LOG,
  PROGRAMS,
  SkillError,
  inject,
  injectable,
  token,
  type Call,
  type Claims,
  type Environment,
  type Files,
  type Http,
  type Log,
  type Programs,
} from "skillctl";
import { runOf } from "./rounds.ts";
import type { OpenedSession } from "./sessions.ts";
import { DEFAULT_FOLDER, sessionFiles } from "../session-files.ts";
import { askServer, BackgroundStart, endServer, isServing } from "../server/server-call.ts";
import { keyFile, readKeys, readRecord, type ServerRecord } from "../server/server-files.ts";
import { SessionHomes } from "../server/session-home.ts";

/** A server that nobody has asked anything for a day belongs to a session that nobody goes on with, in seconds. */
const IDLE_S = 86_400;

/** Where a server answers. */
export interface ServerAddress {
  /** Without a path: `http://127.0.0.1:7777`. */
  readonly url: string;
  /** What programs post to. */
  readonly eventUrl: string;
}

/** The server of a session, whose files lie in `.dbg` of its project. */
@injectable()
export class DebugServers {
  readonly #homes: SessionHomes;
  readonly #background: BackgroundStart;

  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(HTTP) private readonly http: Http,
    @inject(CLAIMS) claims: Claims,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(LOG) log: Log,
    @inject(PROGRAMS) programs: Programs,
  ) {
    this.#homes = new SessionHomes(files, claims, http, environment);
    this.#background = new BackgroundStart(environment, files, http, log, programs);
  }

  /** Where the server answers, when it does. @throws SkillError `STORAGE_UNSAFE`, `FILE_UNREADABLE` */
  async running(opened: OpenedSession): Promise<ServerAddress | undefined> {
    const record = await this.#serving(opened);
    return record && { url: record.url, eventUrl: record.eventUrl };
  }

  /**
   * Makes sure that a server collects for the session, and that events without a run get the one under way. It is
   * started in the background where none answers.
   * @throws SkillError `PROGRAM_FAILED`, `CANCELLED`, `STORAGE_UNSAFE`, `FILE_UNWRITABLE`, `DEBUG_SERVED`, `CLAIM_FAILED`
   */
  async ensure(opened: OpenedSession, call: Call): Promise<ServerAddress> {
    const record = (await this.#serving(opened)) ?? (await this.#started(opened, call));
    const run = runOf(opened.entry);
    if (record.run !== run) await this.#ask(opened, record, "POST", "/run", { runId: run });
    return { url: record.url, eventUrl: record.eventUrl };
  }

  /**
   * The same, and the visible log is empty from then on; what was in it stays for comparison. With `run`, events get that
   * one.
   */
  async begin(opened: OpenedSession, call: Call, run?: string): Promise<ServerAddress> {
    const { entry } = opened;
    const runs = run === undefined ? entry.runs : { ...entry.runs, after: run };
    const address = await this.ensure({ ...opened, entry: { ...entry, runs } }, call);
    const record = await this.#serving(opened);
    if (record) await this.#ask(opened, record, "DELETE", "/logs");
    return address;
  }

  /**
   * Ends the server, waits until it is gone, and forgets its keys; false when none was running. One whose files are lost is known by the
   * last step; it is asked itself whether it is that one.
   * @throws SkillError `PROGRAM_FAILED` when it does not end
   */
  async stop(opened: OpenedSession): Promise<boolean> {
    const hasRun = await this.#stop(opened);
    await this.files.remove(await this.#keyFile(opened));
    return hasRun;
  }

  async #stop(opened: OpenedSession): Promise<boolean> {
    const record = await this.#serving(opened);
    if (!record) return this.#stopLost(opened);
    const place = sessionFiles(folderOf(opened), opened.entry.id);
    await endServer(record, this.http, () => this.#homes.isFree(place, opened.entry.id));
    return true;
  }

  async #ask(
    opened: OpenedSession,
    record: ServerRecord,
    method: "POST" | "DELETE",
    path: string,
    body?: object,
  ): Promise<void> {
    const kept = await readKeys(await this.#keyFile(opened), this.files);
    // A record in a project may name any address: keys go to the start alone that asked for them.
    const keys = kept?.instance === record.instance ? kept : undefined;
    await askServer(record, method, path, this.http, keys, body);
  }

  async #keyFile(opened: OpenedSession): Promise<string> {
    const folder = (await this.files.realPath(folderOf(opened))) ?? folderOf(opened);
    return keyFile(this.environment, sessionFiles(folder, opened.entry.id), opened.entry.id);
  }

  async #stopLost({ entry: { id, server } }: OpenedSession): Promise<boolean> {
    if (!server || !(await isServing(server, this.http))) return false;
    const isGone = async (): Promise<boolean> => !(await isServing(server, this.http));
    await endServer({ ...server, session: id }, this.http, isGone);
    return true;
  }

  async #serving(opened: OpenedSession): Promise<ServerRecord | undefined> {
    const { record: path } = sessionFiles(folderOf(opened), opened.entry.id);
    const record = await readRecord(path, this.files);
    if (record?.session !== opened.entry.id) return undefined;
    return (await isServing(record, this.http)) ? record : undefined;
  }

  async #started(opened: OpenedSession, call: Call): Promise<ServerRecord> {
    const { id } = opened.entry;
    const place = await this.#homes.place(folderOf(opened), id);
    call.progress("Starting the debug server.");
    try {
      await this.#background.start({ session: id, outdir: place.folder, idle: IDLE_S }, place, call);
    } catch (caught) {
      // Another command may have started it in the same moment.
      const other = await this.#serving(opened);
      if (other) return other;
      throw caught;
    }
    const record = await this.#serving(opened);
    if (record) return record;
    throw new SkillError("PROGRAM_FAILED", `The debug server of ${id} has ended right after its start.`, {
      file: place.serveLog,
      hint: `What it has said is in ${place.serveLog}.`,
    });
  }
}

export const DEBUG_SERVERS = token<DebugServers>("debug-servers");

function folderOf({ root }: OpenedSession): string {
  return join(root, DEFAULT_FOLDER);
}
