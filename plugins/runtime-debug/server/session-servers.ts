import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { CLOCK, ENVIRONMENT, FILES, JOURNALS, LOG, SERVER, inject, injectable, token } from "skillctl";
import type { Clock, Environment, Files, Journals, Log, OpenServer, Server } from "skillctl";
import type { ServeInput } from "../contract.ts";
import { LogBook } from "../log/log-book.ts";
import { SESSION, type OpenSession, type SessionHolder } from "../open-session.ts";
import { problemBody } from "../problem-body.ts";
import { isPostFix, isRecordOpen } from "./debug-record.ts";
import { FileTail } from "./file-tail.ts";
import { FollowedFile } from "./followed-file.ts";
import { IdleWatch } from "./idle-watch.ts";
import { listenOnFirst } from "./listening.ts";
import { advertisedUrl, eventUrl, planned, type ServerPlan } from "./plan.ts";
import { Publication } from "./publication.ts";
import { RunningServer } from "./running-server.ts";
import type { ServerRecord } from "./server-record.ts";
import type { SessionHome } from "./session-home.ts";

const ROUTES = ["append", "query", "clear", "health", "run"];
const FIRST_RUN = "pre-fix";
const INSTANCE_BYTES = 16;
const MIB = 1024 * 1024;

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

  /** @throws SkillError `USAGE`, `ADDRESS_IN_USE`, `FILE_UNWRITABLE`, `STORAGE_*`, `DEBUG_SERVED`. */
  async open(home: SessionHome, input: ServeInput): Promise<RunningServer> {
    const plan = planned(input, home.earlier, this.environment.addresses());
    const book = await this.#book(home, input);
    try {
      return await this.#serve(home, input, plan, book);
    } catch (caught) {
      await book.close();
      throw caught;
    }
  }

  async #serve(
    home: SessionHome,
    input: ServeInput,
    plan: ServerPlan,
    book: LogBook,
  ): Promise<RunningServer> {
    const { session: id, idle: idleSeconds = 0 } = input;
    const { files: place } = home;
    const instance = randomBytes(INSTANCE_BYTES).toString("hex");
    const listening: { open?: OpenServer; publication?: Publication } = {};
    const session: OpenSession = {
      id,
      instance,
      startedMs: this.clock.monotonicMs(),
      log: book,
      get port() {
        return listening.open?.port ?? 0;
      },
      runChanged: async () => listening.publication?.runChanged(book.run),
    };
    const isHeld = async (): Promise<boolean> =>
      isPostFix(book.run) && isRecordOpen(id, place.folder, this.environment, this.files);
    const idle = new IdleWatch({ idleMs: idleSeconds * 1_000, clock: this.clock, isHeld });
    const tail = await this.#tail(input, book, idle);
    this.holder.begin(session);
    try {
      const open = await this.#listen(plan, idle);
      listening.open = open;
      try {
        const record = this.#record(session, plan, open);
        this.#tellMoved(home.earlier, record);
        const publication = new Publication(record, place, this.files, this.environment);
        listening.publication = publication;
        await publication.publish();
        const { log, holder } = this;
        return new RunningServer({ session, holder, open, publication, idle, idleSeconds, tail, log });
      } catch (caught) {
        await open.close();
        throw caught;
      }
    } catch (caught) {
      this.holder.end(session);
      throw caught;
    }
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

  async #book({ files, earlier }: SessionHome, input: ServeInput): Promise<LogBook> {
    const { journals, clock, log } = this;
    const { session, durability = "sync", raw = false, maxMib = 64, clean = false } = input;
    const book = await LogBook.open(
      { journals, files: this.files, clock, log },
      {
        folder: files.folder,
        session,
        durability,
        keepSecrets: raw,
        maxBytes: maxMib * MIB,
        clean: false,
        run: earlier?.run ?? FIRST_RUN,
      },
    );
    if (clean) await book.clear({ purge: false });
    return book;
  }

  async #tail({ tail = [] }: ServeInput, book: LogBook, idle: IdleWatch): Promise<FileTail> {
    const paths = new Set(tail.map((path) => resolve(this.environment.workingFolder, path)));
    const files = [...paths].map((path) => new FollowedFile(path, this.files, this.journals));
    for (const file of files) await file.begin();
    return new FileTail({ files, book, log: this.log, arrived: idle.touch });
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

  #tellMoved(earlier: ServerRecord | undefined, now: ServerRecord): void {
    if (!earlier || earlier.eventUrl === now.eventUrl) return;
    this.log.notice(
      `The address has changed to ${now.eventUrl}: what names ${earlier.eventUrl} in instrumented code no longer arrives.`,
    );
  }
}

export const SESSION_SERVERS = token<SessionServers>("session-servers");
