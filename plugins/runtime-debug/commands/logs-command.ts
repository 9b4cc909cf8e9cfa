import {
  quotedName,
  ENVIRONMENT,
  FILES,
  inject,
  injectable,
  JOURNALS,
  SkillError,
  type CommandHandler,
  type Environment,
  type Files,
  type Journals,
} from "skillctl";
import type { LogsInput, LogsOutput } from "../contract.ts";
import { runIn } from "../server/server-files.ts";
import { checkedSession, nearestFolder, sessionFiles, type SessionFiles } from "../session-files.ts";
import { EVIDENCE, evidenceLine, type Evidence } from "../session/evidence.ts";
import { runOf } from "../session/rounds.ts";
import { SESSIONS, type Sessions } from "../session/sessions.ts";
import { LogFiles } from "../store/log/log-files.ts";
import { asked } from "../store/read/selection.ts";
import { coldAnswer } from "../store/read/text-answer.ts";

/** Shows events from the files of a session's log: docs/runtime-debug.md, section Reading. */
@injectable()
export class LogsCommand implements CommandHandler<LogsInput, LogsOutput> {
  constructor(
    @inject(JOURNALS) private readonly journals: Journals,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(EVIDENCE) private readonly evidence: Evidence,
  ) {}

  /**
   * Without an id, the only session of the project is used.
   * @throws SkillError `DEBUG_NO_LOG`, `DEBUG_SESSION_INVALID`, `DEBUG_NO_SESSION`, `DEBUG_WHICH_SESSION`, `INPUT_INVALID`,
   * `FILE_UNREADABLE`, `STORAGE_UNSAFE`
   */
  async run(given: LogsInput): Promise<LogsOutput> {
    const session = checkedSession(given.session ?? (await this.sessions.open(undefined)).entry.id);
    const input = { ...given, session };
    const { folder, environment } = await this.#files(input.outdir, session);
    const log = new LogFiles(this.journals, this.files, folder, session);
    const run = async (): Promise<string | undefined> => runIn(await this.files.readText(environment));
    const answer = await log.read(
      (sources) => coldAnswer(sources, input, log, run),
      (paths) => asked(paths, input),
    );
    if (!answer) throw noLog(session, folder);
    return input.format === "summary" ? this.#withEvidence(answer, session) : answer;
  }

  /** Adds the number of events of the current run that are evidence, if the session is open. */
  async #withEvidence(answer: LogsOutput, id: string): Promise<LogsOutput> {
    const opened = await this.sessions.find(id);
    if (!opened) return answer;
    const counts = await this.evidence.count(opened, runOf(opened.entry));
    return { ...answer, text: `${answer.text}\n${evidenceLine(counts)}` };
  }

  /** The files in the named folder, or in the nearest `.dbg` above that has the session. */
  async #files(outdir: string | undefined, session: string): Promise<SessionFiles> {
    const { environment, log } = sessionFiles("", session);
    const folder = await nearestFolder(outdir, [environment, log], this.environment, this.files);
    return sessionFiles(folder, session);
  }
}

function noLog(session: string, folder: string): SkillError {
  return new SkillError("DEBUG_NO_LOG", `The session ${session} has no log in ${quotedName(folder)}.`, {
    hint: `Start a server with \`skillctl run runtime-debug serve ${session}\`, or name the folder with --outdir.`,
  });
}
