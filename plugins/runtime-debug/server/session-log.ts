import type { AccessTokens } from "skillctl";
import type { ServeInput } from "../contract.ts";
import { LogStore } from "../store/log/log-store.ts";
import type { LogPorts } from "../store/log/open-segments.ts";
import type { SessionHome } from "./session-home.ts";

const FIRST_RUN = "pre-fix";
const DEFAULT_MIB = 64;
const MIB = 1024 * 1024;

/** Opens the log of a session the way the flags ask for; the run is that of the last start. @throws SkillError `STORAGE_*` */
export async function openLog(
  ports: LogPorts,
  tokens: AccessTokens | undefined,
  { files, earlier }: SessionHome,
  { session, durability = "sync", raw = false, maxMib = DEFAULT_MIB, clean = false }: ServeInput,
): Promise<LogStore> {
  const book = await LogStore.open(ports, {
    folder: files.folder,
    session,
    durability,
    keepSecrets: raw,
    // A program that is debugged may report the login token.
    ...(tokens && { secrets: tokens.held }),
    maxBytes: maxMib * MIB,
    run: earlier?.run ?? FIRST_RUN,
  });
  try {
    // Not for good, as the log's own way to begin anew would be: what was there stays for comparison.
    if (clean) await book.clear({ purge: false });
    return book;
  } catch (caught) {
    await book.close();
    throw caught;
  }
}
