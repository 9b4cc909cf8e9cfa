import { join } from "node:path";
import {
  CLOCK,
  ENVIRONMENT,
  FILES,
  LOG,
  SkillError,
  inject,
  injectable,
  token,
  type AccessToken,
  type Clock,
  type Environment,
  type Files,
  type FreshToken,
  type Log,
} from "skillctl";
import { sentence } from "./texts.ts";
import { cachedToken, tokenFileText, type CachedToken } from "./token-file.ts";
import { tokenOf } from "./token-text.ts";

/** A cache file is a few lines; what is longer is none. */
const MAX_BYTES = 1024 * 1024;

/** What is to be seen in the place of the cache file. */
export interface CacheLook {
  readonly cached?: CachedToken;
  /** Why what is there cannot be used: a sentence. */
  readonly fault?: string;
}

export const TOKEN_CACHE = token<TokenCache>("token-cache");

/**
 * The token: first the cache file `~/.svc-login/token.json`, then `SVC_HEADER_TOKEN` (specification, Authentication 2).
 * The one writer of that file. Links are neither read through nor written through (docs/login.md, The cache file).
 */
@injectable()
export class TokenCache {
  #told = false;
  #toldElsewhere = false;

  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** Absolute; holds the cache file and its lock. */
  get folder(): string {
    return join(this.environment.home, ".svc-login");
  }

  get file(): string {
    return join(this.folder, "token.json");
  }

  /** A usable `SVC_HEADER_TOKEN`. */
  get variable(): string | undefined {
    return tokenOf(this.environment.variable("SVC_HEADER_TOKEN") ?? "");
  }

  /** Whether `SVC_HEADER_TOKEN` is set to something that cannot be sent in a header. */
  get variableUnusable(): boolean {
    const set = this.environment.variable("SVC_HEADER_TOKEN") ?? "";
    return set.trim() !== "" && this.variable === undefined;
  }

  /** Says that a token is for another service than `SVC_BASE_URL` names; undefined as long as nothing shows that. */
  elsewhere({ baseUrl }: CachedToken): string | undefined {
    const service = this.#service();
    if (service === undefined || baseUrl === undefined) return undefined;
    const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
    return origin === service ? undefined : sentence("elsewhere", { SERVICE: baseUrl, NAMED: service });
  }

  /** @throws SkillError `TOKEN_MISSING` */
  async current(): Promise<AccessToken> {
    const found = await this.find();
    if (found) return found;
    const text = this.variableUnusable ? "missing-unusable" : "missing";
    throw new SkillError("TOKEN_MISSING", sentence(text, { FILE: this.file }), {
      hint: sentence("log-in"),
    });
  }

  /** The token to use now. A cache file that is blank, broken or a link falls through to the variable. */
  async find(): Promise<AccessToken | undefined> {
    const { cached, fault } = await this.look();
    if (cached) {
      const { token: value, account } = cached;
      const elsewhere = this.#toldElsewhere ? undefined : this.elsewhere(cached);
      if (elsewhere !== undefined) this.log.notice(`Warning: ${elsewhere}`);
      this.#toldElsewhere ||= elsewhere !== undefined;
      return { value, source: "cache", ...(account !== undefined && { account }) };
    }
    const value = this.variable;
    if (value === undefined) return undefined;
    if (fault !== undefined && !this.#told)
      this.log.notice(`${fault} The token of SVC_HEADER_TOKEN is used.`);
    this.#told ||= fault !== undefined;
    return { value, source: "environment" };
  }

  /** What the cache file holds. Never throws: what cannot be read counts as none, with the reason. */
  async look(): Promise<CacheLook> {
    try {
      const fault = await this.#strange();
      if (fault !== undefined) return { fault };
      const text = await this.files.readText(this.file);
      if (text === undefined) return {};
      const cached = cachedToken(text);
      return cached ? { cached } : { fault: `${this.file} holds no usable token.` };
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      return { fault: caught.message };
    }
  }

  /**
   * Makes the folder for the user alone, if there is none.
   * @throws SkillError `FILE_UNWRITABLE`, also when a link stands there
   */
  async makeFolder(): Promise<void> {
    const fault = await this.#strangeFolder();
    if (fault !== undefined) throw this.#unwritable(fault);
    await this.files.makeFolder(this.folder);
  }

  /**
   * Keeps a token: the whole file at once, readable by the user alone. The same token again leaves the file as it is.
   * @throws SkillError `FILE_UNWRITABLE`
   */
  async write({ value, baseUrl = this.#service(), expiresAt, account }: FreshToken): Promise<void> {
    const fault = await this.#strange();
    if (fault !== undefined) throw this.#unwritable(fault);
    await this.makeFolder();
    const before = await this.#text();
    const cached = before === undefined ? undefined : cachedToken(before);
    const told =
      (account === undefined || cached?.account === account) &&
      (expiresAt === undefined || cached?.expiresAt !== undefined);
    if (cached?.token === value && cached.baseUrl === baseUrl && told) return;
    const savedAt = Math.floor(this.clock.now() / 1000);
    const content = { token: value, savedAt, baseUrl, expiresAt, account };
    await this.files.replace(this.file, tokenFileText(content, before));
  }

  /**
   * Removes the cache file; answers whether there was one. A link in its place is removed and not followed.
   * @throws SkillError `FILE_UNWRITABLE`
   */
  async remove(): Promise<boolean> {
    const fault = await this.#strangeFolder();
    if (fault !== undefined) throw this.#unwritable(fault);
    const facts = await this.files.facts(this.file);
    if (facts === undefined) return false;
    if (facts.kind === "folder") throw this.#unwritable(`${this.file} is a folder.`);
    await this.files.remove(this.file);
    return true;
  }

  /** Why what stands in the place of the folder or the file is not touched; undefined when nothing speaks against it. */
  async #strange(): Promise<string | undefined> {
    const fault = await this.#strangeFolder();
    if (fault !== undefined) return fault;
    const facts = await this.files.facts(this.file);
    if (facts === undefined) return undefined;
    if (facts.kind !== "file")
      return `${this.file} is ${facts.kind === "folder" ? "a folder" : "a link, which is not followed"}.`;
    return facts.bytes > MAX_BYTES ? `${this.file} is too large for a token.` : undefined;
  }

  async #strangeFolder(): Promise<string | undefined> {
    const facts = await this.files.facts(this.folder);
    if (facts === undefined || facts.kind === "folder") return undefined;
    return `${this.folder} is ${facts.kind === "file" ? "no folder" : "a link, which is not followed"}.`;
  }

  /** The file that is about to be replaced; one that cannot be read is replaced all the same. */
  async #text(): Promise<string | undefined> {
    try {
      return await this.files.readText(this.file);
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      this.log.detail(caught.message);
      return undefined;
    }
  }

  /** The origin that `SVC_BASE_URL` names: the service that a login is for, where the login does not say it. */
  #service(): string | undefined {
    const named = this.environment.variable("SVC_BASE_URL");
    return named !== undefined && URL.canParse(named) ? new URL(named).origin : undefined;
  }

  #unwritable(fault: string): SkillError {
    return new SkillError("FILE_UNWRITABLE", fault, {
      file: this.file,
      hint: "Remove it, or put a plain file or folder in its place.",
    });
  }
}
