import { SkillError, inject, injectable, languageOf, token } from "skillctl";
import type { ReportInput, ReportOutput } from "./contract.ts";
import { LAST_QUESTIONS, type LastQuestions } from "./last-questions.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";

/** A report as a page, with its period. */
interface PeriodReport extends Pick<ReportOutput, "period" | "language"> {
  readonly page: string;
}

/** Creates the report for a period as one HTML page. */
@injectable()
export class Reports {
  constructor(
    @inject(COLLECTIONS) private readonly collections: Collections,
    @inject(LAST_QUESTIONS) private readonly questions: LastQuestions,
  ) {}

  /** @throws SkillError `USAGE` for a period without figures. */
  async report({ period, language }: Pick<ReportInput, "period" | "language">): Promise<PeriodReport> {
    const { reportOf, reportPeriod } = await import("./answer/answers.ts");
    const { reportPage } = await import("./answer/report-page.ts");
    const today = this.questions.today();
    // Digits do not indicate a language.
    const spoken = language ?? (/\p{L}/u.test(period ?? "") ? languageOf(period ?? "") : "en");
    return this.collections.use(async (collection) => {
      const { range, data } = await reportPeriod(period, collection, today);
      if (data === undefined)
        throw new SkillError(
          "USAGE",
          "The files contain no figures by day or month, so there is no period to report on.",
          {
            hint: "Import an audience timeline or a statement: skillctl run music-gateway import FILE...",
          },
        );
      const hint = `The files have figures from ${data.from} to ${data.to}, for example: --period ${data.to.slice(0, 7)}`;
      if (range === undefined) throw new SkillError("USAGE", "The period could not be understood.", { hint });
      if (range.to < data.from || range.from > data.to)
        throw new SkillError("USAGE", `There are no figures from ${range.from} to ${range.to}.`, { hint });
      const { from, to } = range;
      const page = await reportPage(await reportOf(range, spoken, collection, today));
      return { page, period: { from, to }, language: spoken };
    });
  }
}

export const REPORTS = token<Reports>("music-gateway/reports");
