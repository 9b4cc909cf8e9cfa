import { dirname } from "node:path";
import { CLIENTS, KEY_VARIABLE, WAIT_S } from "../../hook/install/clients.ts";
import type { SettingsFile } from "../../hook/install/settings-file.ts";
import type { HookStatus } from "../../hook/install/status.ts";

/** What holds although an agent lets calls through: the check of the work tree sees what a call did, however it did it. */
const STILL =
  "What a tool changed before there was evidence is told at the next event, and the session does not go on with it.";

/** What a person has to know who has just installed hooks; `root`: the settings at the root of the project above. */
export function installNotes(
  { client, scope, file }: SettingsFile,
  command: string,
  status: HookStatus,
  root?: SettingsFile,
): readonly string[] {
  const { before, late, title } = client;
  return [
    root && `The root of the project is ${rootOf(root)}. ${title} started there does not read this file.`,
    before[scope],
    scope === "project" &&
      !command.startsWith("skillctl ") &&
      `It names a file of this machine: keep ${file} out of version control, or use --scope user.`,
    command.startsWith("skillctl ") &&
      `${title} has to have the same PATH as you: elsewhere every call is denied.`,
    /[\\/]_npx[\\/]/.test(command) &&
      "skillctl runs from the cache of npx. When that is cleared, every call is denied: install it from its file (npm install -g FILE.tgz), and then the hooks again.",
    status.asks !== undefined &&
      `It asks with the key in the variable ${KEY_VARIABLE}: start ${title} with that of skillctl serve (--key-file FILE, or serve.key in the state folder). It judges by the rules of the folder in which the server was started. Where none answers, or its key is another, Claude Code before 2.1.295 lets the call through.`,
    status.failing === "let through" && failingWords(status),
    late === "let through" && `${title} ${openWords(status)}`,
  ].filter((note) => typeof note === "string");
}

/** Whether there is something to say of a settings file. */
export function isThere({ installed, faults }: HookStatus): boolean {
  return installed !== "no" || faults.length > 0;
}

/** Each settings file in a few lines; those without our hooks in one at the end. */
export function statusText(hooks: readonly HookStatus[]): string {
  const there = hooks.filter(isThere);
  const none = hooks.filter((status) => !isThere(status));
  const parts = there.map((status) => {
    const { file, starts, asks, changed, faults, installed } = status;
    const lines = [
      `${file}${changed ? ", changed by others since" : ""}`,
      starts !== undefined && `starts ${starts}`,
      asks !== undefined && `asks ${asks}`,
      ...faults,
      ...(installed === "no" ? [] : [failingWords(status), openWords(status)]),
    ];
    const told = lines.filter((line) => typeof line === "string" && line !== "");
    return `${titleOf(status)}, ${status.scope}: ${faults.length > 0 ? "does not work" : "installed"}\n${told.map((line) => `  ${line}\n`).join("")}`;
  });
  const rest = none.map((status) => `${titleOf(status)} (${status.scope})`).join(", ");
  return [...parts, ...(rest === "" ? [] : [`Not installed: ${rest}.\n`])].join("\n");
}

/** When an agent lets a call through that the guard has not answered, and what helps. */
export function openWords({ client, late }: HookStatus): string {
  const { remedy } = CLIENTS.find(({ name }) => name === client) ?? { remedy: "" };
  if (late === "denied") return `A late hook denies it too. ${remedy}`;
  return `fails open when the hook is late (${WAIT_S} s). ${remedy} ${STILL}`;
}

function failingWords(status: HookStatus): string {
  if (status.asks !== undefined)
    return `A server that is gone or has another key denies the call from ${titleOf(status)} 2.1.295 on; older ones let it through.`;
  if (status.failing === "denied") return "A hook that fails or is missing denies the call.";
  return `${titleOf(status)} lets the call through when node or skillctl cannot be started.`;
}

/** The folder that has an agent's folder with its settings. */
function rootOf({ file }: SettingsFile): string {
  return dirname(dirname(file));
}

function titleOf({ client }: HookStatus): string {
  return CLIENTS.find(({ name }) => name === client)?.title ?? client;
}
