import { createWriteStream, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { NODE, PROGRAM, figure, inPlace, inTurn, ratio, timed } from "./measure.ts";
import type { Place, Row, Timed } from "./measure.ts";

const FILES = 10_000;
const ROWS = 700_000;
const MONTHS = 57;
const SMALL_ROWS = 4;
const SAMPLE = fileURLToPath(new URL("../skills/music-gateway/sample/", import.meta.url));
const DUCKDB = pathToFileURL(join(import.meta.dirname, "../node_modules/@duckdb/node-api/lib/index.js")).href;

/** The most frequent command lines of a person, which load no code of a skill. */
export function start(): Promise<readonly Row[]> {
  return inPlace(async (place) => {
    const words = ["list", "--help", "--version"];
    const subjects = words.map((word): Timed => ({ words: [PROGRAM, word], holds: (out) => out !== "" }));
    const [bases = [], ...all] = inTurn([NODE, ...subjects], place);
    return all.map((candidates, index) =>
      ratio({ what: `skillctl ${words[index]}`, against: "node -e 0", limit: 1.3 }, bases, candidates),
    );
  });
}

/** A process that judges a hook event in the format of Claude Code. */
function judged(cwd: string, hook_event_name: string, command: string): Timed {
  const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: "c" };
  const input = JSON.stringify({ hook_event_name, session_id: "s", cwd, ...call, tool_response: {} });
  return { words: [PROGRAM, "guard", "--dialect", "claude-code"], cwd, input, holds: () => true };
}

/** Decisions of the rules, each in its own process, in a project of many files, with and without a debug session. */
export function guard(): Promise<readonly Row[]> {
  return inPlace(async (place) => {
    const plain = project(place, "plain");
    const debugged = project(place, "debugged");
    timed(
      {
        words: [PROGRAM, "run", "runtime-debug", "start", "It breaks."],
        cwd: debugged,
        holds: "hypothesize",
      },
      place,
    );
    const denied = judged(debugged, "PreToolUse", "echo 1 > src/m1/f1.js");
    timed({ ...denied, holds: "evidence-gate" }, place);
    const [bases = [], cold = [], open = [], without = [], after = []] = inTurn(
      [
        NODE,
        { ...judged(plain, "PreToolUse", "npm test"), holds: "" },
        { ...judged(debugged, "PreToolUse", "git status"), holds: "" },
        { ...judged(plain, "PostToolUse", "git status"), holds: "" },
        { ...judged(debugged, "PostToolUse", "git status"), holds: "" },
      ],
      place,
      21,
    );
    writeFileSync(join(debugged, "src/m1/f1.js"), "1\n");
    timed({ ...judged(debugged, "PostToolUse", "git status"), holds: "src/m1/f1.js" }, place);
    const files = `${FILES.toLocaleString("en")} files`;
    const checks = after.map((ms, round) => ms - (without[round] as number));
    return [
      ratio({ what: "guard without a session", against: "node -e 0", limit: 2 }, bases, cold),
      ratio({ what: `guard with one, ${files}`, against: "node -e 0", limit: 2.5 }, bases, open),
      figure(
        {
          what: `the check after a call, ${files}`,
          against: "ms, above the same without a session",
          limit: 100,
        },
        checks,
      ),
    ];
  });
}

function project({ folder }: Place, name: string): string {
  const root = join(folder, name);
  for (let index = 0; index < FILES; index += 1) {
    const directory = join(root, "src", `m${index % 100}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `f${index}.js`), `export const v${index} = ${index};\n`.repeat(50));
  }
  return root;
}

/** The main job, a question about imported files; and one over many rows, compared with a process that only uses DuckDB. */
export async function question(): Promise<readonly Row[]> {
  const job = await inPlace(async (place) => {
    const files = readdirSync(SAMPLE).map((name) => join(SAMPLE, name));
    timed({ words: [PROGRAM, "run", "music-gateway", "import", ...files], holds: () => true }, place);
    const asked = {
      words: [PROGRAM, "run", "music-analysis", "我最近30天播放量怎么样"],
      holds: "2026-10-31",
    };
    const [bases = [], candidates = []] = inTurn([NODE, asked], place, 15);
    const row = { what: "the main job on imported files, second run", against: "node -e 0", limit: 8 };
    return ratio(row, bases, candidates);
  });
  const many = await inPlace(async (place) => {
    const statement = join(place.folder, "statement.tsv");
    await pipeline(Readable.from(lines()), createWriteStream(statement));
    const [loads = [], , imports = []] = inTurn(
      [
        { words: [loader(place, statement)], holds: String(ROWS) },
        { words: [PROGRAM, "run", "music-gateway", "reset"], holds: () => true },
        { words: [PROGRAM, "run", "music-gateway", "import", statement], holds: `${ROWS} rows` },
      ],
      place,
      5,
    );
    const whole = { what: "importing 700,000 rows", against: "duckdb alone", limit: 1.3 };
    const alone = { words: [script(place)], holds: "2022-01" };
    const asked = { words: [PROGRAM, "run", "music-analysis", "income by month"], holds: "2022-01" };
    const [bases = [], candidates = []] = inTurn([alone, asked], place, 15);
    const row = { what: "income by month over 700,000 rows", against: "duckdb alone", limit: 1.5 };
    const small = join(place.folder, "small.tsv");
    writeFileSync(small, [...lines(SMALL_ROWS)].join("").replaceAll("2022-", "2021-"));
    const change = (command: string, holds: string): Timed => ({
      words: [PROGRAM, "run", "music-gateway", command, small],
      holds,
    });
    const changes = [
      change("import", `${SMALL_ROWS} rows`),
      change("remove", "Removed small.tsv. 1 file left."),
    ];
    const [adds = [], removals = []] = inTurn(changes, place, 9);
    const against = "ms, beside 700,000 rows";
    return [
      ratio(row, bases, candidates),
      ratio(whole, loads, imports),
      figure({ what: "importing a small statement", against, limit: 1000 }, adds),
      figure({ what: "removing a small statement", against, limit: 1000 }, removals),
    ];
  });
  return [job, ...many];
}

/** A script that reads the statement into a table of a new database and prints the number of rows. */
function loader(place: Place, statement: string): string {
  const database = join(place.folder, "alone.duckdb");
  return program(place, "load", database, [
    `CREATE OR REPLACE TABLE statement AS FROM read_csv('${statement}', delim = '\t')`,
    "SELECT count(*)::INTEGER FROM statement",
  ]);
}

/** A script that runs the same query on the imported database and prints the rows. */
function script(place: Place): string {
  const { variables } = place;
  const state = join(variables["SKILLCTL_STATE"] ?? "", "music-gateway");
  const database = join(state, readdirSync(state).find((name) => name.startsWith("data-")) ?? "");
  const sql = "SELECT month::VARCHAR, sum(amount)::VARCHAR FROM sale GROUP BY 1 ORDER BY 1";
  return program(place, "ask", database, [sql]);
}

/** Writes a script that runs statements with the DuckDB package and prints the rows of the last one; returns its path. */
function program({ folder }: Place, name: string, database: string, statements: readonly string[]): string {
  // In a separate folder, so that no other folder is taken for its package.
  const alone = join(folder, "alone");
  mkdirSync(alone, { recursive: true });
  const path = join(alone, `${name}.mjs`);
  const source = `import { DuckDBInstance } from ${JSON.stringify(DUCKDB)};
const instance = await DuckDBInstance.create(${JSON.stringify(database)});
const connection = await instance.connect();
let reader;
for (const sql of ${JSON.stringify(statements)}) reader = await connection.runAndReadAll(sql);
console.log(JSON.stringify(reader.getRowsJson()));
connection.closeSync();
instance.closeSync();
`;
  writeFileSync(path, source);
  return path;
}

/** A statement of DistroKid. */
function* lines(rows = ROWS): Generator<string> {
  yield "Reporting Date\tSale Month\tStore\tArtist\tTitle\tISRC\tUPC\tQuantity\tTeam Percentage\tSong/Album\tCountry of Sale\tSongwriter Royalties Withheld\tEarnings (USD)\r\n";
  const stores = ["Spotify", "Apple Music", "YouTube Music", "Deezer", "Tidal", "Amazon Music", "TikTok"];
  const countries = ["TW", "US", "MY", "JP", "HK", "SG", "GB", "DE", "FR", "BR", "CA"];
  for (let index = 0; index < rows; index += 1) {
    const at = index % MONTHS;
    const month = `${2022 + Math.floor(at / 12)}-${String(1 + (at % 12)).padStart(2, "0")}`;
    const song = index % 397;
    const units = (index * 7919) % 5000;
    yield `${month}-28\t${month}\t${stores[index % 7]}\tMira Lin\tSong ${song}\tTWA45${2_200_000 + song}\t1\t${units}\t100\tSong\t${countries[index % 11]}\t0\t${(units * 0.003_17).toFixed(11)}\r\n`;
  }
}
