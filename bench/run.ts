/** `npm run bench [-- NAME... --write]`: measures, prints, and fails only for a wrong answer. */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { bench as guard } from "./guard.ts";
import { bench as hostOverhead } from "./host-overhead.ts";
import { bench as ingest } from "./ingest.ts";
import { bench as musicData } from "./music-data.ts";
import { bench as query } from "./query.ts";
import { bench as recheck } from "./recheck.ts";
import { bench as regionScan } from "./region-scan.ts";
import { textTable, writeDocument, type Measured } from "./report.ts";
import { bench as songs } from "./songs.ts";
import { bench as startUp } from "./start-up.ts";
import { bench as trivialCommand } from "./trivial-command.ts";
import { PROGRAM } from "./whole-process.ts";

const BENCHES = [
  startUp,
  trivialCommand,
  guard,
  recheck,
  hostOverhead,
  songs,
  musicData,
  ingest,
  query,
  regionScan,
];

const { values, positionals } = parseArgs({
  options: { write: { type: "boolean" } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
const known = BENCHES.map(({ name }) => name).join(", ");
if (unknown.length > 0) fail(`There is no bench ${unknown.join(", ")}; there are ${known}.`);
if (values.write && positionals.length > 0)
  fail("--write takes all benches: one table comes out of one run.");
if (!existsSync(PROGRAM)) fail("The program is not built: run `npm run build` first.");

const measured: Measured[] = [];
for (const bench of BENCHES) {
  if (positionals.length > 0 && !positionals.includes(bench.name)) continue;
  const rows = await bench.run();
  measured.push({ bench, rows });
  process.stdout.write(textTable({ bench, rows }));
}
if (values.write) writeDocument(measured);

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
