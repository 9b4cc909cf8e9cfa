/**
 * The tests of what takes long: every contract-tests/faults/*.fault.ts in a process of its own. Those of the debug
 * server work hard and run two at a time; the others mostly wait and run beside them, all at once. Ends with the names
 * of what was skipped and why, and one plain line of passed, failed and skipped tests.
 *
 *   node --conditions=@skillctl/source --import tsx scripts/fault-tests.mjs [PART OF A NAME ...]
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("../contract-tests/faults/", import.meta.url);
const reporter = new URL("counting-reporter.mjs", import.meta.url).href;
/** Longer than the longest time-out that is waited for, in milliseconds. */
const PATIENCE_MS = 400_000;
/** What one file may take, in milliseconds: a process that has hung cannot cut itself off. */
const FILE_MS = 1_200_000;
/** How the spec reporter shows a test that was skipped. */
const SKIPPED = /^\s*﹣ (.+) \([\d.]+ms\) # (.+)$/gm;

const parts = process.argv.slice(2);
const files = readdirSync(folder).filter((name) => name.endsWith(".fault.ts"));
const wanted = files.filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)));
const sums = { pass: 0, fail: 0, skipped: 0 };
const reasons = [];
const busy = wanted.filter((name) => name.startsWith("debug-"));
const lane = async () => {
  for (let name = busy.shift(); name !== undefined; name = busy.shift()) await counted(name);
};
await Promise.all([...wanted.filter((name) => !busy.includes(name)).map(counted), lane(), lane()]);
if (wanted.length === 0) {
  console.error("No test was run.");
  sums.fail += 1;
}
for (const reason of reasons) console.log(`skipped: ${reason}`);
console.log(`${sums.pass} passed, ${sums.fail} failed, ${sums.skipped} skipped`);
process.exitCode = sums.fail > 0 ? 1 : 0;

/** Runs one file, shows what it said once it has ended, and adds its counts. */
async function counted(name) {
  const given = [
    ...process.execArgv,
    `--test-reporter=${reporter}`,
    "--test-reporter-destination=stdout",
    fileURLToPath(new URL(name, folder)),
  ];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, given, {
    stdio: ["ignore", "pipe", "inherit", "pipe"],
    env: { ...env, SKILLCTL_TEST_PATIENCE_MS: String(PATIENCE_MS) },
  });
  let [shown, counts] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (shown += text));
  child.stdio[3].setEncoding("utf8").on("data", (text) => (counts += text));
  const limit = setTimeout(() => child.kill("SIGKILL"), FILE_MS);
  const status = await new Promise((resolve) => child.on("close", (code) => resolve(code ?? 1)));
  clearTimeout(limit);
  console.log(`== ${name}\n${shown}`);
  if (child.signalCode !== null) console.log(`${name} was ended by ${child.signalCode}.`);
  for (const [, test, reason] of shown.matchAll(SKIPPED)) reasons.push(`${test}: ${reason}`);
  const { pass = 0, fail = 0, skipped = 0 } = counts === "" ? {} : JSON.parse(counts);
  sums.pass += pass;
  sums.fail += fail === 0 && (status !== 0 || pass + skipped === 0) ? 1 : fail;
  sums.skipped += skipped;
}
