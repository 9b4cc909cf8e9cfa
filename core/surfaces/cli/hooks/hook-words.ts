import { WAIT_S } from "../../hook/install/client.ts";
import { CLIENTS } from "../../hook/install/clients.ts";
import type { SettingsPlace } from "../../hook/install/place.ts";
import type { HookStatus } from "../../hook/install/status.ts";

/** What holds although an agent lets calls through: the check of the work tree (design of guards, 2.3). */
const STILL = "What a tool changed before there was evidence is put back at the next event all the same.";

/** What a person has to know who has just installed hooks. */
export function installNotes(
  { client, scope, file }: SettingsPlace,
  command: string,
  status: HookStatus,
): readonly string[] {
  const { before, late, title } = client;
  return [
    before[scope],
    scope === "project" &&
      `It names a file of this machine: keep ${file} out of version control, or use --scope user.`,
    /[\\/]_npx[\\/]/.test(status.dispatcher?.starts ?? command) &&
      "skillctl runs from the cache of npx. When that is cleared, every call is denied: npm install -g skillctl, and install the hooks again.",
    late === "let through" && `${title} ${openWords(status)}`,
    ...status.faults,
  ].filter((note) => typeof note === "string");
}

/** Each settings file in a few lines; those without our hooks in one at the end. */
export function statusText(hooks: readonly HookStatus[]): string {
  const there = hooks.filter(({ installed }) => installed !== "no");
  const none = hooks.filter(({ installed }) => installed === "no");
  const parts = there.map((status) => {
    const { file, dispatcher, changed, faults } = status;
    const lines = [
      `${file}${changed ? ", changed by others since" : ""}`,
      dispatcher &&
        `starts ${dispatcher.file}${dispatcher.starts === undefined ? "" : ` (${dispatcher.starts})`}`,
      ...faults,
      "A hook that fails or is missing denies the call.",
      openWords(status),
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

function titleOf({ client }: HookStatus): string {
  return CLIENTS.find(({ name }) => name === client)?.title ?? client;
}
