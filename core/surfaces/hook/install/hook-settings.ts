import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Environment } from "../../../ports/environment.ts";
import type { Files } from "../../../ports/files.ts";
import type { HookClient, HookScope } from "../client.ts";
import { hookCommand, startedBy } from "./command.ts";
import { entriesIn, isBare, newSettings, withEntries, withoutEntries, type HookEntry } from "./entries.ts";
import { Receipts, hashOf, type Receipt } from "./receipts.ts";
import { decoded, hasComments, readSettings, unusable, valueOf } from "./settings-text.ts";
import { isSilent, isThere, type HookStatus } from "./status.ts";

/** The settings file of an agent. */
export interface SettingsFile {
  readonly client: HookClient;
  readonly scope: HookScope;
  /** As a person would name it, absolute. It need not exist. */
  readonly file: string;
  /** The same, below where links of the project or the home lead. */
  readonly target: string;
}

/** Rights of a settings file that is made: of a project as other files there, of a person for nobody else. */
const MODES = { project: 0o644, user: 0o600 } as const;

/** In the state folder: what the program was like when hooks were installed. */
export const PROGRAM_NOTE = "program.json";
/** An earlier command is in the settings. */
export const OLDER_COMMAND =
  "The command of the hooks is one of an earlier version, which lets a call through when another program answers in the place of skillctl: install them again.";

/** Where agents of this machine look for their hooks, and how ours get in there and out again. */
export class HookSettings {
  readonly environment: Environment;
  readonly files: Files;
  /** The file of this program. */
  readonly program: string;
  readonly #receipts: Receipts;

  constructor(environment: Environment, files: Files, program: string) {
    this.environment = environment;
    this.files = files;
    this.program = program;
    this.#receipts = new Receipts(join(environment.stateFolder, "hooks"), files);
  }

  /** Where an agent looks for hooks of a scope; of a project, when it is started in `folder`, by default the working folder. */
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

  /** Where hooks of a scope may stand: in the home, or in each folder of the project */
  async filesOf(client: HookClient, scope: HookScope): Promise<readonly [SettingsFile, ...SettingsFile[]]> {
    const first = await this.fileOf(client, scope);
    const [, ...folders] = scope === "project" ? await this.#projectFolders() : [];
    const above: SettingsFile[] = [];
    for (const folder of folders) above.push(await this.fileOf(client, scope, folder));
    return [first, ...above];
  }

  /**
   * The folders of a project in which its hooks may stand: the working folder, and those above up to its root, which is the
   * next one with a `.git`. Only the working folder when there is none.
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

  /** How the hooks of some agents are: each settings file that has any, and of each place without one the first. */
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
          // In the home, both places are one.
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
    const { entry, missing, settings, comments } = entriesIn(text, client, file);
    const installed = !entry ? "no" : missing.length === 0 ? "yes" : "partly";
    const receipt = await this.#receipts.read(target);
    const { program = [], state, isOlder } = startedBy(entry?.command ?? "") ?? {};
    const failing = program[0] === "node" ? client.late : "denied";
    const gone = await this.#missingIn(program);
    const off = installed === "no" ? undefined : await this.#switchedOffIn(place, settings);
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
      isOlder && OLDER_COMMAND,
      state !== undefined &&
        state !== this.environment.stateFolder &&
        `It goes by the state folder ${state}, not by ${this.environment.stateFolder}.`,
      gone !== undefined && `${gone} is missing: every call is ${failing}.`,
      program[0] === "skillctl" && (await this.#misled()),
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
  async #missingIn(program: readonly string[]): Promise<string | undefined> {
    for (const word of program)
      if (/[\\/]/.test(word) && (await this.files.facts(word)) === undefined) return word;
    return undefined;
  }

  /** What is to be said where the name of the program leads to no program, or to another one. */
  async #misled(): Promise<string | undefined> {
    const found = await this.#onPath();
    if (found === undefined)
      return "PATH leads to no skillctl: with the same PATH the agent denies every call.";
    if (found === (await this.files.realPath(this.program))) return undefined;
    return `PATH leads to ${found}, which is another program than this one (${this.program}).`;
  }

  /** The first of the settings files that hold together with one, or that one, which switches hooks off. */
  async #switchedOffIn({ client, target }: SettingsFile, settings: object): Promise<string | undefined> {
    if (client.switchedOff(settings as Readonly<Record<string, unknown>>)) return target;
    const project = await this.fileOf(client, "project");
    const user = await this.fileOf(client, "user");
    const beside = client.beside === undefined ? [] : [join(dirname(project.target), client.beside)];
    for (const file of [...beside, project.target, user.target]) {
      const bytes = await this.files.readBytes(file);
      try {
        const { root } = readSettings(decoded(bytes ?? Buffer.from("{}"), file).text, file);
        if (client.switchedOff(valueOf(root) as Readonly<Record<string, unknown>>)) return file;
      } catch {
        // The agent cannot read it either.
      }
    }
    return undefined;
  }

  /**
   * The command that an agent's hooks run: `skillctl` where PATH leads to this program, else Node and its file.
   * The state folder is named where the person's environment names one.
   */
  async commandFor(dialect: string): Promise<string> {
    const { environment, files, program } = this;
    const found = process.platform === "win32" ? undefined : await this.#onPath();
    const isNamed = found !== undefined && found === (await files.realPath(program));
    const state = environment.variable("SKILLCTL_STATE") === undefined ? undefined : environment.stateFolder;
    return hookCommand({ dialect, program: isNamed ? ["skillctl"] : [process.execPath, program], state });
  }

  /** Where PATH leads to for `skillctl`. What npm and npx put into it is theirs alone. */
  async #onPath(): Promise<string | undefined> {
    const folders = (this.environment.variable("PATH") ?? "").split(delimiter);
    for (const folder of folders.filter((one) => isAbsolute(one) && !one.includes("node_modules"))) {
      const found = await this.files.realPath(join(folder, "skillctl"));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * Puts our hook at every event of an agent; all else in the file stays, byte for byte. Answers whether anything changed.
   * What was there before is kept first, so that a process that is killed leaves the old file or the new one, and `remove`
   * its way back.
   * @throws SkillError `CONFIG_INVALID` for settings that cannot be read, `FILE_UNREADABLE`, `FILE_UNWRITABLE`
   */
  async install(place: SettingsFile, entry: HookEntry): Promise<boolean> {
    const { client, target, file } = place;
    await this.#refuseLinks(place);
    const now = await this.files.readBytes(target);
    const { mark, text } = now ? decoded(now, file) : { mark: "", text: undefined };
    if (text !== undefined && !client.reads.includes("comments")) {
      // What is broken is told as such.
      readSettings(text, file);
      if (hasComments(text))
        throw unusable(file, `it has comments or commas too many, which ${client.title} does not read`);
    }
    const next = text === undefined ? newSettings(client, entry) : withEntries(text, client, entry, file);
    if (next === text) return false;
    const receipt = await this.#receipts.read(target);
    const written = Buffer.from(mark + next);
    const after = [...(untouched(receipt, now)?.after ?? []), hashOf(written)];
    const without = now && (left(place, now, receipt) ?? now);
    const before = without === "gone" ? undefined : without;
    const folders = [...(receipt?.folders ?? []), ...(await this.#missingFolders(dirname(target)))];
    await this.#receipts.write(target, client.name, { before, after, folders: [...new Set(folders)] });
    await this.files.makeFolder(dirname(target), 0o755);
    await this.#replace(place, now, written);
    return true;
  }

  /**
   * Takes our hooks out of an agent's settings. A file that is as installing left it gets its old bytes back, or goes when
   * there was none, with the folders that were made for it. Answers whether anything changed.
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
   * Once no settings file has hooks by this state folder: takes away what was kept for them. The record of decisions stays.
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
    if ((still && hashOf(still)) !== (now && hashOf(now)))
      throw new SkillError("FILE_UNWRITABLE", `${file} was changed by somebody else just now.`, {
        file,
        hint: "Try again.",
      });
    await this.files.replace(target, next, mode);
  }

  /** A link in somebody's project could have us write anywhere: neither the settings nor their folder may be one. */
  async #refuseLinks({ file, target }: SettingsFile): Promise<void> {
    for (const path of [dirname(target), target]) {
      const to = await this.files.linkTarget(path);
      if (to === undefined) continue;
      throw new SkillError(
        "FILE_UNWRITABLE",
        `${file} leads by a link to ${to}, and hooks are written through no link.`,
        {
          file,
          hint: "Put a file in the place of the link, and try again.",
        },
      );
    }
  }

  /** The folders on the way to a file that are not there, the outermost first. */
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

/** What a settings file is without our hooks; undefined when they are not in it. */
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

/** The receipt, when the file is as one of ours left it. */
function untouched(receipt: Receipt | undefined, now: Uint8Array | undefined): Receipt | undefined {
  return receipt && now && receipt.after.includes(hashOf(now)) ? receipt : undefined;
}
