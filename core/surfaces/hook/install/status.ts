import { dirname, join } from "node:path";
import type { HookScope, WithoutAnswer } from "./clients.ts";
import { startedBy } from "./command.ts";
import { entriesIn } from "./entries.ts";
import { hashOf, readReceipt } from "./installer.ts";
import { onPath, settingsFileOf, type InstallPorts, type SettingsFile } from "./settings-file.ts";
import { decoded, readSettings, valueOf } from "./settings-text.ts";

/** How the hooks of an agent stand in one of its settings files. */
export interface HookStatus {
  readonly client: string;
  readonly scope: HookScope;
  readonly file: string;
  /** `partly`: at some of the events only. */
  readonly installed: "yes" | "partly" | "no";
  /** Events without our hook as it is installed. Empty unless it is `partly`. */
  readonly missing: readonly string[];
  /** Somebody has changed the file since hooks were installed. */
  readonly changed: boolean;
  /** The settings say that hooks are not to be run, here or in another file that the agent reads. */
  readonly switchedOff: boolean;
  /** What the hooks start; missing where there are none, or those of an earlier version. */
  readonly starts?: string;
  /** Where they ask a running server, instead or at most events. */
  readonly asks?: string;
  /** What becomes of a call when the hook is late. */
  readonly late: WithoutAnswer;
  /** What becomes of a call when the hook cannot be started or fails. */
  readonly failing: WithoutAnswer;
  /** What keeps the hooks from working, each a sentence. Empty: nothing that can be seen. */
  readonly faults: readonly string[];
}

/** @throws SkillError `CONFIG_INVALID`, `FILE_UNREADABLE` */
export async function statusOf(place: SettingsFile, ports: InstallPorts): Promise<HookStatus> {
  const { client, scope, file, target } = place;
  const bytes = await ports.files.readBytes(target);
  const { mark, text } = bytes ? decoded(bytes, file) : { mark: "", text: "{}" };
  const { entry, missing, settings, comments } = entriesIn(text, client, file);
  const installed = !entry ? "no" : missing.length === 0 ? "yes" : "partly";
  const receipt = await readReceipt(place, ports);
  const { program = [], state } = startedBy(entry?.command ?? "") ?? {};
  const failing = program[0] === "node" ? client.late : "denied";
  const gone = await missingIn(program, ports);
  const off = installed === "no" ? undefined : await switchedOffIn(place, settings, ports);
  const faults = [
    installed === "partly" &&
      `At ${missing.join(", ")} the hook is missing, or not as it is installed: install it again.`,
    !entry && receipt && "The hooks that were installed here are gone, or are other commands now.",
    off !== undefined && `${off === target ? "The settings switch" : `${off} switches`} hooks off.`,
    installed !== "no" &&
      comments &&
      !client.reads.includes("comments") &&
      `${client.title} does not read settings with comments or commas too many.`,
    installed !== "no" &&
      mark !== "" &&
      !client.reads.includes("mark") &&
      `${client.title} does not read settings that begin with a byte order mark.`,
    installed !== "no" &&
      entry?.command !== "" &&
      program.length === 0 &&
      "The hooks start a dispatcher, as earlier versions did: install them again.",
    state !== undefined &&
      state !== ports.environment.stateFolder &&
      `It goes by the state folder ${state}, not by ${ports.environment.stateFolder}.`,
    gone !== undefined && `${gone} is missing: every call is ${failing}.`,
    program[0] === "skillctl" && (await misled(ports)),
    entry?.url !== undefined &&
      (await isSilent(entry.url)) &&
      `No server answers at ${new URL(entry.url).origin}: start skillctl serve with that --port.`,
  ].filter((fault) => typeof fault === "string");
  return {
    client: client.name,
    scope,
    file,
    installed,
    missing: installed === "partly" ? missing : [],
    changed: bytes !== undefined && receipt !== undefined && !receipt.after.includes(hashOf(bytes)),
    switchedOff: off !== undefined,
    ...(program.length > 0 && { starts: program.join(" ") }),
    ...(entry?.url !== undefined && { asks: entry.url }),
    late: client.late,
    failing,
    faults,
  };
}

/** The first file of a program that is not there. */
async function missingIn(program: readonly string[], { files }: InstallPorts): Promise<string | undefined> {
  for (const word of program) if (/[\\/]/.test(word) && (await files.facts(word)) === undefined) return word;
  return undefined;
}

/** What is to be said where the name of the program leads to no program, or to another one. */
async function misled(ports: InstallPorts): Promise<string | undefined> {
  const found = await onPath(ports);
  if (found === undefined)
    return "PATH leads to no skillctl: with the same PATH the agent denies every call.";
  if (found === (await ports.files.realPath(ports.program))) return undefined;
  return `PATH leads to ${found}, which is another program than this one (${ports.program}).`;
}

/** The first of the settings files that hold together with one, or that one, which switches hooks off. */
async function switchedOffIn(
  { client, target }: SettingsFile,
  settings: object,
  ports: InstallPorts,
): Promise<string | undefined> {
  if (client.switchedOff(settings as Readonly<Record<string, unknown>>)) return target;
  const project = await settingsFileOf(client, "project", ports);
  const user = await settingsFileOf(client, "user", ports);
  const beside = client.beside === undefined ? [] : [join(dirname(project.target), client.beside)];
  for (const file of [...beside, project.target, user.target]) {
    const bytes = await ports.files.readBytes(file);
    try {
      const { root } = readSettings(decoded(bytes ?? Buffer.from("{}"), file).text, file);
      if (client.switchedOff(valueOf(root) as Readonly<Record<string, unknown>>)) return file;
    } catch {
      // The agent cannot read it either.
    }
  }
  return undefined;
}

const HERE = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Whether no `skillctl serve` of this machine answers there. Others are not asked: a project's file may name any. */
async function isSilent(url: string): Promise<boolean> {
  const { origin, hostname } = new URL(url);
  if (!HERE.test(hostname)) return false;
  try {
    const signal = AbortSignal.timeout(2000);
    return !(await fetch(`${origin}/health`, { signal, redirect: "manual" })).ok;
  } catch {
    return true;
  }
}
