import { join } from "node:path";
import { quotedName, inject, injectable, SkillError, type CommandHandler } from "skillctl";
import { findingsText, type Finding } from "../check/finding.ts";
import type { StatusInput, StatusOutput } from "../contract.ts";
import { DRIFT, type Drift } from "../drift/drift.ts";
import { checkedSession, DEFAULT_FOLDER } from "../session-files.ts";
import { OBSERVERS, type Observers } from "../observe/observers.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import type { SessionEntry } from "../session/entry.ts";
import { allOf, EVIDENCE, type Evidence } from "../session/evidence.ts";
import { hypothesisLines, hypothesisRows } from "../session/hypotheses.ts";
import { LEDGER, type Ledger } from "../session/ledger.ts";
import { pageAddress } from "../server/server-files.ts";
import { fullEnding } from "../session/next-step.ts";
import { recordPath, type StrangeRecord } from "../session/record.ts";
import { runOf } from "../session/rounds.ts";
import { isObserved } from "../session/set-probes.ts";
import { standing, type OpenedSession } from "../session/sessions.ts";
import { STEPS } from "../session/steps.ts";

type ObservedRow = NonNullable<SessionRow["observed"]>[number];
type SessionRow = StatusOutput["sessions"][number];

/** In other states no more events are expected. */
const AWAITING: ReadonlySet<SessionEntry["state"]> = new Set(["instrumenting", "reproducing", "verifying"]);

const BEGIN = 'Begin one with `skillctl run runtime-debug start "WHAT IS WRONG"`.';

/** Shows the state of the project's sessions. */
@injectable()
export class StatusCommand implements CommandHandler<StatusInput, StatusOutput> {
  constructor(
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(DRIFT) private readonly drift: Drift,
    @inject(OBSERVERS) private readonly observers: Observers,
  ) {}

  /**
   * @throws SkillError `DEBUG_NO_SESSION` for a named session that does not exist, `DEBUG_SESSION_INVALID`,
   * `FILE_UNREADABLE`
   */
  async run({ session }: StatusInput): Promise<StatusOutput> {
    const project = await this.ledger.project();
    const { root, sessions } = project;
    const id = session === undefined ? undefined : checkedSession(session);
    const entries = Object.values(sessions).filter((entry) => id === undefined || entry.id === id);
    if (id !== undefined && entries.length === 0)
      throw new SkillError("DEBUG_NO_SESSION", `The project ${quotedName(root)} has no session ${id}.`, {
        hint: BEGIN,
      });
    const rows = await Promise.all(entries.map((entry) => this.#row({ root, entry })));
    const strange = id === undefined ? await this.ledger.strangeRecords(project) : [];
    const texts = [
      ...rows.map((row, index) => sessionText(row, entries[index] as SessionEntry)),
      ...(rows.length === 0 ? [`No session is running in ${quotedName(root)}. ${BEGIN}`] : []),
      ...strange.map(strangeText),
    ];
    return {
      sessions: rows,
      ...(strange.length > 0 && { records: [...strange] }),
      text: texts.join("\n\n"),
    };
  }

  async #row(opened: OpenedSession): Promise<SessionRow> {
    const { root, entry } = opened;
    const record = recordPath(root, entry.id);
    const run = runOf(entry);
    const counts = await this.evidence.count(opened, run);
    const others = allOf(counts) - counts.evidence;
    const server = await this.servers.running(opened);
    const notes = [await this.ledger.recordFault(root, entry)];
    const observed = (await this.observers.running(opened)).flatMap(({ pid, target, points, trouble }) => {
      if (trouble !== undefined) notes.push(`The observer (process ${pid}): ${trouble}`);
      return points.map((point) => ({ ...point, target }));
    });
    if (isObserved(entry) && observed.length === 0 && AWAITING.has(entry.state))
      notes.push(
        `No point is set now: a fix has removed them, or the program or its observer has ended.${counts.evidence > 0 ? "" : " Set them again: observe."}`,
      );
    if (!server && entry.server)
      notes.push(
        `The debug server does not answer, so no event arrives. Start it again: skillctl run runtime-debug serve ${entry.id} --detach --outdir ${quotedName(join(root, DEFAULT_FOLDER))}`,
      );
    let drift: readonly Finding[] = [];
    try {
      drift = await this.drift.of(opened);
    } catch (caught) {
      // The state of a session is shown even if its code cannot be compared.
      if (!(caught instanceof SkillError)) throw caught;
      notes.push(`The code could not be checked for changes: ${caught.message}`);
    }
    const note = notes.filter((one) => one !== undefined).join(" ");
    return {
      ...standing(entry),
      issue: entry.issue,
      record,
      ...(server && { server: server.url, page: pageAddress(server) }),
      ...(entry.answered !== undefined && { answered: entry.answered }),
      run,
      events: counts.evidence,
      ...(others > 0 && { others }),
      probes: entry.probes.filter(({ hash }) => hash !== undefined).length,
      ...(observed.length > 0 && { observed }),
      hypotheses: hypothesisRows(entry.hypotheses),
      ...(entry.past?.length && { back: entry.past.at(-1)?.action ?? "" }),
      ...(drift.length > 0 && { drift: [...drift] }),
      ...(note !== "" && { note }),
    };
  }
}

function sessionText(row: SessionRow, entry: SessionEntry): string {
  const { number, title } = STEPS[entry.state];
  const events = row.events === 1 ? "1 event" : `${row.events} events`;
  const others =
    row.others === undefined
      ? ""
      : `, and ${row.others} ${row.others === 1 ? "other that is" : "others that are"} not evidence`;
  return [
    `${row.session}: ${row.issue}`,
    `  Step ${number} of 11: ${title}.`,
    `  Record: ${row.record && quotedName(row.record)}`,
    `  Server: ${row.server ?? (entry.server ? "see below" : "not started yet")}`,
    ...(row.page === undefined ? [] : [`  Page: ${row.page}`]),
    ...(row.answered === undefined ? [] : [`  The user has answered: ${row.answered}`]),
    `  Run: ${row.run}, ${events}${others}; set by probe: ${row.probes}`,
    ...(entry.hypotheses.length === 0 ? [] : ["  Hypotheses:", ...hypothesisLines(entry.hypotheses)]),
    ...(row.observed ? ["  Observed:", ...row.observed.map(observedLine)] : []),
    ...(row.drift ? ["  Changed by more than probes:", findingsText(row.drift)] : []),
    ...(row.note === undefined ? [] : [`  Note: ${row.note}`]),
    "",
    fullEnding(entry),
  ].join("\n");
}

function observedLine({ hypothesis, point, sentence, told, skipped, target }: ObservedRow): string {
  const beyond = skipped > 0 ? `, ${skipped} beyond a limit` : "";
  return `  ${hypothesis}  ${point} in ${target}: ${sentence} (${told} reported${beyond})`;
}

function strangeText({ file, status, issue }: StrangeRecord): string {
  const said = [status && `[${status}]`, issue && quotedName(issue)]
    .filter((part) => part !== undefined)
    .join(" ");
  const told = said === "" ? "" : ` (${said})`;
  return `The record ${quotedName(file)}${told} belongs to no known session: its start was interrupted (run it again with the same words), its data is lost, or it belongs to another user. Remove its probes, if any (search for \`#region debug-point\`), then move the record away.`;
}
