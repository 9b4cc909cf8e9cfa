import { Agent, request } from "node:http";
import { processEnvironment } from "../core/adapters/environment.ts";
import { createHost, serveHttp } from "../core/host.ts";
import { builtinSkills } from "../plugins/index.ts";
import { figureRow, type Row } from "./row.ts";
import { temporaryPlace, variablesOf } from "./whole-process.ts";

const WARM_UP = 200;
const CALLS = 2_000;
const BODY = JSON.stringify({
  event: "tool.pre",
  surface: "http",
  tool: "shell",
  name: "Bash",
  cwd: "/shop",
  command: "npm test",
  input: { command: "npm test" },
});

/** What an agent waits for that can call HTTP: one call after the other on one connection, rules of all skills in the box. */
export async function overHttp(): Promise<Row> {
  const place = temporaryPlace();
  const environment = processEnvironment(variablesOf(place), place.folder);
  const host = await createHost({ skills: builtinSkills(), ports: { environment } });
  const server = await serveHttp(host, { port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const url = new URL("/v1/guard", server.url);
    const times: number[] = [];
    for (let call = 0; call < WARM_UP + CALLS; call += 1) {
      const start = process.hrtime.bigint();
      const answer = await asked(url, agent);
      if (answer !== '{"decision":"allow"}') throw new Error(`The guard says ${answer}`);
      if (call >= WARM_UP) times.push(Number(process.hrtime.bigint() - start) / 1e3);
    }
    return figureRow("POST /v1/guard", "rules of all skills", "µs", times);
  } finally {
    agent.destroy();
    await server.close();
    await host.close();
    place.remove();
  }
}

function asked(url: URL, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(BODY) };
    const call = request(url, { method: "POST", agent, headers }, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      reply.once("end", () => resolve(text)).once("error", reject);
    });
    call.once("error", reject).end(BODY);
  });
}
