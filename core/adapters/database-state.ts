import type { Clock } from "../ports/clock.ts";
import type { State } from "../ports/state.ts";
import { SkillError } from "../errors/skill-error.ts";
import { DatabaseFault, hashOf, pause, type Database } from "./database.ts";
import { checkKeepMs, checkName, expiryOf, jsonOf, valueOf } from "./documents.ts";
import { Turns, Writer } from "./writers.ts";

/** A row of the table. */
interface Row {
  /** Marks of the last writers, newest first. No two states of a row have the same history. */
  readonly history: string;
  /** The driver returns a bigint as text. */
  readonly until_ms: string;
  /** Null for a removed document, whose history is kept for a while. */
  readonly document: string | null;
}

const READ = "SELECT history, until_ms, document FROM skillctl_documents WHERE collection = $1 AND id = $2";
const INSERT =
  "INSERT INTO skillctl_documents (collection, id, history, until_ms, document) VALUES ($1, $2, $3, $4, $5)";
const UPDATE = `UPDATE skillctl_documents SET history = $3, until_ms = $4, document = $5
WHERE collection = $1 AND id = $2 AND history = $6`;
const TIDY = "DELETE FROM skillctl_documents WHERE until_ms < $1";

/** Longer than a statement can still run after the loss of its connection. */
const KEPT_MS = 60_000;
/** One in this number of updates also removes expired documents. */
const TIDY_EVERY = 64;
const MOST_TRIES = 1_000;
const MOST_PAUSE_MS = 20;

/**
 * Documents in rows of a table, changed by compare-and-set: an update succeeds if the history is still the one that was
 * read. If the response of the database is lost, the marks in the history show whether the update was stored.
 */
export function databaseState(database: Database, clock: Clock): State {
  const turns = new Turns();
  const writer = new Writer();
  let count = 0;

  const read = async (place: readonly [string, string]): Promise<Row | undefined> =>
    (await database.run(READ, place)).rows[0] as Row | undefined;

  const current = (row: Row | undefined): unknown =>
    row && Number(row.until_ms) >= clock.now() ? valueOf(row.document) : undefined;

  const tidy = async (): Promise<void> => {
    if (Math.random() * TIDY_EVERY >= 1) return;
    try {
      await database.run(TIDY, [clock.now() - KEPT_MS]);
    } catch (caught) {
      // Another update removes them.
      if (!(caught instanceof DatabaseFault)) throw caught;
    }
  };

  return {
    read: async (name) => {
      checkName(name);
      const place = [name.collection, hashOf(name.id)] as const;
      return database.lasting(async () => current(await read(place)));
    },
    update: async (name, keepMs, change) => {
      checkName(name);
      checkKeepMs(keepMs);
      const place = [name.collection, hashOf(name.id)] as const;
      /** The values that attempts have sent, by their marks. */
      const sent = new Map<string, unknown>();
      const attempt = async (): Promise<{ readonly value: unknown } | undefined> => {
        const row = await read(place);
        const marks = row?.history.split(" ") ?? [];
        const stored = marks.find((mark) => sent.has(mark));
        if (stored !== undefined) return { value: sent.get(stored) };
        const before = current(row);
        const value = change(before);
        if (value === before) return { value };
        const document = value === undefined ? null : jsonOf(name, value);
        const until = expiryOf(clock.now(), document === null ? 0 : keepMs);
        count += 1;
        const mark = writer.mark(count);
        sent.set(mark, value);
        const values = [...place, writer.added(mark, marks).join(" "), until, document];
        return (await written(database, values, row?.history)) ? { value } : undefined;
      };
      return turns.run(place.join(" "), async () => {
        for (let tries = 0; tries < MOST_TRIES; tries += 1) {
          const outcome = await database.lasting(attempt);
          if (outcome) {
            await tidy();
            return outcome.value;
          }
          await pause(MOST_PAUSE_MS);
        }
        throw new SkillError(
          "STATE_UNAVAILABLE",
          `A document of ${name.collection} is being written by too many processes.`,
          { hint: "Try again." },
        );
      });
    },
  };
}

/** False if another process has written the row. @throws DatabaseFault */
async function written(
  database: Database,
  values: readonly unknown[],
  history: string | undefined,
): Promise<boolean> {
  if (history !== undefined) return (await database.run(UPDATE, [...values, history])).rowCount === 1;
  try {
    await database.run(INSERT, values);
    return true;
  } catch (caught) {
    if (caught instanceof DatabaseFault && caught.code === "23505") return false;
    throw caught;
  }
}
