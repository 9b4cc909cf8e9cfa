/**
 * Runs test files in processes of several files each, one process more than there are processors, and ends with one line
 * that counts passed, failed and skipped tests. (`node --test` starts a process for each file, which reloads most code.)
 *
 *   node scripts/run-tests.mjs [--long [--lines]] [--seed=N] [--title=TITLE] [PART OF A PATH ...]
 *
 * Without `--long`: every `*.test.ts` except `*.long.test.ts`, hermetic: with its own home and temporary folders, no program
 * on PATH besides Node, git and POSIX tools, and the same seed in every run.
 * With it: every `*.long.test.ts`, and the files that do more in the long suite (`effort` of `contract-tests/harness.ts`), then a quarter of the
 * files of the short suite, chosen by the seed, each on one other line of Node; with `--lines`, all of them on all lines. Seeds are random and printed. `--seed=N` repeats a run.
 */
import { execFile, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { rmSync, symlinkSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";

const FOLDERS = ["bin", "core", "plugins", "contract-tests", "scripts", "bench"];
const OTHER_LINES = ["22", "24"];
/** A process in which no test ends for this time is ended. */
const PATIENCE_MS = Number(process.env.TEST_PATIENCE_MS ?? 180_000);
const FIXED_SEED = "20261123";
/** One more than there are processors, since tests wait for disks and for each other. */
const LANES = availableParallelism() + 1;
/** The number of files per process in the long suite; files of faults have a process each. */
const LONG_BATCH = 12;
/** Programs that tests may start besides Node and git. */
const POSIX =
  "awk basename bash cat chgrp chmod chown cmp cp cut date dd diff dirname echo env expr false find grep head id install kill ln ls " +
  "mkdir mkfifo mktemp mv nl od paste printf ps pwd readlink realpath rm rmdir script sed seq sh sleep sort split stat stty tail tar tee test " +
  "timeout touch tr true truncate uname uniq wc which xargs yes";
/** Files that wait for time-outs and need no processor: they start first and run in parallel with the lanes. */
const WAITING = /\/(?:connecting|deadline|git-waits|clock|probe-interpreted)\.long/;
/** Files that limit processor time, which parallel tests would lengthen: they run last and alone. */
const MEASURING = /\/hostile-texts\./;
const OWN_VARIABLES = /^(?:SystemRoot|PATHEXT|CI|TEST_PROGRAM|OBSERVE_ROUNDS)$/i;

const root = fileURLToPath(new URL("../", import.meta.url));
const { values: asked, positionals: parts } = parseArgs({
  options: {
    long: { type: "boolean" },
    lines: { type: "boolean" },
    seed: { type: "string" },
    title: { type: "string" },
  },
  allowPositionals: true,
});
const work = mkdtempSync(join(tmpdir(), "skillctl-tests-"));
const temporary = join(work, "tmp");
mkdirSync(temporary);
// Tests that run as root start programs as another user, who must have access to them.
chmodSync(work, 0o755);
chmodSync(temporary, 0o777);
const sums = { pass: 0, fail: 0, skipped: 0 };
const skips = new Map();
const started = performance.now();
try {
  const all = FOLDERS.flatMap(testFiles);
  const short = all.filter((file) => !file.endsWith(".long.test.ts"));
  for (const part of parts.filter((one) => !all.some((file) => file.includes(one)))) {
    console.error(`No test file has ${part} in its path.`);
    sums.fail += 1;
  }
  await runAll(asked.long ? await longJobs(all, short) : shortJobs(short.filter(isChosen)));
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}
for (const [reason, count] of skips) console.log(`skipped: ${count} x ${reason}`);
if (sums.pass + sums.fail === 0) {
  console.error("No test was run.");
  sums.fail += 1;
}
console.log(`${Math.round((performance.now() - started) / 1000)} s`);
console.log(`${sums.pass} passed, ${sums.fail} failed, ${sums.skipped} skipped`);
process.exitCode = sums.fail > 0 ? 1 : 0;

function isChosen(file) {
  return parts.length === 0 || parts.some((part) => file.includes(part));
}

function shortJobs(files, seed = asked.seed ?? FIXED_SEED, node = process.execPath, line) {
  const path = ownTools(node);
  return batches(files, LANES).map((batch) => ({ files: batch, seed, path, node, line }));
}

async function longJobs(all, short) {
  const seed = asked.seed ?? String(Math.floor(Math.random() * 2 ** 31));
  console.log(`seed ${seed}`);
  const isMore = (file) =>
    file.endsWith(".long.test.ts") || readFileSync(join(root, file), "utf8").includes("effort(");
  const wanted = all.filter((file) => isChosen(file) && isMore(file));
  const [measuring, loaded] = divided(wanted, (file) => MEASURING.test(file));
  const [faults, others] = divided(loaded, (file) => file.includes("/faults/") || WAITING.test(file));
  // The longest files begin first, so that no file runs alone at the end.
  const shared = batches(others, Math.ceil(others.length / LONG_BATCH));
  const path = process.env.PATH ?? "";
  const jobOf = (files) => ({ files, seed, path, effort: "long", patienceMs: 400_000 });
  const jobs = [
    ...faults.map((file) => ({ ...jobOf([file]), waits: WAITING.test(file) })),
    ...shared.map(jobOf),
    ...measuring.map((file) => ({ ...jobOf([file]), alone: true })),
  ];
  for (const [at, line] of (parts.length > 0 ? [] : OTHER_LINES).entries()) {
    const node = await otherNode(line);
    const isOwn = (_, index) => asked.lines || (index + Number(seed)) % (4 * OTHER_LINES.length) === at;
    if (node === undefined) skip(`the tests on Node ${line}: it cannot be fetched`);
    else jobs.push(...shortJobs(short.filter(isOwn), seed, node, line));
  }
  return jobs;
}

/** Runs jobs: those that wait at once, the others as many at a time as there are lanes, then each that runs alone. */
async function runAll(jobs) {
  const [alone, beside] = divided(jobs, (job) => job.alone);
  const [waiting, queue] = divided(beside, ({ waits }) => waits);
  const lane = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await run(job);
  };
  await Promise.all([...waiting.map(run), ...Array.from({ length: LANES }, lane)]);
  for (const job of alone) await run(job);
}

/** Runs some files in their own process, shows the output of the reporter, and adds their counts. */
async function run({
  files,
  seed,
  path,
  node = process.execPath,
  line,
  effort = "short",
  patienceMs = PATIENCE_MS,
}) {
  const home = mkdtempSync(join(work, "home-"));
  const own = Object.entries(process.env).filter(([name]) => OWN_VARIABLES.test(name));
  const words = ["--conditions=@skillctl/source", "--import", import.meta.resolve("tsx")];
  words.push(`--test-reporter=${new URL("test-reporter.mjs", import.meta.url).href}`);
  words.push("--test-reporter-destination=stdout");
  if (asked.title !== undefined) words.push(`--test-name-pattern=${exactly(asked.title)}`);
  const child = spawn(node, [...words, fileURLToPath(new URL("test-files.mjs", import.meta.url)), ...files], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: {
      ...Object.fromEntries(own),
      PATH: path,
      HOME: home,
      USERPROFILE: home,
      TMPDIR: temporary,
      TMP: temporary,
      TEMP: temporary,
      LANG: "C.UTF-8",
      TEST_SEED: seed,
      TEST_EFFORT: effort,
      TEST_PATIENCE_MS: String(patienceMs),
    },
  });
  let [shown, counts] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (shown += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (shown += text));
  child.stdio[3].setEncoding("utf8").on("data", (text) => (counts += text));
  const [code, signal] = await new Promise((resolve) => child.on("close", (...ended) => resolve(ended)));
  process.stdout.write(line === undefined ? shown : shown.replaceAll(/^(?=\S)/gm, `Node ${line}: `));
  const { pass = 0, fail = 0, skipped = [] } = counts === "" ? {} : JSON.parse(counts);
  sums.pass += pass;
  // A process that ends without counts, or with an error status but no failed test, has failed.
  const isLost = counts === "" || (code !== 0 && fail === 0);
  const names = files.join(" ");
  if (isLost)
    console.log(
      `FAILED: the process of ${names} ended with ${code ?? signal} before its tests were counted.`,
    );
  sums.fail += isLost ? 1 : fail;
  for (const reason of skipped) skip(reason);
}

function exactly(title) {
  return `/^${title.replaceAll(/[/\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$/`;
}

function skip(reason) {
  sums.skipped += 1;
  skips.set(reason, (skips.get(reason) ?? 0) + 1);
}

function divided(all, test) {
  return [all.filter(test), all.filter((one) => !test(one))];
}

/**
 * Deals out files in turn, so that neighbours, which are similar, run in parallel. Those of runtime-debug start git hundreds
 * of times, which takes longer the more memory their process already uses: they come first.
 */
function batches(files, most) {
  const count = Math.min(files.length, most);
  const sorted = divided(files, (file) => file.startsWith("plugins/runtime-debug/")).flat();
  return Array.from({ length: count }, (_, index) => sorted.filter((_, at) => at % count === index));
}

/** A folder with links to the programs that tests may start. */
function ownTools(node) {
  if (process.platform === "win32") return process.env.PATH ?? "";
  const folder = mkdtempSync(join(work, "bin-"));
  symlinkSync(node, join(folder, "node"));
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/bin"];
  for (const name of ["git", ...POSIX.split(" ")]) {
    const found = folders.map((one) => join(one, name)).find((path) => existsSync(path));
    if (found !== undefined) symlinkSync(found, join(folder, name));
  }
  return folder;
}

/** The path of the program of another line of Node, from the registry; undefined if it cannot be fetched. */
async function otherNode(line) {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}@${line}`;
  const words = ["--yes", `--package=${name}`, "--", "node", "-p", "process.execPath"];
  try {
    const { stdout } = await promisify(execFile)("npx", words, { shell: process.platform === "win32" });
    return stdout.trim();
  } catch (caught) {
    console.log(`Node ${line} cannot be fetched: ${String(caught.stderr ?? caught).trim()}`);
    return undefined;
  }
}

function testFiles(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".test.ts") && !/\/(?:node_modules|dist)\//.test(path))
    .sort();
}
