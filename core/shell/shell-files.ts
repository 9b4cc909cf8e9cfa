/** A look at the real file system: it changes nothing, waits for nothing and throws nothing. Paths are absolute. */
export interface ShellFiles {
  /** The text of a file of at most 1 MiB in UTF-8; `undefined` for anything else. Links are followed. */
  readonly text: (path: string) => string | undefined;
  /** What stands there, links not followed; `undefined` for nothing, and for what may not be looked at. */
  readonly kind: (path: string) => "file" | "folder" | "link" | undefined;
  /** Names in a folder, at most 10,000; `undefined` for anything else and for more. */
  readonly list: (folder: string) => readonly string[] | undefined;
  /** Where links lead, also for what does not exist yet; `undefined` for links that go round. */
  readonly realPath: (path: string) => string | undefined;
}
