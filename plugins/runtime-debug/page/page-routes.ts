import { inject, injectable, SkillError } from "skillctl";
import type { PageText } from "#page/built-page";
import { isOwnPage, PageLock } from "#page/page-lock";
import type { Call, RouteHandler, RouteReply, RouteRequest } from "skillctl";
import { ANSWER, type Handler } from "../commands/handlers.ts";
import type { KeyQuery, PageAnswer, PageKey } from "../contract.ts";
import { SESSION, type OpenSession, type SessionHolder } from "../open-session.ts";
import { pause } from "../server/pause.ts";
import { SESSIONS, type Sessions } from "../session/sessions.ts";
import { rowsAfter } from "./event-rows.ts";
import { SESSION_VIEWS, type SessionViews } from "./session-view.ts";

type Headers = RouteRequest<unknown, unknown>["headers"];
type Lock = Pick<OpenSession, "id" | "port" | "pageKey">;

const DONE = { ok: true } as const;

/** Sends the page, which contains no data of the session: the page requests these with its key. */
@injectable()
export class PageRoute implements RouteHandler<KeyQuery, undefined> {
  #page: PageText | undefined;

  constructor(@inject(SESSION) private readonly session: SessionHolder) {}

  /** @throws SkillError `DEBUG_NOT_SERVED` */
  async handle(): Promise<RouteReply> {
    if (this.session.current && !this.#page) this.#page = (await import("./page-text.ts")).pageText();
    const { html, headers } = this.#page as PageText;
    return { status: 200, body: html, headers };
  }
}

/** Exchanges the key of the session for a cookie. */
@injectable()
export class UnlockRoute implements RouteHandler<KeyQuery, PageKey> {
  constructor(@inject(SESSION) private readonly session: SessionHolder) {}

  /** @throws SkillError `DEBUG_NOT_SERVED`, `KEY_REFUSED`, `ORIGIN_REFUSED` */
  async handle({ headers, body }: RouteRequest<KeyQuery, PageKey>): Promise<RouteReply> {
    const cookie = unlocked(this.session.current, headers, body.key);
    return { status: 200, body: DONE, headers: { "set-cookie": cookie, "cache-control": "no-store" } };
  }
}

/** Polling intervals of the log and of the session, in milliseconds. */
const [LOOK_MS, VIEW_MS] = [150, 1_000];
/** Interval of keep-alive messages, in milliseconds: idle connections are closed. */
const ALIVE_MS = 20_000;
/** The number of newest events that a page shows. */
const MOST_SHOWN = 20_000;

/** Streams the state of the session and its events to the page, as fast as the page reads. */
@injectable()
export class WatchRoute implements RouteHandler<KeyQuery, undefined> {
  constructor(
    @inject(SESSION) private readonly session: SessionHolder,
    @inject(SESSION_VIEWS) private readonly views: SessionViews,
  ) {}

  /** @throws SkillError `DEBUG_NOT_SERVED`, `KEY_REFUSED`, `ORIGIN_REFUSED` */
  async handle({ headers, signal }: RouteRequest<KeyQuery, undefined>): Promise<RouteReply> {
    const session = this.session.current;
    refuseLocked(session, headers);
    const since = Number(headers["last-event-id"] ?? 0) || 0;
    return {
      status: 200,
      body: this.#messages(session, since, signal),
      headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
    };
  }

  async *#messages(session: OpenSession, since: number, signal: AbortSignal): AsyncGenerator<string> {
    const { log } = session;
    let told = since;
    let [view, viewed, alive] = ["", -Infinity, performance.now()];
    yield "retry: 1000\n\n";
    while (!signal.aborted) {
      const now = performance.now();
      if (now - viewed >= VIEW_MS) {
        const next = await this.#view(session);
        if (next !== view) yield `event: session\ndata: ${next}\n\n`;
        [view, viewed] = [next, now];
      }
      const { seq } = log.facts();
      if (told > seq) yield "event: reset\ndata: null\n\n";
      told = Math.max(told > seq ? 0 : told, seq - MOST_SHOWN);
      if (told < seq) {
        const rows = await rowsAfter(log, told);
        const [, last] = /^\{"seq":(\d+)/.exec(rows.at(-1) ?? "") ?? [];
        told = last === undefined ? seq : Number(last);
        yield `id: ${told}\nevent: events\ndata: [${rows.join()}]\n\n`;
        alive = now;
        continue;
      }
      if (now - alive >= ALIVE_MS) {
        yield ":\n\n";
        alive = now;
      }
      await pause(LOOK_MS, signal);
    }
  }

  /** The state as JSON; null if there is no session, for example after its cleanup. */
  async #view(session: OpenSession): Promise<string> {
    const opened = await this.views.find(session);
    return JSON.stringify(opened ? await this.views.of(opened) : null);
  }
}

/** Accepts the person's answer on the page, like the command at a terminal. */
@injectable()
export class ReplyRoute implements RouteHandler<KeyQuery, PageAnswer> {
  constructor(
    @inject(SESSION) private readonly session: SessionHolder,
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(SESSION_VIEWS) private readonly views: SessionViews,
    @inject(ANSWER) private readonly answers: Handler<"answer">,
  ) {}

  /** @throws SkillError `DEBUG_NOT_SERVED`, `KEY_REFUSED`, `ORIGIN_REFUSED`, and as the command `answer` does */
  async handle({ headers, body, signal }: RouteRequest<KeyQuery, PageAnswer>): Promise<RouteReply> {
    const session = this.session.current;
    refuseLocked(session, headers);
    const { question, answer, note } = body;
    const served = await this.views.find(session);
    const found = await this.sessions.find(session.id);
    if (!served || found?.root !== served.root)
      throw new SkillError("DEBUG_NO_SESSION", "The server does not run in the project of the session.", {
        hint: "Tell the agent your answer.",
      });
    const choose = async ({ text }: { readonly text: string }): Promise<string> => {
      if (text === question) return answer;
      throw changed();
    };
    const call: Call = {
      surface: "http",
      signal,
      progress: () => undefined,
      announce: () => undefined,
      person: { columns: undefined, secret: () => Promise.reject(changed()), choose },
    };
    const input = { session: session.id, ...(note !== undefined && { note }) };
    if ((await this.answers.run(input, call)).answer === undefined) throw changed();
    return { status: 200, body: DONE };
  }
}

function changed(): SkillError {
  return new SkillError("DEBUG_CHANGED", "The question has been answered, or another is open.", {
    hint: "The page shows the open question.",
  });
}

/** The only paths of the cookie: browsers send the cookies of one port of a host to all its ports. */
const PATH = "/page";

/** The header that sets the cookie of a page, in exchange for the key in its address. @throws SkillError `KEY_REFUSED`, `ORIGIN_REFUSED` */
function unlocked(session: Lock, headers: Headers, key: string): string {
  refuseOtherPages(headers);
  const lock = lockOf(session);
  if (!lock.isKey(key)) throw locked(session, "The key is wrong.");
  return lock.cookieFor(PATH);
}

/** Admits only the page of the session. @throws SkillError `KEY_REFUSED`, `ORIGIN_REFUSED` */
function refuseLocked(session: Lock, headers: Headers): void {
  refuseOtherPages(headers);
  if (!lockOf(session).opens(headers)) throw locked(session, "The page has not been opened with its key.");
}

function refuseOtherPages(headers: Headers): void {
  if (isOwnPage(headers)) return;
  throw new SkillError("ORIGIN_REFUSED", "Only the page of this server may request that.", {
    hint: "Open the address of the page itself.",
  });
}

function lockOf({ port, pageKey }: Lock): PageLock {
  return new PageLock(`debug-page-${port}`, pageKey);
}

function locked({ id }: Lock, sentence: string): SkillError {
  return new SkillError("KEY_REFUSED", sentence, {
    hint: `Open the whole address, with the part after #: \`skillctl run runtime-debug status ${id}\` prints it.`,
  });
}
