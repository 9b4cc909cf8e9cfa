import { join } from "node:path";
import {
  ENVIRONMENT,
  FILES,
  HTTP,
  inject,
  injectable,
  token,
  type Call,
  type Environment,
  type Files,
  type Http,
} from "skillctl";
import { runOf } from "./rounds.ts";
import type { OpenedSession } from "./sessions.ts";
import { DEFAULT_FOLDER, sessionFiles, type SessionFiles } from "../session-files.ts";
import { askServer, BACKGROUND_START, endServer, failed, isServing } from "../server/server-call.ts";
import type { BackgroundStart } from "../server/server-call.ts";
import { keyFile, readKeys, readRecord, recordFile, type ServerRecord } from "../server/server-files.ts";
import { SESSION_HOMES, type SessionHomes } from "../server/session-home.ts";

/** Idle time after which the server of an abandoned session ends, in seconds. */
const IDLE_S = 86_400;

/** The server of a session, with its files in `.dbg` of the project. */
@injectable()
export class DebugServers {
  constructor(
    @inject(SESSION_HOMES) private readonly homes: SessionHomes,
    @inject(BACKGROUND_START) private readonly background: BackgroundStart,
    @inject(FILES) private readonly files: Files,
    @inject(HTTP) private readonly http: Http,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * The facts about the server, if it responds. Every process on this machine can read the name of a start: if the session
   * is not held, another process has taken the port of a killed server.
   * @throws SkillError `STORAGE_UNSAFE`, `FILE_UNREADABLE`, `CLAIM_FAILED`
   */
  async running(opened: OpenedSession): Promise<ServerRecord | undefined> {
    const record = await readRecord(await this.#recordFile(opened), this.files);
    if (record?.session !== opened.entry.id) return undefined;
    return (await isServing(record, this.http)) && !(await this.#isFree(opened)) ? record : undefined;
  }

  /**
   * Ensures that a server collects for the session, and that events without a run get the current one. Starts a
   * server in the background if none responds.
   * @throws SkillError `PROGRAM_FAILED`, `CANCELLED`, `STORAGE_UNSAFE`, `FILE_UNWRITABLE`, `DEBUG_SERVED`, `CLAIM_FAILED`
   */
  async ensure(opened: OpenedSession, call: Call, run: string = runOf(opened.entry)): Promise<ServerRecord> {
    const record = (await this.running(opened)) ?? (await this.#started(opened, call));
    if (record.run !== run) await this.#ask(opened, record, "POST", "/run", { runId: run });
    return record;
  }

  /**
   * Does the same as `ensure`, and empties the visible log; its events stay for comparison.
   * @throws SkillError as `ensure` does
   */
  async begin(opened: OpenedSession, call: Call, run?: string): Promise<ServerRecord> {
    const record = await this.ensure(opened, call, run);
    await this.#ask(opened, record, "DELETE", "/logs");
    return record;
  }

  /**
   * Ends the server, waits for its end, and deletes its keys and its record; false if none was running.
   * @throws SkillError `PROGRAM_FAILED` when it does not end
   */
  async stop(opened: OpenedSession): Promise<boolean> {
    const record = await this.running(opened);
    if (record) await endServer(record, this.http, () => this.#isFree(opened));
    await this.files.remove(await this.#keyFile(opened));
    await this.files.remove(await this.#recordFile(opened));
    return record !== undefined;
  }

  /** Opens an address in the person's browser; false if no program can open it. */
  show(address: string): Promise<boolean> {
    return this.background.show(address);
  }

  async #isFree(opened: OpenedSession): Promise<boolean> {
    return this.homes.isFree(await this.#place(opened), opened.entry.id);
  }

  async #ask(
    opened: OpenedSession,
    record: ServerRecord,
    method: "POST" | "DELETE",
    path: string,
    body?: object,
  ): Promise<void> {
    const kept = await readKeys(await this.#keyFile(opened), this.files);
    // Keys are sent only to the start that required them.
    const keys = kept?.instance === record.instance ? kept : undefined;
    await askServer(record, { method, path, ...(body && { body }) }, this.http, keys);
  }

  async #keyFile(opened: OpenedSession): Promise<string> {
    return keyFile(this.environment, await this.#place(opened), opened.entry.id);
  }

  async #recordFile(opened: OpenedSession): Promise<string> {
    return recordFile(this.environment, await this.#place(opened), opened.entry.id);
  }

  /** The files under the same paths as in the server itself. */
  async #place(opened: OpenedSession): Promise<SessionFiles> {
    const { folder } = filesOf(opened);
    return sessionFiles((await this.files.realPath(folder)) ?? folder, opened.entry.id);
  }

  async #started(opened: OpenedSession, call: Call): Promise<ServerRecord> {
    const { id } = opened.entry;
    const place = await this.homes.place(filesOf(opened).folder, id);
    call.progress("Starting the debug server.");
    try {
      await this.background.start({ session: id, outdir: place.folder, idle: IDLE_S }, place, call);
    } catch (caught) {
      // Another command may have started it at the same moment.
      const other = await this.running(opened);
      if (other) return other;
      throw caught;
    }
    const record = await this.running(opened);
    if (record) return record;
    throw failed(`The debug server of ${id} ended immediately after its start.`, place.serveLog);
  }
}

export const DEBUG_SERVERS = token<DebugServers>("debug-servers");

function filesOf({ root, entry }: OpenedSession): SessionFiles {
  return sessionFiles(join(root, DEFAULT_FOLDER), entry.id);
}
