import {
  CLOCK,
  FILES,
  inject,
  injectable,
  JOURNALS,
  LOG,
  optional,
  token,
  type Clock,
  type Files,
  type Journals,
  type Log,
  type OptionalPort,
} from "skillctl";
import { ACCESS_TOKENS, type AccessTokens } from "../../ports.ts";
import type { ServeInput } from "../contract.ts";
import type { LogStore } from "../store/log/log-store.ts";
import type { SessionHome } from "./session-home.ts";

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
    /** Undefined if no skill keeps logins. */
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
