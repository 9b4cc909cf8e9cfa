import {
  ENVIRONMENT,
  FILES,
  JOURNALS,
  LOG,
  SkillError,
  inject,
  injectable,
  type CommandHandler,
  type Environment,
  type Files,
  type Journals,
  type Log,
} from "skillctl";
import type { LogsInput, LogsOutput } from "./contract.ts";
import { IndexDamaged } from "./index/cold-index.ts";
import { FileNames } from "./log/file-names.ts";
import { coldAnswer } from "./reading/cold-answer.ts";
import { openCold, rejectedCount, type ColdPorts } from "./reading/cold-log.ts";
import { asked } from "./reading/selection.ts";
import { askedFolder } from "./session-files.ts";
import { checkedSession } from "./session-id.ts";

/** Shows what a session's log holds, read from its files: docs/runtime-debug.md, section Reading. */
@injectable()
export class LogsCommand implements CommandHandler<LogsInput, LogsOutput> {
  readonly #ports: ColdPorts;

  constructor(
    @inject(JOURNALS) journals: Journals,
    @inject(FILES) files: Files,
    @inject(LOG) log: Log,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {
    this.#ports = { journals, files, log };
  }

  /** @throws SkillError `DEBUG_NO_LOG`, `DEBUG_SESSION_INVALID`, `INPUT_INVALID`, `FILE_UNREADABLE`, `STORAGE_UNSAFE` */
  async run(input: LogsInput): Promise<LogsOutput> {
    const session = checkedSession(input.session);
    const names = new FileNames(askedFolder(input.outdir, this.environment), session);
    try {
      return await this.#answer(input, names, true);
    } catch (caught) {
      if (!(caught instanceof IndexDamaged)) throw caught;
      this.#ports.log.detail(`The index of ${names.visible} is damaged and is not used.`);
      return await this.#answer(input, names, false);
    }
  }

  async #answer(input: LogsInput, names: FileNames, trusts: boolean): Promise<LogsOutput> {
    const question = input.format === "diff" ? { segment: "all", ...input } : input;
    const log = await openCold(this.#ports, names, (paths) => asked(paths, question), trusts);
    if (!log) {
      throw new SkillError("DEBUG_NO_LOG", `The session ${input.session} has no log in ${names.folder}.`, {
        hint: "Start a server with `skillctl run runtime-debug serve`, or name the folder with --outdir.",
      });
    }
    try {
      return await coldAnswer(log.sources, question, () => rejectedCount(this.#ports, names));
    } finally {
      await log.close();
    }
  }
}
