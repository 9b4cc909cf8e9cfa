/** What the spec reporter of node:test prints, and at the end its counts as JSON to the file descriptor 3. */
import { writeSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import { spec } from "node:test/reporters";

export default async function* countingReporter(source) {
  const counts = {};
  const watched = Readable.from(
    (async function* () {
      for await (const event of source) {
        const [, name, count] = /^(\w+) (\d+)$/.exec(event.type === "test:diagnostic" ? event.data.message : "") ?? [];
        // The last diagnostics of the run are its sums: "tests 5", "pass 4", "fail 1", ...
        if (name !== undefined) counts[name] = Number(count);
        yield event;
      }
    })(),
  );
  const printer = new spec();
  yield* watched.pipe(printer).pipe(new PassThrough());
  const { pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0 } = counts;
  writeSync(3, JSON.stringify({ pass, fail: fail + cancelled, skipped: skipped + todo }));
}
