import { randomBytes } from "node:crypto";
import { SkillError } from "skillctl";
import type {
  Clock,
  Environment,
  Files,
  Journals,
  Log,
  OpenServer,
  OptionalPort,
  Server,
  ServerOptions,
} from "skillctl";
import type { ServeInput } from "../contract.ts";
import type { AccessTokens } from "../../ports.ts";
import type { OpenSession, SessionHolder } from "../open-session.ts";
import { LogFiles } from "../store/log/log-files.ts";
import { LogStore } from "../store/log/log-store.ts";
import { IdleWatch, heldOpen } from "./idle-watch.ts";
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
import {
  environmentText,
  newKeys,
  writeKeys,
  writeRecord,
  type ServerKeys,
  type ServerRecord,
} from "./server-files.ts";
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
    private readonly tokens: OptionalPort<AccessTokens> | undefined,
  ) {}

  /** @throws SkillError `ADDRESS_IN_USE`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, `STORAGE_*`, `DEBUG_SERVED`. */
  async open(home: SessionHome, input: ServeInput, audience: Audience): Promise<RunningServer> {
    const { files, clock, environment, log, holder } = this;
    const instance = randomBytes(INSTANCE_BYTES).toString("hex");
    // They stay over restarts, those between that ask for none included: they stand in instrumented code.
    const keys = audience.needsKeys ? { ...(home.keys ?? newKeys()), instance } : undefined;
    const options = accessOptions(audience, keys);
    // Whether the host is one of this machine is to be known before anything is written.
    await (await this.server.open({ ...options, routes: [], port: 0 })).close();
    const begun: (() => Promise<void> | void)[] = [];
    try {
      const store = await this.#log(home, input);
      begun.push(() => store.close());
      const isHeld = heldOpen(input.session, home.files.folder, environment, files);
      const idle = new IdleWatch((input.idle ?? 0) * 1_000, clock, () => isHeld(store.run));
      const served: { running?: RunningServer } = {};
      const session: OpenSession = {
        id: input.session,
        instance,
        startedMs: clock.monotonicMs(),
        folder: home.files.folder,
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
      if (keys) await writeKeys(home.keyFile, keys, files);
      const record = this.#record(session, audience, keys, open, home);
      const running = new RunningServer(session, holder, open, record, home, idle, files, environment, log);
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

  /** A failure to undo a start must not hide why it failed. */
  async #undone(end: () => Promise<void> | void): Promise<void> {
    try {
      await end();
    } catch (caught) {
      this.log.notice(caught instanceof Error ? caught.message : String(caught));
    }
  }

  /** Opens the log of a session the way the flags ask for; the run is that of the last start. */
  async #log(
    { files: place, earlier }: SessionHome,
    { session, durability = "sync", raw = false, maxMib = DEFAULT_MIB, clean = false }: ServeInput,
  ): Promise<LogStore> {
    const { journals, files, clock, log, tokens } = this;
    const store = await LogStore.open(new LogFiles(journals, files, place.folder, session), clock, log, {
      durability,
      keepSecrets: raw,
      // A program that is debugged may report the login token.
      ...(tokens && { secrets: async () => (await tokens()).held() }),
      maxBytes: maxMib * MIB,
      run: earlier?.run ?? FIRST_RUN,
    });
    try {
      // Not for good, as the log's own way to begin anew would be: what was there stays for comparison.
      if (clean) await store.clear({ purge: false });
      return store;
    } catch (caught) {
      await store.close();
      throw caught;
    }
  }

  /** On the first port that can be had. What answers is bound already: nobody can come between. */
  async #listen(ports: readonly number[], options: Omit<ServerOptions, "port">): Promise<OpenServer> {
    for (const port of ports) {
      try {
        return await this.server.open({ ...options, port });
      } catch (caught) {
        const isTaken = caught instanceof SkillError && caught.code === "ADDRESS_IN_USE";
        if (!isTaken || port === ports.at(-1)) throw caught;
      }
    }
    throw new SkillError("ADDRESS_IN_USE", "There is no port to try.");
  }

  #record(
    { id, instance, log }: OpenSession,
    audience: Audience,
    keys: ServerKeys | undefined,
    open: OpenServer,
    home: SessionHome,
  ): ServerRecord {
    const { host, allowHosts } = audience;
    const advertised = advertisedUrl(audience, open, this.environment.addresses());
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
    };
  }
}

function accessOptions(
  { host, allowHosts, allowOrigins }: Audience,
  keys: ServerKeys | undefined,
): Omit<ServerOptions, "port" | "routes"> {
  return { host, allowHosts, allowOrigins, ...(keys && { key: keys.control, collectKey: keys.collect }) };
}

/** How long requests have to end, then the log to close, in milliseconds: less than 5 s in all. */
const [DRAIN_MS, CLOSE_MS] = [3_500, 900];

/** A server that serves a session until it is closed, and the files that say where; those stay, so that the next one takes the same address. */
export class RunningServer {
  #record: ServerRecord;
  #written: Promise<void> = Promise.resolve();

  constructor(
    private readonly session: OpenSession,
    private readonly holder: SessionHolder,
    private readonly open: OpenServer,
    record: ServerRecord,
    private readonly home: SessionHome,
    private readonly idle: IdleWatch,
    private readonly files: Files,
    private readonly environment: Environment,
    private readonly log: Log,
  ) {
    this.#record = record;
  }

  get port(): number {
    return this.open.port;
  }

  get info(): ServerInfo {
    return serverInfo(this.#record, this.home.files, this.environment.addresses());
  }

  /** Serves until the signal is aborted or nobody has asked for long enough; answers which, for people. */
  async serve(signal: AbortSignal): Promise<string> {
    await this.idle.over(signal);
    return signal.aborted ? "stopped" : `no request for ${this.idle.idleMs / 1_000} s`;
  }

  /**
   * Writes the record, and the environment file last, since programs act upon it; one call after another. What fails has
   * changed nothing: the next start must not take over what programs were not told.
   * @throws SkillError `FILE_UNWRITABLE`
   */
  publish(change: Partial<ServerRecord>): Promise<void> {
    const write = async (): Promise<void> => {
      const record = { ...this.#record, ...change };
      const { files: place, recordFile } = this.home;
      await writeRecord(recordFile, record, this.files);
      try {
        await this.files.replace(place.environment, environmentText(record, place.log));
      } catch (caught) {
        await writeRecord(recordFile, this.#record, this.files);
        throw caught;
      }
      this.#record = record;
    };
    const written = this.#written.then(write);
    this.#written = written.catch(() => undefined);
    return written;
  }

  /**
   * Stops accepting, lets what is under way come to its end and onto the disk, and closes, within 5 s also when the disk
   * does not answer. Each step is made whatever becomes of the one before.
   * @throws what fails to close; AggregateError when several do.
   */
  async close(): Promise<void> {
    const { open, session, holder, log } = this;
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
    await step(session.log.close(), CLOSE_MS, "The disk does not answer; what was acknowledged is on it.");
    holder.end(session);
    if (failures.length > 1) throw new AggregateError(failures, "The server has not closed as it should.");
    for (const failure of failures) throw failure;
  }
}
