import {
  ENVIRONMENT,
  FILES,
  SkillError,
  inject,
  injectable,
  languageOf,
  quotedName,
  type CommandHandler,
  type Environment,
  type Files,
} from "skillctl";
import { dirname, resolve } from "node:path";
import type { ReportInput, ReportOutput } from "./contract.ts";
import { LAST_QUESTIONS, type LastQuestions } from "./last-questions.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";

/** Writes the report of a period as one HTML page. */
@injectable()
export class ReportCommand implements CommandHandler<ReportInput, ReportOutput> {
  constructor(
    @inject(COLLECTIONS) private readonly collections: Collections,
    @inject(LAST_QUESTIONS) private readonly questions: LastQuestions,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError `USAGE` for a period without figures, or a file that is not an earlier report; `FILE_UNWRITABLE`. */
  async run({ out, period, language }: ReportInput): Promise<ReportOutput> {
    const { reportOf, reportPeriod } = await import("./answer/answers.ts");
    const { REPORT_SIGN, reportPage } = await import("./answer/report-page.ts");
    const path = resolve(this.environment.workingFolder, out);
    await this.#checkPlace(path, REPORT_SIGN);
    const today = this.questions.today();
    const spoken = language ?? (period === undefined ? "en" : languageOf(period));
    return this.collections.use(async (collection) => {
      const { range, data } = await reportPeriod(period, collection, today);
      if (data === undefined)
        throw new SkillError(
          "USAGE",
          "The files hold no figures by day or month, so there is no period to report on.",
          {
            hint: "Import an audience timeline or a statement: skillctl run music-gateway import FILE...",
          },
        );
      const hint = `The files have figures from ${data.from} to ${data.to}, for example: --period ${data.to.slice(0, 7)}`;
      if (range === undefined)
        throw new SkillError("USAGE", "The period is not one that is understood.", { hint });
      if (range.to < data.from || range.from > data.to)
        throw new SkillError("USAGE", `There are no figures from ${range.from} to ${range.to}.`, { hint });
      const report = await reportOf(range, spoken, collection, today);
      await this.files.replace(path, await reportPage(report));
      const { from, to } = range;
      return {
        file: path,
        period: { from, to },
        language: spoken,
        text: `The report of ${from} to ${to} is ${quotedName(path)}.`,
      };
    });
  }

  /** A report goes to a new file, or replaces an earlier one. */
  async #checkPlace(path: string, sign: string): Promise<void> {
    const refuse = (message: string, hint: string): never => {
      throw new SkillError("USAGE", message, { hint });
    };
    if ((await this.files.facts(dirname(path)))?.kind !== "folder")
      refuse(`There is no folder ${quotedName(dirname(path))}.`, "Name a file in a folder that is there.");
    const facts = await this.files.facts(path);
    if (facts === undefined) return;
    const isOwn = facts.kind === "file" && (await this.files.readText(path))?.endsWith(sign) === true;
    if (!isOwn)
      refuse(
        `${quotedName(path)} exists and is not a report of this command.`,
        "Name a new file, or remove that one first.",
      );
  }
}
