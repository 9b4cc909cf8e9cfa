/**
 * Runs test files in batches, a process each, as many at once as there are processors, and ends with one plain line of
 * passed, failed and skipped tests.
 *
 *   node scripts/run-tests.mjs [--long] [--seed=N] [--title=TITLE] [PART OF A PATH ...]
 *
 * Without `--long`: every `*.test.ts` but `*.long.test.ts`, hermetic: a home and a temporary folder of its own, no program
 * on the path beside Node, git and POSIX tools, and the same seed in every run.
 * With it: every `*.long.test.ts`, and the files that do more in the long suite (`contract-tests/effort.ts`), then all of the short
 * suite on the other lines of Node; seeds are random and printed. `--seed=N` repeats a run.
 * `--title` runs the tests of that title alone.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PLACES = ["bin", "core", "plugins", "contract-tests", "scripts", "bench"];
const LEFT_OUT = new Set(["node_modules", "dist"]);
const OTHER_LINES = ["22", "24"];
/** After so long without the end of a test, a process is cut off. */
const PATIENCE_MS = Number(process.env.TEST_PATIENCE_MS ?? 180_000);
const FIXED_SEED = 20_261_123;
/** Processes at once: one more than processors, since tests wait for disks and for each other's ends. */
const LANES = availableParallelism() + 1;
/** Processes a lane. Each loads most of the code anew, for some seconds; fewer leave a processor idle at the end. */
const TURNS = 1;
/** Files in a process of the long suite, those of faults aside, which have one each. */
const LONG_BATCH = 12;
/** What tests may start beside Node and git. */
const POSIX =
  "awk basename bash cat chgrp chmod chown cmp cp cut date dd diff dirname echo env expr false find grep head id install kill ln ls " +
  "mkdir mkfifo mktemp mv nl od paste printf ps pwd readlink realpath rm rmdir script sed seq sh sleep sort split stat stty tail tar tee test " +
  "timeout touch tr true truncate uname uniq wc which xargs yes";
/** They wait for time-outs of minutes and need no processor. */
const WAITING = /\/faults\/(?:connecting|deadline)\./;
const OWN_VARIABLES = /^(?:SystemRoot|PATHEXT|CI|TEST_PROGRAM)$/i;

const root = fileURLToPath(new URL("../", import.meta.url));
const words = process.argv.slice(2);
const isLong = words.includes("--long");
const given = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const givenSeed = given("seed");
const onlyTitle = given("title");
const parts = words.filter((word) => !word.startsWith("-"));
const chosen = (file) => parts.length === 0 || parts.some((part) => file.includes(part));

const work = mkdtempSync(join(tmpdir(), "skillctl-tests-"));
const temporary = join(work, "tmp");
mkdirSync(temporary);
// Tests that run as root start programs as somebody else, who has to get at them.
chmodSync(work, 0o755);
chmodSync(temporary, 0o777);
const sums = { pass: 0, fail: 0, skipped: 0 };
const skips = new Map();
const started = performance.now();
try {
  const all = PLACES.flatMap((place) => testFiles(join(root, place), place));
  const short = all.filter((file) => !file.endsWith(".long.test.ts"));
  await (isLong ? runLong(all, short) : runShort(short));
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

async function runShort(short) {
  const seed = givenSeed ?? String(FIXED_SEED);
  const path = ownTools();
  await runAll(batches(short.filter(chosen)).map((files) => ({ files, seed, path })));
}

async function runLong(all, short) {
  const seed = givenSeed ?? String(Math.floor(Math.random() * 2 ** 31));
  console.log(`seed ${seed}`);
  const isMore = (file) =>
    file.endsWith(".long.test.ts") || readFileSync(join(root, file), "utf8").includes("effort(");
  const path = process.env.PATH ?? "";
  // What takes longest begins first, so that nothing runs alone at the end.
  const wanted = all.filter((file) => chosen(file) && isMore(file));
  const faults = wanted.filter((file) => file.includes("/faults/"));
  const others = wanted.filter((file) => !faults.includes(file));
  const jobs = [
    ...faults.map((file) => [file]),
    ...batches(others, Math.ceil(others.length / LONG_BATCH)),
  ].map((files) => ({
    files,
    seed,
    path,
    effort: "long",
    patienceMs: 400_000,
    waits: files.some((file) => WAITING.test(file)),
  }));
  const lines = parts.length > 0 ? [] : await Promise.all(OTHER_LINES.map(otherNode));
  for (const [index, node] of lines.entries()) {
    if (node === undefined) skip(`the tests on Node ${OTHER_LINES[index]}: it cannot be fetched`);
    else {
      const tools = ownTools(node);
      jobs.push(
        ...batches(short).map((files) => ({ files, seed, path: tools, node, line: OTHER_LINES[index] })),
      );
    }
  }
  await runAll(jobs);
}

/** Runs jobs: those that wait at once, the others as many at a time as there are processors. */
async function runAll(jobs) {
  const queue = jobs.filter(({ waits }) => !waits);
  const lane = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await run(job);
  };
  const lanes = Array.from({ length: LANES }, lane);
  await Promise.all([...jobs.filter(({ waits }) => waits).map(run), ...lanes]);
}

/** Runs some files in a process of their own, shows what the reporter says of them, and adds their counts. */
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
  const child = spawn(
    node,
    [
      "--conditions=@skillctl/source",
      "--import",
      import.meta.resolve("tsx"),
      `--test-reporter=${new URL("test-reporter.mjs", import.meta.url).href}`,
      "--test-reporter-destination=stdout",
      ...(onlyTitle === undefined ? [] : [`--test-name-pattern=${exactly(onlyTitle)}`]),
      fileURLToPath(new URL("test-files.mjs", import.meta.url)),
      ...files,
    ],
    {
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
    },
  );
  let [shown, counts] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (shown += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (shown += text));
  child.stdio[3].setEncoding("utf8").on("data", (text) => (counts += text));
  const [code, signal] = await new Promise((resolve) => child.on("close", (...ended) => resolve(ended)));
  process.stdout.write(line === undefined ? shown : shown.replaceAll(/^(?=\S)/gm, `Node ${line}: `));
  if (signal !== null) console.log(`The process of ${files.join(" ")} was ended by ${signal}.`);
  const { pass = 0, fail = 0, skipped = [] } = counts === "" ? {} : JSON.parse(counts);
  sums.pass += pass;
  // A process that ends without counts, or badly without a failed test, has failed.
  const isLost = counts === "" || (code !== 0 && fail === 0);
  if (isLost)
    console.log(
      `FAILED: the process of ${files.join(" ")} ended with ${code ?? signal} before its tests were counted.`,
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

/** Files dealt out like cards, so that neighbours, which are alike, run beside each other. */
function batches(files, most = LANES * TURNS) {
  const count = Math.min(files.length, most);
  const sorted = [...files.filter(startsPrograms), ...files.filter((file) => !startsPrograms(file))];
  return Array.from({ length: count }, (_, index) => sorted.filter((_, at) => at % count === index));
}

/** They start git by the hundred, which takes the longer the more memory their process holds by then: they come first. */
function startsPrograms(file) {
  return file.startsWith("plugins/runtime-debug/");
}

/** A folder with links to what tests may start. */
function ownTools(node = process.execPath) {
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

/** Another line of Node: the path of its program out of the registry, undefined where that cannot be reached. */
async function otherNode(line) {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const folder = join(work, "lines", line, "package");
  mkdirSync(folder, { recursive: true });
  try {
    const npm = ["pack", "--silent", `${name}@${line}`, "--pack-destination", folder];
    const { stdout } = await promisify(execFile)("npm", npm, { shell: process.platform === "win32" });
    execFileSync("tar", ["-xzf", join(folder, stdout.trim()), "-C", join(folder, "..")]);
  } catch (caught) {
    console.log(
      `Node ${line} cannot be fetched: ${String(caught.stderr ?? caught)
        .trim()
        .split("\n")
        .at(-1)}`,
    );
    return undefined;
  }
  return join(folder, "bin", "node");
}

function testFiles(folder, name) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = `${name}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : testFiles(join(folder, entry.name), path);
    return entry.name.endsWith(".test.ts") ? [path] : [];
  });
}
