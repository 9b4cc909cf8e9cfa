import type { SkillManifest } from "../../../contract.ts";
import { satisfies } from "../../../adapters/engine-range.ts";
import { jsonFault } from "../../../adapters/json-fault.ts";
import { sha256 } from "../../../adapters/sha256.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { quotedName } from "../../../quoted-name.ts";
import { readSkillDocument } from "../../../skill-document.ts";
import { jsonValue } from "../../../schema/json.ts";
import { coreSchemas } from "../schema-files.ts";

/** Limits for all files of a source. */
export const MOST_BYTES = 50 * 1024 * 1024;
const MOST_FILES = 5_000;
const LONGEST_PATH = 400;
const LONGEST_NAME = 200;
/** The limit of `sentence` in the schema of manifests. */
const LONGEST_SUMMARY = 300;

/** Folders that trust does not cover: they are never installed. */
const LEFT_OUT = new Set(["node_modules", ".git"]);
/** Characters that some file system or terminal does not take as part of a name; U+FFFD stands for bytes that are not UTF-8. */
const UNUSABLE = /[\p{C}\p{Zl}\p{Zp}\uFFFD\\:*?"<>|]|[. ]$/u;
/** Names of devices on Windows. */
const DEVICE = /^(?:con|prn|aux|nul|con(?:in|out)\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3]) *(?:\.|$)/i;

/** A skill as it would be installed. */
export interface SkillContent {
  readonly manifest: SkillManifest;
  /** The schema of its settings. */
  readonly settings: unknown;
  /** Bytes by path in the skill, with `/`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** SHA-256 by path, hexadecimal. */
  readonly digests: Readonly<Record<string, string>>;
  /** The digest of `digests`. */
  readonly digest: string;
}

/** The files of one source in memory. Nothing is written before all of them are checked. */
export class SourceFiles {
  readonly #source: string;
  readonly #files = new Map<string, Uint8Array>();
  /** Each path and each folder above it, by its name regardless of letter case; folders end in `/`. */
  readonly #names = new Map<string, string>();
  #bytes = 0;
  #count = 0;
  /** The name of the skill in its index, if it comes from one. */
  #name: string | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  /** @throws SkillError `INSTALL_REFUSED` for a name or size that cannot be installed */
  add(path: string, bytes: Uint8Array): void {
    this.count(bytes.byteLength);
    this.put(path, bytes);
  }

  /** Adds a file that is counted. @throws SkillError `INSTALL_REFUSED` for a name that cannot be installed */
  put(path: string, bytes: Uint8Array): void {
    if (this.#isInstalled(path, true)) this.#files.set(path, bytes);
  }

  /** Checks the name of a folder. The folder itself is created only for its files. @throws SkillError `INSTALL_REFUSED` */
  folder(path: string): void {
    const name = path.replace(/\/$/, "");
    if (name !== "" && name !== ".") this.#isInstalled(name, false);
  }

  #isInstalled(path: string, isFile: boolean): boolean {
    const parts = path.split("/");
    const fault = nameFault(path, parts);
    if (fault !== undefined) throw this.refusal(`the name ${quotedName(path.slice(0, 200))} ${fault}`);
    if (parts.some((part) => LEFT_OUT.has(part.toLowerCase()))) return false;
    for (const [index] of parts.entries()) {
      const name = parts.slice(0, index + 1).join("/");
      const isLast = isFile && index === parts.length - 1;
      const key = name.normalize("NFC").toUpperCase().toLowerCase();
      const known = this.#names.get(key);
      if (known !== undefined && (isLast || known !== `${name}/`))
        throw this.refusal(
          `${quotedName(path)} and ${quotedName(known)} are the same name on some file systems`,
        );
      this.#names.set(key, isLast ? name : `${name}/`);
    }
    return true;
  }

  /** Counts an entry against the limits. @throws SkillError `INSTALL_REFUSED` */
  count(bytes: number): void {
    this.#bytes += bytes;
    this.#count += 1;
    if (this.#bytes > MOST_BYTES) throw this.refusal(`its files have over ${MOST_BYTES} bytes`);
    if (this.#count > MOST_FILES) throw this.refusal(`it has over ${MOST_FILES} files`);
  }

  /** Sets the name that an index gives. A skill with this name needs no skill.json: without one its documents are installed. */
  expectName(name: string): void {
    this.#name = name;
  }

  refusal(reason: string, hint = "Tell its author, or choose another source."): SkillError {
    return new SkillError("INSTALL_REFUSED", `${quotedName(this.#source)} is not installed: ${reason}.`, {
      hint,
    });
  }

  /**
   * The skill of the source: the folder of its only skill.json that is not below another.
   * @throws SkillError `INSTALL_REFUSED`, `MANIFEST_INVALID`, `ENGINE_MISMATCH`
   */
  async skill(): Promise<SkillContent> {
    await this.#addManifest();
    const prefix = this.#prefix();
    const inside = [...this.#files].filter(([path]) => path.startsWith(prefix));
    const named = inside.map(([path, bytes]) => [path.slice(prefix.length), bytes] as const);
    const files = new Map(named.sort(byPath));
    const manifest = await this.#manifest(files.get("skill.json") as Uint8Array);
    if (this.#name !== undefined && manifest.name !== this.#name)
      throw this.refusal(
        `its name is ${quotedName(manifest.name)}, but ${quotedName(this.#name)} in the index`,
      );
    const digests = Object.fromEntries([...files].map(([path, bytes]) => [path, sha256(bytes)]));
    const settings = jsonValue(Buffer.from(files.get(settingsFile(manifest) ?? "") ?? "").toString("utf8"));
    return { manifest, settings, files, digests, digest: digestOf(digests) };
  }

  /** Writes the skill.json of a plain SKILL.md folder (Agent Skills) from an index. */
  async #addManifest(): Promise<void> {
    const text = this.#files.get("SKILL.md");
    if (this.#name === undefined || !text || this.#files.has("skill.json")) return;
    const { description = "", faults } = await readSkillDocument(
      Buffer.from(text).toString("utf8"),
      this.#name,
    );
    const fault = faults.find(({ severity }) => severity === "error");
    if (fault) throw this.refusal(`SKILL.md:${fault.line}: ${fault.sentence.replace(/\.$/, "")}`);
    const manifest: SkillManifest = {
      manifestVersion: 1,
      name: this.#name,
      version: "0.0.0",
      summary: Array.from(description).slice(0, LONGEST_SUMMARY).join(""),
      engines: { skillctl: "*" },
    };
    this.add("skill.json", Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`));
  }

  #prefix(): string {
    const found = [...this.#files.keys()].filter(
      (path) => path === "skill.json" || path.endsWith("/skill.json"),
    );
    const depths = found.map((path) => path.split("/").length);
    const nearest = found.filter((_, index) => depths[index] === Math.min(...depths));
    const [manifest, another] = nearest;
    if (manifest === undefined) throw this.refusal("it has no skill.json", "Name the folder of a skill.");
    if (another === undefined) return manifest.slice(0, -"skill.json".length);
    throw this.refusal(
      `it has several skills (${quotedName(manifest)}, ${quotedName(another)})`,
      "Name one of them.",
    );
  }

  async #manifest(bytes: Uint8Array): Promise<SkillManifest> {
    const text = Buffer.from(bytes).toString("utf8");
    const manifest = jsonValue(text);
    const invalid = (sentence: string, pointer = ""): SkillError =>
      new SkillError("MANIFEST_INVALID", `skill.json of ${quotedName(this.#source)}: ${sentence}`, {
        pointer,
      });
    if (manifest === undefined) throw invalid(`${jsonFault(text)}.`);
    const fault = (await coreSchemas.check("core/skill-manifest"))(manifest);
    if (fault) throw invalid(fault.sentence, fault.pointer);
    const { name, engines } = manifest as SkillManifest;
    if (satisfies(engines.skillctl)) return manifest as SkillManifest;
    throw new SkillError("ENGINE_MISMATCH", `${name} requires skillctl ${engines.skillctl}.`);
  }
}

/** The path, in a skill, of the schema of its settings; undefined if it takes none. */
export function settingsFile({ config }: SkillManifest): string | undefined {
  return config && `schemas/${config.split("/")[1]}.json`;
}

function byPath([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** The reason why a path cannot be installed. */
function nameFault(path: string, parts: readonly string[]): string | undefined {
  if (path.length > LONGEST_PATH) return "is too long";
  if (parts.some((part) => part === "" || part === "." || part === "..")) return "leads out of the folder";
  if (parts.some((part) => UNUSABLE.test(part) || DEVICE.test(part)))
    return "cannot be a file name on every system";
  return parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME) ? "is too long" : undefined;
}

/** One digest for a list of files. */
export function digestOf(files: Readonly<Record<string, string>>): string {
  return sha256(JSON.stringify(Object.entries(files).sort(byPath)));
}
