import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { CLOCK, ENVIRONMENT, FILES, JOURNALS, LOG, SERVER, inject, injectable, token } from "skillctl";
import type { Clock, Environment, Files, Journals, Log, OpenServer, Server } from "skillctl";
import type { ServeInput } from "../contract.ts";
import type { LogBook } from "../log/log-book.ts";
import { SESSION, type OpenSession, type SessionHolder } from "../open-session.ts";
import { problemBody } from "../problem-body.ts";
import type { Audience } from "./audience.ts";
import { isPostFix, isRecordOpen } from "./debug-record.ts";
import { FileTail } from "./file-tail.ts";
import { FollowedFile } from "./followed-file.ts";
import { IdleWatch } from "./idle-watch.ts";
import { listenOnFirst } from "./listening.ts";
import { movedAddress } from "./moved-address.ts";
import { advertisedUrl, eventUrl, planned, type ServerPlan } from "./plan.ts";
import { Publication } from "./publication.ts";
import { RunningServer } from "./running-server.ts";
import type { ServerRecord } from "./server-record.ts";
import type { SessionHome } from "./session-home.ts";
import { openLog } from "./session-log.ts";

const ROUTES = ["append", "query", "clear", "health", "run"];
const INSTANCE_BYTES = 16;

/** Opens the server of a session. */
@injectable()
export class SessionServers {
  constructor(
    @inject(SERVER) private readonly server: Server,
    @inject(FILES) private readonly files: Files,
    @inject(JOURNALS) private readonly journals: Journals,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(LOG) private readonly log: Log,
    @inject(SESSION) private readonly holder: SessionHolder,
  ) {}

  /** @throws SkillError `ADDRESS_IN_USE`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, `STORAGE_*`, `DEBUG_SERVED`. */
  async open(home: SessionHome, input: ServeInput, audience: Audience): Promise<RunningServer> {
    const { files, journals, clock, log, holder } = this;
    const plan = planned(audience, input.port, home.earlier, this.environment.addresses());
    const begun: (() => Promise<void> | void)[] = [];
    try {
      const book = await openLog({ journals, files, clock, log }, home, input);
      begun.push(() => book.close());
      const idle = this.#idle(home, input, book);
      const tail = await this.#tail(input, book, idle);
      const later: { open?: OpenServer; publication?: Publication } = {};
      const session: OpenSession = {
        id: input.session,
        instance: randomBytes(INSTANCE_BYTES).toString("hex"),
        startedMs: clock.monotonicMs(),
        log: book,
        get port() {
          return later.open?.port ?? 0;
        },
        runChanged: async () => later.publication?.runChanged(book.run),
      };
      holder.begin(session);
      begun.push(() => holder.end(session));
      const open = await this.#listen(plan, idle);
      begun.push(() => open.close());
      later.open = open;
      const record = this.#record(session, plan, open);
      const publication = new Publication(record, home.files, files, this.environment);
      later.publication = publication;
      const moved = movedAddress(home.earlier, record);
      if (moved !== undefined) log.notice(moved);
      await publication.publish();
      return new RunningServer({ session, holder, open, publication, idle, tail, log });
    } catch (caught) {
      for (const end of begun.toReversed()) await end();
      throw caught;
    }
  }

  #idle({ files: { folder } }: SessionHome, { session, idle = 0 }: ServeInput, book: LogBook): IdleWatch {
    const { clock, environment, files } = this;
    const isHeld = async (): Promise<boolean> =>
      isPostFix(book.run) && isRecordOpen(session, folder, environment, files);
    return new IdleWatch({ idleMs: idle * 1_000, clock, isHeld });
  }

  async #tail({ tail = [] }: ServeInput, book: LogBook, idle: IdleWatch): Promise<FileTail> {
    const paths = new Set(tail.map((path) => resolve(this.environment.workingFolder, path)));
    const files = [...paths].map((path) => new FollowedFile(path, this.files, this.journals));
    for (const file of files) await file.begin();
    return new FileTail({ files, book, log: this.log, arrived: idle.touch });
  }

  #listen({ ports, host, allowHosts, allowOrigins, keys }: ServerPlan, idle: IdleWatch): Promise<OpenServer> {
    return listenOnFirst(this.server, ports, {
      routes: ROUTES,
      host,
      allowHosts,
      allowOrigins,
      ...(keys && { key: keys.control, collectKey: keys.collect }),
      loopbackPages: true,
      problemBody: (problem) => ({ ...problemBody(problem) }),
      requestBegan: idle.began,
      requestEnded: idle.ended,
    });
  }

  #record({ id, instance, log }: OpenSession, plan: ServerPlan, open: OpenServer): ServerRecord {
    const { host, keys, allowHosts } = plan;
    const advertised = advertisedUrl(plan, open, this.environment.addresses());
    return {
      session: id,
      pid: process.pid,
      instance,
      host,
      port: open.port,
      url: open.url,
      eventUrl: eventUrl(advertised, keys),
      allowHosts,
      ...(keys && { keys }),
      run: log.run,
      startedAt: this.clock.now(),
    };
  }
}

export const SESSION_SERVERS = token<SessionServers>("session-servers");
