import { isAbsolute, relative, resolve } from "node:path";
import gt from "semver/functions/gt.js";
import { ContentFault, contentFiles } from "../../../adapters/skill-content.ts";
import { readRegularFile } from "../../../adapters/regular-file.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { nodePrograms } from "../../../adapters/programs.ts";
import type { LockedSkill } from "../../../contract.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Environment } from "../../../ports/environment.ts";
import { quotedName, shownJson } from "../../../quoted-name.ts";
import { readSkillDocument } from "../../../skill-document.ts";
import { isObject, jsonValue } from "../../../schema/json.ts";
import { readArchive } from "./archive.ts";
import { MOST_BYTES, SourceFiles, type SkillContent } from "./content.ts";
import { isAddress, readAddress } from "./discovery-source.ts";
import { GitSource, gitSpec, withoutPassword } from "./git-source.ts";
import { chosenVersion, integrityOf, npmSpec, packageTarball, packageVersions } from "./registry.ts";

/** A skill as its source has it now. */
export interface FetchedSkill {
  readonly content: SkillContent;
  /** The entry for the lock. */
  readonly locked: LockedSkill;
  /** Sentences for the person. */
  readonly notes: readonly string[];
}

const SOURCES =
  "A source is a folder, an archive, npm:NAME@RANGE, git+URL#TAG or the https address of an archive or of a host.";

/** The context of a fetch. */
export interface FetchContext {
  /** The folder of the lock, absolute: relative paths are resolved against it. */
  readonly base: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** The facts of a fetch that the lock keeps. */
type Origin = Pick<LockedSkill, "resolved" | "integrity">;

/** The name under which a registry or repository publishes versions; undefined for other sources, whose bytes may change at any time. */
export function publicationOf(source: string): string | undefined {
  if (source.startsWith("npm:")) return `npm:${npmSpec(source.slice("npm:".length))[0]}`;
  return source.startsWith("git+") ? source.split("#")[0] : undefined;
}

/**
 * A source as the lock names it. A path becomes relative to the lock if that lies in the working folder.
 * @throws SkillError `USAGE` for an address from which no skill can be fetched
 */
export function lockedSource(word: string, base: string, workingFolder: string): string {
  if (/^(?:npm:|git\+)/.test(word) || isAddress(word)) return word;
  if (/^[a-z][a-z\d+.-]+:/i.test(word))
    throw new SkillError("USAGE", `Skills cannot be fetched from ${quotedName(withoutPassword(word))}.`, {
      hint: SOURCES,
    });
  const path = resolve(workingFolder, word);
  const below = relative(base, path).replaceAll("\\", "/");
  if (base !== workingFolder || isAbsolute(below)) return path;
  return below.startsWith("../") ? below : `./${below}`;
}

/**
 * Fetches a skill into memory. `exactly`: the entry of the lock to fetch again.
 * @throws SkillError `USAGE`, `INSTALL_REFUSED`, `MANIFEST_INVALID`, `ENGINE_MISMATCH`, `FILE_UNREADABLE`, `PROGRAM_FAILED`, those of the network
 */
export async function fetchSkill(
  source: string,
  context: FetchContext,
  exactly?: LockedSkill,
): Promise<FetchedSkill> {
  const files = new SourceFiles(source);
  const notes: string[] = [];
  const origin = await fetchFiles(source, context, files, notes, exactly);
  const content = await files.skill();
  const needed = packagesOf(content);
  if (needed.length > 0)
    notes.push(`It asks for packages, which are not installed: ${needed.map(quotedName).join(", ")}.`);
  const granted = await toolsOf(content);
  if (granted !== undefined)
    notes.push(`Its SKILL.md asks clients of \`skillctl export\` to allow ${quotedName(granted)}.`);
  const { manifest, digest, digests } = content;
  const { version } = packageOf(content);
  if (version !== undefined && version !== manifest.version)
    notes.push(
      `Its package.json has the version ${shownJson(version, 100)}; the version in skill.json, ${manifest.version}, is used.`,
    );
  const locked = { source, version: manifest.version, ...origin, digest, files: digests };
  return { content, locked, notes };
}

async function fetchFiles(
  source: string,
  { base, environment, signal }: FetchContext,
  files: SourceFiles,
  notes: string[],
  exactly?: LockedSkill,
): Promise<Origin> {
  if (source.startsWith("npm:")) {
    const [name, range] = npmSpec(source.slice("npm:".length));
    const versions = await packageVersions(name, environment, signal);
    const resolved = exactly?.resolved ?? chosenVersion(versions, range);
    if (resolved === undefined) throw files.refusal("none of its versions fits", "Name another range.");
    const { bytes, integrity, deprecated } = await packageTarball(versions, resolved, signal);
    if (deprecated !== undefined) notes.push(`Its author advises against this version: ${deprecated}`);
    await readArchive(bytes, files);
    return { resolved, integrity };
  }
  if (source.startsWith("git+")) {
    const [url, tag] = gitSpec(source.slice("git+".length));
    const wanted = exactly?.resolved?.split(" ")[0] ?? tag;
    const resolved = await GitSource.with(url, nodePrograms(environment), signal, (git) =>
      git.read(wanted, files),
    );
    return { resolved };
  }
  if (isAddress(source)) return { integrity: await readAddress(source, files, signal) };
  return readPath(resolve(base, source), files);
}

/** Reads a folder or a tarball. Links in a folder are refused. */
async function readPath(path: string, files: SourceFiles): Promise<Origin> {
  const kind = (await nodeFiles.facts(path))?.kind;
  if (kind === undefined)
    throw new SkillError("FILE_UNREADABLE", `There is no folder or archive ${quotedName(path)}.`, {
      file: path,
      hint: SOURCES,
    });
  if (kind === "file") {
    const bytes = readRegularFile(path, MOST_BYTES);
    await readArchive(bytes, files);
    return { integrity: integrityOf(bytes) };
  }
  try {
    for (const file of contentFiles(path)) {
      const name = relative(path, file.path).replaceAll("\\", "/");
      if (file.target !== undefined) throw files.refusal(`${quotedName(name)} is a link, not a file`);
      files.add(name, readRegularFile(file.path, MOST_BYTES));
    }
  } catch (caught) {
    if (caught instanceof ContentFault) throw files.refusal(caught.message);
    throw caught;
  }
  return {};
}

/** The tools that its SKILL.md asks clients to allow without a question. */
async function toolsOf({ files }: SkillContent): Promise<string | undefined> {
  const text = Buffer.from(files.get("SKILL.md") ?? "").toString("utf8");
  return (await readSkillDocument(text)).fields["allowed-tools"];
}

/** Packages that the skill imports besides skillctl, as its package.json says. */
function packagesOf(content: SkillContent): readonly string[] {
  const { dependencies } = packageOf(content);
  return isObject(dependencies) ? Object.keys(dependencies).filter((name) => name !== "skillctl") : [];
}

/** The package.json of a skill; empty if it has none that can be read. */
function packageOf({ files }: SkillContent): Readonly<Record<string, unknown>> {
  const document = jsonValue(Buffer.from(files.get("package.json") ?? "").toString("utf8"));
  return isObject(document) ? document : {};
}

/** The installed version of a skill, and versions of its source. */
export interface Versions {
  readonly current: string;
  /** The version that `update` installs. */
  readonly wanted: string;
  /** The newest version, even if it is outside of the range. */
  readonly latest: string;
}

/** The versions that a source has now. A folder or tarball is read. */
export async function versionsOf(locked: LockedSkill, context: FetchContext): Promise<Versions> {
  const { source, resolved, version } = locked;
  const { environment, signal } = context;
  if (source.startsWith("npm:")) {
    const [name, range] = npmSpec(source.slice("npm:".length));
    const versions = await packageVersions(name, environment, signal);
    const current = resolved ?? version;
    const wanted = chosenVersion(versions, range) ?? current;
    const latest = chosenVersion(versions, "latest") ?? wanted;
    return { current, wanted, latest: gt(wanted, latest) ? wanted : latest };
  }
  if (source.startsWith("git+")) {
    const [url, tag] = gitSpec(source.slice("git+".length));
    const [current = version, commit] = (resolved ?? "").split(" ");
    const range = tag.startsWith("semver:") ? tag.slice("semver:".length) : undefined;
    return GitSource.with(url, nodePrograms(environment), signal, async (git) => {
      const isMoved = commit !== undefined && (await git.commitOf(current)) !== commit;
      const shown = (tag: string): string => (isMoved && tag === current ? `${tag} (moved)` : tag);
      const wanted = range === undefined ? current : ((await git.tagFor(range)) ?? current);
      return { current, wanted: shown(wanted), latest: shown((await git.tagFor("*")) ?? wanted) };
    });
  }
  const { content, locked: now } = await fetchSkill(source, context);
  const found = now.digest === locked.digest ? version : `${content.manifest.version} (changed)`;
  return { current: version, wanted: found, latest: found };
}
