import { SkillError, type Log, type OpenServer } from "skillctl";
import type { OpenSession, SessionHolder } from "../open-session.ts";
import type { IdleWatch } from "./idle-watch.ts";
import { pause } from "./pause.ts";
import type { Publication } from "./publication.ts";
import type { ServerInfo } from "./server-block.ts";

/** What is under way may take this long to end, in milliseconds: what is not answered by then was not acknowledged. */
const DRAIN_MS = 3_500;
/** After that the log has this long to close, in milliseconds. */
const CLOSE_MS = 900;
/** And the record of the server this long to be written, in milliseconds. */
const RECORD_MS = 400;

const UNENDED = "Some requests did not end in time; they were not acknowledged.";
const UNWRITTEN = "The disk does not answer; what was acknowledged is on it.";
const UNTOLD = "The disk does not answer: the record of the server does not say that it has ended.";

/** A server that serves a session, until it is closed. */
export class RunningServer {
  constructor(
    private readonly session: OpenSession,
    private readonly holder: SessionHolder,
    private readonly open: OpenServer,
    private readonly publication: Publication,
    private readonly idle: IdleWatch,
    private readonly log: Log,
  ) {}

  get info(): ServerInfo {
    return this.publication.info;
  }

  /** Serves until the signal is aborted or nobody has asked for long enough; answers which, for people. */
  async serve(signal: AbortSignal): Promise<string> {
    const { idle } = this;
    await idle.over(signal);
    return signal.aborted ? "stopped" : `no request for ${idle.idleMs / 1_000} s`;
  }

  /**
   * Stops accepting, lets what is under way come to its end and onto the disk, and closes, within 5 s also when the disk
   * does not answer. Each step is made whatever becomes of the one before.
   * @throws what fails to close; AggregateError when several do.
   */
  async close(reason: string): Promise<void> {
    const { open, session, holder, publication, log } = this;
    const failures: unknown[] = [];
    const note = (caught: unknown): void => void failures.push(caught);
    await within(open.close(), DRAIN_MS, () => log.notice(UNENDED)).catch(note);
    await within(session.log.close(), CLOSE_MS, () => log.notice(UNWRITTEN)).catch(note);
    holder.end(session);
    // The next start asks the port itself: that this one has ended is only told to people.
    const told = publication.ended(reason).catch(tellInDetail(log));
    await within(told, RECORD_MS, () => log.detail(UNTOLD)).catch(note);
    if (failures.length > 1) throw new AggregateError(failures, "The server has not closed as it should.");
    for (const failure of failures) throw failure;
  }
}

/** Waits for an action, but not for longer than that: then `late` is called, and what becomes of it is not heard. */
async function within(action: Promise<void>, ms: number, late: () => void): Promise<void> {
  const enough = new AbortController();
  const tooLate = async (): Promise<void> => {
    await pause(ms, enough.signal);
    if (!enough.signal.aborted) late();
  };
  try {
    await Promise.race([action, tooLate()]);
  } finally {
    enough.abort();
  }
}

function tellInDetail(log: Log): (caught: unknown) => void {
  return (caught) => {
    if (!(caught instanceof SkillError)) throw caught;
    log.detail(caught.message);
  };
}
