import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { SkillError, type Programs } from "skillctl";

/** How a shell command is run. */
export interface CommandRun {
  /** The text for `/bin/sh -c`. */
  readonly command: string;
  /** Its working folder, absolute. Default: that of this process. */
  readonly folder?: string;
  /** Environment variables in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Time limit in seconds. */
  readonly limitS: number;
  readonly signal: AbortSignal;
  /** Receives the output of the command. */
  readonly told: (text: string) => void;
}

/** How a command ended. */
export interface CommandEnd {
  /** Exit status; `undefined` if a signal or the time limit has ended it. */
  readonly status: number | undefined;
  readonly isLate: boolean;
  /** Milliseconds. */
  readonly ms: number;
  /** The end of a sentence, if the status is not sufficient. */
  readonly says?: string;
}

/**
 * Runs a command with all that it starts, to its end or its time limit.
 * @throws SkillError `CANCELLED`, `PROGRAM_FAILED`
 */
export async function runCommand(programs: Programs, run: CommandRun): Promise<CommandEnd> {
  const { command, folder, environment, limitS, signal, told } = run;
  const decoder = new TextDecoder();
  const began = performance.now();
  try {
    const { status } = await programs.run({
      program: "/bin/sh",
      args: ["-c", command],
      ...(folder !== undefined && { folder }),
      ...(environment && { environment }),
      variables: Object.keys(process.env),
      signal,
      timeoutMs: limitS * 1_000,
      isGroup: true,
      take: (bytes) => told(decoder.decode(bytes, { stream: true })),
      note: (line) => told(`${line}\n`),
    });
    const ms = performance.now() - began;
    return { status, isLate: status === undefined && ms >= limitS * 1_000, ms };
  } catch (caught) {
    if (!(caught instanceof SkillError) || caught.code !== "CANCELLED") throw caught;
    throw new SkillError("CANCELLED", `The call was cancelled while the program ran: ${command}`);
  }
}

/**
 * Sends the events of a Node program one by one while the program waits; probes call it if it exists
 * (`probes/languages/javascript.json`).
 */
const SENDER = `import{spawnSync}from"node:child_process";Promise.w=(u,b)=>spawnSync(process.execPath,["-e",'fetch(process.argv[1],{method:"POST",body:require("fs").readFileSync(0)})',u],{input:b,env:{ELECTRON_RUN_AS_NODE:1},timeout:3e4})`;

/** Variables with which Node programs wait until each event is stored. */
export function waitingVariables(): Readonly<Record<string, string>> {
  const given = process.env["NODE_OPTIONS"] ?? "";
  return { NODE_OPTIONS: `${given} --import=data:text/javascript,${encodeURIComponent(SENDER)}`.trim() };
}

/** The end of a sentence, such as `ended with status 1`. */
export function endText({ status, isLate, says }: CommandEnd, limitS: number): string {
  if (says !== undefined) return says;
  if (status !== undefined) return `ended with status ${status}`;
  return isLate ? `was ended after ${limitS} s (--timeout)` : "was ended by a signal";
}

const LOOK_MS = 50;

/** Waits for a listener at a port of this machine. @returns whether one appears in time */
export async function answers(port: number, ms: number, signal: AbortSignal): Promise<boolean> {
  for (const late = performance.now() + ms; performance.now() < late && !signal.aborted;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("close", () => resolve(false)).setTimeout(LOOK_MS * 10, () => socket.destroy());
      socket.once("connect", () => socket.destroy());
    });
    if (isOpen) return true;
    await pause(LOOK_MS);
  }
  return false;
}
