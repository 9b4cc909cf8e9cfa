import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { RECORD_FILE, type RecordFile } from "../session/record-file.ts";
import type { KnownServer, SessionEntry } from "../session/entry.ts";
import { callsTo } from "./server-calls.ts";
import { endings } from "./server-endings.ts";
import { SITES, openIn, type Site, type Sites } from "./sites.ts";
import { verdictOf, type Objection } from "./verdict.ts";

/** States in which a cleared log is filled again by the reproduction that follows. */
const BEFORE_EVIDENCE: readonly SessionEntry["state"][] = ["observing", "instrumenting", "reproducing"];

/** The server stays until the user has confirmed (specification, States and transitions; Limits). */
@injectable()
export class ServerGate implements RuleHandler {
  constructor(
    @inject(SITES) private readonly sites: Sites,
    @inject(RECORD_FILE) private readonly record: RecordFile,
  ) {}

  /** @throws SkillError as `Sites.of` does, and what reading the server's record throws: then the rule has denied. */
  async judge(subject: Subject): Promise<Verdict> {
    const objections: Objection[] = [];
    for (const site of await this.sites.of(subject))
      for (const session of openIn(site)) {
        const server = await serverOf(site, session, this.record);
        // No server has been begun for it yet.
        if (!server && session.baseline.images !== "") continue;
        for (const { decision, sentence } of [
          ...endings(subject, server, session.id),
          ...calls(subject, server, session),
        ])
          objections.push({ decision, sentence, session });
      }
    return verdictOf(
      objections,
      "The debug server stays until the user has confirmed.",
      "The debug server stays until the cleanup: leave it running. To start the program anew, end that one process by its id.",
    );
  }
}

/** The server as it says of itself in the project, else as it was known at the last step. */
export async function serverOf(
  { root }: Site,
  { id, server, baseline }: SessionEntry,
  record: RecordFile,
): Promise<KnownServer | undefined> {
  return baseline.images === "" ? server : ((await record.server(root, id)) ?? server);
}

function calls(
  subject: Subject,
  server: KnownServer | undefined,
  { state }: SessionEntry,
): readonly Pick<Objection, "decision" | "sentence">[] {
  if (!server) return [];
  return callsTo(server, subject).flatMap(
    ({ path, method }): readonly Pick<Objection, "decision" | "sentence">[] => {
      if (/\/(?:shutdown|stop|quit|exit|kill|close)$/.test(path) && method !== "GET")
        return [{ decision: "deny", sentence: "This asks the debug server to end." }];
      if (method === "DELETE" && !BEFORE_EVIDENCE.includes(state))
        return [{ decision: "ask", sentence: "This clears the log that the hypotheses are judged by." }];
      return [];
    },
  );
}
