import { join } from "node:path";
import { FILES, inject, injectable, SkillError, type CommandHandler, type Files } from "skillctl";
import { findingsText } from "../check/finding.ts";
import type { StatusInput, StatusOutput } from "../contract.ts";
import { DRIFT, type Drift } from "../drift/drift.ts";
import { checkedSession, DEFAULT_FOLDER, sessionFiles } from "../session-files.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import type { SessionEntry } from "../session/entry.ts";
import { allOf, EVIDENCE, type Evidence } from "../session/evidence.ts";
import { hypothesisLines, hypothesisRows } from "../session/hypotheses.ts";
import { LEDGER, type Ledger } from "../session/ledger.ts";
import { fullEnding } from "../session/next-step.ts";
import { RECORD_FILE, recordAt, recordsIn, type RecordFile } from "../session/record-file.ts";
import { statusIn } from "../session/record-text.ts";
import { runOf } from "../session/rounds.ts";
import { standing, type OpenedSession } from "../session/sessions.ts";
import { STEPS } from "../session/steps.ts";

type SessionRow = StatusOutput["sessions"][number];
/** A record without a session. */
type StrangeRecord = NonNullable<StatusOutput["records"]>[number];

const BEGIN = 'Begin one with `skillctl run runtime-debug start "WHAT IS WRONG"`.';

/** Says where the sessions of the project stand. */
@injectable()
export class StatusCommand implements CommandHandler<StatusInput, StatusOutput> {
  constructor(
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(FILES) private readonly files: Files,
    @inject(RECORD_FILE) private readonly record: RecordFile,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(DRIFT) private readonly drift: Drift,
  ) {}

  /** @throws SkillError `DEBUG_NO_SESSION` for one that is named and not there, `DEBUG_SESSION_INVALID`, `FILE_UNREADABLE` */
  async run({ session }: StatusInput): Promise<StatusOutput> {
    const { root, sessions } = await this.ledger.project();
    const id = session === undefined ? undefined : checkedSession(session);
    const entries = Object.values(sessions).filter((entry) => id === undefined || entry.id === id);
    if (id !== undefined && entries.length === 0)
      throw new SkillError("DEBUG_NO_SESSION", `The project ${root} has no session ${id}.`, { hint: BEGIN });
    const rows = await Promise.all(
      entries.map(async (entry) => this.#withDrift(await this.#row({ root, entry }), root, entry)),
    );
    const strange = id === undefined ? await strangeRecords(root, Object.keys(sessions), this.files) : [];
    const parts = [
      ...entries.map((entry, index) => sessionText(entry, rows[index] as SessionRow)),
      ...(rows.length === 0 ? [`${noneIn(root, strange)} ${BEGIN}`] : []),
      ...strange.map(strangeText),
    ];
    return {
      sessions: rows,
      ...(strange.length > 0 && { records: [...strange] }),
      text: parts.join("\n\n"),
    };
  }

  async #row(opened: OpenedSession): Promise<SessionRow> {
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

  async #server(opened: OpenedSession): Promise<{ readonly url?: string; readonly note?: string }> {
    const { root, entry } = opened;
    const folder = join(root, DEFAULT_FOLDER);
    if (!(await this.files.facts(sessionFiles(folder, entry.id).record))) return {};
    const running = await this.servers.running(opened);
    if (running) return { url: running.url };
    const start = `skillctl run runtime-debug serve ${entry.id} --detach --outdir ${folder}`;
    return { note: `The debug server does not answer, so no event arrives. Start it again: ${start}` };
  }

  /** Where a session stands is told also when its code cannot be looked at. */
  async #withDrift(row: SessionRow, root: string, entry: SessionEntry): Promise<SessionRow> {
    try {
      const drift = await this.drift.of({ root, entry });
      return drift.length === 0 ? row : { ...row, drift: drift.map((one) => ({ ...one })) };
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      const notes = [row.note, `Whether the code has changed could not be seen: ${caught.message}`];
      return { ...row, note: notes.filter((note) => note !== undefined).join(" ") };
    }
  }
}

async function strangeRecords(
  root: string,
  known: readonly string[],
  files: Files,
): Promise<readonly StrangeRecord[]> {
  const found: StrangeRecord[] = [];
  for (const id of await recordsIn(root, files)) {
    if (known.includes(id)) continue;
    const name = `debug-${id}.md`;
    const text = (await recordAt(join(root, name), files)) ?? "";
    const status = statusIn(text);
    const issue = /^- \*\*Issue\*\*: (.+)$/m.exec(text)?.[1];
    found.push({
      file: name,
      ...(status !== undefined && { status }),
      ...(issue !== undefined && { issue: issue.slice(0, 2_000) }),
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

function sessionText(entry: SessionEntry, row: SessionRow): string {
  const { number, title } = STEPS[entry.state];
  const facts = [
    `${row.session}: ${row.issue}`,
    `  Step ${number} of 11: ${title}.`,
    `  Record: ${row.record}`,
    `  Server: ${row.server ?? (row.note === undefined ? "not started yet" : "see below")}`,
    `  Run: ${row.run}, ${row.events === 1 ? "1 event" : `${row.events} events`}${row.others === undefined ? "" : `, and ${row.others} other that ${row.others === 1 ? "is" : "are"} no evidence`}; set by probe: ${row.probes}`,
    ...(entry.hypotheses.length === 0 ? [] : ["  Hypotheses:", ...hypothesisLines(entry.hypotheses)]),
    ...(row.drift ? ["  Changed by more than probes:", findingsText(row.drift)] : []),
    ...(row.note === undefined ? [] : [`  Note: ${row.note}`]),
  ];
  return [...facts, "", fullEnding(entry)].join("\n");
}

function noneIn(root: string, strange: readonly StrangeRecord[]): string {
  const open = strange.filter(({ status }) => status === "OPEN").map(({ file }) => file);
  if (open.length === 0) return `No session is under way in ${root}.`;
  const said = open.length === 1 ? "says" : "say";
  return `No session is known in ${root}, though ${open.join(", ")} ${said} [OPEN].`;
}

function strangeText({ file, status, issue }: StrangeRecord): string {
  const what = [status === undefined ? undefined : `[${status}]`, issue].filter((part) => part !== undefined);
  const said = what.length === 0 ? "" : ` (${what.join(" ")})`;
  return `The record ${file}${said} belongs to no session that is known here: its start was cut off (begin it again with the same words), what was kept of it is lost, or another user has it. Take its probes out, if there are any (search for \`#region debug-point\`), then move the record away.`;
}
