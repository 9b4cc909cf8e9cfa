import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Environment } from "../../../ports/environment.ts";
import type { Files } from "../../../ports/files.ts";
import { quotedName } from "../../../quoted-name.ts";
import { isObject } from "../../../schema/json.ts";
import type { HookClient, HookScope } from "../client.ts";
import { hookCommand, startedBy, type HookStart } from "./command.ts";
import { entriesIn, isBare, newSettings, withEntries, withoutEntries, type HookEntry } from "./entries.ts";
import { Receipts, hashOf, type Receipt } from "./receipts.ts";
import { decoded, hasComments, readSettings, unusable, valueOf } from "./settings-text.ts";
import { isSilent, isThere, type HookStatus } from "./status.ts";

/** The settings file of an agent. */
export interface SettingsFile {
  readonly client: HookClient;
  readonly scope: HookScope;
  /** Absolute, as the person names it. It need not exist. */
  readonly file: string;
  /** The same file below the real path of the project or the home. */
  readonly target: string;
}

/** Modes of new settings files: those of a person are private. */
const MODES = { project: 0o644, user: 0o600 } as const;

/** The file in the state folder with the hash of the program at the time of the installation. */
export const PROGRAM_NOTE = "program.json";
/** The fault of settings with the command of an earlier version. */
export const OLDER_COMMAND =
  "The hooks have the command of an earlier version, which lets a call through when another program answers in place of skillctl: install them again.";

/** Variables that decide which program a hook starts, what code it loads, and which rules apply. */
const STEERING =
  /^(?:PATH|HOME|NODE_OPTIONS|LD_[A-Z_]+|DYLD_[A-Z_]+|XDG_[A-Z_]+|SKILLCTL_[A-Z_]+|BASH_ENV|ENV)$/;

/** Finds the settings of agents on this machine, and installs, checks and removes our hooks in them. */
export class HookSettings {
  readonly environment: Environment;
  readonly files: Files;
  /** The file of this program, absolute. */
  readonly program: string;
  readonly #receipts: Receipts;

  constructor(environment: Environment, files: Files, program: string) {
    this.environment = environment;
    this.files = files;
    this.program = program;
    this.#receipts = new Receipts(join(environment.stateFolder, "hooks"), files);
  }

  /** The settings file of an agent for a scope; for a project started in `folder`, by default the working folder. */
  async fileOf(
    client: HookClient,
    scope: HookScope,
    folder = this.environment.workingFolder,
  ): Promise<SettingsFile> {
    const { workingFolder, home, variable } = this.environment;
    const named = scope === "user" && client.home !== undefined ? variable(client.home) : undefined;
    const base = named === undefined ? (scope === "project" ? folder : home) : resolve(workingFolder, named);
    const path = named === undefined ? client.file : basename(client.file);
    const real = (await this.files.realPath(base)) ?? base;
    return { client, scope, file: join(base, path), target: join(real, path) };
  }

  /** The settings files of a scope: one in the home, or one in each folder of the project. */
  async filesOf(client: HookClient, scope: HookScope): Promise<readonly [SettingsFile, ...SettingsFile[]]> {
    const [, ...above] = scope === "project" ? await this.#projectFolders() : [];
    const files = above.map((folder) => this.fileOf(client, scope, folder));
    return [await this.fileOf(client, scope), ...(await Promise.all(files))];
  }

  /**
   * The folders of a project with possible settings: the working folder and those above it, up to the nearest one with a `.git`.
   * Only the working folder if there is no `.git`.
   */
  async #projectFolders(): Promise<readonly string[]> {
    const { workingFolder } = this.environment;
    const above: string[] = [];
    for (let folder = workingFolder; ; folder = dirname(folder)) {
      above.push(folder);
      if ((await this.files.facts(join(folder, ".git"))) !== undefined) return above;
      if (dirname(folder) === folder) return [workingFolder];
    }
  }

  /** The status of each settings file with hooks, and of the first file of each place without any. */
  async statuses(
    clients: readonly HookClient[],
    scopes: readonly HookScope[],
  ): Promise<readonly HookStatus[]> {
    const seen = new Set<string>();
    const hooks: HookStatus[] = [];
    for (const client of clients) {
      for (const scope of scopes) {
        const found: HookStatus[] = [];
        for (const place of await this.filesOf(client, scope)) {
          // In the home both scopes have the same file.
          if (seen.has(place.target)) continue;
          seen.add(place.target);
          found.push(await this.status(place));
        }
        const there = found.filter(isThere);
        hooks.push(...(there.length > 0 ? there : found.slice(0, 1)));
      }
    }
    return hooks;
  }

  /** @throws SkillError `CONFIG_INVALID`, `FILE_UNREADABLE` */
  async status(place: SettingsFile): Promise<HookStatus> {
    const { client, scope, file, target } = place;
    const bytes = await this.files.readBytes(target);
    const { mark, text } = bytes ? decoded(bytes, file) : { mark: "", text: "{}" };
    const { entry, missing, settings } = entriesIn(text, client, file);
    const installed = !entry ? "no" : missing.length === 0 ? "yes" : "partly";
    const receipt = await this.#receipts.read(target);
    const writtenMs = await this.#receipts.writtenMs(target);
    const { program = [], state, isOlder } = startedBy(entry?.command ?? "") ?? {};
    const failing = program[0] === "node" ? client.late : "denied";
    const gone = await this.#missingIn(program);
    const beside = installed === "no" ? [] : await this.#besideHooks(place, settings);
    const off = beside.find(({ isOff }) => isOff)?.file;
    const faults = [
      installed === "partly" &&
        `At ${missing.join(", ")} the hook is missing or differs from the one that skillctl installs: install it again.`,
      !entry && receipt && "The hooks that were installed here were removed or replaced by other commands.",
      off !== undefined && `${off === target ? "The settings switch" : `${off} switches`} hooks off.`,
      ...beside.map(
        ({ file, steering }) =>
          steering.length > 0 &&
          `${file} sets ${steering.join(", ")} for the agent, which may make it start a program other than this one as its hook.`,
      ),
      installed !== "no" &&
        hasComments(text) &&
        !client.reads.includes("comments") &&
        `${client.title} does not read settings with comments or trailing commas.`,
      installed !== "no" &&
        mark !== "" &&
        !client.reads.includes("mark") &&
        `${client.title} does not read settings that begin with a byte order mark.`,
      isOlder && OLDER_COMMAND,
      state !== undefined &&
        state !== this.environment.stateFolder &&
        `The hook uses the state folder ${quotedName(state)}, not ${quotedName(this.environment.stateFolder)}.`,
      gone !== undefined && `${quotedName(gone)} is missing: every call is ${failing}.`,
      program[0] === "skillctl" && (await this.#misled()),
      entry?.url !== undefined && (await serverFault(entry.url, scope, receipt)),
    ].filter((fault) => typeof fault === "string");
    return {
      client: client.name,
      scope,
      file,
      installed,
      missing: installed === "partly" ? missing : [],
      ...(writtenMs !== undefined && { since: new Date(writtenMs).toISOString() }),
      changed: bytes !== undefined && receipt !== undefined && !receipt.after.includes(hashOf(bytes)),
      switchedOff: off !== undefined,
      ...(program.length > 0 && { starts: program.join(" ") }),
      ...(entry?.url !== undefined && { asks: entry.url }),
      late: client.late,
      failing,
      faults,
    };
  }

  /** The first missing file of a program. */
  async #missingIn(program: readonly string[]): Promise<string | undefined> {
    for (const word of program)
      if (/[\\/]/.test(word) && (await this.files.facts(word)) === undefined) return word;
    return undefined;
  }

  /** The fault of a PATH that contains no skillctl or leads to another one. */
  async #misled(): Promise<string | undefined> {
    const found = await this.#onPath();
    if (found === undefined)
      return "PATH contains no skillctl: with the same PATH the agent denies every call.";
    if (found === (await this.files.realPath(this.program))) return undefined;
    return `PATH leads to ${found}, which is a different program from this one (${this.program}).`;
  }

  /** Settings besides the hooks in the files that apply together: switches, and variables that choose program or rules. */
  async #besideHooks({ client, target }: SettingsFile, settings: object): Promise<readonly BesideHooks[]> {
    const project = await this.fileOf(client, "project");
    const user = await this.fileOf(client, "user");
    const { beside, switches, variableFiles = [] } = client;
    const found = [besideHooks(client, target, settings)];
    const add = async (file: string, read: (text: string) => Partial<BesideHooks>): Promise<void> => {
      try {
        const bytes = await this.files.readBytes(file);
        if (bytes) found.push({ file, isOff: false, steering: [], ...read(decoded(bytes, file).text) });
      } catch (caught) {
        // The agent cannot read it either.
        if (!(caught instanceof SkillError)) throw caught;
      }
    };
    const local = beside === undefined ? [] : [join(dirname(project.target), beside)];
    for (const file of [...local, project.target, user.target].filter((file) => file !== target))
      await add(file, (text) => besideHooks(client, file, valueOf(readSettings(text, file))));
    for (const folder of [dirname(project.target), dirname(user.target)]) {
      if (switches) await add(join(folder, switches.file), (text) => ({ isOff: switches.off.test(text) }));
      for (const name of variableFiles)
        await add(join(folder, name), (text) => ({ steering: steeringOf(parseEnv(text)) }));
    }
    return found.filter(({ isOff, steering }) => isOff || steering.length > 0);
  }

  /** The command of an agent's hooks. */
  async commandFor(dialect: string): Promise<string> {
    return hookCommand({ dialect, ...(await this.start()) });
  }

  /**
   * The words that start this program: `skillctl` if PATH leads to it, else Node and its file; and the state folder, if the
   * person's environment names one. The address of a database, which may have a password, is never written.
   */
  async start(): Promise<Pick<HookStart, "program" | "state">> {
    const { environment, files, program } = this;
    const found = process.platform === "win32" ? undefined : await this.#onPath();
    const isNamed = found !== undefined && found === (await files.realPath(program));
    const { stateFolder, workingFolder } = environment;
    const named = environment.variable("SKILLCTL_STATE");
    const state =
      named !== undefined && resolve(workingFolder, named) === stateFolder ? stateFolder : undefined;
    return { program: isNamed ? ["skillctl"] : [process.execPath, program], state };
  }

  /** The real path of `skillctl` on PATH, without the folders that npm and npx add for themselves. */
  async #onPath(): Promise<string | undefined> {
    const folders = (this.environment.variable("PATH") ?? "").split(delimiter);
    for (const folder of folders.filter((one) => isAbsolute(one) && !one.includes("node_modules"))) {
      const found = await this.files.realPath(join(folder, "skillctl"));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * Installs our hook at every event of an agent and keeps all other bytes of the file. Returns whether the file changed. The old
   * content is saved first, so that a killed process leaves the old file or the new one, and `remove` can restore it.
   * @throws SkillError `CONFIG_INVALID` for settings that cannot be read, `FILE_UNREADABLE`, `FILE_UNWRITABLE`
   */
  async install(place: SettingsFile, entry: HookEntry): Promise<boolean> {
    const { client, target, file } = place;
    await this.#refuseLinks(place);
    const now = await this.files.readBytes(target);
    const { mark, text } = now ? decoded(now, file) : { mark: "", text: undefined };
    const next = text === undefined ? newSettings(client, entry) : withEntries(text, client, entry, file);
    if (text !== undefined && hasComments(text) && !client.reads.includes("comments"))
      throw unusable(file, `it has comments or trailing commas, which ${client.title} does not read`);
    const receipt = await this.#receipts.read(target);
    if (next === text && receipt?.asks === entry.url) return false;
    const written = Buffer.from(mark + next);
    const after = [...(untouched(receipt, now)?.after ?? []), hashOf(written)];
    const without = now && (left(place, now, receipt) ?? now);
    const before = without === "gone" ? undefined : without;
    const folders = [...(receipt?.folders ?? []), ...(await this.#missingFolders(dirname(target)))];
    const { url: asks } = entry;
    await this.#receipts.write(target, client.name, { before, after, folders: [...new Set(folders)], asks });
    if (next === text) return false;
    await this.files.makeFolder(dirname(target), 0o755);
    await this.#replace(place, now, written);
    return true;
  }

  /**
   * Removes our hooks from an agent's settings. A file that has not changed since the installation gets its old bytes back, or is
   * removed if it was new, with the folders that were created for it. Returns whether anything changed.
   * @throws SkillError as `install`
   */
  async remove(place: SettingsFile): Promise<boolean> {
    const { target } = place;
    const now = await this.files.readBytes(target);
    const receipt = await this.#receipts.read(target);
    const next = now && left(place, now, receipt);
    if (now && next === "gone") {
      await this.files.remove(target);
      await this.#removeEmpty(receipt?.folders ?? []);
    } else if (now && next) {
      await this.#refuseLinks(place);
      await this.#replace(place, now, next as Uint8Array);
    }
    await this.#receipts.drop(target);
    return next !== undefined;
  }

  /**
   * Removes the data about installed hooks once no settings file has any. The record of decisions stays.
   * @throws SkillError `FILE_UNWRITABLE`
   */
  async removeResidue(): Promise<void> {
    const { stateFolder } = this.environment;
    const { folder } = this.#receipts;
    if (((await this.files.list(folder)) ?? []).length > 0) return;
    await this.files.remove(join(stateFolder, PROGRAM_NOTE));
    await this.files.removeEmpty(folder);
  }

  async #replace(
    { target, file, scope }: SettingsFile,
    now: Uint8Array | undefined,
    next: Uint8Array,
  ): Promise<void> {
    const mode = (await this.files.facts(target))?.mode ?? MODES[scope];
    const still = await this.files.readBytes(target);
    const message = `${quotedName(file)} has just been changed by another program.`;
    if ((still && hashOf(still)) !== (now && hashOf(now)))
      throw new SkillError("FILE_UNWRITABLE", message, { file, hint: "Try again." });
    await this.files.replace(target, next, mode);
  }

  /** A link in a project could redirect the write anywhere, so neither the settings nor their folder may be one. */
  async #refuseLinks({ file, target }: SettingsFile): Promise<void> {
    for (const path of [dirname(target), target]) {
      const to = await this.files.linkTarget(path);
      if (to === undefined) continue;
      const message = `${quotedName(file)} leads through a link to ${quotedName(to)}, and hooks are not written through links.`;
      throw new SkillError("FILE_UNWRITABLE", message, {
        file,
        hint: "Replace the link with a file, and try again.",
      });
    }
  }

  /** The missing folders above a file, the outermost first. */
  async #missingFolders(folder: string): Promise<readonly string[]> {
    if ((await this.files.facts(folder)) !== undefined || dirname(folder) === folder) return [];
    return [...(await this.#missingFolders(dirname(folder))), folder];
  }

  async #removeEmpty(folders: readonly string[]): Promise<void> {
    for (const folder of folders.toReversed()) {
      if (!(await this.files.removeEmpty(folder))) return;
    }
  }
}

/** The content of a settings file without our hooks; undefined if it has none. */
function left(
  place: SettingsFile,
  now: Uint8Array,
  receipt: Receipt | undefined,
): Uint8Array | "gone" | undefined {
  const { client, file } = place;
  if (receipt && untouched(receipt, now)) return receipt.before ?? "gone";
  const { mark, text } = decoded(now, file);
  if (!entriesIn(text, client, file).entry) return undefined;
  const had = receipt && (receipt.before ? decoded(receipt.before, file).text : "{}");
  const next = withoutEntries(text, client, file, had);
  if (receipt && !receipt.before && isBare(next, client, file)) return "gone";
  return Buffer.from(mark + next);
}

/**
 * The fault of the server that hooks ask. Nothing is sent to an address that came with a folder: that of a project counts only if
 * the person gave it to `hooks install`.
 */
async function serverFault(
  url: string,
  scope: HookScope,
  receipt: Receipt | undefined,
): Promise<string | undefined> {
  const { origin } = new URL(url);
  if (scope === "project" && receipt?.asks !== url)
    return `The hooks ask ${origin}, an address that came with the folder; skillctl sends nothing there. If it is yours, install the hooks again.`;
  return (await isSilent(url))
    ? `No server answers at ${origin}: start skillctl serve with that --port.`
    : undefined;
}

/** The receipt, if the file has not changed since the installation. */
function untouched(receipt: Receipt | undefined, now: Uint8Array | undefined): Receipt | undefined {
  return receipt && now && receipt.after.includes(hashOf(now)) ? receipt : undefined;
}

interface BesideHooks {
  readonly file: string;
  readonly isOff: boolean;
  readonly steering: readonly string[];
}

function besideHooks(client: HookClient, file: string, settings: unknown): BesideHooks {
  const given = settings as Readonly<Record<string, unknown>>;
  const env = isObject(given["env"]) ? given["env"] : {};
  return { file, isOff: client.switchedOff?.(given) ?? false, steering: steeringOf(env) };
}

function steeringOf(variables: object): readonly string[] {
  return Object.keys(variables).filter((name) => STEERING.test(name));
}
