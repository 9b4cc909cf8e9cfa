import { randomBytes } from "node:crypto";
import { SkillError } from "skillctl";
import type { Clock, Environment, Files, Journals, Log, OpenServer, Server, ServerOptions } from "skillctl";
import type { AccessTokens } from "../../ports.ts";
import type { ServeInput } from "../contract.ts";
import { LogStore } from "../store/log/log-store.ts";
import type { OpenSession, SessionHolder } from "../open-session.ts";
import { problemBody } from "../problem-body.ts";
import { IdleWatch, heldOpen } from "./idle-watch.ts";
import { advertisedUrl, eventUrl, planned, type Audience, type ServerPlan } from "./plan.ts";
import { Publication } from "./publication.ts";
import { RunningServer } from "./running-server.ts";
import { movedAddress } from "./server-block.ts";
import { writeKeys } from "./server-keys.ts";
import type { ServerRecord } from "./server-record.ts";
import type { SessionHome } from "./session-home.ts";

const ROUTES = ["append", "query", "clear", "health", "run"];
const INSTANCE_BYTES = 16;
const FIRST_RUN = "pre-fix";
const DEFAULT_MIB = 64;
const MIB = 1024 * 1024;

/** Opens the server of a session. */
export class Serving {
  constructor(
    private readonly server: Server,
    private readonly files: Files,
    private readonly journals: Journals,
    private readonly clock: Clock,
    private readonly environment: Environment,
    private readonly log: Log,
    private readonly holder: SessionHolder,
    /** Undefined where no skill keeps logins. */
    private readonly tokens: AccessTokens | undefined,
  ) {}

  /** @throws SkillError `ADDRESS_IN_USE`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, `STORAGE_*`, `DEBUG_SERVED`. */
  async open(home: SessionHome, input: ServeInput, audience: Audience): Promise<RunningServer> {
    const { files, clock, log, holder } = this;
    const plan = planned(audience, input.port, home.earlier, this.environment.addresses(), home.keys);
    // Whether the host is one of this machine is to be known before anything is written.
    await (await this.server.open({ ...audienceOptions(plan), routes: [], port: 0 })).close();
    const begun: (() => Promise<void> | void)[] = [];
    try {
      const book = await this.#log(home, input);
      begun.push(() => book.close());
      const idle = this.#idle(home, input, book);
      const later: { open?: OpenServer; publication?: Publication } = {};
      const session: OpenSession = {
        id: input.session,
        instance: randomBytes(INSTANCE_BYTES).toString("hex"),
        startedMs: clock.monotonicMs(),
        log: book,
        get port() {
          return later.open?.port ?? 0;
        },
        runChanged: async (run) => later.publication?.runChanged(run),
      };
      holder.begin(session);
      begun.push(() => holder.end(session));
      const open = await this.#listen(plan, idle);
      begun.push(() => open.close());
      later.open = open;
      if (plan.keys) await writeKeys(home.keyFile, { ...plan.keys, instance: session.instance }, files);
      const record = this.#record(session, plan, open, home);
      const publication = new Publication(record, home.files, files, this.environment);
      later.publication = publication;
      const moved = movedAddress(home.earlier, record);
      if (moved !== undefined) log.notice(moved);
      await publication.publish();
      return new RunningServer(session, holder, open, publication, idle, log);
    } catch (caught) {
      for (const end of begun.toReversed()) await this.#undone(end);
      throw caught;
    }
  }

  /** A failure to undo a start must not hide why it failed. */
  async #undone(end: () => Promise<void> | void): Promise<void> {
    try {
      await end();
    } catch (caught) {
      this.log.notice(caught instanceof Error ? caught.message : String(caught));
    }
  }

  #idle({ files: { folder } }: SessionHome, { session, idle = 0 }: ServeInput, book: LogStore): IdleWatch {
    const { clock, environment, files, log } = this;
    const isHeld = heldOpen(session, folder, environment, files, log);
    return new IdleWatch({ idleMs: idle * 1_000, clock, isHeld: () => isHeld(book.run) });
  }

  /** Opens the log of a session the way the flags ask for; the run is that of the last start. */
  async #log(
    { files: place, earlier }: SessionHome,
    { session, durability = "sync", raw = false, maxMib = DEFAULT_MIB, clean = false }: ServeInput,
  ): Promise<LogStore> {
    const { journals, files, clock, log, tokens } = this;
    const book = await LogStore.open(
      { journals, files, clock, log },
      {
        folder: place.folder,
        session,
        durability,
        keepSecrets: raw,
        // A program that is debugged may report the login token.
        ...(tokens && { secrets: tokens.held }),
        maxBytes: maxMib * MIB,
        run: earlier?.run ?? FIRST_RUN,
      },
    );
    try {
      // Not for good, as the log's own way to begin anew would be: what was there stays for comparison.
      if (clean) await book.clear({ purge: false });
      return book;
    } catch (caught) {
      await book.close();
      throw caught;
    }
  }

  /** On the first port that can be had. What answers is bound already: nobody can come between. */
  async #listen(plan: ServerPlan, idle: IdleWatch): Promise<OpenServer> {
    const options: Omit<ServerOptions, "port"> = {
      ...audienceOptions(plan),
      routes: ROUTES,
      loopbackPages: true,
      problemBody: (problem) => ({ ...problemBody(problem) }),
      requestBegan: idle.began,
      requestEnded: idle.ended,
    };
    for (const port of plan.ports) {
      try {
        return await this.server.open({ ...options, port });
      } catch (caught) {
        const isTaken = caught instanceof SkillError && caught.code === "ADDRESS_IN_USE";
        if (!isTaken || port === plan.ports.at(-1)) throw caught;
      }
    }
    throw new SkillError("ADDRESS_IN_USE", "There is no port to try.");
  }

  #record(
    { id, instance, log }: OpenSession,
    plan: ServerPlan,
    open: OpenServer,
    home: SessionHome,
  ): ServerRecord {
    const { host, keys, allowHosts } = plan;
    const advertised = advertisedUrl(plan, open, this.environment.addresses());
    return {
      session: id,
      pid: process.pid,
      instance,
      host,
      port: open.port,
      url: open.url,
      eventUrl: eventUrl(advertised, keys?.collect),
      allowHosts,
      ...(keys && { keyFile: home.keyFile }),
      run: log.run,
      startedAt: this.clock.now(),
    };
  }
}

function audienceOptions({
  host,
  allowHosts,
  allowOrigins,
  keys,
}: ServerPlan): Omit<ServerOptions, "port" | "routes"> {
  return { host, allowHosts, allowOrigins, ...(keys && { key: keys.control, collectKey: keys.collect }) };
}
