import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Exchange } from "./connection.ts";
import { GREET, writeGreeting } from "./greeting.ts";
import { load } from "./load.ts";
import { quiet } from "./quiet.ts";
import { ratioRow, type Bench } from "./row.ts";
import { startServer, type ServerProcess } from "./server-process.ts";
import { temporaryPlace } from "./whole-process.ts";

const LIMIT = 1.05;
const MEMORY_LIMIT = 1.1;
const ROUNDS = 15;
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
    const bare = await startServer("bare.mjs", JSON.stringify(GREET), place.folder);
    const hosted = await startServer("hosted.mjs", skills, place.folder);
    try {
      await checkRefusals(bare, hosted);
      return await measured(bare, hosted);
    } finally {
      await Promise.all([bare.close(), hosted.close()]);
      place.remove();
    }
  },
};

async function measured(bare: ServerProcess, hosted: ServerProcess) {
  const cpu = { bare: [] as number[], hosted: [] as number[] };
  for (const server of [bare, hosted])
    await load({ url: server.url, exchanges: EXCHANGES, requests: WARM_UP });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of round % 2 === 0 ? (["bare", "hosted"] as const) : (["hosted", "bare"] as const)) {
      await quiet();
      cpu[name].push(await cpuPerRequest(name === "bare" ? bare : hosted));
    }
  }
  const [floor, peak] = [await bare.usage(), await hosted.usage()];
  const common = { subject: "command over HTTP, CPU a request", base: BASE };
  return [
    ratioRow({ ...common, unit: "µs", bases: cpu.bare, candidates: cpu.hosted, limit: LIMIT }),
    ratioRow({
      subject: "the same, peak memory",
      base: BASE,
      unit: "MB",
      bases: [floor.peakKilobytes / 1024],
      candidates: [peak.peakKilobytes / 1024],
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
