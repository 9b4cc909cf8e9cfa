/** Exporters of the JavaScript SDK of OpenTelemetry as clients of the debug server, and spans of a host in one. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test, type TestContext } from "node:test";
import { BUILT } from "../../../contract-tests/command-line.ts";
import { ROOT } from "../../../contract-tests/harness.ts";
import { network } from "../../../contract-tests/networks.ts";
import { install } from "../../../contract-tests/registry.ts";
import { ask, until } from "./client.ts";
import { FAKETIME, needs } from "./faults/needs.ts";
import { debugServer, lastly } from "./server-harness.ts";
import { blockIn, keysOf } from "./serving.ts";

const PACKAGES = [
  "@opentelemetry/api@1",
  "@opentelemetry/api-logs@0.223",
  "@opentelemetry/sdk-logs@0.223",
  "@opentelemetry/sdk-trace-node@2",
  ...["logs", "trace"].flatMap((signal) =>
    ["http", "proto"].map((kind) => `@opentelemetry/exporter-${signal}-otlp-${kind}@0.223`),
  ),
];
const SESSION = "fault-test";

/** A service: for each line that it reads it logs that text in a span of that name, exports both, and answers. */
const SERVICE = `
import { createInterface } from "node:readline";
import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { LoggerProvider, SimpleLogRecordProcessor } from "@opentelemetry/sdk-logs";
import { NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
const [kind, name] = process.argv.slice(2);
const { OTLPLogExporter } = await import("@opentelemetry/exporter-logs-otlp-" + kind);
const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-" + kind);
const resource = resourceFromAttributes({ "service.name": name, "debug.session": "${SESSION}" });
const logs = new LoggerProvider({ resource, processors: [new SimpleLogRecordProcessor({ exporter: new OTLPLogExporter() })] });
const spans = new NodeTracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter())] });
spans.register();
const point = { "debug.hypothesis": "A", "debug.point": "cart.js:7" };
for await (const line of createInterface({ input: process.stdin })) {
  await spans.getTracer("cart").startActiveSpan(line, async (span) => {
    logs.getLogger("cart").emit({ body: line, severityText: "DEBUG", attributes: { ...point, total: 23.5, names: ["tea", "milk"] }, context: context.active() });
    await logs.forceFlush();
    span.recordException(new Error("no price"));
    span.setStatus({ code: SpanStatusCode.ERROR, message: "no price" });
    span.end();
  });
  await spans.forceFlush();
  console.log(Date.now());
}
`;

type Event = Readonly<Record<string, unknown>>;

/** A service that runs; \`tell\` settles with its time when what it has logged was exported. */
interface Service {
  readonly tell: (text: string) => Promise<number>;
}

function service(
  t: TestContext,
  folder: string,
  [program = process.execPath, ...words]: readonly string[],
  variables: Readonly<Record<string, string>>,
): Service {
  const child = spawn(program, words, {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...variables },
    stdio: ["pipe", "pipe", "inherit"],
  });
  lastly(t, async () => {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGKILL")) await ended;
  });
  const answers = createInterface({ input: child.stdout });
  return {
    tell: async (text) => {
      const answered = once(answers, "line");
      child.stdin.write(`${text}\n`);
      return Number((await answered)[0]);
    },
  };
}

const eventsAt = async (url: string, key = ""): Promise<readonly Event[]> =>
  JSON.parse(
    (await ask(url, { path: "/logs", headers: { authorization: `Bearer ${key}` } })).text,
  ) as Event[];

test("exporters of OpenTelemetry", async (t) => {
  const installed = await install(t, PACKAGES);
  if (!installed) return;
  const { folder, node } = installed;
  await writeFile(join(folder, "service.mjs"), SERVICE);

  await t.test("send the same in JSON and protobuf, packed or not", async (s) => {
    const server = await debugServer(s);
    const kinds = ["http", "proto"].flatMap((kind) =>
      ["none", "gzip"].map((packed) => [kind, packed] as const),
    );
    for (const [kind, packed] of kinds) {
      const one = service(s, folder, [node, "service.mjs", kind, "shop"], {
        OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
        OTEL_EXPORTER_OTLP_COMPRESSION: packed,
      });
      await one.tell(`${kind} ${packed}`);
    }
    const events = await until(
      () => eventsAt(server.url),
      ({ length }) => length >= 2 * kinds.length,
    );
    assert.equal(events.length, 2 * kinds.length);
    kinds.forEach(([kind, packed]) => {
      const text = `${kind} ${packed}`;
      const own = events.filter(({ msg }) => msg === text);
      const [log, span] = [true, false].map((isLog) => own.find((one) => "durationMs" in one !== isLog));
      const { hypothesisId, location, msg, data, severity, service: name, scope, _src } = log ?? {};
      const values = { total: 23.5, names: ["tea", "milk"] };
      assert.deepEqual(
        [hypothesisId, location, msg, data, severity, name, scope, _src],
        ["A", "cart.js:7", text, values, "DEBUG", "shop", "cart", "otlp"],
      );
      assert.deepEqual(
        [span?.["msg"], span?.["hypothesisId"], span?.["error"]],
        [text, undefined, "no price"],
      );
      assert.match(JSON.stringify(span?.["data"]), /"name":"exception".*"exception.message":"no price"/);
      assert.match(String(span?.["traceId"]), /^[0-9a-f]{32}$/);
      assert.deepEqual([log?.["traceId"], log?.["spanId"]], [span?.["traceId"], span?.["spanId"]]);
      assert.ok(Number(span?.["durationMs"]) > 0);
    });
  });

  const skip = needs("linux", "root", "ip", "network namespaces", "libfaketime");
  await t.test(
    "of two services with separate networks and clocks meet in one session, in the order in which they were sent",
    { skip },
    async (s) => {
      const networks = [1, 2].map((number) => network("10.231", number));
      lastly(s, async () => networks.forEach(({ remove }) => remove()));
      const server = await debugServer(s, { words: ["--remote"] });
      const keys = await keysOf(blockIn(server.out()));
      const services = networks.map(({ name, gateway }, at) =>
        service(s, folder, ["ip", "netns", "exec", name, node, "service.mjs", "proto", `service-${at}`], {
          OTEL_EXPORTER_OTLP_ENDPOINT: `http://${gateway}:${server.port}`,
          OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${keys.collect}`,
          LD_PRELOAD: FAKETIME ?? "",
          FAKETIME: at === 0 ? "+5m" : "-5m",
          DONT_FAKE_MONOTONIC: "1",
          FAKETIME_DONT_FAKE_MONOTONIC: "1",
        }),
      );
      const texts = Array.from({ length: 20 }, (_, at) => `step ${at}`);
      for (const [at, text] of texts.entries()) await services[at % 2]?.tell(text);
      const events = (await eventsAt(`http://127.0.0.1:${server.port}`, keys.control)).filter(
        ({ hypothesisId }) => hypothesisId === "A",
      );
      assert.deepEqual(
        events.map(({ msg }) => msg),
        texts,
      );
      assert.deepEqual([...new Set(events.map(({ service: name }) => name))], ["service-0", "service-1"]);
      const [early, late] = [events[1], events[0]].map(
        (event) => Number(event?.["ts"]) - Number(event?.["_at"]),
      );
      const minutes = [Math.round((early ?? 0) / 60_000), Math.round((late ?? 0) / 60_000)];
      assert.deepEqual(minutes, [-5, 5]);
    },
  );

  await t.test("send the calls and decisions of a host that serves", async (s) => {
    const [sample = ""] =
      /(?<=^```js\n)\/\/ tracing\.mjs.*?(?=^```$)/ms.exec(
        readFileSync(join(ROOT, "docs", "opentelemetry.md"), "utf8"),
      ) ?? [];
    await writeFile(join(folder, "tracing.mjs"), sample);
    const server = await debugServer(s);
    const child = spawn(node, [...BUILT, "serve", "--no-key", "--port", "0"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        HOME: folder,
        SKILLCTL_STATE: join(folder, "state"),
        NODE_OPTIONS: "--import ./tracing.mjs",
        OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
        OTEL_BSP_SCHEDULE_DELAY: "100",
      },
    });
    lastly(s, async () => {
      const ended = once(child, "exit");
      if (child.exitCode === null && child.kill("SIGKILL")) await ended;
    });
    const lines = [child.stdout, child.stderr].map((input) => createInterface({ input }));
    const address = await new Promise<string>((resolve) => {
      for (const one of lines)
        one.on("line", (line: string) => {
          const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
          if (found !== undefined) resolve(found);
        });
    });
    const post = (path: string, body: object): Promise<Response> =>
      fetch(address + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    await post("/v1/skills/runtime-debug/commands/status", { session: "no-such-session" });
    const command = "cat ~/.svc-login/token.json";
    await post("/v1/guard", { event: "tool.pre", surface: "hook", tool: "shell", command });
    const [call, decision] = await until(
      () => eventsAt(server.url),
      ({ length }) => length > 1,
    );
    assert.deepEqual(
      [call?.["msg"], call?.["error"], call?.["service"]],
      ["runtime-debug status", true, "skillctl"],
    );
    assert.deepEqual(call?.["data"], {
      "skillctl.skill": "runtime-debug",
      "skillctl.command": "status",
      "skillctl.surface": "http",
      "error.type": "DEBUG_NO_SESSION",
    });
    const { "skillctl.rule": rule, ...decided } = (decision?.["data"] ?? {}) as Event;
    assert.equal(decision?.["msg"], "skillctl.decision");
    assert.equal(rule, "login-proxy/no-cache-read");
    assert.deepEqual(decided, {
      "skillctl.decision": "deny",
      "skillctl.event": "tool.pre",
      "skillctl.surface": "hook",
    });
  });
});
