import { join } from "node:path";
import {
  ENVIRONMENT,
  FILES,
  SkillError,
  inject,
  injectable,
  token,
  type Environment,
  type Files,
} from "skillctl";
import { objectOf } from "./token-text.ts";

/** A file of the login is a few lines; what is longer is none. */
const MAX_BYTES = 1024 * 1024;

type Fault = "FILE_UNREADABLE" | "FILE_UNWRITABLE";

export const LOGIN_FOLDER = token<LoginFolder>("login-folder");

/**
 * The files in `~/.svc-login`: each replaced as a whole, for the user alone (0600 in a folder of 0700). A link in the place
 * of the folder or of a file is neither read nor written through (docs/login.md, The cache file).
 */
@injectable()
export class LoginFolder {
  readonly #files: Files;
  /** Absolute. */
  readonly path: string;

  constructor(@inject(FILES) files: Files, @inject(ENVIRONMENT) environment: Environment) {
    this.#files = files;
    this.path = join(environment.home, ".svc-login");
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** @throws SkillError `FILE_UNREADABLE` */
  async read(name: string): Promise<string | undefined> {
    await this.#plain(name, "FILE_UNREADABLE");
    return this.#files.readText(this.file(name));
  }

  /** A file's JSON object; an empty one when it is missing or broken. @throws SkillError `FILE_UNREADABLE` */
  async object(name: string): Promise<Readonly<Record<string, unknown>>> {
    return objectOf((await this.read(name)) ?? "") ?? {};
  }

  /** Makes the folder, if there is none. @throws SkillError `FILE_UNWRITABLE` */
  async make(): Promise<void> {
    await this.#plainFolder("FILE_UNWRITABLE");
    await this.#files.makeFolder(this.path);
  }

  /** Two-space JSON. @throws SkillError `FILE_UNWRITABLE` */
  async write(name: string, content: object): Promise<void> {
    await this.#plain(name, "FILE_UNWRITABLE");
    await this.make();
    await this.#files.replace(this.file(name), `${JSON.stringify(content, undefined, 2)}\n`);
  }

  /** Answers whether there was one; a link is removed and not followed. @throws SkillError `FILE_UNWRITABLE` */
  async remove(name: string): Promise<boolean> {
    await this.#plainFolder("FILE_UNWRITABLE");
    const facts = await this.#files.facts(this.file(name));
    if (facts === undefined) return false;
    if (facts.kind === "folder") throw this.#fault("FILE_UNWRITABLE", this.file(name), "is a folder");
    await this.#files.remove(this.file(name));
    return true;
  }

  /** The rights of a file that others may read or write, such as `644`. */
  async openRights(name: string): Promise<string | undefined> {
    const { kind, mode = 0 } = (await this.#files.facts(this.file(name))) ?? {};
    return kind !== "file" || (mode & 0o077) === 0 ? undefined : (mode & 0o777).toString(8);
  }

  async #plain(name: string, code: Fault): Promise<void> {
    await this.#plainFolder(code);
    const file = this.file(name);
    const { kind = "file", bytes = 0 } = (await this.#files.facts(file)) ?? {};
    if (kind === "folder") throw this.#fault(code, file, "is a folder");
    if (kind === "other") throw this.#fault(code, file, "is a link, which is not followed");
    if (bytes > MAX_BYTES) throw this.#fault(code, file, "is too large for a login");
  }

  async #plainFolder(code: Fault): Promise<void> {
    const { kind = "folder" } = (await this.#files.facts(this.path)) ?? {};
    if (kind === "folder") return;
    throw this.#fault(code, this.path, kind === "file" ? "is no folder" : "is a link, which is not followed");
  }

  #fault(code: Fault, file: string, what: string): SkillError {
    return new SkillError(code, `${file} ${what}.`, {
      file,
      hint: "Remove it, or put a plain file or folder in its place.",
    });
  }
}
