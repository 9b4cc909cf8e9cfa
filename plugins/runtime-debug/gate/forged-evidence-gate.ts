import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { RECORD_FILE, type RecordFile } from "../session/record-file.ts";
import { inside, kindOf, writtenBy } from "./paths.ts";
import { callsTo, sendsByVariable, serverOf } from "./server-gate.ts";
import { SITES, openIn, type Site, type Sites } from "./sites.ts";
import { verdictOf, type Objection } from "./verdict.ts";

const READING = /^(?:\/event)?\/(?:logs|health)$|^$/;

/** Evidence comes from the running program alone (specification, Gates 1; States and transitions). */
@injectable()
export class ForgedEvidenceGate implements RuleHandler {
  constructor(
    @inject(SITES) private readonly sites: Sites,
    @inject(RECORD_FILE) private readonly record: RecordFile,
  ) {}

  /** @throws SkillError as `Sites.of` does, and what reading the server's record throws: then the rule has denied. */
  async judge(subject: Subject): Promise<Verdict> {
    const objections: Objection[] = [];
    for (const site of await this.sites.of(subject)) {
      const [session] = openIn(site);
      if (!session) continue;
      for (const path of written(subject, site))
        objections.push({
          decision: "deny",
          sentence: `${path} is written by the debug server alone.`,
          session,
        });
      for (const one of openIn(site)) {
        const server = await serverOf(site, one, this.record);
        if ((server && posts(subject, server)) || sendsByVariable(subject, one.id))
          objections.push({
            decision: "deny",
            sentence: "This sends events to the debug server.",
            session: one,
          });
      }
    }
    return verdictOf(
      objections,
      "Evidence comes from the running program alone.",
      "Evidence comes from the running program alone: run it with its probes. Reading /logs and /health is free.",
    );
  }
}

function written(subject: Subject, site: Site): readonly string[] {
  const own = writtenBy(subject).flatMap((path) => inside(site.root, path) ?? []);
  return [...new Set(own.filter((path) => kindOf(path, site.sessions) === "evidence"))];
}

function posts(subject: Subject, server: Parameters<typeof callsTo>[0]): boolean {
  return callsTo(server, subject).some(({ path, method }) => {
    if (method === "GET" || method === "HEAD" || method === "DELETE" || method === "OPTIONS") return false;
    return method !== undefined || !READING.test(path);
  });
}
