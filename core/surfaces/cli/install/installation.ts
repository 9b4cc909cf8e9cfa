import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { nodeClaims } from "../../../adapters/claims.ts";
import { isThere } from "../../../adapters/configuration-files.ts";
import { readConfiguration } from "../../../adapters/configuration.ts";
import { writeTree } from "../../../adapters/file-tree.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { jsonFault } from "../../../adapters/json-fault.ts";
import { readRegularFile } from "../../../adapters/regular-file.ts";
import { unsafeError } from "../../../adapters/storage-errors.ts";
import { contentOf, dropRecord, keepRecord } from "../../../adapters/trust-records.ts";
import type { Lock, LockedSkill, SkillManifest } from "../../../contract.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Claim } from "../../../ports/claim.ts";
import { quotedName } from "../../../quoted-name.ts";
import { equal, isObject, jsonValue } from "../../../schema/json.ts";
import { assess } from "../../../trust/trust.ts";
import { withPlugins } from "../plugins-text.ts";
import { coreSchemas } from "../schema-files.ts";
import { sha256 } from "../../../adapters/sha256.ts";
import { digestOf, settingsFile, type SkillContent } from "./content.ts";
import type { Contributor } from "./contributions.ts";

const LOCK = "skillctl-lock.json";
const CONFIGURATION = "skillctl.json";
/** Skills lie in `<digest>/<name>` below this folder, so an update replaces one line of skillctl.json. */
const ROOT = ".skillctl/skills";
const STAGED = ".new-";
const MOST_LOCK_BYTES = 4 * 1024 * 1024;
const MOST_PLUGINS = 64;

type Skills = Lock["skills"];

/** A file of an installed skill that is not as it was installed. */
export interface FileFault {
  readonly file: string;
  readonly fault: "changed" | "missing" | "extra";
}

/** The texts of the lock and of skillctl.json; missing files are undefined. */
interface Texts {
  readonly lock?: string | undefined;
  readonly configuration?: string | undefined;
}

/** An accepted change, kept in the state folder until it is complete. */
interface Journal {
  readonly before: Texts;
  readonly after: Texts;
  /** SHA-256 of the files that may be trusted, by path; missing if other contents are untrusted. */
  readonly known?: Readonly<Record<string, string>> | undefined;
}

/** The installed skills of a folder, held by this process alone. A change is complete or did not happen, even after a kill. */
export class Installation {
  readonly #base: string;
  readonly #stateFolder: string;
  readonly #claim: Claim;
  #skills: Skills = {};

  private constructor(base: string, stateFolder: string, claim: Claim) {
    this.#base = base;
    this.#stateFolder = stateFolder;
    this.#claim = claim;
  }

  /** @throws SkillError `INSTALL_REFUSED` for a broken lock or while another process installs; `STORAGE_UNSAFE` for a link */
  static async open(base: string, stateFolder: string): Promise<Installation> {
    const real = (await nodeFiles.realPath(base)) ?? base;
    const claim = await nodeClaims(stateFolder).claim(`install ${real}`);
    if (!claim)
      throw new SkillError("INSTALL_REFUSED", `Another process installs skills in ${quotedName(real)}.`, {
        hint: "Wait until it has ended, and repeat the command.",
      });
    const opened = new Installation(real, stateFolder, claim);
    try {
      await opened.#refuseLinks();
      await opened.#recover();
      opened.#skills = await opened.#readLock();
      await opened.#sweep();
      return opened;
    } catch (caught) {
      await claim.release();
      throw caught;
    }
  }

  /** The skills of the lock by name. */
  get skills(): Skills {
    return this.#skills;
  }

  close(): Promise<void> {
    return this.#claim.release();
  }

  /** The differences between an installed skill and the lock. */
  async faultsOf(name: string, { digest, files }: LockedSkill): Promise<readonly FileFault[]> {
    const folder = this.#at(ROOT, shortOf(digest));
    const isFolder = (await nodeFiles.facts(folder))?.kind === "folder";
    const entries = isFolder ? ((await nodeFiles.survey(folder, () => true)) ?? []) : [];
    const bytes = await nodeFiles.readMany(entries.map(({ path }) => join(folder, path)));
    const found = new Map(entries.map(({ path }, index) => [path, bytes[index]]));
    const wanted = Object.entries(files).flatMap(([file, expected]): FileFault[] => {
      const path = `${name}/${file}`;
      if (!found.has(path)) return [{ file, fault: "missing" }];
      const content = found.get(path);
      return content && sha256(content) === expected ? [] : [{ file, fault: "changed" }];
    });
    const extra = [...found.keys()].filter(
      (path) => !path.startsWith(`${name}/`) || !Object.hasOwn(files, path.slice(name.length + 1)),
    );
    return [...wanted, ...extra.sort().map((file): FileFault => ({ file, fault: "extra" }))];
  }

  /** The contributor of an installed skill; undefined if a file of it is not as it was installed. */
  async contributor(name: string, locked: LockedSkill): Promise<Contributor | undefined> {
    if ((await this.faultsOf(name, locked)).length > 0) return undefined;
    const read = async (file: string): Promise<unknown> =>
      jsonValue((await nodeFiles.readText(this.#at(ROOT, shortOf(locked.digest), name, file))) ?? "");
    const manifest = (await read("skill.json")) as SkillManifest;
    const file = settingsFile(manifest);
    return { manifest, settings: file && (await read(file)) };
  }

  /** The differences between the paths in skillctl.json and the lock, as sentences. */
  async namingFaults(): Promise<readonly string[]> {
    const named = installedIn((await this.#texts()).configuration);
    return [
      ...pluginsOf(this.#skills)
        .filter((path) => !named.includes(path))
        .map((path) => `skillctl.json does not name ${quotedName(path)}`),
      ...(await this.unlocked()).map((path) => `the lock does not name ${quotedName(path)}`),
    ];
  }

  /** Paths of installed skills in skillctl.json that the lock does not name, for example because the lock was lost. */
  async unlocked(): Promise<readonly string[]> {
    const wanted = pluginsOf(this.#skills);
    return installedIn((await this.#texts()).configuration).filter((path) => !wanted.includes(path));
  }

  /**
   * Makes a change that the person has accepted: unpacks skills, replaces lock and skillctl.json, and trusts the result if
   * nothing else in it is untrusted. Returns whether it is trusted.
   * @throws SkillError `STORAGE_FULL`, `FILE_UNWRITABLE`; the folder is then as before
   */
  async commit(skills: Skills, accepted: readonly SkillContent[]): Promise<boolean> {
    const before = await this.#texts();
    const after = this.#textsOf(skills, before);
    const change: Journal = { before, after, known: await this.#known(before, after, accepted) };
    let trusted = false;
    try {
      for (const content of accepted) await this.#unpack(content);
      await nodeFiles.makeFolder(join(this.#journal, ".."));
      await nodeFiles.replace(this.#journal, JSON.stringify(change));
      trusted = await this.#finish(change);
    } finally {
      await this.#sweep();
    }
    this.#skills = skills;
    return trusted;
  }

  #at(...parts: readonly string[]): string {
    return join(this.#base, ...parts);
  }

  get #journal(): string {
    return join(this.#stateFolder, "installs", `${sha256(this.#base).slice(0, 32)}.json`);
  }

  async #texts(): Promise<Texts> {
    const [lock, configuration] = [
      await nodeFiles.readText(this.#at(LOCK)),
      await nodeFiles.readText(this.#at(CONFIGURATION)),
    ];
    return { ...(lock !== undefined && { lock }), ...(configuration !== undefined && { configuration }) };
  }

  /** @throws SkillError `INSTALL_REFUSED` beyond the limits of the two files */
  #textsOf(skills: Skills, before: Texts): Texts {
    const sorted = Object.fromEntries(
      Object.entries(skills).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
    const isSame = before.lock !== undefined && equal(skills, this.#skills);
    const written = `${JSON.stringify({ lockVersion: 1, skills: sorted } satisfies Lock, undefined, 2)}\n`;
    const lock = isSame ? before.lock : Object.keys(skills).length > 0 ? written : undefined;
    const configuration = withPlugins(before.configuration, (plugins) => {
      const own = pluginsOf(sorted);
      const kept = plugins.filter((path) => !isInstalled(path) || own.includes(path));
      return [...kept, ...own.filter((path) => !kept.includes(path))];
    });
    const count = Object.keys(sorted).length;
    if (count <= MOST_PLUGINS && (lock?.length ?? 0) <= MOST_LOCK_BYTES)
      return { ...(lock !== undefined && { lock }), ...(configuration !== undefined && { configuration }) };
    throw new SkillError("INSTALL_REFUSED", `${quotedName(this.#at(LOCK))} would be too large.`, {
      hint: "Remove skills that are not used: skillctl remove NAME",
    });
  }

  /**
   * The files that may be trusted after the change: those that count now, and the accepted ones. Undefined if the folder has other
   * untrusted contents.
   */
  async #known(before: Texts, after: Texts, accepted: readonly SkillContent[]): Promise<Journal["known"]> {
    const known: Record<string, string> = {};
    if (before.configuration !== undefined) {
      const file = this.#at(CONFIGURATION);
      const read = readConfiguration(file, await coreSchemas.check("core/configuration"));
      const inside = installedIn(before.configuration).length;
      if (!assess(file, read, this.#stateFolder).waiting)
        Object.assign(known, contentOf(file, read.plugins).files);
      else if (read.plugins.length > inside || Object.keys({ ...read.config, ...read.rules }).length > 0)
        return undefined;
    }
    for (const { manifest, digest, digests } of accepted)
      for (const [path, hash] of Object.entries(digests))
        known[join(ROOT, shortOf(digest), manifest.name, path)] = hash;
    if (after.configuration !== undefined) known[CONFIGURATION] = sha256(after.configuration);
    return known;
  }

  /** Writes a skill next to its place and moves it there. */
  async #unpack({ manifest: { name }, digest, digests, files }: SkillContent): Promise<void> {
    const place = this.#at(ROOT, shortOf(digest));
    const locked = { source: "", version: "", digest, files: digests };
    if ((await nodeFiles.facts(place)) && (await this.faultsOf(name, locked)).length === 0) return;
    const staged = this.#at(ROOT, `${STAGED}${randomBytes(8).toString("hex")}`);
    await writeTree(join(staged, name), files);
    await nodeFiles.remove(place);
    await nodeFiles.move(staged, place);
    await nodeFiles.settle(this.#at(ROOT));
  }

  /** Replaces the lock and skillctl.json, then trusts. If a write fails, both are as before. */
  async #finish({ before, after, known }: Journal): Promise<boolean> {
    try {
      await this.#write(after);
    } catch (caught) {
      // If even this fails, the journal stays, and the next command completes the change.
      await this.#write(before).then(
        () => nodeFiles.remove(this.#journal),
        () => undefined,
      );
      throw caught;
    }
    const trusted = await this.#trust(known);
    await nodeFiles.remove(this.#journal);
    return trusted;
  }

  async #write(texts: Texts): Promise<void> {
    const now = await this.#texts();
    for (const [name, text, old] of [
      [LOCK, texts.lock, now.lock],
      [CONFIGURATION, texts.configuration, now.configuration],
    ] as const) {
      if (text === old) continue;
      if (text === undefined) await nodeFiles.remove(this.#at(name));
      else await nodeFiles.replace(this.#at(name), text, 0o644);
    }
  }

  /** Trusts the folder if every file that counts in it is known. */
  async #trust(known: Journal["known"]): Promise<boolean> {
    const file = this.#at(CONFIGURATION);
    if (!isThere(file)) {
      await dropRecord(this.#base, this.#stateFolder);
      return false;
    }
    const { plugins } = readConfiguration(file, await coreSchemas.check("core/configuration"));
    const content = contentOf(file, plugins);
    if (!Object.entries(content.files).every(([path, hash]) => known?.[path] === hash)) return false;
    await keepRecord(this.#base, content, this.#stateFolder);
    return true;
  }

  /** Completes the change of a process that was killed, unless its files have changed since. */
  async #recover(): Promise<void> {
    const journal = jsonValue((await nodeFiles.readText(this.#journal)) ?? "") as Journal | undefined;
    if (!isObject(journal)) return;
    const now = await this.#texts();
    const { before, after } = journal;
    const isOwn = (["lock", "configuration"] as const).every((key) =>
      [before[key], after[key]].includes(now[key]),
    );
    if (isOwn) await this.#finish(journal);
    else await nodeFiles.remove(this.#journal);
  }

  /** Removes folders that neither the lock nor skillctl.json names, and the empty folders above them. */
  async #sweep(): Promise<void> {
    const { lock, configuration } = await this.#texts();
    const { skills = {} } = (jsonValue(lock ?? "{}") ?? {}) as Partial<Lock>;
    const inside = (await nodeFiles.list(this.#at(ROOT))) ?? [];
    const kept = new Set(
      [...pluginsOf(skills), ...installedIn(configuration)].map((path) => path.split("/")[3]),
    );
    for (const name of inside) if (!kept.has(name)) await nodeFiles.remove(this.#at(ROOT, name));
    if (inside.length > 0 && (await nodeFiles.removeEmpty(this.#at(ROOT))))
      await nodeFiles.removeEmpty(this.#at(ROOT, ".."));
  }

  async #readLock(): Promise<Skills> {
    const file = this.#at(LOCK);
    if (!isThere(file)) return {};
    const text = readRegularFile(file, MOST_LOCK_BYTES).toString("utf8");
    const lock = jsonValue(text);
    const fault =
      lock === undefined
        ? { sentence: `it is not JSON: ${jsonFault(text)}.` }
        : (await coreSchemas.check("core/lock"))(lock);
    const broken = (reason: string): SkillError =>
      new SkillError("INSTALL_REFUSED", `${quotedName(file)} cannot be used: ${reason}`, {
        file,
        hint: "Restore it from version control, or remove the file and add the skills again.",
      });
    if (fault) throw broken(fault.sentence);
    const { skills } = lock as Lock;
    for (const [name, { digest, files }] of Object.entries(skills))
      if (digestOf(files) !== digest)
        throw broken(`the files of ${quotedName(name)} do not match the digest in it.`);
    return skills;
  }

  /** A link in the place of a folder would lead writes out of the project. */
  async #refuseLinks(): Promise<void> {
    for (const path of [this.#at(ROOT, ".."), this.#at(ROOT)]) {
      const kind = (await nodeFiles.facts(path))?.kind;
      if (kind !== undefined && kind !== "folder") throw unsafeError(path, "is not a folder");
    }
  }
}

/** The name of the folder of a digest. */
function shortOf(digest: string): string {
  return digest.slice(0, 16);
}

function pluginsOf(skills: Skills): readonly string[] {
  return Object.entries(skills).map(([name, { digest }]) => `./${ROOT}/${shortOf(digest)}/${name}`);
}

function isInstalled(path: string): boolean {
  return path.startsWith(`./${ROOT}/`);
}

/** The paths of installed skills in a skillctl.json. */
function installedIn(configuration: string | undefined): readonly string[] {
  const { plugins } = (jsonValue(configuration ?? "{}") ?? {}) as { readonly plugins?: readonly string[] };
  return (plugins ?? []).filter(isInstalled);
}
