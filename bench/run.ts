/** `npm run bench [-- NAME...]`: measures, prints a table, and fails only for a wrong answer. */
import { cpus } from "node:os";
import { events } from "./events.ts";
import { mcp } from "./mcp.ts";
import { table, type Row } from "./measure.ts";
import { guard, question, start } from "./processes.ts";
import { state } from "./state.ts";

const BENCHES: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  start,
  guard,
  question,
  events,
  mcp,
  state,
};

const names = process.argv.slice(2);
const rows: Row[] = [];
for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
  const measure = BENCHES[name];
  if (!measure) throw new Error(`There is no bench ${name}; there are ${Object.keys(BENCHES).join(", ")}.`);
  rows.push(...(await measure()));
}
console.log(`Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model.trim()}\n\n${table(rows)}`);
