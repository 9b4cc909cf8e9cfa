/**
 * Prints a line for each test file, followed by its failures, and writes the counts as JSON to file descriptor 3. A title that
 * is not a short sentence is a failure. A run in which no test ends for a while is ended, with the names of the hanging tests.
 */
import { writeSync } from "node:fs";
import { relative } from "node:path";
import { inspect } from "node:util";

const PATIENCE_MS = Number(process.env.TEST_PATIENCE_MS ?? 180_000);
const LONGEST_TITLE = 140;
/** Rules of the specifications, which a title names at its end. */
const RULES = / \[[a-z.-]+\]/g;

export default async function* testReporter(source) {
  const seen = { pass: 0, fail: 0, skipped: [] };
  const running = new Map();
  let ended = performance.now();
  const watch = setInterval(
    () => {
      if (performance.now() - ended < PATIENCE_MS) return;
      const names = [...running.values()].map((one) => `\n  ${one}`);
      const sentence = `No test ended for ${PATIENCE_MS / 1000} s. The run is cut off; these are still running:`;
      writeSync(1, `\n${sentence}${names.join("")}\n`);
      writeSync(3, JSON.stringify({ ...seen, fail: seen.fail + Math.max(1, running.size) }));
      process.exit(1);
    },
    Math.min(1_000, PATIENCE_MS),
  ).unref();
  let file;
  let [count, timeMs, faults] = [0, 0, ""];
  const line = () => {
    if (file === undefined) return "";
    const text = `${file}  ${count} tests  ${(timeMs / 1000).toFixed(1)} s\n${faults}`;
    [file, count, timeMs, faults] = [undefined, 0, 0, ""];
    return text;
  };
  for await (const { type, data } of source) {
    const key = `${data?.file}:${data?.line}:${data?.column}:${data?.name}`;
    if (type === "test:dequeue") running.set(key, `${data.name} (${data.file})`);
    if (type === "test:stdout" || type === "test:stderr") yield data.message;
    if (type !== "test:pass" && type !== "test:fail") continue;
    ended = performance.now();
    running.delete(key);
    const where = relative(process.cwd(), data.file ?? "");
    if (file !== where) yield line();
    file = where;
    if (data.nesting === 0) timeMs += data.details.duration_ms;
    if (data.details.type === "suite" && type === "test:pass") continue;
    const excuse = data.skip ?? data.todo;
    const fault = type === "test:fail" ? faultOf(data.details.error) : titleFault(data.name);
    if (fault !== undefined) {
      // An error that only reports a failed subtest adds nothing.
      if (data.details.error?.failureType === "subtestsFailed") continue;
      seen.fail += 1;
      faults += `  FAILED: ${data.name} (${where}:${data.line})\n${fault.replaceAll(/^/gm, "    ")}\n`;
    } else if (excuse !== undefined)
      seen.skipped.push(typeof excuse === "string" ? excuse : `no reason given (${where})`);
    else seen.pass += 1;
    count += 1;
  }
  yield line();
  clearInterval(watch);
  writeSync(3, JSON.stringify(seen));
}

function faultOf(error) {
  return inspect(error?.cause ?? error, { depth: 4 });
}

function titleFault(title) {
  const { length } = title.replaceAll(RULES, "");
  if (length <= LONGEST_TITLE && !title.includes("\n")) return undefined;
  return `The title is not a short sentence: ${length} characters.`;
}
