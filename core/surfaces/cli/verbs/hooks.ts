import { dirname, join } from "node:path";
import { processEnvironment } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { packageFolder } from "../../../adapters/package-folder.ts";
import { programHash } from "../../../adapters/program-hash.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { isObject, jsonValue } from "../../../schema/json.ts";
import type { HookClient, HookScope } from "../../hook/client.ts";
import { CLIENTS, clientOf } from "../../hook/hook.ts";
import { hookUrl, startedBy } from "../../hook/install/command.ts";
import {
  HookSettings,
  OLDER_COMMAND,
  PROGRAM_NOTE,
  type SettingsFile,
} from "../../hook/install/hook-settings.ts";
import { isThere, type HookStatus } from "../../hook/install/status.ts";
import { answer, row } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords, single, superfluous, type Flags, type ReadWords } from "../words.ts";
import { quotedName } from "../../../quoted-name.ts";

const HELP = `Installs the guard in the settings of an agent: one command at every event that
it supports. The rest of the file does not change.

Usage: skillctl hooks install --client C [--scope project|user] [--http URL]
       skillctl hooks status [--client C] [--scope project|user]
       skillctl hooks remove --client C [--scope project|user]
       skillctl hooks audit TRANSCRIPT... [--client C]

  --client C   ${CLIENTS.map(({ name }) => name).join(", ")}
  --scope S    project: the settings in this folder; user: those in your home.
               Default of install and remove: project; of status: both.
               Status and remove look in the folders above too, up to the root
               of the project, which has a .git

  --http URL   ask the \`skillctl serve\` that runs there instead of starting
               skillctl at each event, where the agent can (claude-code)

Remove restores the old bytes of a file that has not changed since. The old
content is kept in the state folder. Status tells whether the hooks can work,
and when an agent lets a call through without an answer from the guard.

Audit reads transcripts of Claude Code and Codex, each TRANSCRIPT a file or a
folder with *.jsonl files, and prints for each call of a tool what the guard
decided, or why it probably was not asked. --client C: of this agent only.

Exit status: 0; 1 when status or install finds hooks that cannot work, and when
audit finds a call without a verdict; 66 for a transcript that cannot be read;
78 for settings that cannot be read, which are left as they are.
`;
const SCOPES: readonly HookScope[] = ["project", "user"];
const FLAGS: Flags = {
  client: { type: "string", values: CLIENTS.map(({ name }) => name) },
  scope: { type: "string", values: SCOPES },
  http: { type: "string" },
};

/** Installs, removes and shows the hooks of agents. */
export const verb: Verb = { help: HELP, flags: FLAGS, run };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const read = readWords(words, FLAGS);
  const [action, ...more] = read.positionals;
  const scopes = scopesOf(read);
  if (action === "audit") {
    if (scopes || read.flags.has("http"))
      throw new SkillError("USAGE", "hooks audit takes neither --scope nor --http: it reads all settings.");
    const { audit } = await import("./hooks-audit.ts");
    const settingsOf = (workingFolder: string) => hookSettings({ ...invocation, workingFolder });
    return audit(more, single(read, "client"), invocation, settingsOf);
  }
  if (more.length > 0) throw superfluous();
  const settings = hookSettings(invocation);
  if (action === "status") {
    const name = single(read, "client");
    const clients = name === undefined ? CLIENTS : [clientOf(name)];
    return show(await settings.statuses(clients, scopes ?? SCOPES), settings, invocation);
  }
  if (action !== "install" && action !== "remove") throw unknownAction(action);
  const places = await settings.filesOf(clientOf(single(read, "client")), scopes?.[0] ?? "project");
  if (action === "remove") return take(places, settings, invocation);
  return put(places, urlFor(places[0].client, single(read, "http")), settings, invocation);
}

/** The settings of agents in the working folder and the home. */
export function hookSettings({ variables, workingFolder, ownProgram }: Invocation): HookSettings {
  const script = ownProgram?.at(-1) ?? "";
  // A program that runs from its source needs more than Node to start.
  const program = /\.ts$|^$/.test(script) ? join(packageFolder(), "bin", "skillctl.cjs") : script;
  return new HookSettings(processEnvironment(variables, workingFolder), nodeFiles, program);
}

async function put(
  [place, ...above]: readonly [SettingsFile, ...SettingsFile[]],
  url: string | undefined,
  settings: HookSettings,
  invocation: Invocation,
): Promise<number> {
  const { client, scope, file } = place;
  const command = await settings.commandFor(client.name);
  const isOlder = (await settings.status(place)).faults.includes(OLDER_COMMAND);
  const changed = await settings.install(place, { command, url });
  await noteProgram(settings);
  const status = await settings.status(place);
  const { faults } = status;
  const notes = installNotes(place, command, status, above.at(-1));
  const head = changed
    ? `The hooks of ${client.title} are in ${quotedName(file)}${isOlder ? "; they replaced those of an earlier version" : ""}.`
    : `The hooks of ${client.title} are already in ${quotedName(file)}.`;
  const first = faults.length > 0 ? [`The hooks of ${client.title} cannot work: ${faults.join(" ")}`] : [];
  const output = { client: client.name, scope, file, changed, command, faults, notes };
  answer(invocation, output, () => [...first, head, ...notes, ""].join("\n"));
  return faults.length > 0 ? 1 : 0;
}

/** Removes the hooks from the nearest settings with hooks. */
async function take(
  places: readonly [SettingsFile, ...SettingsFile[]],
  settings: HookSettings,
  invocation: Invocation,
): Promise<number> {
  let found: SettingsFile | undefined;
  for (const one of places) if (!found && (await settings.remove(one))) found = one;
  const changed = found !== undefined;
  const place = found ?? places[0];
  const { client, scope, file } = place;
  if (changed) await settings.removeResidue();
  const notes = (await settings.status(place)).faults;
  const head = changed
    ? `Removed the hooks from ${quotedName(file)}.`
    : `${quotedName(file)} contains no skillctl hooks.`;
  const output = { client: client.name, scope, file, changed, notes };
  answer(invocation, output, () => [head, ...notes, ""].join("\n"));
  return 0;
}

async function show(
  hooks: readonly HookStatus[],
  settings: HookSettings,
  invocation: Invocation,
): Promise<number> {
  const there = hooks.find(isThere);
  const program = there && (await changedProgram(settings));
  const sound = program === undefined && hooks.every(({ faults }) => faults.length === 0);
  const first = there && program ? `${program} If you made the change: ${installCommand(there)}\n\n` : "";
  const output = { hooks, ...(program !== undefined && { program }) };
  answer(invocation, output, () => first + statusText(hooks));
  return sound ? 0 : 1;
}

/** @throws SkillError `USAGE` */
function urlFor({ name, title, http }: HookClient, server: string | undefined): string | undefined {
  if (server === undefined) return undefined;
  const url = hookUrl(server, name);
  if (http && url !== undefined) return url;
  const message = http
    ? `--http must be the address of a server, not "${server}".`
    : `${title} does not support HTTP hooks.`;
  throw new SkillError("USAGE", message);
}

function scopesOf(read: ReadWords): readonly HookScope[] | undefined {
  const given = single(read, "scope");
  if (given === undefined) return undefined;
  const scope = SCOPES.find((one) => one === given);
  if (scope) return [scope];
  throw new SkillError("USAGE", `--scope must be project or user, not "${given}".`);
}

function unknownAction(action: string | undefined): SkillError {
  const message = action === undefined ? "hooks needs an action." : `There is no "hooks ${action}".`;
  return new SkillError("USAGE", message, { hint: "The actions are install, status, remove and audit." });
}

/** Records the hash of the program and its rules at the time of the installation. */
async function noteProgram({ environment, files }: HookSettings): Promise<void> {
  const note = { folder: packageFolder(), hash: programHash() };
  await files.makeFolder(environment.stateFolder);
  await files.replace(join(environment.stateFolder, PROGRAM_NOTE), `${JSON.stringify(note)}\n`);
}

/** The command that installs hooks again as they are. */
export function installCommand({ client, scope, asks }: HookStatus): string {
  const server = asks === undefined ? "" : ` --http ${new URL(asks).origin}`;
  return `skillctl hooks install --client ${client} --scope ${scope}${server}`;
}

/** A message if the program has changed since the installation of hooks; undefined if not, or if there is no record. */
export async function changedProgram({ environment, files }: HookSettings): Promise<string | undefined> {
  const text = await files.readText(join(environment.stateFolder, PROGRAM_NOTE));
  if (text === undefined) return undefined;
  // An unreadable record counts as a change.
  const noted = jsonValue(text);
  const { folder, hash } = isObject(noted) ? noted : {};
  if (folder === packageFolder() && hash === programHash()) return undefined;
  const where =
    folder === packageFolder()
      ? packageFolder()
      : `${packageFolder()} (noted: ${quotedName(String(folder))})`;
  return `The skillctl program or its rules in ${where} have changed since the hooks were installed.`;
}

/** The promise that holds even if an agent lets a call through: the check of the work tree finds its changes. */
const STILL =
  "Changes that a tool made before there was evidence are reported at the next event, and the session does not continue with them.";

/** Notes for a person who has just installed hooks. `root`: the settings at the root of the project above. */
function installNotes(
  { client, scope, file }: SettingsFile,
  command: string,
  status: HookStatus,
  root?: SettingsFile,
): readonly string[] {
  const { before, late, title } = client;
  const isNamed = startedBy(command)?.program[0] === "skillctl";
  return [
    root &&
      `The root of the project is ${quotedName(dirname(dirname(root.file)))}. ${title} started there does not read this file.`,
    before[scope],
    scope === "project" &&
      !isNamed &&
      `It names a file on this machine: keep ${quotedName(file)} out of version control, or use --scope user.`,
    isNamed && `${title} needs the same PATH as you; with another PATH every call is denied.`,
    /[\\/]_npx[\\/]/.test(command) &&
      "skillctl runs from the cache of npx. When it is cleared, every call is denied: install skillctl from its file (npm install -g FILE.tgz), then the hooks again.",
    status.asks !== undefined &&
      `It sends the key in the variable SKILLCTL_KEY: start ${title} with the key of skillctl serve (--key-file FILE, or serve.key in the state folder). It judges by the rules of the folder in which the server was started. If no server answers, or its key differs, Claude Code before 2.1.295 lets the call through.`,
    status.failing === "let through" && failingWords(status),
    late === "let through" && openWords(status),
  ].filter((note) => typeof note === "string");
}

/** A few lines for each settings file with hooks, and one line for all others. */
function statusText(hooks: readonly HookStatus[]): string {
  const there = hooks.filter(isThere);
  const none = hooks.filter((status) => !isThere(status));
  const parts = there.map((status) => {
    const { file, starts, asks, changed, faults, installed } = status;
    const lines = [
      `${quotedName(file)}${changed ? ", changed by others since" : ""}`,
      starts !== undefined && `starts ${starts}`,
      asks !== undefined && `asks ${asks}`,
      ...faults,
      ...(installed === "no" ? [] : [failingWords(status), openWords(status)]),
    ];
    const told = lines.filter((line): line is string => typeof line === "string" && line !== "");
    return `${titleOf(status)}, ${status.scope}: ${faults.length > 0 ? "does not work" : "installed"}\n${told.map((line) => `  ${row(line)}\n`).join("")}`;
  });
  const rest = none.map((status) => `${titleOf(status)} (${status.scope})`).join(", ");
  return [...parts, ...(rest === "" ? [] : [`Not installed: ${rest}.\n`])].join("\n");
}

/** Whether the agent lets a call through when its hook is late, and the remedy. */
function openWords(status: HookStatus): string {
  const { client, late } = status;
  const { remedy } = clientOf(client);
  if (late === "denied") return `A late hook denies the call too. ${remedy}`;
  return `${titleOf(status)} fails open when the hook is late (60 s). ${remedy} ${STILL}`;
}

function failingWords(status: HookStatus): string {
  if (status.asks !== undefined)
    return `Without the server, or with another key, ${titleOf(status)} denies the call from 2.1.295 on; older versions allow it.`;
  if (status.failing === "denied") return "A hook that fails or is missing denies the call.";
  return `${titleOf(status)} lets the call through when node or skillctl cannot be started.`;
}

function titleOf({ client }: HookStatus): string {
  return clientOf(client).title;
}
