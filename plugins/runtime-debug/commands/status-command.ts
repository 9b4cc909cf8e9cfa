import { SkillError, inject, injectable, type CommandHandler } from "skillctl";
import type { StatusInput, StatusOutput } from "../contract.ts";
import { findingsText } from "../check/finding.ts";
import { DRIFT, type Drift } from "../drift/drift.ts";
import { STEPS } from "../session/steps.ts";
import { hypothesisLines } from "../session/hypotheses.ts";
import { LEDGER, type Ledger } from "../session/ledger.ts";
import { fullEnding } from "../session/next-step.ts";
import { OVERVIEW, type Overview, type SessionRow, type StrangeRecord } from "../session/overview.ts";
import type { SessionEntry } from "../session/entry.ts";
import { checkedSession } from "../session-id.ts";

const BEGIN = 'Begin one with `skillctl run runtime-debug start "WHAT IS WRONG"`.';

/** Says where the sessions of the project stand. */
@injectable()
export class StatusCommand implements CommandHandler<StatusInput, StatusOutput> {
  constructor(
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(OVERVIEW) private readonly overview: Overview,
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
      entries.map(async (entry) => this.#withDrift(await this.overview.row({ root, entry }), root, entry)),
    );
    const strange = id === undefined ? await this.overview.strangeRecords(root, Object.keys(sessions)) : [];
    const parts = [
      ...entries.map((entry, index) => sessionText(entry, rows[index] as SessionRow)),
      ...(rows.length === 0 ? [`${noneIn(root, strange)} ${BEGIN}`] : []),
      ...strange.map(strangeText),
    ];
    return {
      sessions: rows,
      ...(strange.length > 0 && { records: strange.map(shown) }),
      text: parts.join("\n\n"),
    };
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

function shown(one: StrangeRecord): StrangeRecord {
  const { hasHypotheses: _, ...record } = one;
  return record;
}

function noneIn(root: string, strange: readonly StrangeRecord[]): string {
  const open = strange.filter(({ status }) => status === "OPEN").map(({ file }) => file);
  if (open.length === 0) return `No session is under way in ${root}.`;
  const said = open.length === 1 ? "says" : "say";
  return `No session is known in ${root}, though ${open.join(", ")} ${said} [OPEN].`;
}

function strangeText({ file, status, issue, hasHypotheses }: StrangeRecord): string {
  const what = [status === undefined ? undefined : `[${status}]`, issue].filter((part) => part !== undefined);
  const said = what.length === 0 ? "" : ` (${what.join(" ")})`;
  const todo =
    hasHypotheses === true
      ? "What was kept of its session is lost, or another user has it: take its probes out (search for `#region debug-point`), then move the record away."
      : "If its start was cut off, begin again with the same words, which takes it over; else remove it when it is not needed any more.";
  return `The record ${file}${said} belongs to no session that is known here. ${todo}`;
}
