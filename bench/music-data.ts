import { createWriteStream, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { quiet } from "./quiet.ts";
import { ratioRow, type Bench, type Row } from "./row.ts";
import { PROGRAM, runNode, temporaryPlace, type Place } from "./whole-process.ts";

const ROWS = 700_000;
const MONTHS = 57;
const QUESTION = "我最近30天播放量怎么样";
const DUCKDB = pathToFileURL(join(import.meta.dirname, "../node_modules/@duckdb/node-api/lib/index.js")).href;

/** A process and what its output has to hold. */
interface Timed {
  readonly words: readonly string[];
  readonly holds: string;
  readonly before?: () => void;
}

/** The main job of the product: the README's question, and a statement of 700,000 rows. */
export const bench: Bench = {
  name: "music-data",
  describe:
    "The README's question over the sample, second run; a DistroKid statement of 700,000 rows imported, and a question over it, against processes that do nothing but the same with DuckDB.",
  run: async () => {
    const place = temporaryPlace();
    try {
      const question = await paired(
        place,
        { words: ["-e", "0"], holds: "" },
        { words: [PROGRAM, "run", "music-analysis", QUESTION], holds: "2026-10-31" },
        15,
      );
      const statement = join(place.folder, "statement.tsv");
      await pipeline(Readable.from(lines()), createWriteStream(statement));
      const alone = join(place.folder, "alone.duckdb");
      const state = join(place.state, "music-gateway");
      const taken = await paired(
        place,
        {
          words: duckdb(place, "import", alone, `CREATE TABLE sale AS FROM read_csv('${statement}')`),
          holds: String(ROWS),
          before: () => rmSync(alone, { force: true }),
        },
        {
          words: [PROGRAM, "run", "music-gateway", "import", statement],
          holds: `${ROWS} rows`,
          before: () => rmSync(state, { recursive: true, force: true }),
        },
        7,
      );
      const own = join(state, readdirSync(state).find((name) => name.startsWith("data-")) ?? "");
      const sums = `SELECT month::VARCHAR, sum(amount)::VARCHAR FROM sale GROUP BY 1 ORDER BY 1`;
      const asked = await paired(
        place,
        { words: duckdb(place, "ask", own, sums), holds: String(MONTHS) },
        { words: [PROGRAM, "run", "music-analysis", "income by month"], holds: "2022-01" },
        15,
      );
      return [
        row("the README's question, second run", "node -e 0", question, 10),
        row("a statement of 700,000 rows imported", "duckdb alone", taken, 1.5),
        row("income by month over 700,000 rows", "duckdb alone", asked, 3),
      ];
    } finally {
      place.remove();
    }
  },
};

async function paired(
  place: Place,
  base: Timed,
  candidate: Timed,
  rounds: number,
): Promise<readonly [bases: number[], candidates: number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, { words, holds, before }] of [base, candidate].entries()) {
      before?.();
      await quiet();
      const { status, out, err, ms } = runNode(words, place);
      if (status !== 0 || !out.includes(holds)) throw new Error(`${words.join(" ")}: ${out}${err}`);
      // The first round prepares.
      if (round >= 0) times[index]?.push(ms);
    }
  }
  return times;
}

function row(
  subject: string,
  base: string,
  [bases, candidates]: readonly [number[], number[]],
  limit: number,
): Row {
  return ratioRow({ subject, base, unit: "ms", bases, candidates, limit });
}

/** The words of a process that runs one statement on a database and prints how many rows that is. */
function duckdb(place: Place, name: string, path: string, sql: string): readonly string[] {
  const folder = join(place.folder, "alone");
  mkdirSync(folder, { recursive: true });
  const script = join(folder, `${name}.mjs`);
  writeFileSync(
    script,
    `import { DuckDBInstance } from ${JSON.stringify(DUCKDB)};
const instance = await DuckDBInstance.create(${JSON.stringify(path)});
const connection = await instance.connect();
const reader = await connection.runAndReadAll(${JSON.stringify(sql)});
console.log(${name === "import" ? "reader.getRowsJS()[0][0]" : "reader.currentRowCount"});
connection.closeSync();
instance.closeSync();
`,
  );
  return [script];
}

function* lines(): Generator<string> {
  yield "Reporting Date\tSale Month\tStore\tArtist\tTitle\tISRC\tUPC\tQuantity\tTeam Percentage\tSong/Album\tCountry of Sale\tSongwriter Royalties Withheld\tEarnings (USD)\r\n";
  const stores = ["Spotify", "Apple Music", "YouTube Music", "Deezer", "Tidal", "Amazon Music", "TikTok"];
  const countries = ["TW", "US", "MY", "JP", "HK", "SG", "GB", "DE", "FR", "BR", "CA"];
  for (let index = 0; index < ROWS; index += 1) {
    const at = index % MONTHS;
    const month = `${2022 + Math.floor(at / 12)}-${String(1 + (at % 12)).padStart(2, "0")}`;
    const song = index % 397;
    const units = (index * 7919) % 5000;
    yield `${month}-28\t${month}\t${stores[index % 7]}\tMira Lin\tSong ${song}\tTWA45${2_200_000 + song}\t1\t${units}\t100\tSong\t${countries[index % 11]}\t0\t${(units * 0.003_17).toFixed(11)}\r\n`;
  }
}
