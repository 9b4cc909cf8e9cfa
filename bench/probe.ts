import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { probeRegion } from "../plugins/runtime-debug/probes/probe-text.ts";
import { alternating } from "./alternation.ts";
import { ratioRow, type Bench } from "./row.ts";
import { temporaryPlace } from "./whole-process.ts";

const LIMIT = 0.2;
const ROUNDS = 7;
const WARM_UP = 50;
const BURSTS = 150;
const EVENTS = 20;
const SESSION = "bench-probe";
const PROGRAM = fileURLToPath(new URL("servers/probed.mjs", import.meta.url));

/** What a probe costs the program that it stands in. */
export const bench: Bench = {
  name: "probe",
  describe: `One probe in a running Node program, in bursts of ${EVENTS} events, next to a plain \`fetch\` line; every event is counted.`,
  run: async () => {
    const place = temporaryPlace();
    const counter = await counting();
    try {
      const subjects = [fetchLine(counter.url), probeLine(counter.url)].map((line, index) => {
        const file = join(place.folder, `line-${index}.mjs`);
        writeFileSync(
          file,
          `export function burst(from, count) {\nfor (let n = from; n < from + count; n += 1) {\n${line}\n}\n}\n`,
        );
        return file;
      });
      mkdirSync(join(place.folder, "work"));
      const [bases = [], candidates = []] = await alternating(ROUNDS, subjects, async (file) => {
        counter.numbers.clear();
        const micros = await measured(file, join(place.folder, "work"));
        const missing = (WARM_UP + BURSTS) * EVENTS - counter.numbers.size;
        if (missing !== 0) throw new Error(`${missing} events of ${file} are missing.`);
        return micros;
      });
      const subject = "one probe, CPU an event";
      return [ratioRow({ subject, base: "fetch line", unit: "µs", bases, candidates, limit: LIMIT })];
    } finally {
      counter.server.closeAllConnections();
      counter.server.close();
      place.remove();
    }
  },
};

/** What people write: the same event as the probe's. */
function fetchLine(url: string): string {
  const event = `{ sessionId: "${SESSION}", hypothesisId: "A", location: "line.mjs:3", msg: "[DEBUG] line", data: { n }, ts: Date.now() }`;
  return `fetch("${url}", { method: "POST", body: JSON.stringify(${event}) }).catch(() => {});`;
}

function probeLine(fallbackUrl: string): string {
  const data = [{ name: "n", expression: "n" }];
  const place = { hypothesis: "A", point: "line", location: "line.mjs:3" };
  return probeRegion({ language: "javascript", session: SESSION, ...place, data, fallbackUrl }).join("\n");
}

interface Counting {
  readonly server: Server;
  readonly url: string;
  /** The numbers of the events that came. */
  readonly numbers: Set<number>;
}

/** A server that takes events and counts them. @throws Error for one that came twice */
async function counting(): Promise<Counting> {
  const numbers = new Set<number>();
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      for (const line of body.split("\n")) {
        const { data } = JSON.parse(line) as { readonly data: { readonly n: number } };
        if (numbers.has(data.n)) throw new Error(`The event ${data.n} came twice.`);
        numbers.add(data.n);
      }
      response.end("ok");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/event`, numbers };
}

async function measured(file: string, cwd: string): Promise<number> {
  const words = [PROGRAM, file, String(WARM_UP), String(BURSTS), String(EVENTS)];
  const child = spawn(process.execPath, words, {
    cwd,
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  const [status] = (await once(child, "close")) as readonly (number | null)[];
  if (status !== 0) throw new Error(`${file} ended with the status ${status}.`);
  return Number(out);
}
