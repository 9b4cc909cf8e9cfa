import { portToken } from "../container/token.ts";

/** Names a document. */
export interface DocumentName {
  /** Lower-case words with dashes, the name of the skill first. At most 64 characters. */
  readonly collection: string;
  /** Any text of at most 1,000 characters. */
  readonly id: string;
}

/**
 * Persistent documents: files in the user's state folder, or rows of a database that several machines share. An embedder may
 * provide another store. A document is a JSON value of at most 16 MiB in UTF-8; `undefined` properties are dropped.
 * @throws SkillError `INTERNAL` for an invalid name or time, and for a value that JSON cannot represent.
 */
export interface State {
  /**
   * The last complete version of a document; `undefined` if it does not exist or has expired.
   * @throws SkillError `FILE_UNREADABLE`; of a database `STATE_UNAVAILABLE`
   */
  readonly read: (name: DocumentName) => Promise<unknown>;
  /**
   * Reads, changes and writes a document atomically with respect to other writers in any process. `change` must be pure,
   * since it may be called again with a newer document; if it returns `undefined` the document is removed, if it returns
   * its argument nothing is written. The document expires `keepMs` after this write, in whole milliseconds. Bounds: 1 to
   * 315,360,000,000 (ten years), or `Infinity`: it never expires. Returns the resulting document.
   * @throws SkillError `FILE_UNREADABLE`; `FILE_UNWRITABLE`, also if the document is over 16 MiB; any error of
   * `change`; of a database `STATE_UNAVAILABLE`, `STORAGE_FULL`.
   */
  readonly update: (
    name: DocumentName,
    keepMs: number,
    change: (current: unknown) => unknown,
  ) => Promise<unknown>;
}

export const STATE = portToken<State>("state");
