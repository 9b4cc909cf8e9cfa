import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { Connections } from "./connections.ts";

const MOST = 16;
/** A connection that is not ended fails its test instead of holding it. */
const PATIENCE_MS = 20_000;
const SHORT_MS = 50;
/** More than the buffers of a connection hold. */
const MUCH = 64 * 1024 * 1024;
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const HALF_BODY = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf";

/** A server that has room for so many connections; paths that begin with /wait are answered when the test says so. */
async function crowded(context: TestContext) {
  const connections = new Connections(MOST);
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    connections.answering(response);
    if (request.url === "/wait") waiting.push(response);
    else if (request.url === "/much") response.end(Buffer.alloc(MUCH));
    else request.on("end", () => response.end("ok")).resume();
    server.emit("seen");
  });
  server.on("connection", (socket) => connections.opened(socket));
  server.on("timeout", (socket: Socket) => connections.timedOut(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const sockets: Socket[] = [];
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  /** Opens a connection, says something, and waits until the server has noticed. */
  const open = async (bytes: string, event: "seen" | "connection"): Promise<Socket> => {
    const noticed = once(server, event);
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => undefined).resume();
    socket.write(bytes);
    await noticed;
    return socket;
  };
  return { server, connections, open, waiting };
}

test(
  "the oldest connection without a request makes room for a new one",
  { timeout: PATIENCE_MS },
  async (context) => {
    const { open } = await crowded(context);
    const asked = await open(GET, "seen");
    const silent: Socket[] = [];
    for (let count = 1; count < MOST; count += 1) silent.push(await open("GET / HT", "connection"));
    const ended = once(silent[0] as Socket, "close");
    await open(GET, "seen");
    await ended;
    assert.deepEqual([asked, ...silent].map(({ closed }) => closed).indexOf(false), 0);
    assert.equal(silent.filter(({ closed }) => closed).length, 1);
  },
);

test(
  "where all have asked, the oldest that is idle or half-sent makes room, and none that waits for its answer",
  { timeout: PATIENCE_MS },
  async (context) => {
    const { open, waiting } = await crowded(context);
    const patient = await open(GET.replace("/", "/wait"), "seen");
    const half: Socket[] = [];
    for (let count = 1; count < MOST; count += 1) half.push(await open(HALF_BODY, "seen"));
    const ended = once(half[0] as Socket, "close");
    await open(GET, "seen");
    await ended;
    assert.deepEqual([patient.closed, half.filter(({ closed }) => closed).length], [false, 1]);
    const answered = once(patient, "data");
    waiting[0]?.end("late");
    assert.match(String(await answered), /late$/);
  },
);

test("a connection that has been idle for its time is ended", { timeout: PATIENCE_MS }, async (context) => {
  const { server, open } = await crowded(context);
  server.keepAliveTimeout = SHORT_MS;
  await once(await open(GET, "seen"), "close");
});

test(
  "who takes nothing of an answer for its time is let go, and not who waits for one",
  { timeout: PATIENCE_MS },
  async (context) => {
    const { server, connections, open, waiting } = await crowded(context);
    const patient = await open(GET.replace("/", "/wait"), "seen");
    const accepted = once(server, "connection") as Promise<[Socket]>;
    const reader = await open("", "connection");
    const [served] = await accepted;
    const ended = once(served, "close");
    const asked = once(server, "seen");
    reader.pause().write(GET.replace("/", "/much"));
    await asked;
    connections.timeReaders(SHORT_MS);
    await ended;
    const answered = once(patient, "data");
    waiting[0]?.end("late");
    assert.match(String(await answered), /late$/);
  },
);
