/** Updates of shared documents in a private PostgreSQL server, compared with the bare driver and with files. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { noPostgres, startCluster } from "../core/adapters/fixture-postgres.ts";
import type { State } from "../core/ports/state.ts";
import { nodePorts } from "../core/host.ts";
import { processEnvironment } from "../core/adapters/environment.ts";
import { figure, inPlace, ratio, type Row } from "./measure.ts";

const [ROUNDS, UPDATES, AT_ONCE] = [9, 300, 8];
const KEEP_MS = 3_600_000;

type Update = (id: string) => Promise<unknown>;

export async function state(): Promise<readonly Row[]> {
  if (noPostgres !== false) throw new Error(`The bench ${noPostgres}.`);
  // As durable as files, which are synced.
  const cluster = await startCluster(["fsync = on"]);
  const pool = new pg.Pool({ connectionString: cluster.address, max: 8 });
  try {
    return await inPlace(async ({ folder }) => {
      const at = (place: string): State =>
        nodePorts({ environment: processEnvironment({ HOME: folder, SKILLCTL_STATE: place }) }).state;
      const updates = (store: State): Update => {
        const change = (now: unknown): unknown => ({
          count: ((now as { readonly count: number } | undefined)?.count ?? 0) + 1,
          text: TEXT,
        });
        return (id) => store.update({ collection: "bench", id }, KEEP_MS, change);
      };
      const all = [
        await bare(pool),
        updates(at(cluster.address)),
        updates(at(join(folder, "state"))),
      ] as const;
      const rows: Row[] = [];
      for (const atOnce of [1, AT_ONCE]) {
        const times = all.map((): number[] => []);
        for (let round = -1; round < ROUNDS; round += 1)
          for (const [index, update] of all.entries()) {
            const us = await timeOf(update, atOnce);
            if (round >= 0) times[index]?.push(us);
          }
        const [bases = [], database = [], files = []] = times;
        const what = `an update of shared state, ${atOnce === 1 ? "one after another" : `${atOnce} at once`}`;
        const row = { what, unit: "µs" };
        rows.push(
          ratio({ ...row, against: "pg alone, the same two statements", limit: 1.5 }, bases, database),
          ratio({ ...row, against: "files" }, files, database),
          figure(
            { what, against: "updates a second" },
            database.map((us) => 1e6 / us),
          ),
        );
      }
      return rows;
    });
  } finally {
    await pool.end();
    await cluster.close();
  }
}

const TEXT = "x".repeat(300);

/** Microseconds of one update. */
async function timeOf(update: Update, atOnce: number): Promise<number> {
  const begin = performance.now();
  const worker = async (): Promise<void> => {
    const id = randomUUID();
    for (let count = 0; count < UPDATES / atOnce; count += 1) await update(id);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return ((performance.now() - begin) * 1_000) / UPDATES;
}

/** Only the statements that the adapter sends to the database. */
async function bare(pool: pg.Pool): Promise<Update> {
  await pool.query(
    "CREATE TABLE bare (id text PRIMARY KEY, version bigint NOT NULL, document text NOT NULL)",
  );
  return async (id) => {
    const { rows } = await pool.query("SELECT version, document FROM bare WHERE id = $1", [id]);
    const [row] = rows as readonly { readonly version: string; readonly document: string }[];
    const { count } = row ? (JSON.parse(row.document) as { readonly count: number }) : { count: 0 };
    const document = JSON.stringify({ count: count + 1, text: TEXT });
    if (!row)
      return pool.query("INSERT INTO bare (id, version, document) VALUES ($1, 1, $2)", [id, document]);
    const update = "UPDATE bare SET version = version + 1, document = $2 WHERE id = $1 AND version = $3";
    return pool.query(update, [id, document, row.version]);
  };
}
