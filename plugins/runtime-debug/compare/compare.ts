import { join } from "node:path";
import { FILES, JOURNALS, inject, injectable, token, type Files, type Journals } from "skillctl";
import type { CompareOutput } from "../contract.ts";
import type { ReadPorts } from "../store/log/log-files.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";

/** Holds runs of a session against each other; the log is read from its files, so that no server need run. */
@injectable()
export class Comparison {
  readonly #ports: ReadPorts;

  constructor(@inject(JOURNALS) journals: Journals, @inject(FILES) files: Files) {
    this.#ports = { journals, files };
  }

  /**
   * The run before the fix against the one after it; a session without a log has no events in either.
   * @param after missing when there is no fix yet
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
   */
  async of(
    { root, entry }: OpenedSession,
    before: string,
    after: string | undefined,
  ): Promise<CompareOutput> {
    const { compared } = await import("./answer.ts");
    return compared(this.#ports, join(root, DEFAULT_FOLDER), entry, { before, after });
  }
}

export const COMPARISON = token<Comparison>("comparison");
