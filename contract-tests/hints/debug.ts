/** Hints of runtime-debug that name a command. */
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import type { SkillError, Subject } from "skillctl";
import { recordFile } from "../../plugins/runtime-debug/server/server-files.ts";
import { entryOf } from "../../plugins/runtime-debug/tests/session-harness.ts";
import { ID, event } from "../../plugins/runtime-debug/tests/doors-walk.ts";
import { ROOT } from "../harness.ts";
import type { HintRow } from "./table.ts";
import { FILL, again, debugHint, fix, status, type DebugRow, type Desk } from "./debug-desk.ts";

/** The next step in each state, as `status` names it. */
const NEXT_STEPS: readonly DebugRow[] = (
  [
    ["observing", "hypothesize ", /Step 4 of 11/],
    ["instrumenting", "probe ", /total\.js/],
    ["reproducing", "answer LETTER", /Step 7 of 11/, (desk) => desk.post(event("A"), event("B"), event("C"))],
    ["judging", "judge ", /Step 7 of 11/],
    ["judging", "back ", /Step 6 of 11/],
    ["fixing", "fix ", /Step 9 of 11/, fix],
    ["fixing", "back ", /Step 7 of 11/],
    ["verifying", "verify ", /Step 10 of 11/, again],
    ["confirming", "answer LETTER", /Step 11 of 11/],
    ["cleaning", "cleanup ", /is closed|Nothing of it/, (desk) => desk.stop()],
    ["observing", "answer D", /Step 11 of 11/],
    ["instrumenting", "answer D", /Step 11 of 11/],
    ["judging", "answer D", /Step 11 of 11/],
  ] as readonly (readonly [DebugRow["state"], string, RegExp, DebugRow["act"]?])[]
).map(([state, command, output, act]) => ({
  title: `what comes next while ${state}, ${command.trim()}`,
  state,
  asked: status,
  places: [command === "back " ? "session/rounds.ts: back" : "session/next-step.ts:"],
  ...(act && { act }),
  command,
  fill: FILL,
  ends: [0, output],
}));

const ROWS: readonly DebugRow[] = [
  ...NEXT_STEPS,
  ...["hypothesize ", "answer D"].map((command): DebugRow => ({
    title: `the next step while a second session is under way, ${command.trim()}`,
    state: "observing",
    asked: async (desk) => {
      await desk.told("start", "the login times out");
      return status(desk);
    },
    command,
    fill: FILL,
    ends: [0, command === "answer D" ? /Step 11 of 11/ : /Step 4 of 11/],
  })),
  {
    title: "a refused step whose hint takes two steps back",
    state: "confirming",
    asked: (desk) => desk.told("fix x"),
    command: "back ",
    ends: [0, /Step 9 of 11/],
  },
  ...["undo ", "keep ", "back "].map((command): DebugRow => ({
    title: `code that has changed before evidence, ${command.trim()}`,
    places: command === "back " ? [] : [`check/check-tree.ts: ${command.trim()}`],
    state: command === "back " ? "verifying" : "judging",
    asked: async (desk) => {
      await desk.replace("return sum", "return sum + 0");
      return desk.told(
        command === "back " ? "verify" : "judge --verdicts",
        ...(command === "back " ? [] : ["A confirmed #1: x"]),
      );
    },
    command,
    fill: { FILE: "total.js" },
    ends: [0, /total\.js|Step/],
  })),
  ...(["instrumenting", "reproducing", "judging"] as const).map((state): DebugRow => ({
    title: `a line with an address outside all regions while ${state}`,
    places: ["session/steps.ts: probe"],
    state,
    asked: async (desk) => {
      await desk.replace("  return sum", "  fetch(process.env.DEBUG_SERVER_URL);\n  return sum");
      return desk.told(`check ${ID}`);
    },
    command: "probe",
    fill: FILL,
    ends: [0, /total\.js/],
  })),
  {
    title: "a fix without one of its probes",
    state: "fixing",
    asked: async (desk) => {
      const text = await readFile(join(desk.root, "total.js"), "utf8");
      await desk.write("total.js", text.replace(/^.*#region debug-point B:loop[^]*?#endregion.*\n/m, ""));
      await fix(desk);
      return desk.told("fix x");
    },
    command: "probe",
    fill: FILL,
    ends: [0, /total\.js[^]*fix "WHAT WAS CHANGED"/],
  },
  {
    title: "a staged file with a probe",
    places: ["check/staged.ts: status"],
    state: "judging",
    git: true,
    asked: async (desk) => {
      desk.git("add", "-A");
      return desk.told("check --staged");
    },
    command: "status",
    ends: [0, /Step 7 of 11/],
  },
  {
    title: "more events than the answer shows",
    places: ["commands/answer-command.ts: logs"],
    state: "reproducing",
    asked: async (desk) => {
      await desk.post(...Array.from({ length: 300 }, () => event("A")));
      return desk.told("answer A");
    },
    command: "logs ",
    ends: [0, /\[DEBUG\] loop/],
  },
  {
    title: "a hypothesis without a probe",
    places: ["commands/check-command.ts: probe"],
    state: "instrumenting",
    asked: (desk) => desk.told("check"),
    command: "probe --hypothesis A",
    more: ["--point", "loop", "--data", "sum", "--apply", "total.js:4"],
    ends: [0, /total\.js/],
  },
  {
    title: "a verdict that cites lines of other hypotheses",
    places: ["commands/judge-command.ts: logs"],
    state: "judging",
    asked: (desk) => desk.told("judge --verdicts", "A confirmed #2: x"),
    command: "logs ",
    ends: [0, /\[DEBUG\] loop/],
  },
  {
    title: "a verdict without lines, in the text of its rule",
    places: ["skills/runtime-debug/skill.json: logs"],
    state: "judging",
    asked: async ({ host }) => {
      const file = join(ROOT, "skills/runtime-debug/rules/cite-log-lines.json");
      const { stops } = JSON.parse(await readFile(file, "utf8")) as { stops: [{ subject: Subject }] };
      return (await host.host.guard.decide(stops[0].subject)).agentMessage ?? "";
    },
    command: "logs",
    ends: [0, /\[DEBUG\] loop/],
  },
  {
    title: "a file of which no copy is kept",
    places: ["commands/undo-command.ts: keep"],
    state: "verifying",
    asked: async (desk) => {
      await desk.replace("return sum", "return sum + 0");
      const { images } = (await entryOf(desk, ID)).baseline;
      await rm(join(images, "..", "accepted"), { recursive: true });
      return desk.told("undo");
    },
    command: "keep ",
    fill: FILL,
    ends: [0, /total\.js/],
  },
  {
    title: "logs of a session that never had a server",
    places: ["commands/logs-command.ts: serve"],
    state: "observing",
    asked: (desk) => desk.told("logs login-timeout"),
    command: "serve ",
    more: ["--port", "0"],
    settings: () => ({ signal: AbortSignal.timeout(3_000) }),
    ends: [0, /DEBUG_SERVER_INFO/],
  },
  {
    title: "hypotheses whose values cannot be reported",
    places: ["commands/hypothesize-command.ts: hypothesize"],
    state: "observing",
    asked: (desk) =>
      desk.told(
        "hypothesize --hypotheses",
        ["It skips", "It is text", "It is cut"]
          .map((text) => `${text} | refuted by: the sum | at total.js:3 | log: total()`)
          .join("\n"),
      ),
    command: "hypothesize ",
    fill: FILL,
    ends: [0, /Step 4 of 11/],
  },
  {
    title: "facts that the user has not given",
    places: ["commands/start-command.ts: answer"],
    state: "observing",
    asked: (desk) => desk.told("start --session other-bug", "The total is wrong"),
    command: "answer A",
    ends: [0, /Step 2 of 11/],
  },
  {
    title: "a server that does not answer",
    places: ["commands/status-command.ts: serve"],
    state: "reproducing",
    asked: async (desk) => {
      await desk.stop();
      return desk.told("status");
    },
    command: "serve ",
    ends: [0, /http:\/\/127/],
  },
  {
    title: "status after the end of the session",
    places: ["commands/status-command.ts: start"],
    state: "cleaning",
    asked: async (desk) => {
      await desk.stop();
      await desk.told("cleanup");
      return desk.told("status");
    },
    command: "start ",
    ends: [0, /has begun/],
  },
  {
    title: "another command after the end of the session",
    places: ["session/sessions.ts: start"],
    state: "cleaning",
    asked: async (desk) => {
      await desk.stop();
      await desk.told("cleanup");
      return desk.told("check");
    },
    command: "start ",
    ends: [0, /has begun/],
  },
  {
    title: "an undo of an unchanged file",
    places: ["drift/drift.ts: status"],
    state: "judging",
    asked: (desk) => desk.told("undo total.js"),
    command: "status",
    ends: [0, /Step 7 of 11/],
  },
  {
    title: "a doctor that is asked over HTTP about another machine",
    places: ["commands/doctor-command.ts: doctor"],
    state: "instrumenting",
    asked: (desk) => refusal(desk, "doctor", { session: ID, url: "http://192.0.2.1:7777/event" }),
    command: "doctor",
    ends: [0, /arrives|holds|event/],
  },
  {
    title: "a debug adapter without log points",
    places: ["observe/adapter.ts: probe"],
    state: "instrumenting",
    asked: async (desk) => {
      const body = JSON.stringify({ type: "response", request_seq: 1, success: true, body: {} });
      const server = createServer((socket) =>
        socket.unref().once("data", () => socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`)),
      ).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const point = "--hypothesis A --point loop --at total.js:4 --data sum";
      const text = await desk.told(`observe --adapter 127.0.0.1:${port} ${point}`);
      server.close();
      return text;
    },
    command: "probe",
    more: ["--hypothesis", "A", "--point", "loop", "--data", "sum", "--apply", "total.js:4"],
    ends: [0, /total\.js/],
  },
  {
    title: "a doctor of a session that has no server",
    places: ["server/doctor.ts: serve"],
    state: "observing",
    asked: (desk) => desk.told("doctor login-timeout"),
    command: "serve ",
    ends: [0, /http:\/\/127/],
  },
  {
    title: "a server that ends unexpectedly",
    places: ["server/server-call.ts: doctor"],
    state: "fixing",
    asked: async (desk) => {
      await fix(desk);
      const dropping = await droppingServer(desk.url);
      await readdress(desk, desk.url, dropping.url);
      const text = await desk.told("fix x");
      dropping.close();
      await readdress(desk, dropping.url, desk.url);
      return text;
    },
    command: "doctor ",
    ends: [0, /arrives|holds|event/],
  },
  {
    title: "sessions that a newer version has written",
    places: ["session/ledger.ts"],
    state: "observing",
    asked: async (desk) => {
      const name = { collection: "runtime-debug-sessions", id: desk.root };
      await desk.host.host.ports.state.update(name, 600_000, () => ({ version: 9 }));
      return desk.told("check");
    },
    program: "skillctl doctor",
    command: "",
    ends: [0, /State folder/],
  },
  {
    title: "an answer without events",
    places: ["session/sessions.ts: doctor"],
    state: "reproducing",
    asked: (desk) => desk.told("answer A"),
    command: "doctor ",
    ends: [0, /port: \S+ answers/],
  },
  ...["logs ", "check "].map((command): DebugRow => ({
    title: `an answer with events that are no evidence, ${command.trim()}`,
    places: [`session/evidence.ts: ${command.trim()}`],
    state: "reproducing",
    asked: async (desk) => {
      await desk.post(event("Q"));
      return desk.told("answer A");
    },
    command,
    ends: [0, /\[DEBUG\] loop|Step 6 of 11/],
  })),
  {
    title: "a reproduction without a command",
    places: ["reproduce/reproductions.ts: reproduce"],
    state: "reproducing",
    asked: (desk) => desk.told("reproduce"),
    command: "reproduce ",
    fill: FILL,
    ends: [0, /No event has arrived/],
  },
  {
    title: "probes that were printed and inserted by hand",
    places: ["commands/probe-command.ts: check"],
    state: "instrumenting",
    asked: async (desk) => {
      let text = "";
      for (const letter of "ABC") {
        text = await desk.told(`probe --hypothesis ${letter} --point loop --data sum --lang js`);
        const [region = ""] = text.split("\n\n");
        await desk.replace("  return sum", `${region}\n  return sum`);
      }
      return text;
    },
    command: "check ",
    ends: [0, /Step 6 of 11/],
  },
  {
    title: "a probe for the last hypothesis",
    places: ["session/set-probes.ts: check"],
    state: "instrumenting",
    asked: async (desk) => {
      let text = "";
      for (const letter of "ABC")
        text = await desk.told(`probe --hypothesis ${letter} --point loop --data sum --apply total.js:4`);
      return text;
    },
    command: "check ",
    ends: [0, /Step 6 of 11/],
  },
];

/** The same probe as in the session: the rules of the skill name it to the model. */
const GUARDED: readonly DebugRow[] = (
  [
    ["evidence-gate", "", "instrumenting", "probe "],
    ["evidence-gate", "gate/session-gate.ts: undo", "judging", "undo"],
    ["evidence-gate", "gate/session-gate.ts: status", "judging", "status"],
    ["no-native-logging", "skills/runtime-debug/skill.json: probe", "instrumenting", "probe"],
  ] as const
).map(([rule, place, state, command]) => ({
  title: `an edit that ${rule} denies, ${command.trim()}`,
  places: place === "" ? [] : [place],
  state,
  asked: async (desk) =>
    (await edited(desk, rule === "no-native-logging" ? LOGGING : "sum + 0")).agentMessage ?? "",
  command,
  fill: FILL,
  ends: [0, /total\.js|Step|Nothing has changed/],
}));

const LOGGING = "sum;\n// #region debug-point A:end\nconsole.log(1);\n// #endregion debug-point A:end";

/** The verdict of the guard on an edit of `total.js`. */
function edited({ host, root }: Desk, text: string) {
  const path = join(root, "total.js");
  const input = { file_path: path, old_string: "return sum", new_string: `return ${text}` };
  const call = {
    event: "tool.pre",
    surface: "hook",
    tool: "edit",
    name: "Edit",
    input,
    content: input.new_string,
  } as const;
  return host.host.guard.decide({ ...call, paths: [path], cwd: root, session: "agent-1" });
}

/** The hint of a command that is refused over HTTP. */
async function refusal({ run }: Desk, command: "doctor" | "serve", input: object): Promise<string> {
  const error = await run(command, input, "http").catch((caught: unknown) => caught);
  return (error as SkillError).hint ?? "";
}

/** A server that forwards GET requests, and breaks the connection of any other request. */
async function droppingServer(url: string) {
  const server = createHttpServer((request, response) => {
    if (request.method !== "GET") return void request.socket.destroy();
    void fetch(`${url}${request.url}`).then(async (reply) => response.end(await reply.text()));
  }).listen(0, "127.0.0.1");
  server.unref();
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.closeAllConnections() };
}

/** Puts another address into the record of the server. */
async function readdress({ host, root }: Desk, from: string, to: string): Promise<void> {
  const file = recordFile(host.environment, { folder: join(root, ".dbg") }, ID);
  await writeFile(file, (await readFile(file, "utf8")).replaceAll(from, to));
}

export const DEBUG_HINTS: readonly HintRow[] = [...ROWS, ...GUARDED].map(debugHint);
