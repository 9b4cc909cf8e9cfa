import type { Database } from "../store/database.ts";
import { tableOf } from "../store/tables.ts";

/**
 * Adds the sales of a statement. What an earlier statement has too is the same sale: of equal rows as many stay as
 * the statement has that has most of them, whichever comes first.
 */
export async function insertSales(database: Database, rows: string): Promise<void> {
  const months = "SELECT DISTINCT month FROM incoming WHERE reason IS NULL";
  const [shared] = await database.rows(`SELECT 1 AS found FROM sale WHERE month IN (${months}) LIMIT 1`);
  if (shared === undefined) {
    await database.run(`INSERT INTO sale BY NAME SELECT * EXCLUDE (place_in_file) FROM (${rows})`);
    return;
  }
  const columns = Object.keys(tableOf("sale").columns);
  const list = columns.join(", ");
  const same = columns.map((column) => `old.${column} IS NOT DISTINCT FROM new.${column}`).join(" AND ");
  await database.run("CREATE OR REPLACE TEMP TABLE fresh AS FROM sale LIMIT 0");
  await database.run(`INSERT INTO fresh BY NAME SELECT * EXCLUDE (place_in_file) FROM (${rows})`);
  await database.run(`
    INSERT INTO sale BY NAME
    WITH new AS (SELECT ${list}, count(*) AS times FROM fresh GROUP BY ALL),
      old AS (SELECT ${list}, count(*) AS times FROM sale WHERE month IN (${months}) GROUP BY ALL),
      more AS (SELECT new.*, new.times - coalesce(old.times, 0) AS lacking FROM new LEFT JOIN old ON ${same})
    SELECT ${list} FROM (SELECT ${list}, unnest(range(lacking)) FROM more WHERE lacking > 0)`);
}
