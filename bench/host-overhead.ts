import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Exchange } from "./connection.ts";
import { GREET, writeGreeting } from "./greeting.ts";
import { load } from "./load.ts";
import { quiet } from "./quiet.ts";
import { ratioRow, type Bench, type Row } from "./row.ts";
import { startServer, type ServerProcess } from "./server-process.ts";
import { temporaryPlace } from "./whole-process.ts";

const LIMIT = 1.05;
const MEMORY_LIMIT = 1.1;
/** Two processes of the same server differ by up to a tenth, so that one pair would tell little. */
const PAIRS = 3;
const ROUNDS = 7;
const REQUESTS = 10_000;
const WARM_UP = 60_000;
const RULES = 20;
const BASE = "bare fastify route";
const PACKAGE = fileURLToPath(new URL("../", import.meta.url));

const EXCHANGES: readonly Exchange[] = ["Ada", "Grace", "Barbara", "Edsger", "Zoë", "Mal"].map((name) => {
  const text = `Hello, ${name}.`;
  return {
    body: JSON.stringify({ name, times: 3, manner: "warm" }),
    answer: JSON.stringify({ text, length: text.length }),
  };
});

/** What a request pays for gate, guard, container and checks beside fastify itself. */
export const bench: Bench = {
  name: "host-overhead",
  describe: `POST of a command over 50 connections: ${RULES} data rules before it, input and output checked.`,
  run: async () => {
    const place = temporaryPlace();
    const skills = join(place.folder, "skills");
    writeGreeting(skills, { rules: RULES, injected: true });
    mkdirSync(join(place.folder, "node_modules"));
    symlinkSync(PACKAGE, join(place.folder, "node_modules", "skillctl"), "junction");
    try {
      const pairs: Measures[] = [];
      for (let pair = 0; pair < PAIRS; pair += 1) pairs.push(await measuredPair(place.folder, skills));
      return rowsOf(pairs);
    } finally {
      place.remove();
    }
  },
};

/** Microseconds a request, one a round, and the peak in megabytes. */
interface Measure {
  readonly micros: number[];
  megabytes: number;
}

interface Measures {
  readonly bare: Measure;
  readonly hosted: Measure;
}

async function measuredPair(folder: string, skills: string): Promise<Measures> {
  const measures: Measures = { bare: { micros: [], megabytes: 0 }, hosted: { micros: [], megabytes: 0 } };
  const bare = await startServer("bare.mjs", JSON.stringify(GREET), folder);
  const hosted = await startServer("hosted.mjs", skills, folder);
  try {
    await checkRefusals(bare, hosted);
    const both = [
      { server: bare, measure: measures.bare },
      { server: hosted, measure: measures.hosted },
    ];
    for (const { server } of both) await load({ url: server.url, exchanges: EXCHANGES, requests: WARM_UP });
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { server, measure } of both.reverse()) {
        await quiet();
        measure.micros.push(await cpuPerRequest(server));
      }
    }
    for (const { server, measure } of both) measure.megabytes = (await server.usage()).peakKilobytes / 1024;
    return measures;
  } finally {
    await Promise.all([bare.close(), hosted.close()]);
  }
}

function rowsOf(pairs: readonly Measures[]): readonly Row[] {
  return [
    ratioRow({
      subject: "command over HTTP, CPU a request",
      base: BASE,
      unit: "µs",
      bases: pairs.flatMap(({ bare }) => bare.micros),
      candidates: pairs.flatMap(({ hosted }) => hosted.micros),
      limit: LIMIT,
    }),
    ratioRow({
      subject: "the same, peak memory",
      base: BASE,
      unit: "MB",
      bases: pairs.map(({ bare }) => bare.megabytes),
      candidates: pairs.map(({ hosted }) => hosted.megabytes),
      limit: MEMORY_LIMIT,
    }),
  ];
}

async function cpuPerRequest(server: ServerProcess): Promise<number> {
  const before = await server.usage();
  await load({ url: server.url, exchanges: EXCHANGES, requests: REQUESTS });
  const after = await server.usage();
  return (after.cpuMicroseconds - before.cpuMicroseconds) / REQUESTS;
}

/** What is measured must be in force: both refuse a wrong input, and the host a name that a rule forbids. */
async function checkRefusals(bare: ServerProcess, hosted: ServerProcess): Promise<void> {
  for (const server of [bare, hosted]) await expect(server, {}, 400);
  await expect(hosted, { name: "Ada", surname: "Lovelace" }, 400);
  await expect(hosted, { name: "Mallory" }, 403);
}

async function expect({ url }: ServerProcess, input: object, status: number): Promise<void> {
  const headers = { "content-type": "application/json", connection: "close" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(input) });
  const text = await response.text();
  if (response.status !== status)
    throw new Error(`${JSON.stringify(input)} was answered with ${response.status}: ${text}`);
}
