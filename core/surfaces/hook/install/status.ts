import { SkillError } from "../../../errors/skill-error.ts";
import { dispatcherPath, startedIn } from "../warm/dispatcher.ts";
import type { HookScope, WithoutAnswer } from "./client.ts";
import { startedBy } from "./command.ts";
import { entriesIn } from "./entries.ts";
import type { InstallPorts, SettingsPlace } from "./place.ts";
import { hashOf, readReceipt } from "./receipt.ts";
import { decoded } from "./settings-text.ts";

/** How the hooks of an agent stand in one of its settings files. */
export interface HookStatus {
  readonly client: string;
  readonly scope: HookScope;
  readonly file: string;
  /** `partly`: at some of the events only. */
  readonly installed: "yes" | "partly" | "no";
  /** Events without our hook. Empty unless it is `partly`. */
  readonly missing: readonly string[];
  /** Somebody has changed the file since hooks were installed. */
  readonly changed: boolean;
  /** The settings say that hooks are not to be run. */
  readonly switchedOff: boolean;
  /** The file that the hooks start; missing where they start the program itself. */
  readonly dispatcher?: { readonly file: string; readonly there: boolean; readonly starts?: string };
  /** What becomes of a call when the hook is late. */
  readonly late: WithoutAnswer;
  /** What becomes of a call when the hook cannot be started or fails. */
  readonly failing: WithoutAnswer;
  /** What keeps the hooks from working, each a sentence. Empty: nothing that can be seen. */
  readonly faults: readonly string[];
}

/** @throws SkillError `CONFIG_INVALID`, `FILE_UNREADABLE` */
export async function statusOf(place: SettingsPlace, ports: InstallPorts): Promise<HookStatus> {
  const { client, scope, file, target } = place;
  const bytes = await ports.files.readBytes(target);
  const { mark, text } = bytes ? decoded(bytes, file) : { mark: "", text: "{}" };
  const { commands, events, differing, foreign, settings, comments } = entriesIn(text, client, file);
  const missing = Object.keys(client.events).filter((event) => !events.includes(event));
  const installed = events.length === 0 ? "no" : missing.length === 0 ? "yes" : "partly";
  const receipt = await readReceipt(place, ports);
  const [command = ""] = commands;
  const { dispatcher: path, program, state } = startedBy(command) ?? {};
  const dispatcher = path === undefined ? undefined : await dispatcherAt(path, ports);
  const failing = program === undefined ? "denied" : client.late;
  const unheard = foreign.filter((event) => !events.includes(event));
  const switchedOff = installed !== "no" && client.switchedOff(settings, command);
  const faults = [
    installed === "partly" && `The hook is missing at ${missing.join(", ")}.`,
    unheard.length > 0 &&
      `At ${unheard.join(", ")} stands a command that only names the guard: it is not the one that is installed, and whether it asks the guard is not known.`,
    differing.length > 0 &&
      `At ${differing.join(", ")} the hook is not as it is installed: install it again.`,
    commands.length > 1 && "Hooks of two installations stand there; the strictest answer counts.",
    switchedOff && "The settings switch hooks off.",
    installed !== "no" &&
      comments &&
      !client.reads.includes("comments") &&
      `${client.title} does not read settings with comments or commas too many.`,
    installed !== "no" &&
      mark !== "" &&
      !client.reads.includes("mark") &&
      `${client.title} does not read settings that begin with a byte order mark.`,
    dispatcher?.fault,
    state !== undefined &&
      state !== ports.environment.stateFolder &&
      `It goes by the state folder ${state}, not by ${ports.environment.stateFolder}.`,
    program !== undefined &&
      (await ports.files.facts(program)) === undefined &&
      `${program} is missing: every call is ${failing}.`,
  ].filter((fault) => typeof fault === "string");
  return {
    client: client.name,
    scope,
    file,
    installed,
    missing: installed === "partly" ? missing : [],
    changed: bytes !== undefined && receipt !== undefined && !receipt.after.includes(hashOf(bytes)),
    switchedOff,
    ...(dispatcher && {
      dispatcher: {
        file: dispatcher.file,
        there: dispatcher.there,
        ...(dispatcher.starts !== undefined && { starts: dispatcher.starts }),
      },
    }),
    late: client.late,
    failing,
    faults,
  };
}

interface Dispatcher {
  readonly file: string;
  readonly there: boolean;
  /** The program that it starts where no warm host answers. */
  readonly starts?: string;
  /** What is wrong with it. */
  readonly fault?: string;
}

async function dispatcherAt(file: string, { files, environment }: InstallPorts): Promise<Dispatcher> {
  const expected = dispatcherPath(environment.stateFolder);
  const found = await foundAt(file, files);
  if (found.fault !== undefined || file === expected) return found;
  return { ...found, fault: `${file} is not the dispatcher of this state folder, ${expected}.` };
}

async function foundAt(file: string, files: InstallPorts["files"]): Promise<Dispatcher> {
  if ((await files.facts(file)) === undefined)
    return { file, there: false, fault: `${file} is missing: every call is denied.` };
  const text = await files.readText(file).catch((caught: unknown) => reasonOf(caught));
  if (typeof text !== "string") return { file, there: true, fault: `${text?.message} Every call is denied.` };
  const starts = startedIn(file, text)?.at(-1);
  if (starts === undefined)
    return {
      file,
      there: true,
      fault: `${file} was changed, or is of another version: install the hooks again.`,
    };
  if ((await files.facts(starts)) !== undefined) return { file, there: true, starts };
  const fault = `${starts} is missing: calls are denied when no warm host answers.`;
  return { file, there: true, starts, fault };
}

function reasonOf(caught: unknown): SkillError {
  if (caught instanceof SkillError) return caught;
  throw caught;
}
