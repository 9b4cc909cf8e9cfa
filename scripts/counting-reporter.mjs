/**
 * What the spec reporter of node:test prints, and at the end its counts as JSON to the file descriptor 3. A run in
 * which no test ends for a while is cut off, with the names of the tests that hang.
 */
import { writeSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import { spec } from "node:test/reporters";

const PATIENCE_MS = Number(process.env.SKILLCTL_TEST_PATIENCE_MS ?? 180_000);

export default async function* countingReporter(source) {
  const sums = {};
  const seen = { pass: 0, fail: 0, skipped: 0 };
  const running = new Map();
  let ended = performance.now();
  const watch = setInterval(
    () => {
      if (performance.now() - ended < PATIENCE_MS) return;
      const names = [...running.values()].map((one) => `\n  ${one}`);
      writeSync(
        1,
        `\nNo test ended for ${PATIENCE_MS / 1000} s. The run is cut off; these are still running:${names.join("")}\n`,
      );
      writeSync(3, JSON.stringify({ ...seen, fail: seen.fail + Math.max(1, running.size) }));
      process.exit(1);
    },
    Math.min(1_000, PATIENCE_MS),
  ).unref();
  const watched = Readable.from(
    (async function* () {
      for await (const event of source) {
        follow(event);
        yield event;
      }
    })(),
  );
  yield* watched.pipe(new spec()).pipe(new PassThrough());
  clearInterval(watch);
  const { pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0 } = sums;
  writeSync(3, JSON.stringify({ pass, fail: fail + cancelled, skipped: skipped + todo }));

  function follow({ type, data }) {
    const key = `${data?.file}:${data?.line}:${data?.column}:${data?.name}`;
    if (type === "test:dequeue") running.set(key, `${data.name} (${data.file})`);
    if (type === "test:pass" || type === "test:fail") {
      ended = performance.now();
      running.delete(key);
      if (data.details?.type !== "suite")
        seen[data.skip !== undefined || data.todo !== undefined ? "skipped" : type.slice(5)] += 1;
    }
    // The last diagnostics of the run are its sums: "tests 5", "pass 4", "fail 1", ...
    const [, name, count] = /^(\w+) (\d+)$/.exec(type === "test:diagnostic" ? data.message : "") ?? [];
    if (name !== undefined) sums[name] = Number(count);
  }
}
