import { randomBytes } from "node:crypto";
import {
  CLOCK,
  FILES,
  inject,
  injectable,
  JOURNALS,
  LOG,
  optional,
  SERVER,
  SkillError,
  token,
} from "skillctl";
import type { Clock, Files, Journals, Log, OpenServer, OptionalPort, Server, ServerOptions } from "skillctl";
import { ACCESS_TOKENS, type AccessTokens } from "../../ports.ts";
import type { ServeInput } from "../contract.ts";
import { SESSION, type OpenSession, type SessionHolder } from "../open-session.ts";
import type { LogStore } from "../store/log/log-store.ts";
import { IdleWatch } from "./idle-watch.ts";
import { eventUrl } from "./network.ts";
import { pause } from "./pause.ts";
import {
  advertisedUrl,
  movedAddress,
  portsToTry,
  serverInfo,
  type Audience,
  type ServerInfo,
} from "./plan.ts";
import { problemBody } from "./routes.ts";
import { newKeys, newPageKey, type ServerKeys, type ServerRecord } from "./server-files.ts";
import type { SessionHome } from "./session-home.ts";

const ROUTES = ["append", "otlp", "query", "clear", "health", "run", "page", "unlock", "watch", "reply"];
const INSTANCE_BYTES = 16;

const FIRST_RUN = "pre-fix";
const DEFAULT_MIB = 64;
const MIB = 1024 * 1024;

/** Opens the logs of served sessions. */
@injectable()
export class LogStores {
  constructor(
    @inject(JOURNALS) private readonly journals: Journals,
    @inject(FILES) private readonly files: Files,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
    /** Undefined if no skill stores logins. */
    @inject(optional(ACCESS_TOKENS)) private readonly tokens: OptionalPort<AccessTokens> | undefined,
  ) {}

  /**
   * Opens the log of a session according to the flags, with the run of the last start. @throws SkillError as
   * `LogStore.open`
   */
  async open(
    { files: place, earlier }: SessionHome,
    { session, durability = "sync", raw = false, maxMib = DEFAULT_MIB, clean = false }: ServeInput,
  ): Promise<LogStore> {
    const { LogFiles } = await import("../store/log/log-files.ts");
    const { LogStore } = await import("../store/log/log-store.ts");
    const { journals, files, clock, log, tokens } = this;
    const store = await LogStore.open(new LogFiles(journals, files, place.folder, session), clock, log, {
      durability,
      keepSecrets: raw,
      // A debugged program may report the login token.
      ...(tokens && { secrets: async () => (await tokens()).held() }),
      maxBytes: maxMib * MIB,
      run: earlier?.run ?? FIRST_RUN,
    });
    try {
      // Keeps earlier events for comparison, unlike the log's own reset.
      if (clean) await store.clear({ purge: false });
      return store;
    } catch (caught) {
      await store.close();
      throw caught;
    }
  }
}

export const LOG_STORES = token<LogStores>("log-stores");

/** Opens the server of a session. */
@injectable()
export class Serving {
  constructor(
    @inject(SERVER) private readonly server: Server,
    @inject(LOG_STORES) private readonly logs: LogStores,
    @inject(SESSION) private readonly holder: SessionHolder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  /**
   * `check` may refuse the server before it is announced, when it answers.
   * @throws SkillError `ADDRESS_IN_USE`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, `STORAGE_*`, `DEBUG_SERVED`.
   */
  async open(
    home: SessionHome,
    input: ServeInput,
    audience: Audience,
    check?: (instance: string) => Promise<void>,
  ): Promise<RunningServer> {
    const { clock, log, holder } = this;
    const instance = randomBytes(INSTANCE_BYTES).toString("hex");
    // Keys stay valid over restarts, even after a start without keys: instrumented code contains them.
    const keys = audience.needsKeys ? { ...(home.keys ?? newKeys()), instance } : undefined;
    const options = accessOptions(audience, keys);
    // The host must be known to belong to this machine before any file is written.
    await (await this.server.open({ ...options, routes: [], port: 0 })).close();
    const begun: (() => Promise<void> | void)[] = [];
    try {
      const store = await this.logs.open(home, input);
      begun.push(() => store.close());
      const idle = new IdleWatch((input.idle ?? 0) * 1_000, clock, () => home.isHeldOpen(store.run));
      const served: { running?: RunningServer } = {};
      const session: OpenSession = {
        id: input.session,
        instance,
        startedMs: clock.monotonicMs(),
        folder: home.files.folder,
        pageKey: home.earlier?.pageKey ?? newPageKey(),
        log: store,
        get port() {
          return served.running?.port ?? 0;
        },
        runChanged: async (run) => served.running?.publish({ run }),
      };
      holder.begin(session);
      begun.push(() => holder.end(session));
      const open = await this.#listen(portsToTry(input.port, home.earlier?.port), {
        ...options,
        routes: ROUTES,
        loopbackPages: true,
        problemBody: (problem) => ({ ...problemBody(problem) }),
        requestBegan: idle.began,
        requestEnded: idle.ended,
      });
      begun.push(() => open.close());
      await check?.(instance);
      if (keys) await home.keep(keys);
      const record = recordOf(session, audience, keys, open, home);
      const running = new RunningServer({ session, audience, open, home, idle }, record, holder, log);
      served.running = running;
      const moved = movedAddress(home.earlier, record);
      if (moved !== undefined) log.notice(moved);
      await running.publish({});
      return running;
    } catch (caught) {
      for (const end of begun.toReversed()) await this.#undone(end);
      throw caught;
    }
  }

  /** An error in undoing a start must not hide the error of the start. */
  async #undone(end: () => Promise<void> | void): Promise<void> {
    try {
      await end();
    } catch (caught) {
      this.log.notice(caught instanceof Error ? caught.message : String(caught));
    }
  }

  /** Listens on the first available port. Since the port is bound at once, no other process can take it. */
  async #listen(ports: readonly number[], options: Omit<ServerOptions, "port">): Promise<OpenServer> {
    for (const port of ports) {
      try {
        return await this.server.open({ ...options, port });
      } catch (caught) {
        const isTaken = caught instanceof SkillError && caught.code === "ADDRESS_IN_USE";
        if (!isTaken || port === ports.at(-1)) throw caught;
      }
    }
    throw new SkillError("ADDRESS_IN_USE", "No port is available.");
  }
}

export const SERVING = token<Serving>("serving");

function recordOf(
  { id, instance, log, pageKey }: OpenSession,
  audience: Audience,
  keys: ServerKeys | undefined,
  open: OpenServer,
  home: SessionHome,
): ServerRecord {
  const { host, allowHosts } = audience;
  return {
    session: id,
    pid: process.pid,
    instance,
    host,
    port: open.port,
    url: open.url,
    eventUrl: eventUrl(advertisedUrl(audience, open), keys?.collect),
    allowHosts,
    ...(keys && { keyFile: home.keyFile }),
    pageKey,
    run: log.run,
  };
}

function accessOptions(
  { host, allowHosts, allowOrigins }: Audience,
  keys: ServerKeys | undefined,
): Omit<ServerOptions, "port" | "routes"> {
  return { host, allowHosts, allowOrigins, ...(keys && { key: keys.control, collectKey: keys.collect }) };
}

/** Time limits for ending requests and then for closing the log, in milliseconds: less than 5 s together. */
const [DRAIN_MS, CLOSE_MS] = [3_500, 900];

/** A session with the resources that its server holds open. */
interface ServedSession {
  readonly session: OpenSession;
  readonly audience: Audience;
  readonly open: OpenServer;
  readonly home: SessionHome;
  readonly idle: IdleWatch;
}

/**
 * A server that serves a session until it is closed, and the files with its address, which stay so that the next server
 * uses the same address.
 */
export class RunningServer {
  #record: ServerRecord;
  #written: Promise<void> = Promise.resolve();

  constructor(
    private readonly served: ServedSession,
    record: ServerRecord,
    private readonly holder: SessionHolder,
    private readonly log: Log,
  ) {
    this.#record = record;
  }

  get port(): number {
    return this.served.open.port;
  }

  get info(): ServerInfo {
    const { home, audience } = this.served;
    return serverInfo(this.#record, home.files, audience.addresses);
  }

  /** Serves until the signal is aborted or the idle time is over; returns the reason, for people. */
  async serve(signal: AbortSignal): Promise<string> {
    const { idle } = this.served;
    await idle.over(signal);
    return signal.aborted ? "stopped" : `no request for ${idle.idleMs / 1_000} s`;
  }

  /** Publishes a change to programs; calls run one after another. @throws SkillError as `SessionHome.publish` does */
  publish(change: Partial<ServerRecord>): Promise<void> {
    const write = async (): Promise<void> => {
      const record = { ...this.#record, ...change };
      await this.served.home.publish(record, this.#record);
      this.#record = record;
    };
    const written = this.#written.then(write);
    this.#written = written.catch(() => undefined);
    return written;
  }

  /**
   * Stops accepting, completes requests and writes in progress, and closes, within 5 s even if the disk does not
   * respond. Each step runs regardless of the result of the earlier ones.
   * @throws the error of closing; AggregateError for several.
   */
  async close(): Promise<void> {
    const { holder, log } = this;
    const { open, session } = this.served;
    const failures: unknown[] = [];
    const step = async (action: Promise<void>, ms: number, late: string): Promise<void> => {
      const enough = new AbortController();
      const tooLate = async (): Promise<void> => {
        await pause(ms, enough.signal);
        if (!enough.signal.aborted) log.notice(late);
      };
      await Promise.race([action, tooLate()]).catch((caught: unknown) => failures.push(caught));
      enough.abort();
    };
    await step(open.close(), DRAIN_MS, "Some requests did not end in time; they were not acknowledged.");
    await step(session.log.close(), CLOSE_MS, "The disk does not respond; acknowledged events are on it.");
    holder.end(session);
    if (failures.length > 1) throw new AggregateError(failures, "The server did not close properly.");
    for (const failure of failures) throw failure;
  }
}
