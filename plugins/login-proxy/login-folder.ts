import { setTimeout } from "node:timers/promises";
import { join } from "node:path";
import {
  CLAIMS,
  CLOCK,
  ENVIRONMENT,
  FILES,
  SkillError,
  inject,
  injectable,
  token,
  type Claims,
  type Clock,
  type Environment,
  type Files,
  type Log,
} from "skillctl";
import { objectOf } from "./token-text.ts";
import { sentence } from "./texts.ts";

/** Size limit for the login files, which only have a few lines. */
const MAX_BYTES = 1024 * 1024;

type Fault = "FILE_UNREADABLE" | "FILE_UNWRITABLE";

/** Runs an optional action of a login: a failure is logged, and the result is undefined. */
export async function tolerated<T>(
  log: Log,
  failure: string,
  action: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (caught) {
    log.notice(`${failure}: ${caught instanceof Error ? caught.message : String(caught)}`);
    return undefined;
  }
}

export const LOGIN_FOLDER = token<LoginFolder>("login-folder");

/**
 * The files in `~/.svc-login`, replaced atomically and accessible to the user only (0600 in a folder of 0700). Links at the
 * path of the folder or of a file are not followed (docs/login.md, The cache file).
 */
@injectable()
export class LoginFolder {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** Absolute. */
  get path(): string {
    return join(this.environment.home, ".svc-login");
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** @throws SkillError `FILE_UNREADABLE` */
  async read(name: string): Promise<string | undefined> {
    await this.#plain(name, "FILE_UNREADABLE");
    return this.files.readText(this.file(name));
  }

  /** A file's JSON object; empty if the file is missing or invalid. @throws SkillError `FILE_UNREADABLE` */
  async object(name: string): Promise<Readonly<Record<string, unknown>>> {
    return objectOf((await this.read(name)) ?? "") ?? {};
  }

  /** Creates the folder if it does not exist. @throws SkillError `FILE_UNWRITABLE` */
  async make(): Promise<void> {
    await this.#check(this.path, "folder", "FILE_UNWRITABLE");
    await this.files.makeFolder(this.path);
  }

  /** Writes JSON indented by two spaces. @throws SkillError `FILE_UNWRITABLE` */
  async write(name: string, content: object): Promise<void> {
    await this.#plain(name, "FILE_UNWRITABLE");
    await this.make();
    await this.files.replace(this.file(name), `${JSON.stringify(content, undefined, 2)}\n`);
  }

  /** Removes a file, or a link without following it; returns whether it existed. @throws SkillError `FILE_UNWRITABLE` */
  async remove(name: string): Promise<boolean> {
    await this.#check(this.path, "folder", "FILE_UNWRITABLE");
    const facts = await this.files.facts(this.file(name));
    if (facts === undefined) return false;
    if (facts.kind === "folder") throw fault("FILE_UNWRITABLE", this.file(name), "is a folder");
    await this.files.remove(this.file(name));
    return true;
  }

  /** The permissions, such as `644`, of a file that other users can access. */
  async openRights(name: string): Promise<string | undefined> {
    const { kind, mode = 0 } = (await this.files.facts(this.file(name))) ?? {};
    return kind !== "file" || (mode & 0o077) === 0 ? undefined : (mode & 0o777).toString(8);
  }

  async #plain(name: string, code: Fault): Promise<void> {
    await this.#check(this.path, "folder", code);
    await this.#check(this.file(name), "file", code);
  }

  /** Checks that a path is free or has the expected kind. */
  async #check(path: string, wanted: "file" | "folder", code: Fault): Promise<void> {
    const { kind = wanted, bytes = 0 } = (await this.files.facts(path)) ?? {};
    if (kind === "other") throw fault(code, path, "is a link, which is not followed");
    if (kind !== wanted) throw fault(code, path, wanted === "folder" ? "is not a folder" : "is a folder");
    if (kind === "file" && bytes > MAX_BYTES) throw fault(code, path, "is too large for a login file");
  }
}

function fault(code: Fault, file: string, what: string): SkillError {
  return new SkillError(code, `${file} ${what}.`, {
    file,
    hint: "Remove it, or replace it with a regular file or folder.",
  });
}

/** Waits. @throws SkillError `CANCELLED` when the signal is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => {
    throw cancelled();
  });
}

/** The error of a cancelled login. */
export function cancelled(): SkillError {
  return new SkillError("CANCELLED", "The login was cancelled.");
}

const LOOK_MS = 100;
/** Longest wait for another process's login (docs/login.md, Time-outs). */
const LONGEST_WAIT_MS = 600_000;

/** An action that needs the lock. */
interface LockRequest<T> {
  readonly signal: AbortSignal;
  /** Called once if another process holds the lock. */
  readonly progress: (sentence: string) => void;
  readonly action: () => Promise<T>;
}

export const LOGIN_LOCK = token<LoginLock>("login-lock");

/** Allows one login at a time across all processes of the user, by a name that only one can hold (docs/login.md, One login at a time). */
@injectable()
export class LoginLock {
  constructor(
    @inject(CLAIMS) private readonly claims: Claims,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGIN_FOLDER) private readonly folder: LoginFolder,
  ) {}

  /** @throws SkillError `CANCELLED`, `LOGIN_EXPIRED` after ten minutes of waiting, `CLAIM_FAILED`, and errors of the action. */
  async run<T>({ signal, progress, action }: LockRequest<T>): Promise<T> {
    const since = this.clock.monotonicMs();
    for (let isFirst = true; ; isFirst = false) {
      await pause(isFirst ? 0 : LOOK_MS, signal);
      const claim = await this.claims.claim(`login ${this.folder.path}`);
      if (claim)
        try {
          return await action();
        } finally {
          await claim.release();
        }
      if (isFirst) progress(sentence("waiting-for-other"));
      if (this.clock.monotonicMs() - since > LONGEST_WAIT_MS)
        throw new SkillError("LOGIN_EXPIRED", "Another login has been in progress for ten minutes.", {
          hint: "End it, then try again.",
        });
    }
  }
}
