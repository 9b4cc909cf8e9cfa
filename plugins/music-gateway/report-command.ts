import {
  ENVIRONMENT,
  FILES,
  SkillError,
  inject,
  injectable,
  quotedName,
  type CommandHandler,
  type Environment,
  type Files,
} from "skillctl";
import { dirname, resolve } from "node:path";
import type { ReportInput, ReportOutput } from "./contract.ts";
import { REPORTS, type Reports } from "./reports.ts";

/** Writes the report for a period as one HTML page. */
@injectable()
export class ReportCommand implements CommandHandler<ReportInput, ReportOutput> {
  constructor(
    @inject(REPORTS) private readonly reports: Reports,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError `USAGE` for a period without figures, or a file that is not an earlier report; `FILE_UNWRITABLE`. */
  async run({ out, ...wanted }: ReportInput): Promise<ReportOutput> {
    const { REPORT_SIGN } = await import("./answer/report-page.ts");
    const path = resolve(this.environment.workingFolder, out);
    await this.#checkPlace(path, REPORT_SIGN);
    const { page, period, language } = await this.reports.report(wanted);
    await this.files.replace(path, page);
    const text = `The report of ${period.from} to ${period.to} is ${quotedName(path)}.`;
    return { file: path, period, language, text };
  }

  /** A report is written to a new file, or replaces an earlier report. */
  async #checkPlace(path: string, sign: string): Promise<void> {
    const refuse = (message: string, hint: string): never => {
      throw new SkillError("USAGE", message, { hint });
    };
    if ((await this.files.facts(dirname(path)))?.kind !== "folder")
      refuse(`There is no folder ${quotedName(dirname(path))}.`, "Name a file in a folder that exists.");
    const facts = await this.files.facts(path);
    if (facts === undefined) return;
    const isOwn = facts.kind === "file" && (await this.files.readText(path))?.endsWith(sign) === true;
    if (!isOwn)
      refuse(
        `${quotedName(path)} exists and is not a report created by this command.`,
        "Name a new file, or remove the existing one first.",
      );
  }
}
