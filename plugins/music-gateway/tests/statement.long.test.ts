/** A statement of 700,000 rows, as a busy catalogue has after years: read completely, with the same figures as DuckDB alone. */
import assert from "node:assert/strict";
import { createWriteStream } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { gatewayIn } from "./gateway-harness.ts";

const ROWS = 700_000;
const HEADER =
  "Reporting Date\tSale Month\tStore\tArtist\tTitle\tISRC\tUPC\tQuantity\tTeam Percentage\tSong/Album\tCountry of Sale\tSongwriter Royalties Withheld\tEarnings (USD)";
const STORES = ["Spotify", "Apple Music", "YouTube Music", "Deezer", "Tidal", "Amazon Music", "TikTok"];
const COUNTRIES = ["TW", "US", "MY", "JP", "HK", "SG", "GB", "DE", "FR", "BR", "CA"];

/** Rows with figures that differ, some with separators, every thousandth of an album. */
function* lines(): Generator<string> {
  yield `${HEADER}\r\n`;
  for (let row = 0; row < ROWS; row += 1) {
    const month = `${2022 + (row % 4)}-${String(1 + (row % 12)).padStart(2, "0")}`;
    const song = row % 397;
    const units = (row * 7919) % 5000;
    const cells = [
      `${month}-28`,
      month,
      STORES[row % STORES.length],
      "Mira Lin",
      `Song ${song}`,
      `TWA45${2_200_000 + song}`,
      "1",
      row % 50 === 0 ? units.toLocaleString("en-US") : units,
      100,
      row % 1000 === 999 ? "Album" : "Song",
      COUNTRIES[row % COUNTRIES.length],
      0,
      (units * 0.003_17).toFixed(11),
    ];
    yield `${cells.join("\t")}\r\n`;
  }
}

test("a statement of 700,000 rows has the sums that DuckDB alone reads, and its database is small", async (context) => {
  const { folder, take, values, library } = await gatewayIn(context);
  const path = join(folder, "statement.tsv");
  await pipeline(Readable.from(lines()), createWriteStream(path));
  const alone = await DuckDBInstance.create(join(folder, "alone.duckdb"));
  const session = await alone.connect();
  const started = performance.now();
  await session.run(`CREATE TABLE statement AS FROM read_csv('${path}', all_varchar = true)`);
  const aloneMs = performance.now() - started;
  const reader = await session.runAndReadAll(`
    SELECT "Sale Month" || '-01' AS month, Store AS store, "Country of Sale" AS country, Title || CASE "Song/Album" WHEN 'Album' THEN ' (album)' ELSE '' END AS title, count(*)::INTEGER AS rows,
      sum(replace(Quantity, ',', '')::BIGINT)::BIGINT::DOUBLE AS units, sum(round("Earnings (USD)"::DECIMAL(28, 11), 9))::DECIMAL(28, 9)::VARCHAR AS amount
    FROM statement GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`);
  const wanted = reader.getRowsJS();
  session.closeSync();
  alone.closeSync();
  const before = performance.now();
  const { files } = await take({ "statement.tsv": await readFile(path) });
  context.diagnostic(`import ${((performance.now() - before) / aloneMs).toFixed(2)} times DuckDB alone`);
  assert.deepEqual([files[0]?.rows, files[0]?.refusedRows], [ROWS, 0]);
  const found = await values(`
    SELECT month::VARCHAR, store, country, title, count(*)::INTEGER, sum(units)::DOUBLE, sum(amount)::DECIMAL(28, 9)::VARCHAR
    FROM sale JOIN song ON id = song_id GROUP BY ALL ORDER BY 1, 2, 3, 4`);
  assert.deepEqual(found, wanted);
  const database = library.databasePath(await library.holdings());
  assert.ok((await stat(database)).size < (await stat(path)).size / 2);
  await rm(path);
});
