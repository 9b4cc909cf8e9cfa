/**
 * A bare node:http server that is as durable: it parses and validates each event, appends the bytes as sent, and responds
 * once they are on the disk. There is one commit at a time; events that arrive during it form the next one.
 * Argument: the path of the log. The first line of its output is its port.
 */
import { fdatasync, openSync, readFileSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { Ajv2020 } from "ajv/dist/2020.js";

const EVENT = new URL("../schemas/runtime-debug/log-event.json", import.meta.url);
const valid = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(EVENT, "utf8")));
const log = openSync(process.argv[2], "a", 0o600);
let waiting = [];
let isCommitting = false;

function commit() {
  const group = waiting;
  waiting = [];
  isCommitting = true;
  const bytes = Buffer.concat(group.map(({ line }) => line));
  if (writeSync(log, bytes) < bytes.length) throw new Error("The log was written only in part.");
  fdatasync(log, (error) => {
    if (error) throw error;
    isCommitting = false;
    for (const { response } of group)
      response.writeHead(200, { "Content-Type": "text/plain", "Content-Length": 2 }).end("ok");
    if (waiting.length > 0) commit();
  });
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const line = Buffer.concat([...chunks, Buffer.from("\n")]);
    if (!valid(JSON.parse(line.toString()))) return response.writeHead(400, { "Content-Length": 0 }).end();
    waiting.push({ line, response });
    if (!isCommitting) commit();
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
