import { SkillError } from "../../../errors/skill-error.ts";
import type { HookScope, WithoutAnswer } from "./client.ts";
import { dispatcherIn, unquoted } from "./command.ts";
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
  /** What becomes of a call when the hook is late; when it fails or is missing, the call is denied. */
  readonly late: WithoutAnswer;
  /** What keeps the hooks from working, each a sentence. Empty: nothing that can be seen. */
  readonly faults: readonly string[];
}

/** @throws SkillError `CONFIG_INVALID`, `FILE_UNREADABLE` */
export async function statusOf(place: SettingsPlace, ports: InstallPorts): Promise<HookStatus> {
  const { client, scope, file, target } = place;
  const bytes = await ports.files.readBytes(target);
  const { mark, text } = bytes ? decoded(bytes, file) : { mark: "", text: "{}" };
  const { commands, events, settings, comments } = entriesIn(text, client, file);
  const missing = Object.keys(client.events).filter((event) => !events.includes(event));
  const installed = events.length === 0 ? "no" : missing.length === 0 ? "yes" : "partly";
  const receipt = await readReceipt(place, ports);
  const [command = ""] = commands;
  const path = dispatcherIn(command);
  const dispatcher = path === undefined ? undefined : await dispatcherAt(path, ports);
  const switchedOff = installed !== "no" && client.switchedOff(settings, command);
  const faults = [
    installed === "partly" && `The hook is missing at ${missing.join(", ")}.`,
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

async function dispatcherAt(file: string, { files }: InstallPorts): Promise<Dispatcher> {
  if ((await files.facts(file)) === undefined)
    return { file, there: false, fault: `${file} is missing: every call is denied.` };
  const text = await files.readText(file).catch((caught: unknown) => reasonOf(caught));
  if (typeof text !== "string") return { file, there: true, fault: `${text?.message} Every call is denied.` };
  const [, words] = /^(.*) guard --dialect "\$dialect"$/m.exec(text) ?? [];
  const last = words === undefined ? undefined : /('[^']*'|\\.)+$/.exec(words)?.[0];
  if (last === undefined) return { file, there: true, fault: `${file} was changed: it is no dispatcher.` };
  const starts = unquoted(last);
  if ((await files.facts(starts)) !== undefined) return { file, there: true, starts };
  const fault = `${starts} is missing: calls are denied when no warm host answers.`;
  return { file, there: true, starts, fault };
}

function reasonOf(caught: unknown): SkillError {
  if (caught instanceof SkillError) return caught;
  throw caught;
}
