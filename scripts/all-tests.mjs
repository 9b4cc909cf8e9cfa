/**
 * Every *.test.ts in one process, which is several times faster than a process a file. Ends with one plain line of
 * passed, failed and skipped tests, as node:test counted them.
 *
 * `--without=PART,PART` leaves out the files whose path holds one of the parts, and names them.
 *
 *   node --conditions=@skillctl/source --import tsx scripts/all-tests.mjs [--test-name-pattern=X ...] [--without=PART,...] [PART OF A PATH ...]
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const PLACES = ["bin", "core", "plugins", "contract-tests", "scripts", "bench"];
const LEFT_OUT = new Set(["node_modules", "dist"]);
const INSIDE = "--inside";
const WITHOUT = "--without=";

const root = fileURLToPath(new URL("../", import.meta.url));
const words = process.argv.slice(2);

if (words.includes(INSIDE)) await importTests(words.filter((word) => word !== INSIDE));
else process.exitCode = await runInside();

/** Imports the test files; node:test runs what they register. A file that cannot be imported is a failed test. */
async function importTests(given) {
  const parts = given.filter((word) => !word.startsWith(WITHOUT));
  const unwanted = given.flatMap((word) =>
    word.startsWith(WITHOUT) ? word.slice(WITHOUT.length).split(",") : [],
  );
  const files = PLACES.flatMap((place) => testFiles(join(root, place), place));
  const asked =
    parts.length === 0 ? files : files.filter((file) => parts.some((part) => file.includes(part)));
  const leftOut = asked.filter((file) => unwanted.some((part) => file.includes(part)));
  for (const file of leftOut) console.log(`left out: ${file}`);
  for (const file of asked.filter((file) => !leftOut.includes(file))) {
    try {
      await import(pathToFileURL(join(root, file)).href);
    } catch (caught) {
      test(`${file} can be imported`, () => {
        throw caught;
      });
    }
  }
}

function testFiles(folder, name) {
  const entries = readEntries(folder).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = `${name}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : testFiles(join(folder, entry.name), path);
    return entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

function readEntries(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (caught) {
    if (caught.code === "ENOENT") return [];
    throw caught;
  }
}

/** Runs this file again with the reporter that counts, and answers the exit status. */
async function runInside() {
  const reporter = new URL("counting-reporter.mjs", import.meta.url).href;
  const isFlag = (word) => word.startsWith("-") && !word.startsWith(WITHOUT);
  const flags = words.filter(isFlag);
  const parts = words.filter((word) => !isFlag(word));
  const given = [
    ...process.execArgv,
    `--test-reporter=${reporter}`,
    "--test-reporter-destination=stdout",
    ...flags,
  ];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [...given, fileURLToPath(import.meta.url), INSIDE, ...parts], {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env,
  });
  let text = "";
  child.stdio[3].setEncoding("utf8").on("data", (chunk) => (text += chunk));
  const status = await new Promise((resolve) => child.on("close", (code) => resolve(code ?? 1)));
  if (text === "") {
    console.error("No test was run, or the run was cut off before its tests could be counted.");
    console.log("0 passed, 1 failed, 0 skipped");
    return 1;
  }
  const { pass, fail, skipped } = JSON.parse(text);
  console.log(`${pass} passed, ${fail} failed, ${skipped} skipped`);
  if (pass + fail === 0) console.error("No test was run.");
  return pass + fail === 0 ? 1 : fail > 0 ? status || 1 : status;
}
