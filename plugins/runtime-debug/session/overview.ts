import { join } from "node:path";
import { FILES, inject, injectable, token, type Files } from "skillctl";
import type { StatusOutput } from "../contract.ts";
import { statusIn } from "../record/status.ts";
import { DEBUG_SERVERS, type DebugServers } from "./debug-servers.ts";
import { DEFAULT_FOLDER, sessionFiles } from "../session-files.ts";
import { EVIDENCE, type Evidence } from "./evidence.ts";
import { hypothesisRows } from "./hypotheses.ts";
import { allOf } from "./no-evidence.ts";
import { RECORD_FILE, recordAt, recordsIn, type RecordFile } from "./record-file.ts";
import { runOf } from "./rounds.ts";
import { standing, type OpenedSession } from "./sessions.ts";

export type SessionRow = StatusOutput["sessions"][number];
/** A record without a session; `hasHypotheses`: its session had gone on from the start. */
export type StrangeRecord = NonNullable<StatusOutput["records"]>[number] & { readonly hasHypotheses?: true };

/** Where sessions stand, and what is wrong with their files. */
@injectable()
export class Overview {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(RECORD_FILE) private readonly record: RecordFile,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
  ) {}

  /** @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE` */
  async row(opened: OpenedSession): Promise<SessionRow> {
    const { root, entry } = opened;
    const record = this.record.path(root, entry.id);
    const run = runOf(entry);
    const [server, counts, recordFault] = await Promise.all([
      this.#server(opened),
      this.evidence.count(opened, run),
      faultOf(record, entry.outcome === undefined, this.files),
    ]);
    const others = allOf(counts) - counts.evidence;
    const notes = [recordFault, server.note].filter((note) => note !== undefined);
    return {
      ...standing(entry),
      issue: entry.issue,
      record,
      ...(server.url !== undefined && { server: server.url }),
      run,
      events: counts.evidence,
      ...(others > 0 && { others }),
      probes: entry.probes.length,
      hypotheses: hypothesisRows(entry.hypotheses),
      ...(entry.past?.length && { back: entry.past.at(-1)?.action ?? "" }),
      ...(notes.length > 0 && { note: notes.join(" ") }),
    };
  }

  /** Records in the project that belong to no session that is under way. */
  strangeRecords(root: string, known: readonly string[]): Promise<readonly StrangeRecord[]> {
    return strangeRecords(root, known, this.files);
  }

  async #server(opened: OpenedSession): Promise<{ readonly url?: string; readonly note?: string }> {
    const { root, entry } = opened;
    const folder = join(root, DEFAULT_FOLDER);
    if (!(await this.files.facts(sessionFiles(folder, entry.id).record))) return {};
    const running = await this.servers.running(opened);
    if (running) return { url: running.url };
    const start = `skillctl run runtime-debug serve ${entry.id} --detach --outdir ${folder}`;
    return { note: `The debug server does not answer, so no event arrives. Start it again: ${start}` };
  }
}

export const OVERVIEW = token<Overview>("overview");

async function strangeRecords(
  root: string,
  known: readonly string[],
  files: Files,
): Promise<readonly StrangeRecord[]> {
  const found: StrangeRecord[] = [];
  for (const { id, name } of await recordsIn(root, files)) {
    if (known.includes(id)) continue;
    const text = (await recordAt(join(root, name), files)) ?? "";
    const status = statusIn(text);
    const issue = /^- \*\*Issue\*\*: (.+)$/m.exec(text)?.[1];
    found.push({
      file: name,
      ...(status !== undefined && { status }),
      ...(issue !== undefined && { issue: issue.slice(0, 2_000) }),
      // Without hypotheses it is as `start` has written it.
      ...(/^\| [A-P] \|/m.test(text) && { hasHypotheses: true }),
    });
  }
  return found;
}

async function faultOf(path: string, isOpen: boolean, files: Files): Promise<string | undefined> {
  if (!(await files.facts(path))) return "The record is gone; the next step writes it again.";
  const text = await recordAt(path, files);
  if (text === undefined) return "The record is no text file that can be read: move it away.";
  if (isOpen && statusIn(text) !== "OPEN")
    return "The record does not say [OPEN], but the session is: what is written there opens no gate.";
  return undefined;
}
