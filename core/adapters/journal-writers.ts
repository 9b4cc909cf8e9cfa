import * as fs from "node:fs";
import { promisify } from "node:util";
import { unsafeError } from "./journal-errors.ts";
import { openPlain, type JournalPlace } from "./journal-place.ts";

const { O_APPEND, O_RDWR, O_WRONLY } = fs.constants;

const synced = promisify(fs.fdatasync);

/**
 * The two descriptors that change a file. Linux tells an error of writing back once to each descriptor; with one sync at
 * a time, no sync can take the error away from another one.
 */
export class JournalWriters {
  /** Appends always, so that a file which somebody cut gets no hole. */
  readonly append: number;
  /** Cuts, which Windows does not allow an appending descriptor. */
  readonly change: number;

  constructor(append: number, change: number) {
    this.append = append;
    this.change = change;
  }

  /** Opens both. @throws SkillError `STORAGE_UNSAFE` when it is another file by now, and as fs does */
  static open(place: JournalPlace): JournalWriters {
    const append = openPlain(place.path, O_WRONLY | O_APPEND);
    let writers: JournalWriters;
    try {
      writers = new JournalWriters(append, openPlain(place.path, O_RDWR));
    } catch (caught) {
      fs.closeSync(append);
      throw caught;
    }
    if (place.has(writers.append) && place.has(writers.change)) return writers;
    writers.close();
    throw unsafeError(place.path, "is another file now");
  }

  /** Syncs what has been written until now. */
  sync(done: (error: Error | null) => void): void {
    fs.fdatasync(this.append, done);
  }

  /** Cuts the file, and lasts. Never makes it longer: that would be a hole. */
  async cut(bytes: number): Promise<void> {
    if (fs.fstatSync(this.change).size > bytes) fs.ftruncateSync(this.change, bytes);
    await synced(this.change);
  }

  /** Only while nothing is being synced. */
  close(): void {
    fs.closeSync(this.append);
    fs.closeSync(this.change);
  }
}
