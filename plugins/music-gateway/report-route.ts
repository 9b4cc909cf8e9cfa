import { inject, injectable, type RouteHandler, type RouteReply, type RouteRequest } from "skillctl";
import type { ReportQuery } from "./contract.ts";
import { REPORTS, type Reports } from "./reports.ts";

/** Returns the report for a period as one HTML page. */
@injectable()
export class ReportRoute implements RouteHandler<ReportQuery, undefined> {
  constructor(@inject(REPORTS) private readonly reports: Reports) {}

  /** @throws SkillError `USAGE` for a period without figures. */
  async handle({ query }: RouteRequest<ReportQuery, undefined>): Promise<RouteReply> {
    const { page } = await this.reports.report(query);
    return {
      status: 200,
      body: page,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      },
    };
  }
}
