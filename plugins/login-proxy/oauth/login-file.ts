import { join } from "node:path";
import { SkillError, type Environment, type Files } from "skillctl";

/** Far over what is ever written there. */
const MAX_BYTES = 65_536;

/** A file of the device login beside the token cache, in `~/.svc-login`; 0600 and replaced as a whole. */
export class LoginFile {
  readonly path: string;
  readonly #folder: string;
  readonly #files: Files;

  constructor(files: Files, environment: Environment, name: string) {
    this.#files = files;
    this.#folder = join(environment.home, ".svc-login");
    this.path = join(this.#folder, name);
  }

  /**
   * What it holds, when that is a JSON object; an empty one when it is missing or broken.
   * @throws SkillError `FILE_UNREADABLE`, also for a link, which is not followed.
   */
  async read(): Promise<Readonly<Record<string, unknown>>> {
    const fault = await this.#fault();
    if (fault !== undefined) throw this.#refused("FILE_UNREADABLE", fault);
    const text = (await this.#files.readText(this.path)) ?? "";
    try {
      const parsed: unknown = JSON.parse(text);
      return typeof parsed === "object" && parsed !== null
        ? (parsed as Readonly<Record<string, unknown>>)
        : {};
    } catch {
      // Something else has written it; the next login replaces it.
      return {};
    }
  }

  /** @throws SkillError `FILE_UNWRITABLE`, also where a link stands. */
  async write(content: object): Promise<void> {
    const fault = await this.#fault();
    if (fault !== undefined) throw this.#refused("FILE_UNWRITABLE", fault);
    await this.#files.makeFolder(this.#folder);
    await this.#files.replace(this.path, `${JSON.stringify(content, undefined, 2)}\n`);
  }

  /** @throws SkillError `FILE_UNWRITABLE` */
  async remove(): Promise<void> {
    if ((await this.#files.facts(this.path)) !== undefined) await this.#files.remove(this.path);
  }

  /** Why what stands there is not touched. */
  async #fault(): Promise<string | undefined> {
    const folder = await this.#files.facts(this.#folder);
    if (folder && folder.kind !== "folder") return `${this.#folder} is a link, or no folder.`;
    const facts = await this.#files.facts(this.path);
    if (!facts || (facts.kind === "file" && facts.bytes <= MAX_BYTES)) return undefined;
    return `${this.path} is a link, or not what a login has written.`;
  }

  #refused(code: "FILE_UNREADABLE" | "FILE_UNWRITABLE", fault: string): SkillError {
    return new SkillError(code, fault, { file: this.path, hint: "Remove it." });
  }
}
