/**
 * A collector that is careless, for the negative controls of the fault tests: a test that finds no fault of the debug server
 * must find one of this collector.
 *
 *   careless.mjs WAY SESSION --port N --outdir FOLDER
 */
import fs from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const [way, session, ...rest] = process.argv.slice(2);
const flag = (name) => rest[rest.indexOf(`--${name}`) + 1];
const folder = flag("outdir");
const log = join(folder, `svc-debug-log-${session}.ndjson`);

fs.mkdirSync(folder, { recursive: true });

/** How the body of an event is stored, by the kind of collector. */
const WRITERS = {
  /** Answers first and writes later. */
  early: () => {
    let waiting = "";
    setInterval(() => {
      if (waiting !== "") fs.appendFile(log, waiting, () => undefined);
      waiting = "";
    }, 250);
    return async (body) => void (waiting += body);
  },
  /** Opens the log by its name for each event, holds each body whole, and never checks the existing log. */
  naming: () => (body) => fs.promises.appendFile(log, body),
};
const write = WRITERS[way]();

const server = createServer((incoming, outgoing) => {
  const answer = (status, text) => outgoing.writeHead(status).end(text);
  if (incoming.url.startsWith("/health"))
    return answer(200, JSON.stringify({ ok: true, pid: process.pid, seq: 0, rejected: 0 }));
  const parts = [];
  incoming.on("data", (part) => parts.push(part));
  incoming.on("end", () => write(`${Buffer.concat(parts).toString()}\n`).then(() => answer(200, "ok")));
});

server.listen(Number(flag("port")), "127.0.0.1", () => {
  const api_url = `http://127.0.0.1:${server.address().port}/event`;
  const block = JSON.stringify({ api_url, log_file: log, pid: process.pid });
  process.stdout.write(`@@DEBUG_SERVER_INFO\n${block}\n@@END_DEBUG_SERVER_INFO\n`);
});
