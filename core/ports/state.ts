import { portToken } from "../container/token.ts";

/** Names a document. */
export interface DocumentName {
  /** The skill's own choice: lower-case words with dashes, its name first, at most 64 characters. */
  readonly collection: string;
  /** Any text of at most 1,000 characters. */
  readonly id: string;
}

/**
 * Lasting documents of skills, as a port: files in the user's state folder by default. An embedder may put a store
 * behind it that several machines share. A document is any JSON value, at most 16 MiB in UTF-8; properties that are
 * `undefined` are left out.
 * @throws SkillError `INTERNAL` for a name or a time that is not as stated here, and a value that JSON has no text for.
 */
export interface State {
  /**
   * A document as it was last written whole; `undefined` when there is none or its time has passed.
   * @throws SkillError `FILE_UNREADABLE`
   */
  readonly read: (name: DocumentName) => Promise<unknown>;
  /**
   * Reads, changes and writes a document in one step: no other writer, in this process or another, comes between.
   * `change` must be pure, since it may be called again with a newer document; answering `undefined` removes it, and
   * answering the very value it was given writes nothing. The document is kept for `keepMs` from this write, in whole
   * milliseconds. Bounds: 1 to 315,360,000,000 (ten years). Answers the document as it is afterwards.
   * @throws SkillError `FILE_UNREADABLE`; `FILE_UNWRITABLE`, also when the document is over 16 MiB; what `change` throws.
   */
  readonly update: (
    name: DocumentName,
    keepMs: number,
    change: (current: unknown) => unknown,
  ) => Promise<unknown>;
}

export const STATE = portToken<State>("state");
