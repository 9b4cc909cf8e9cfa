import {
  ENVIRONMENT,
  FILES,
  inject,
  injectable,
  SkillError,
  type Call,
  type CommandHandler,
  type Environment,
  type Files,
} from "skillctl";
import { CLEANING, SESSION_REMOVAL, type Cleaning, type SessionRemoval } from "../cleanup/cleaning.ts";
import type { CleanedCode } from "../cleanup/code-cleaning.ts";
import { reportPath, writeReport } from "../cleanup/summary.ts";
import type { CleanupInput, CleanupOutput } from "../contract.ts";
import { recordAt, recordNotes, recordPath } from "../session/record.ts";
import { SESSIONS, standing, type OpenedSession, type Sessions } from "../session/sessions.ts";

const NO_CODE: CleanedCode = { cleaned: [], fixed: [], deleted: [], patch: "", findings: [], notes: [] };

/** Ends a session and restores the code: docs/debug-session.md, section Cleanup. */
@injectable()
export class CleanupCommand implements CommandHandler<CleanupInput, CleanupOutput> {
  constructor(
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(FILES) private readonly files: Files,
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(CLEANING) private readonly cleaning: Cleaning,
    @inject(SESSION_REMOVAL) private readonly removal: SessionRemoval,
  ) {}

  /** @throws SkillError `DEBUG_CLEANUP_UNSAFE` with the findings in its result, and as the manifest lists */
  async run(input: CleanupInput, call: Call): Promise<CleanupOutput> {
    return this.sessions.turn(input.session, call, (opened) => this.#run(input, opened, call));
  }

  /**
   * Cleans the code first: unsafe places are shown and left unchanged, and the session stays open. Then writes the
   * page, if requested. After the step to "closed" the code is proven clean, and only files of the session are removed:
   * server, record, logs, images, and last its entry. After a kill at any moment, the next cleanup continues.
   */
  async #run(input: CleanupInput, opened: OpenedSession, call: Call): Promise<CleanupOutput> {
    const wasClosed = opened.entry.state === "closed";
    if (!wasClosed) this.sessions.refuse(opened, "cleanup");
    const { report, accept = [] } = input;
    const { workingFolder } = this.environment;
    const place =
      report === undefined ? undefined : await reportPath(report, opened, workingFolder, this.files);
    call.progress("Comparing the code.");
    const code = wasClosed ? NO_CODE : await this.#cleaned(accept, opened, call.signal);
    const record = await recordAt(recordPath(opened.root, opened.entry.id), this.files);
    const { closedText, summaryText } = await import("../cleanup/summary.ts");
    const notes = recordNotes(opened.entry.recordText, record ?? "");
    const summary = summaryText(opened.entry, code, notes);
    if (place) await writeReport(place, opened.entry.id, summary, this.files);
    const closed = wasClosed ? opened : await this.sessions.step(opened, "cleanup");
    const removed = await this.removal.run(closed, call.signal);
    const { drift } = opened.entry;
    return {
      ...standing(closed.entry),
      ...code,
      removed: [...removed],
      summary,
      ...(drift && { drift: [...drift] }),
      ...(place && { report: place }),
      text: closedText(closed.entry, code, { accepted: accept, removed, summary, report: place }),
    };
  }

  async #cleaned(
    accept: readonly string[],
    opened: OpenedSession,
    signal: AbortSignal,
  ): Promise<CleanedCode> {
    const { entry } = opened;
    const code = await this.cleaning.run(opened, accept, signal);
    if (code.findings.length === 0) return code;
    const { unsafeText } = await import("../cleanup/summary.ts");
    const result: CleanupOutput = {
      ...standing(entry),
      ...code,
      removed: [],
      text: unsafeText(entry, code),
    };
    const places = code.findings.length === 1 ? "One place" : `${code.findings.length} places`;
    throw new SkillError(
      "DEBUG_CLEANUP_UNSAFE",
      `${places} cannot be cleaned safely and stay unchanged. The session ${entry.id} stays open.`,
      {
        result,
        hint: "Fix them, or accept correct places with --accept FILE:LINE, and run cleanup again. Pass all accepted places in one call, including those of earlier calls.",
      },
    );
  }
}
