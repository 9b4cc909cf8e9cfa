/**
 * Collectors that are careless in ways that can be named, for the negative controls of the fault tests: what finds
 * nothing wrong with the debug server has to find something wrong with these.
 *
 *   careless.mjs WAY[,WAY ...] SESSION --port N --outdir FOLDER [--idle SECONDS]
 */
import fs from "node:fs";
import { createServer, request } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { join } from "node:path";

const [given = "", session = "", ...rest] = process.argv.slice(2);
const ways = new Set(given.split(","));
const flag = (name) => rest[rest.indexOf(`--${name}`) + 1];
const folder = flag("outdir") ?? ".";
const idle = rest.includes("--idle") ? Number(flag("idle")) * 1_000 : Infinity;
const log = join(folder, `svc-debug-log-${session}.ndjson`);
const environmentFile = join(folder, `${session}.env`);

fs.mkdirSync(folder, { recursive: true });
if (ways.has("rewriting") && fs.existsSync(log)) {
  // Mends a log in place: for a moment there is none.
  const whole = fs.readFileSync(log, "utf8").replace(/[^\n]*$/, "");
  fs.truncateSync(log);
  fs.appendFileSync(log, whole);
}

/** How a way of writing takes the body of an event. */
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
  /** Keeps a descriptor, never looks where it leads, never syncs. */
  holding: () => {
    const file = fs.openSync(log, "a");
    return async (body) => void fs.writeSync(file, body);
  },
  /** Counts by itself where the next byte belongs. */
  placing: () => {
    const file = fs.openSync(log, "w");
    let end = 0;
    return async (body) => void (end += fs.writeSync(file, body, end));
  },
  /** Opens the log by its name for each event; what was written in part stays. */
  naming: () => (body) => fs.promises.appendFile(log, body),
  /** Never answers more than it can, but does not say that it cannot. */
  boundless: () => {
    let last = Promise.resolve();
    return (body) => (last = last.then(() => pause(100)).then(() => fs.promises.appendFile(log, body)));
  },
};
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const [writer] = Object.keys(WRITERS).filter((way) => ways.has(way));
const write = ["placing", "holding"].includes(writer) ? WRITERS[writer]() : WRITERS[writer ?? "naming"]();

let used = Date.now();
const server = createServer((incoming, outgoing) => {
  if (ways.has("chatty")) process.stdout.write(`${incoming.method} ${incoming.url}\n`);
  used = Date.now();
  const answer = (status, text) => outgoing.writeHead(status).end(text);
  const { method, url = "" } = incoming;
  if (url.startsWith("/health")) {
    answer(200, JSON.stringify({ ok: true, pid: process.pid, seq: 0, rejected: 0 }));
  } else if (method === "DELETE") {
    // What is under way goes where it will; with "emptying" nothing is kept.
    const number = fs.readdirSync(folder).length;
    if (!ways.has("emptying") && fs.existsSync(log))
      fs.renameSync(log, log.replace(/ndjson$/, `${number}.ndjson`));
    void fs.promises.writeFile(log, "").then(() => answer(200, "ok"));
  } else if (url.startsWith("/run")) {
    // In place, and not at once.
    fs.writeFileSync(environmentFile, "");
    setTimeout(() => {
      publish(server.address().port);
      answer(200, "{}");
    }, 5);
  } else if (method === "GET") {
    // A question may come before the first event.
    const text = fs.existsSync(log) ? fs.readFileSync(log, "utf8") : "";
    answer(200, `[${text.trim().split("\n").join(",")}]`);
  } else collect(incoming, answer);
});
if (ways.has("capped")) server.maxConnections = 40;
if (ways.has("patient")) Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });

function collect(incoming, answer) {
  const parts = [];
  incoming.on("data", (part) => {
    parts.push(part);
    if (ways.has("eager")) fs.appendFileSync(log, part);
  });
  incoming.on("end", () => {
    const body = `${Buffer.concat(parts).toString()}\n`;
    const stored = ways.has("eager") ? fs.promises.appendFile(log, "\n") : write(body);
    stored.then(
      () => answer(200, "ok"),
      (error) => answer(507, JSON.stringify({ ok: false, error: error.code })),
    );
  });
}

function publish(port) {
  fs.writeFileSync(
    environmentFile,
    `DEBUG_SERVER_URL=http://127.0.0.1:${port}/event\nDEBUG_SESSION_ID=${session}\n`,
  );
}

function announce(port) {
  publish(port);
  const url = `http://127.0.0.1:${port}`;
  const known = { api_url: `${url}/event`, session_id: session, log_dir: folder, log_file: log };
  const block = JSON.stringify({ ...known, env_file: environmentFile, pid: process.pid });
  process.stdout.write(`@@DEBUG_SERVER_INFO\n${block}\n@@END_DEBUG_SERVER_INFO\n`);
}

const remembered = join(folder, `${session}.server.json`);
if (ways.has("trusting") && fs.existsSync(remembered)) {
  // Believes what a file says, and shows its key to whoever listens there now.
  const { pid, port, key } = JSON.parse(fs.readFileSync(remembered, "utf8"));
  process.kill(pid, "SIGTERM");
  request(`http://127.0.0.1:${port}/health?k=${key}`)
    .on("error", () => undefined)
    .end();
}
if (ways.has("probing")) {
  // Looks for a free port, tells it, and takes it later.
  const probe = createTcpServer().listen(Number(flag("port")), "127.0.0.1", () => {
    const { port } = probe.address();
    probe.close(() => setTimeout(() => (announce(port), server.listen(port, "127.0.0.1")), 100));
  });
} else {
  server.listen(Number(flag("port")), "127.0.0.1", () => announce(server.address().port));
}
if (ways.has("wallclock")) used = Date.now();
if (ways.has("zero")) used = 0;
const now = () => (ways.has("zero") ? Number(process.hrtime.bigint() / 1_000_000n) : Date.now());
if (idle < Infinity) setInterval(() => now() - used > idle && process.exit(0), 100);
if (ways.has("watchdog")) {
  let seen = Date.now();
  setInterval(() => (Date.now() - seen > 5_000 ? process.exit(1) : (seen = Date.now())), 500);
}
