import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { headRegion, probeRegion } from "../../probes/probe-text.ts";
import { eventually, until } from "../client.ts";
import { ran } from "../program-run.ts";
import { debugHost, serving } from "../serving.ts";
import type { ProbedProgram } from "./program.ts";
import { sampleWish } from "./sample.ts";

const SESSION = "login-timeout";
/** A port without a server. */
const NOWHERE = "http://127.0.0.1:9/event";
const EVENTS_MS = 20_000;
const NO_CGO = { CGO_ENABLED: "0" };

/** The program with its probe, or without. */
function source({ source, language, data, sync = false, limit }: ProbedProgram, probed: boolean): string {
  const fields = data.split(" | ").map((one) => {
    const [, name = one, expression = one] = /^(\w+)=(.*)$/.exec(one) ?? [];
    return { name, expression };
  });
  const wish = {
    session: SESSION,
    data: fields,
    fallbackUrl: NOWHERE,
    sync,
    allowCall: true,
    ...(limit && { perSecond: limit, most: limit }),
  };
  const region = probeRegion(sampleWish(language, wish));
  const put = (text: string, mark: string, lines: readonly string[]): string =>
    text.replaceAll(new RegExp(`^([\\t ]*)${mark}\\n`, "gm"), (_, indent: string) =>
      probed ? lines.map((line) => `${indent}${line}\n`).join("") : "",
    );
  return put(put(source, "@HEAD@", headRegion(language, "a:1") ?? []), "@PROBE@", region);
}

/**
 * A program must do the same with its probe as without: with a server, whose address it has in a variable and which has
 * its events, without one, and, where it waits for the answer, with one that does not answer.
 */
export async function assertProbed(t: TestContext, program: ProbedProgram): Promise<void> {
  const host = await debugHost(t);
  const folder = host.environment.workingFolder;
  const words = program.run ?? [...program.tools.slice(0, 1), program.file];
  const plain = join(folder, "plain");
  const probed = join(folder, "probed");
  await made(program, plain, false);
  await made(program, probed, true);
  const silent = await silence(t);
  const variables = { DEBUG_SERVER_URL: `http://127.0.0.1:${silent.port}/event` };
  const waits = program.language !== "javascript" || program.sync === true;
  const [expected, away, unanswered] = await Promise.all([
    ran(words, plain, folder, NO_CGO),
    ran(words, probed, folder, NO_CGO),
    waits ? ran(words, probed, folder, { ...NO_CGO, ...variables }) : undefined,
  ]);
  assert.equal(expected.status, program.status, expected.err);
  assert.deepEqual(away, expected, "without the server");
  if (unanswered) {
    assert.deepEqual(unanswered, expected, "with a server that does not answer");
    // The connection of a program that has ended may still be in the queue of this process.
    await eventually(() => silent.asked() > 0);
  }
  const { info } = await serving(host, { session: SESSION });
  const served = await ran(words, probed, folder, { ...NO_CGO, DEBUG_SERVER_URL: info.api_url });
  assert.deepEqual(served, expected, "with a server");
  const events = await stored(info.log_file, program.events.length);
  assert.deepEqual(
    events.map(({ data }) => Object.keys(data).sort()),
    program.events.map((event) => Object.keys(event).sort()),
  );
  assert.deepEqual(
    events.map(({ skipped = 0 }) => skipped),
    program.skipped ?? program.events.map(() => 0),
  );
  for (const [index, { data, skipped: _, ...event }] of events.entries()) {
    const { sessionId, hypothesisId, location, msg, ...rest } = event;
    assert.deepEqual([sessionId, hypothesisId, location, msg], [SESSION, "A", "a:1", "[DEBUG] sum"]);
    assert.deepEqual(
      Object.keys(rest).filter((name) => !/^(_.*|ts|runId)$/.test(name)),
      [],
    );
    for (const [name, value] of Object.entries(program.events[index] ?? {})) {
      if (value instanceof RegExp) assert.match(String(data[name]), value, name);
      else assert.deepEqual(data[name], value, name);
    }
  }
}

/** A server that takes everything and never answers. */
async function silence(t: TestContext): Promise<{ readonly port: number; readonly asked: () => number }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on("error", () => undefined))).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked: () => sockets.length };
}

interface StoredEvent extends Readonly<Record<string, unknown>> {
  readonly data: Readonly<Record<string, unknown>>;
}

/** Events of a log, once there are that many; a program need not wait for the answers. */
export async function stored(log: string, count: number): Promise<readonly StoredEvent[]> {
  const seen = async (): Promise<readonly string[]> =>
    (await readFile(log, "utf8")).split("\n").filter((line) => line !== "");
  const lines = await until(seen, ({ length }) => length >= count, EVENTS_MS);
  assert.equal(lines.length, count, lines.join("\n"));
  return lines.map((line) => JSON.parse(line) as StoredEvent);
}

async function made(program: ProbedProgram, folder: string, probed: boolean): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, program.file), source(program, probed));
  if (!program.build) return;
  const { status, err } = await ran(program.build, folder, join(folder, ".."), NO_CGO);
  assert.equal(status, 0, err);
}
