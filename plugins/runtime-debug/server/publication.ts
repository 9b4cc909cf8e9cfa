import type { Environment, Files } from "skillctl";
import type { SessionFiles } from "../session-files.ts";
import { environmentText } from "./environment-file.ts";
import { serverInfo, type ServerInfo } from "./server-block.ts";
import { writeRecord, type ServerRecord } from "./server-record.ts";

/**
 * What the files of a session say of its server. They stay when it ends, marked as ended, so that the next one takes
 * the same address.
 */
export class Publication {
  readonly #place: SessionFiles;
  readonly #files: Files;
  readonly #environment: Environment;
  #record: ServerRecord;
  #last: Promise<void> = Promise.resolve();

  constructor(record: ServerRecord, place: SessionFiles, files: Files, environment: Environment) {
    this.#record = record;
    this.#place = place;
    this.#files = files;
    this.#environment = environment;
  }

  get info(): ServerInfo {
    return serverInfo(this.#record, this.#place, this.#environment.addresses());
  }

  /** Writes both files; the environment file last, since programs act upon it. @throws SkillError `FILE_UNWRITABLE` */
  publish(): Promise<void> {
    return this.#write({}, true);
  }

  /** @throws SkillError `FILE_UNWRITABLE` */
  runChanged(run: string): Promise<void> {
    return this.#write({ run }, true);
  }

  /** @throws SkillError `FILE_UNWRITABLE` */
  ended(reason: string): Promise<void> {
    return this.#write({ ended: reason }, false);
  }

  /** One after another: of two writers at once, the older could come last. What fails has changed nothing. */
  #write(change: Partial<ServerRecord>, withEnvironment: boolean): Promise<void> {
    const write = async (): Promise<void> => {
      const record = { ...this.#record, ...change };
      await writeRecord(this.#place.record, record, this.#files);
      if (withEnvironment) await this.#tell(record);
      this.#record = record;
    };
    const written = this.#last.then(write);
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Writes the environment file. Where that fails the next start must not take over what programs were not told. */
  async #tell(record: ServerRecord): Promise<void> {
    try {
      await this.#files.replace(this.#place.environment, this.#text(record));
    } catch (caught) {
      await writeRecord(this.#place.record, this.#record, this.#files);
      throw caught;
    }
  }

  #text({ eventUrl, session, run }: ServerRecord): string {
    const logFile = this.#place.log;
    return environmentText({ eventUrl, session, run, logFile, baseUrl: new URL(eventUrl).origin });
  }
}
