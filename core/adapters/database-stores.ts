import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { Database } from "./database.ts";
import { databaseClaims } from "./database-claims.ts";
import { databaseState } from "./database-state.ts";

/** The stores in a database. @throws SkillError `CONFIG_INVALID` for an address that cannot be read */
export function databaseStores(address: string, clock: Clock, log: Pick<Log, "notice">) {
  const database = new Database(address);
  return { state: databaseState(database, clock), claims: databaseClaims(database, log) };
}
