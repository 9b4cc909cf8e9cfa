import { quotedName, SkillError } from "skillctl";
import type { Claims, Environment, Files, Http } from "skillctl";
import { ownFolder, refuseOther, sessionFiles, type SessionFiles } from "../session-files.ts";
import { isServing } from "./server-call.ts";
import {
  keyFile,
  readKeys,
  readRecord,
  recordFile,
  type ServerKeys,
  type ServerRecord,
} from "./server-files.ts";
import { pause } from "./pause.ts";

/** A second start waits this often for the first to say where it answers. */
const LOOKS = 50;
const LOOK_MS = 100;

/** The place of a session, held by this process alone. */
export interface SessionHome {
  readonly files: SessionFiles;
  /** The note of the last start: only its port and run count. */
  readonly earlier: ServerRecord | undefined;
  /** Where the record of this start belongs. */
  readonly recordFile: string;
  /** Where the keys of the session are kept, and those of an earlier start. */
  readonly keyFile: string;
  readonly keys: ServerKeys | undefined;
  readonly release: () => Promise<void>;
}

/** Takes the place of a session for this process. */
export class SessionHomes {
  constructor(
    private readonly files: Files,
    private readonly claims: Claims,
    private readonly http: Http,
    private readonly environment: Environment,
  ) {}

  /** The folder and files, safe to write to. @throws SkillError `STORAGE_UNSAFE`, `FILE_UNWRITABLE` */
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

  async #served(files: SessionFiles, session: string, signal: AbortSignal): Promise<SkillError> {
    for (let look = 0; look < LOOKS && !signal.aborted; look += 1) {
      const record = await readRecord(recordFile(this.environment, files, session), this.files);
      if (record && (await isServing(record, this.http, signal))) {
        const sentence = `Another server collects for ${session} at ${record.url} (process ${record.pid}).`;
        return served(sentence, `Use that one, or stop it with \`kill ${record.pid}\`.`);
      }
      await pause(LOOK_MS, signal);
    }
    const sentence = `Another process holds ${session} in ${quotedName(files.folder)} and does not say where it answers.`;
    return served(sentence, "Try again in a moment, or stop it first.");
  }
}

function claimName({ folder }: SessionFiles, session: string): string {
  return `runtime-debug:${folder}:${session}`;
}

function served(sentence: string, hint: string): SkillError {
  return new SkillError("DEBUG_SERVED", sentence, { hint });
}
