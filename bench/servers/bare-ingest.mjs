/**
 * A bare node:http server that keeps what it answers: parses and validates each line of a body, appends the bytes as
 * they came, and answers `ok` once they are on the disk. One commit is under way at a time; what comes meanwhile goes
 * out together with the next. Argument: the log. Its first line of output is its port; SIGTERM ends it.
 */
import { fdatasync, openSync, readFileSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { Ajv2020 } from "ajv/dist/2020.js";

const SCHEMA = JSON.parse(readFileSync(new URL("event-schema.json", import.meta.url), "utf8"));
const OK = { "Content-Type": "text/plain", "Content-Length": 2 };
const LINE_FEED = 10;
const valid = new Ajv2020().compile(SCHEMA);
const log = openSync(process.argv[2], "a", 0o600);

let waiting = [];
let isCommitting = false;

function commit() {
  const group = waiting;
  waiting = [];
  isCommitting = true;
  const answer = (error) => {
    isCommitting = false;
    for (const { response } of group) {
      if (error) response.writeHead(507).end(error.message);
      else response.writeHead(200, OK).end("ok");
    }
    if (waiting.length > 0) commit();
  };
  const bytes = group.length === 1 ? group[0].bytes : Buffer.concat(group.map(({ bytes }) => bytes));
  try {
    if (writeSync(log, bytes) < bytes.length) answer(new Error("Written in part."));
    else fdatasync(log, answer);
  } catch (error) {
    answer(error);
  }
}

/** Whole lines, or undefined when one of them is no event. */
function checkedLines(body) {
  const ended = body.at(-1) === LINE_FEED ? body : Buffer.concat([body, Buffer.from("\n")]);
  try {
    for (const line of ended.toString().split("\n", 1_001)) {
      if (line !== "" && !valid(JSON.parse(line))) return undefined;
    }
    return ended;
  } catch {
    return undefined;
  }
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const bytes = checkedLines(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    if (bytes === undefined) {
      response.writeHead(400).end();
      return;
    }
    waiting.push({ bytes, response });
    if (!isCommitting) commit();
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.on("SIGTERM", () => process.exit(0));
