import { SkillError, type Log, type OpenServer } from "skillctl";
import type { OpenSession, SessionHolder } from "../open-session.ts";
import type { FileTail } from "./file-tail.ts";
import { pause, type IdleWatch } from "./idle-watch.ts";
import type { Publication } from "./publication.ts";
import type { ServerInfo } from "./server-block.ts";

/** What is under way may take this long to end, in milliseconds: what is not answered by then was not acknowledged. */
const DRAIN_MS = 4_000;
/** After that the log has this long to close, in milliseconds. */
const CLOSE_MS = 800;

/** The parts of a server that serves a session. */
export interface RunningParts {
  readonly session: OpenSession;
  readonly holder: SessionHolder;
  readonly open: OpenServer;
  readonly publication: Publication;
  readonly idle: IdleWatch;
  readonly idleSeconds: number;
  readonly tail: FileTail;
  readonly log: Log;
}

/** A server that serves a session, until it is closed. */
export class RunningServer {
  readonly #parts: RunningParts;

  constructor(parts: RunningParts) {
    this.#parts = parts;
  }

  get info(): ServerInfo {
    return this.#parts.publication.info;
  }

  /** Serves until the signal is aborted or nobody has asked for long enough; answers which, for people. */
  async serve(signal: AbortSignal): Promise<string> {
    const { idle, idleSeconds, tail } = this.#parts;
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const follows = tail.follow(both);
    try {
      await Promise.race([idle.over(both), follows]);
    } finally {
      stop.abort();
    }
    await follows;
    return signal.aborted ? "stopped" : `no request for ${idleSeconds} s`;
  }

  /**
   * Stops accepting, lets what is under way come to its end and onto the disk, and closes, within 5 s.
   * @throws what fails to close.
   */
  async close(reason: string): Promise<void> {
    const { open, session, holder, publication, log } = this.#parts;
    const closed = open.close();
    if (!(await isOver(closed, DRAIN_MS)))
      log.notice("Some requests did not end in time; they were not acknowledged.");
    const ended = session.log.close();
    if (!(await isOver(ended, CLOSE_MS)))
      log.notice("The disk does not answer; what was acknowledged is on it.");
    holder.end(session);
    try {
      await publication.ended(reason);
    } catch (caught) {
      // The next start asks the port itself: that this one has ended is only told to people.
      if (!(caught instanceof SkillError)) throw caught;
      log.detail(caught.message);
    }
  }
}

/** Whether something has settled within a time; a failure is passed on. */
async function isOver(action: Promise<void>, ms: number): Promise<boolean> {
  const enough = new AbortController();
  let over = false;
  const done = action.then(() => {
    over = true;
    return over;
  });
  try {
    await Promise.race([done, pause(ms, enough.signal)]);
    return over;
  } finally {
    enough.abort();
  }
}
