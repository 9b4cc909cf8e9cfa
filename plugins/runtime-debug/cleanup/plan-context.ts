import { join } from "node:path";
import type { Files } from "skillctl";
import type { Ledger } from "../session/ledger.ts";
import { judgeFile, regionsOf } from "../check/judge-file.ts";
import { readRecord } from "../server/server-record.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { DEFAULT_FOLDER, sessionFiles } from "../session-files.ts";
import { syntaxFaults } from "../syntax/syntax.ts";
import type { PlanContext } from "./file-plan.ts";

/** What a plan is made with: the session's addresses, and who judges regions and syntax. */
export async function planContext(
  { root, entry }: OpenedSession,
  files: Files,
  ledger: Ledger,
): Promise<PlanContext> {
  const record = await readRecord(sessionFiles(join(root, DEFAULT_FOLDER), entry.id).record, files);
  const known = [record?.url, record?.eventUrl, entry.server?.url];
  const urls = known.filter((url) => url !== undefined).filter((url) => URL.canParse(url));
  const { sessions } = await ledger.project();
  const hosts = urls.map((url) => new URL(url).host);
  return {
    traces: { session: entry.id, hosts: [...new Set(hosts)].filter((host) => /:\d+$/.test(host)) },
    isAborted: entry.outcome === "aborted",
    regions: regionsOf,
    judge: async (path, text) => (await judgeFile(path, text)).findings,
    syntax: { faults: syntaxFaults },
    others: Object.keys(sessions).filter((id) => id !== entry.id),
  };
}
