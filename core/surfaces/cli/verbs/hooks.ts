import { processEnvironment } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { CLIENTS, clientOf, type HookClient, type HookScope } from "../../hook/install/clients.ts";
import { hookUrl } from "../../hook/install/command.ts";
import { install, remove, removeResidue } from "../../hook/install/installer.ts";
import { settingsFilesOf, type InstallPorts, type SettingsFile } from "../../hook/install/settings-file.ts";
import { statusOf, type HookStatus } from "../../hook/install/status.ts";
import { installNotes, isThere, statusText } from "../hooks/hook-words.ts";
import { changedProgram, commandFor, noteProgram } from "../hooks/own-program.ts";
import { answer } from "../text.ts";
import type { Verb, VerbContext } from "../verb.ts";
import { readWords, single, type ReadWords } from "../words.ts";

const HELP = `Puts the guard into the settings of an agent: one command at every event that it
hears. All else in the file stays as it is.

Usage: skillctl hooks install --client C [--scope project|user] [--http URL]
       skillctl hooks status [--client C] [--scope project|user]
       skillctl hooks remove --client C [--scope project|user]

  --client C   ${CLIENTS.map(({ name }) => name).join(", ")}
  --scope S    project: the settings in this folder; user: those in your home.
               Default of install and remove: project; of status: both.
               Status and remove look in the folders above too, up to the root
               of the project, which has a .git

  --http URL   ask the \`skillctl serve\` that runs there instead of starting
               skillctl at each event, where the agent can (claude-code)

Removing gives a file that nobody has changed since its old bytes back. What
that takes is kept in the state folder. Status tells whether the hooks can work,
and when an agent lets a call through although the guard gave no answer.

Exit status: 0; 1 when status or install finds hooks that cannot work; 78 for
settings that cannot be read, which are left as they are.
`;
const SCOPES: readonly HookScope[] = ["project", "user"];

/** Installs, removes and shows the hooks of agents. */
export const verb: Verb = { help: HELP, run };

async function run(words: readonly string[], context: VerbContext): Promise<number> {
  const type = "string";
  const read = readWords(words, { client: { type }, scope: { type }, http: { type } }, 1);
  const [action] = read.positionals;
  const scopes = scopesOf(read);
  const ports: InstallPorts = {
    environment: processEnvironment(context.variables, context.workingFolder),
    files: nodeFiles,
  };
  if (action === "status") {
    const name = single(read, "client");
    const clients = name === undefined ? CLIENTS : [clientOf(name)];
    return show(await hookStatuses(clients, scopes ?? SCOPES, ports), ports, context);
  }
  if (action !== "install" && action !== "remove") throw unknownAction(action);
  const places = await settingsFilesOf(clientOf(single(read, "client")), scopes?.[0] ?? "project", ports);
  if (action === "remove") return take(places, ports, context);
  return put(places, urlFor(places[0].client, single(read, "http")), ports, context);
}

async function put(
  [place, ...above]: readonly [SettingsFile, ...SettingsFile[]],
  url: string | undefined,
  ports: InstallPorts,
  context: VerbContext,
): Promise<number> {
  const { client, scope, file } = place;
  const command = await commandFor(client.name, ports, context);
  const changed = await install(place, { command, url }, ports);
  await noteProgram(ports);
  const status = await statusOf(place, ports);
  const { faults } = status;
  const notes = installNotes(place, command, status, above.at(-1));
  const head = changed
    ? `The hooks of ${client.title} are in ${file}.`
    : `The hooks of ${client.title} were in ${file} already.`;
  const first = faults.length > 0 ? [`The hooks of ${client.title} cannot work: ${faults.join(" ")}`] : [];
  const output = { client: client.name, scope, file, changed, command, faults, notes };
  answer(context, output, () => [...first, head, ...notes, ""].join("\n"));
  return faults.length > 0 ? 1 : 0;
}

/** Takes the hooks out of the nearest settings that have any. */
async function take(
  places: readonly [SettingsFile, ...SettingsFile[]],
  ports: InstallPorts,
  context: VerbContext,
): Promise<number> {
  let [place] = places;
  let changed = await remove(place, ports);
  for (const one of places.slice(1)) {
    if (changed) break;
    changed = await remove(one, ports);
    if (changed) place = one;
  }
  const { client, scope, file } = place;
  if (changed) await removeResidue(ports);
  const notes = (await statusOf(place, ports)).faults;
  const head = changed ? `The hooks are gone from ${file}.` : `There were none of our hooks in ${file}.`;
  const output = { client: client.name, scope, file, changed, notes };
  answer(context, output, () => [head, ...notes, ""].join("\n"));
  return 0;
}

/** How the hooks of some agents are: each settings file that has any, and of each place without one the first. */
export async function hookStatuses(
  clients: readonly HookClient[],
  scopes: readonly HookScope[],
  ports: InstallPorts,
): Promise<readonly HookStatus[]> {
  const seen = new Set<string>();
  const hooks: HookStatus[] = [];
  for (const client of clients) {
    for (const scope of scopes) {
      const found: HookStatus[] = [];
      for (const place of await settingsFilesOf(client, scope, ports)) {
        // In the home, both places are one.
        if (seen.has(place.target)) continue;
        seen.add(place.target);
        found.push(await statusOf(place, ports));
      }
      const there = found.filter(isThere);
      hooks.push(...(there.length > 0 ? there : found.slice(0, 1)));
    }
  }
  return hooks;
}

async function show(
  hooks: readonly HookStatus[],
  ports: InstallPorts,
  context: VerbContext,
): Promise<number> {
  const program = hooks.some(isThere) ? await changedProgram(ports) : undefined;
  const sound = program === undefined && hooks.every(({ faults }) => faults.length === 0);
  const first = program === undefined ? "" : `${program} If that was you: skillctl hooks install\n\n`;
  const output = { hooks, ...(program !== undefined && { program }) };
  answer(context, output, () => first + statusText(hooks));
  return sound ? 0 : 1;
}

/** @throws SkillError `USAGE` */
function urlFor({ name, title, http }: HookClient, server: string | undefined): string | undefined {
  if (server === undefined) return undefined;
  const url = hookUrl(server, name);
  if (http && url !== undefined) return url;
  const message = http
    ? `--http must be the address of a server, not "${server}".`
    : `${title} has no hooks that ask by HTTP.`;
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
  const message = action === undefined ? "hooks needs a word more." : `There is no "hooks ${action}".`;
  return new SkillError("USAGE", message, { hint: "It is install, status or remove." });
}
