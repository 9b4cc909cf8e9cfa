/**
 * Plants each fault of `contract-tests/mutants/*.json` in a scratch copy, runs the test that its row names, and lists
 * the survivors. The last line states how many were caught.
 *
 *   npm run test:mutants [-- PART OF AN ID ...]
 *
 * A row: `id`; `fault`, what a user would see; `door`, where (cli, http, hook, mcp, host); `file`, `find` (exactly once in it) and
 * `replace`, the patch; `test` and `title`, the file and the test in it that catches it.
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const parts = process.argv.slice(2);
const folder = join(root, "contract-tests", "mutants");
const rows = readdirSync(folder)
  .flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")))
  .filter(({ id }) => parts.length === 0 || parts.some((part) => id.includes(part)));
const work = mkdtempSync(join(tmpdir(), "skillctl-mutants-"));
const survivors = [];
const LONG = /\.long\.test\.ts$/;
try {
  const copies = Array.from({ length: Math.max(2, availableParallelism()) }, (_, index) =>
    copy(`copy-${index}`),
  );
  for (const isLong of [false, true]) {
    const files = [...new Set(rows.map(({ test }) => test))].filter((file) => isLong === LONG.test(file));
    const sound = files.length === 0 ? undefined : await tested(copies[0], files);
    if (sound && sound.status !== 0)
      throw new Error(`The tests fail even without a planted fault.\n${sound.out}`);
  }
  const queue = [...rows];
  const lane = async (place) => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) await planted(place, row);
  };
  await Promise.all(copies.map(lane));
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}
for (const { id, fault } of survivors) console.log(`SURVIVED: ${id}: ${fault}`);
console.log(`${rows.length - survivors.length} of ${rows.length} faults caught`);
process.exitCode = survivors.length > 0 || rows.length === 0 ? 1 : 0;

/** A copy of all files that git tracks or would add, with the packages and the build of the original. */
function copy(name) {
  const place = join(work, name);
  const words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", words, { cwd: root, encoding: "utf8" }).split("\0");
  for (const file of files.filter((one) => one !== "")) cpSync(join(root, file), join(place, file));
  for (const one of ["node_modules", "dist"]) symlinkSync(join(root, one), join(place, one), "junction");
  return place;
}

async function planted(place, row) {
  const path = join(place, row.file);
  const text = readFileSync(path, "utf8");
  const [before, after, ...more] = text.split(row.find);
  if (after === undefined || more.length > 0)
    throw new Error(`${row.id}: its text does not occur exactly once in ${row.file}.`);
  writeFileSync(path, before + row.replace + after);
  const started = performance.now();
  const { status, out } = await tested(place, [row.test, `--title=${row.title}`]);
  writeFileSync(path, text);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  // A run in which the test is missing or skipped has caught nothing.
  const isCaught = status !== 0 && out.includes(`  FAILED: ${row.title} (`);
  if (!isCaught) survivors.push(row);
  console.log(`${isCaught ? "caught  " : "SURVIVED"}  ${row.id}  [${row.door}]  ${seconds} s  ${row.title}`);
}

async function tested(place, words) {
  const long = LONG.test(words[0]) ? ["--long"] : [];
  const child = spawn(process.execPath, ["scripts/run-tests.mjs", ...long, ...words], {
    cwd: place,
    stdio: ["ignore", "pipe", "inherit"],
    // The built program does not contain the fault.
    env: { ...process.env, TEST_PROGRAM: "source" },
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => (out += chunk));
  const status = await new Promise((resolve) => child.on("close", resolve));
  return { status, out };
}
