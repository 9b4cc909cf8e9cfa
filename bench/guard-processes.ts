import { spawn } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { nodeFiles } from "../core/adapters/files.ts";
import { PERL, hookCommand } from "../core/surfaces/hook/install/command.ts";
import { dispatcherFile, hostSocket } from "../core/surfaces/hook/warm/dispatcher.ts";
import { builtinSkills } from "../plugins/index.ts";
import { ratioRow, type Row } from "./row.ts";
import {
  FLOOR,
  PROGRAM,
  interleaved,
  runNode,
  temporaryPlace,
  variablesOf,
  type Place,
  type Subject,
} from "./whole-process.ts";

const COLD_LIMIT = 1.25;
const WARM_LIMIT = 0.12;
/** A host that does not listen by then does not start, in milliseconds. */
const START_MS = 20_000;

/** The event before a shell command, in Claude Code's words. */
function eventAt(cwd: string, command: string): string {
  return JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd,
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "c",
  });
}

/** With the ratio that it may not be over, if it has one. */
type Timed = readonly [subject: Subject, limit: number | undefined];

/** What an agent runs: the installed command, by the shell. */
function asAgent(dispatcher: string, state: string): Pick<Subject, "program" | "words"> {
  const parts = { dialect: "claude-code", dispatcher, state, perl: existsSync(PERL) };
  return { program: "sh", words: ["-c", hookCommand(parts)] };
}

function cold(label: string, input: string): Subject {
  return {
    label,
    words: [PROGRAM, "guard", "--dialect", "claude-code"],
    input,
    isRight: ({ out }) => out === "",
  };
}

/** Whole processes with the rules of all skills in the box, each over Node that does nothing, in the same rounds. */
export async function coldAndWarm(): Promise<readonly Row[]> {
  const place = temporaryPlace();
  const debugged = temporaryPlace();
  const ends: (() => Promise<void>)[] = [];
  try {
    const dispatcher = await warm(place, ends);
    const plain = eventAt("/shop", "npm test");
    const subjects: readonly Timed[] = [
      [cold("skillctl guard, a plain command", plain), COLD_LIMIT],
      [
        cold(
          "skillctl guard, a command for the whole grammar",
          eventAt("/shop", 'for f in src/*.ts; do grep -n x "$f" | head -3; done'),
        ),
        COLD_LIMIT,
      ],
      [
        { ...cold("the command of a hook, a warm host", plain), ...asAgent(dispatcher, place.state) },
        WARM_LIMIT,
      ],
      [
        {
          ...cold("a shell that becomes perl, for information", ""),
          program: "sh",
          words: ["-c", `exec ${PERL} -e 0`],
        },
        undefined,
      ],
    ];
    const rows = await measured(subjects, place);
    const session = openSession(debugged);
    return [...rows, ...(await measured([[session, COLD_LIMIT]], debugged))];
  } finally {
    for (const end of ends) await end();
    place.remove();
    debugged.remove();
  }
}

async function measured(subjects: readonly Timed[], place: Place): Promise<readonly Row[]> {
  const [bases = [], ...all] = await interleaved([FLOOR, ...subjects.map(([subject]) => subject)], place);
  return all.map((candidates, index) => {
    const [{ label }, limit] = subjects[index] as Timed;
    const pair = { subject: label, base: FLOOR.label, unit: "ms", bases, candidates };
    return ratioRow(limit === undefined ? pair : { ...pair, limit });
  });
}

/** Starts the host and answers the dispatcher that asks it. */
async function warm(place: Place, ends: (() => Promise<void>)[]): Promise<string> {
  const own = [process.execPath, PROGRAM];
  const variables = builtinSkills().flatMap(({ manifest }) => manifest.permissions?.environment ?? []);
  const dispatcher = await dispatcherFile(place.state, { own, variables, files: nodeFiles });
  const host = spawn(process.execPath, [PROGRAM, "guard", "--host"], {
    cwd: "/",
    env: variablesOf(place),
    stdio: "ignore",
  });
  const closed = new Promise<void>((resolve) => void host.once("close", () => resolve()));
  ends.push(() => {
    host.kill();
    return closed;
  });
  const socket = hostSocket(place.state);
  for (let waited = 0; !existsSync(socket); waited += 10) {
    if (waited > START_MS || host.exitCode !== null) throw new Error("The warm host does not start.");
    await sleep(10);
  }
  return dispatcher;
}

/** A project with a session before its evidence, and a command that changes nothing there. */
function openSession(place: Place): Subject {
  const project = join(realpathSync(place.folder), "project");
  mkdirSync(project);
  writeFileSync(join(project, "a.js"), "export const a = 1;\n");
  const { status, err } = runNode([PROGRAM, "run", "runtime-debug", "start", "It breaks."], {
    ...place,
    folder: project,
  });
  if (status !== 0) throw new Error(`The session did not begin: ${err}`);
  const denied = runNode(
    [PROGRAM, "guard", "--dialect", "claude-code"],
    place,
    eventAt(project, "echo 1 > a.js"),
  );
  if (!denied.out.includes("evidence-gate")) throw new Error(`The gate is open: ${denied.out}`);
  return cold("skillctl guard, an open debug session", eventAt(project, "git status"));
}
