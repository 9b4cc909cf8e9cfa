import {
  CLAIMS,
  ENVIRONMENT,
  FILES,
  HTTP,
  inject,
  injectable,
  quotedName,
  SkillError,
  token,
  type Claims,
  type Environment,
  type Files,
  type Http,
} from "skillctl";
import { ownFolder, refuseOther, sessionFiles, type SessionFiles } from "../session-files.ts";
import { isServing } from "./server-call.ts";
import { heldOpen } from "./idle-watch.ts";
import {
  environmentText,
  keyFile,
  readKeys,
  readRecord,
  recordFile,
  writeState,
  type ServerKeys,
  type ServerRecord,
} from "./server-files.ts";
import { pause } from "./pause.ts";

/** A second start waits this many times for the first to publish its address. */
const LOOKS = 50;
const LOOK_MS = 100;

/** The place of a session, held exclusively by this process. */
export interface SessionHome {
  readonly files: SessionFiles;
  /** The record of the last start: only its port and run are used. */
  readonly earlier: ServerRecord | undefined;
  /** The path of this start's record. */
  readonly recordFile: string;
  /** The path of the session's keys, and the keys of an earlier start. */
  readonly keyFile: string;
  readonly keys: ServerKeys | undefined;
  /** Writes the keys of this start. @throws SkillError `FILE_UNWRITABLE` */
  readonly keep: (keys: ServerKeys) => Promise<void>;
  /**
   * Writes the record, and the environment file last, since programs read it. A failed call changes nothing: the next
   * start must not use values that programs never received.
   * @throws SkillError `FILE_UNWRITABLE`
   */
  readonly publish: (record: ServerRecord, former: ServerRecord) => Promise<void>;
  /** Whether the session needs its server during that run although no event arrives. */
  readonly isHeldOpen: (run: string) => Promise<boolean>;
  readonly release: () => Promise<void>;
}

/** Takes the place of a session for this process. */
@injectable()
export class SessionHomes {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(CLAIMS) private readonly claims: Claims,
    @inject(HTTP) private readonly http: Http,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Creates the folder and refuses files that are unsafe to write. @throws SkillError `STORAGE_UNSAFE`,
   * `FILE_UNWRITABLE`
   */
  async place(folder: string, session: string): Promise<SessionFiles> {
    const files = sessionFiles(await ownFolder(folder, this.files), session);
    for (const path of [files.environment, files.serveLog]) {
      await refuseOther(path, "file", this.files);
    }
    return files;
  }

  /** @throws SkillError `DEBUG_SERVED` when another process holds it, `STORAGE_UNSAFE`, `CLAIM_FAILED`. */
  async take(folder: string, session: string, signal: AbortSignal): Promise<SessionHome> {
    const files = await this.place(folder, session);
    const claim = await this.claims.claim(claimName(files, session));
    if (!claim) throw await this.#served(files, session, signal);
    const { release } = claim;
    try {
      const place = [files, session] as const;
      const recordPath = recordFile(this.environment, ...place);
      const record = await readRecord(recordPath, this.files);
      const path = keyFile(this.environment, ...place);
      const keys = await readKeys(path, this.files);
      return {
        files,
        earlier: record?.session === session ? record : undefined,
        recordFile: recordPath,
        keyFile: path,
        keys,
        keep: (now) => writeState(path, now, this.files),
        publish: (now, former) => this.#publish(now, former, recordPath, files),
        isHeldOpen: heldOpen(session, files.folder, this.environment, this.files),
        release,
      };
    } catch (caught) {
      await release();
      throw caught;
    }
  }

  /** Whether no process holds the session. @throws SkillError `CLAIM_FAILED` */
  async isFree(files: SessionFiles, session: string): Promise<boolean> {
    const claim = await this.claims.claim(claimName(files, session));
    await claim?.release();
    return claim !== undefined;
  }

  async #publish(
    record: ServerRecord,
    former: ServerRecord,
    path: string,
    { environment, log }: SessionFiles,
  ): Promise<void> {
    await writeState(path, record, this.files);
    try {
      await this.files.replace(environment, environmentText(record, log));
    } catch (caught) {
      await writeState(path, former, this.files);
      throw caught;
    }
  }

  async #served(files: SessionFiles, session: string, signal: AbortSignal): Promise<SkillError> {
    for (let look = 0; look < LOOKS && !signal.aborted; look += 1) {
      const record = await readRecord(recordFile(this.environment, files, session), this.files);
      if (record && (await isServing(record, this.http, signal))) {
        const sentence = `Another server collects for ${session} at ${record.url} (process ${record.pid}).`;
        return served(sentence, `Use that one, or stop it with \`kill ${record.pid}\`.`);
      }
      await pause(LOOK_MS, signal);
    }
    const sentence = `Another process holds ${session} in ${quotedName(files.folder)} and has published no address.`;
    return served(sentence, "Try again in a moment, or stop it first.");
  }
}

export const SESSION_HOMES = token<SessionHomes>("session-homes");

function claimName({ folder }: SessionFiles, session: string): string {
  return `runtime-debug:${folder}:${session}`;
}

function served(sentence: string, hint: string): SkillError {
  return new SkillError("DEBUG_SERVED", sentence, { hint });
}
