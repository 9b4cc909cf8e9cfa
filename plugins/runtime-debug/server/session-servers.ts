import { randomBytes } from "node:crypto";
import type {
  AccessTokens,
  Clock,
  Environment,
  Files,
  Journals,
  Log,
  OpenServer,
  Server,
  ServerOptions,
} from "skillctl";
import type { ServeInput } from "../contract.ts";
import type { LogStore } from "../store/log/log-store.ts";
import type { OpenSession, SessionHolder } from "../open-session.ts";
import { problemBody } from "../problem-body.ts";
import type { Audience } from "./audience.ts";
import { isPostFix, openRecord } from "./debug-record.ts";
import { FileTail } from "./file-tail.ts";
import { FollowedFile } from "./followed-file.ts";
import { followedPaths } from "./followed-paths.ts";
import { IdleWatch } from "./idle-watch.ts";
import { listenOnFirst, tryListening } from "./listening.ts";
import { movedAddress } from "./moved-address.ts";
import { advertisedUrl, eventUrl, planned, type ServerPlan } from "./plan.ts";
import { Publication } from "./publication.ts";
import { RunningServer } from "./running-server.ts";
import { writeKeys } from "./server-keys.ts";
import type { ServerRecord } from "./server-record.ts";
import type { SessionHome } from "./session-home.ts";
import { openLog } from "./session-log.ts";

const ROUTES = ["append", "query", "clear", "health", "run"];
const INSTANCE_BYTES = 16;

/** Opens the server of a session. */
export class SessionServers {
  constructor(
    private readonly server: Server,
    private readonly files: Files,
    private readonly journals: Journals,
    private readonly clock: Clock,
    private readonly environment: Environment,
    private readonly log: Log,
    private readonly tokens: AccessTokens | undefined,
    private readonly holder: SessionHolder,
  ) {}

  /** @throws SkillError `ADDRESS_IN_USE`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, `STORAGE_*`, `DEBUG_SERVED`. */
  async open(home: SessionHome, input: ServeInput, audience: Audience): Promise<RunningServer> {
    const { files, journals, clock, log, holder } = this;
    const plan = planned(audience, input.port, home.earlier, this.environment.addresses(), home.keys);
    const followed = await this.#followed(home, input);
    await tryListening(this.server, audienceOptions(plan));
    const begun: (() => Promise<void> | void)[] = [];
    try {
      const book = await openLog({ journals, files, clock, log }, this.tokens, home, input);
      begun.push(() => book.close());
      const idle = this.#idle(home, input, book);
      const tail = new FileTail({ files: followed, book, log, arrived: idle.touch });
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
      return new RunningServer({ session, holder, open, publication, idle, tail, log });
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
    const isRecordOpen = openRecord(session, folder, environment, files, log);
    const isHeld = async (): Promise<boolean> => isPostFix(book.run) && isRecordOpen();
    return new IdleWatch({ idleMs: idle * 1_000, clock, isHeld });
  }

  async #followed(
    { files: { folder } }: SessionHome,
    { tail = [] }: ServeInput,
  ): Promise<readonly FollowedFile[]> {
    const paths = await followedPaths(tail, folder, this.environment, this.files);
    const followed = paths.map((path) => new FollowedFile(path, this.files, this.journals));
    for (const file of followed) await file.begin();
    return followed;
  }

  #listen(plan: ServerPlan, idle: IdleWatch): Promise<OpenServer> {
    return listenOnFirst(this.server, plan.ports, {
      ...audienceOptions(plan),
      routes: ROUTES,
      loopbackPages: true,
      problemBody: (problem) => ({ ...problemBody(problem) }),
      requestBegan: idle.began,
      requestEnded: idle.ended,
    });
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
