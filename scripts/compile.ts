/**
 * Keeps what Node compiles when the program runs a command, so that the next start need not: `core/adapters/compiled-file.ts`.
 * Run by the build as processes of their own: `node scripts/compile.ts FILE...`, the program itself last. With `guard` as
 * the first word the program judges the event on standard input, and only the file of that verb is kept.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Script } from "node:vm";
import { COMPILED, requireCompiled } from "../core/adapters/compiled-file.ts";

/** The command whose start has to be short: it reads the end of a log (`npm run bench -- query`). */
const WORDS = "run runtime-debug logs an-example --hypothesis-id A --run-id pre-fix --last 100".split(" ");

const given = process.argv.slice(2);
const judges = given[0] === "guard";
const files = given.slice(judges ? 1 : 0).map((file) => resolve(file));
const folder = resolve(".build/example");
mkdirSync(folder, { recursive: true });
const event = {
  hypothesisId: "A",
  runId: "pre-fix",
  location: "a.ts:1",
  msg: "",
  ts: 1,
  sessionId: "an-example",
};
const stored = { ...event, _seq: 1, _at: 1, _run: "pre-fix", _src: "event" };
writeFileSync(join(folder, "svc-debug-log-an-example.ndjson"), `${JSON.stringify(stored)}\n`);
const words = judges ? ["guard", "--dialect", "claude-code"] : [...WORDS, "--outdir", folder];
process.argv = [process.execPath, resolve("dist/skillctl.cjs"), ...words];
const scripts = new Map<string, Script>();
process.on("exit", () => {
  for (const [path, script] of scripts) writeFileSync(path + COMPILED, script.createCachedData());
});
for (const path of files) {
  const kept = !judges || path !== files.at(-1);
  requireCompiled(path, (script) => void (kept && scripts.set(path, script)));
}
