import { relative } from "node:path";
import {
  CLOCK,
  inject,
  injectable,
  quotedName,
  SkillError,
  type Call,
  type Clock,
  type CommandHandler,
} from "skillctl";
import type { StartInput, StartOutput } from "../contract.ts";
import { pageAddress } from "../server/server-files.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import { reproductionOf } from "../reproduce/reproduction.ts";
import type { SessionEntry } from "../session/entry.ts";
import { HYPOTHESIS_LINE } from "../session/hypotheses.ts";
import { fullEnding } from "../session/next-step.ts";
import { recordPath } from "../session/record.ts";
import { taken } from "../session/session-name.ts";
import { SESSIONS, standing, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { INFORMATION, questionText } from "../session/steps.ts";
import { given, SESSION_START, type SessionStart } from "../session/session-start.ts";
import { HYPOTHESIZE, type Handler } from "./handlers.ts";

/** Begins a session. */
@injectable()
export class StartCommand implements CommandHandler<StartInput, StartOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(SESSION_START) private readonly start: SessionStart,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(HYPOTHESIZE) private readonly hypothesize: Handler<"hypothesize">,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
  ) {}

  /**
   * Takes all steps that the input allows, and stops at the first that is not possible. @throws SkillError `INPUT_INVALID` for
   * hypotheses, before any step, `DEBUG_SESSION_TAKEN`, `DEBUG_SESSION_INVALID`,
   * `FILE_UNWRITABLE`, `FILE_UNREADABLE`, as `Phases.change` does, and errors of the comparison
   */
  async run(input: StartInput, call: Call): Promise<StartOutput> {
    refuseRun(input);
    const { hypotheses, sync, allowCall, inside, open = false } = input;
    const { workingFolder } = this.start;
    const { root } = await this.start.project(hypotheses);
    const reproduction = reproductionOf(given({ ...input, command: input.run }), workingFolder);
    call.progress("Saving the present code.");
    const busy = taken(
      `Another session is still starting in ${quotedName(root)}.`,
      "Try again once it has started.",
    );
    // Alone: a second start with the same words would treat the record of the first as that of an interrupted start.
    const { entry } = await this.sessions.alone(`start:${root}`, busy, call.signal, () =>
      this.start.run(input, this.clock.now(), reproduction, call.signal),
    );
    const record = recordPath(root, entry.id);
    const place = relative(workingFolder, record);
    const opened = { root, entry };
    if (!hypotheses) {
      const shown = await this.#page(opened, open, call);
      return {
        ...standing(entry),
        record,
        ...shown.page,
        text: textOf(entry, [begunLine(entry, place), ...shown.lines]),
      };
    }
    const flags = given({ sync, allowCall, inside });
    const listed = await this.hypothesize.run({ session: entry.id, hypotheses, ...flags }, call);
    const { hypotheses: _rows, text, ...more } = listed;
    const shown = await this.#page(opened, open, call);
    return {
      ...more,
      record,
      ...shown.page,
      text: [begunLine(entry, place), ...shown.lines, text].join("\n"),
    };
  }

  /** The page of the session, if its server runs; with `open` the server is started and the page is shown. */
  async #page(opened: OpenedSession, open: boolean, call: Call): Promise<ShownPage> {
    const server = open ? await this.servers.ensure(opened, call) : await this.servers.running(opened);
    if (!server) return { page: {}, lines: [] };
    const page = pageAddress(server);
    const isShown = !open || (await this.servers.show(page));
    return {
      page: { page },
      lines: [`Page: ${page}`, ...(isShown ? [] : ["No program that opens addresses was found."])],
    };
  }
}

interface ShownPage {
  readonly page: Pick<StartOutput, "page">;
  readonly lines: readonly string[];
}

/** @throws SkillError `USAGE` for a command that cannot be run */
function refuseRun({ run, page, hypotheses = [], ...input }: StartInput): void {
  const { act, inspect, times, failsWhen, timeout, while: server, port } = input;
  const flags = given({ act, inspect, times, "fails-when": failsWhen, timeout, while: server, port });
  const [flag] = Object.keys(flags);
  const shown = run ?? page;
  if (shown === undefined && flag === undefined) return;
  if (shown === undefined)
    throw new SkillError("USAGE", `--${flag} requires --run or --page, which is missing.`);
  if (hypotheses.length === 0)
    throw new SkillError(
      "USAGE",
      "--run and --page require --hypotheses: the bug is not reproduced before probes are set.",
      { hint: `Give --hypotheses "${HYPOTHESIS_LINE}" once for each.` },
    );
}

function begunLine({ id }: SessionEntry, record: string): string {
  return `Session ${id} has begun: ${quotedName(record)}`;
}

function textOf(entry: SessionEntry, begun: readonly string[]): string {
  return [
    ...begun,
    "No code may be changed before log lines show the cause; probes come after the hypotheses.",
    "",
    ...questionLines(entry),
    fullEnding(entry),
  ].join("\n");
}

/** Requests missing information from the user; empty if it is complete. */
function questionLines(entry: SessionEntry): readonly string[] {
  const facts = {
    "expected behaviour": entry.expected,
    "actual behaviour": entry.actual,
    "steps to reproduce it": entry.steps[0],
    environment: entry.environment,
    "affected users, and since when": entry.impact,
    "logs, screenshots, stack traces or failing tests": entry.material?.[0],
  };
  const unknown = Object.entries(facts).flatMap(([name, fact]) => (fact === undefined ? [name] : []));
  if (unknown.length === 0) return [];
  return [
    `Not known yet: ${unknown.join("; ")}. Ask the user for information that narrows it down:`,
    questionText(INFORMATION),
    `Pass the answer on: skillctl run runtime-debug answer A --session ${entry.id} --note "WHAT THE USER SAID"`,
    "(with --steps, --expected, --actual, --environment, --impact and --material, at any step)",
    "",
  ];
}
