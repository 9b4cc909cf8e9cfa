import { FILES, HTTP, inject, injectable, LOG, token, type Files, type Http, type Log } from "skillctl";
import { SESSIONS, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { OBSERVERS, type Observers } from "./observers.ts";
import type { Point } from "./point.ts";

/** A session that is observed by this process. */
export interface ObservedSession {
  /** Of the observer. */
  readonly id: string;
  readonly opened: OpenedSession;
  readonly points: readonly Point[];
  /** The address of the session's server, when that answers. */
  readonly found: () => Promise<string | undefined>;
}

/** The services that an observer uses. */
@injectable()
export class ObserverServices {
  constructor(
    @inject(SESSIONS) readonly sessions: Sessions,
    @inject(OBSERVERS) readonly observers: Observers,
    @inject(FILES) readonly files: Files,
    @inject(HTTP) readonly http: Http,
    @inject(LOG) readonly log: Log,
  ) {}
}

export const OBSERVER_SERVICES = token<ObserverServices>("observer-services");
