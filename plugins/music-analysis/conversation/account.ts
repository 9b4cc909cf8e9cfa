import { createHash } from "node:crypto";
import type { AccessToken } from "../../ports.ts";
import {
  CLOCK,
  LOG,
  STATE,
  inject,
  injectable,
  token,
  type Clock,
  type DocumentName,
  type Log,
  type State,
} from "skillctl";

/** Whose conversation it is. Both are hashes: neither a token nor an account number is kept. */
export interface Account {
  /** Of the login in use. Known before the first answer. */
  readonly login: string;
  /** Of the account that the service names in its answers; stays the same over a new login. */
  readonly id?: string;
}

/**
 * Names a login at a service: the hash of the service, a dash, and the hash of the account's name where the login skill
 * or the token says one (`sub` of a JWT, which is not verified here: a wrong one only forgets a conversation), else of
 * the token itself.
 */
export function loginOf(origin: string, { value, account }: Pick<AccessToken, "value" | "account">): string {
  return `${hash(origin)}-${hash(account ?? subjectOf(value) ?? value)}`;
}

/** Whether a login is that at the embedded service, which has no quota. */
export function isEmbedded(login: string): boolean {
  return login.startsWith(`${hash("embedded")}-`);
}

/**
 * The account that an answer names: the segment before the date of `<prefix>:<prefix>:<account_id>:<yyyymmdd>`
 * (specification, Response body), hashed together with its service. Any other text names none.
 */
export function withSession(account: Account, sessionId: string): Account {
  const parts = sessionId.split(":");
  const date = parts.pop() ?? "";
  if (parts.length < 2 || !/^\d{8}$/.test(date) || parts.at(-1) === "") return account;
  const [service = ""] = account.login.split("-");
  return { ...account, id: hash(`${service}\n${parts.join(":")}`) };
}

/** Whether two are one account: the service's name of it decides where both have one, else the login. */
export function isSameAccount(one: Account, other: Account): boolean {
  const named = one.id !== undefined && other.id !== undefined;
  return named ? one.id === other.id : one.login === other.login;
}

/** 64 bits: enough to tell accounts of one machine apart, and nothing can be read off it. */
function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function subjectOf(token: string): string | undefined {
  const payload = token.split(".")[1];
  if (payload === undefined) return undefined;
  try {
    const { sub } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as {
      readonly sub?: unknown;
    };
    return (typeof sub === "string" && sub !== "") || typeof sub === "number" ? `sub:${sub}` : undefined;
  } catch {
    // No JWT: such a token stands for itself.
    return undefined;
  }
}

/** Questions that the service answers per account and day (specification, Limits). */
export const QUESTIONS_A_DAY = 10;

export const LEDGER = token<Ledger>("question-ledger");

const COLLECTION = "music-analysis-questions";
const KEEP_MS = 3 * 86_400_000;
/** The service's day is that of Asia/Shanghai, eight hours ahead the whole year (docs/music-analysis.md, Rulings). */
const AHEAD_MS = 8 * 3_600_000;

/**
 * The questions of a remote service used today, as far as this machine knows. A hint only: the service decides. The
 * embedded service has no limit, so nothing is counted or said of it.
 */
@injectable()
export class Ledger {
  #told = false;

  constructor(
    @inject(STATE) private readonly store: State,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** Undefined for the embedded service, and when it cannot be read, which is said once. */
  async used(login: string): Promise<number | undefined> {
    if (isEmbedded(login)) return undefined;
    return this.#tried(async () => countOf(await this.store.read(this.#page(login))));
  }

  /** Notes a question that was answered, or may have been; never more than a day has. An answer is never lost because this cannot be written. */
  async note(login: string): Promise<void> {
    await this.#write(login, (used) => Math.min(used + 1, QUESTIONS_A_DAY));
  }

  /** Before a question that only looks up songs: says so when the day's last may go into it. */
  async warn(login: string): Promise<void> {
    const used = (await this.used(login)) ?? 0;
    if (used < QUESTIONS_A_DAY - 1) return;
    const sentence = `${used} of today's ${QUESTIONS_A_DAY} questions are used: to look up the songs takes one, and an answer another.`;
    this.log.notice(sentence);
  }

  /** The service has said that none is left. */
  async full(login: string): Promise<void> {
    await this.#write(login, (used) => Math.max(used, QUESTIONS_A_DAY));
  }

  async #write(login: string, change: (used: number) => number): Promise<void> {
    if (isEmbedded(login)) return;
    await this.#tried(() =>
      this.store.update(this.#page(login), KEEP_MS, (stored) => ({ used: change(countOf(stored)) })),
    );
  }

  #tried<T>(action: () => Promise<T>): Promise<T | undefined> {
    return tried(action, (reason) => {
      if (!this.#told) this.log.notice(`Today's questions cannot be counted: ${reason}`);
      this.#told = true;
    });
  }

  #page(login: string): DocumentName {
    const day = new Date(this.clock.now() + AHEAD_MS).toISOString().slice(0, 10);
    return { collection: COLLECTION, id: `${login} ${day}` };
  }
}

function countOf(stored: unknown): number {
  const { used } = (stored ?? {}) as { readonly used?: unknown };
  return typeof used === "number" && Number.isInteger(used) && used > 0 ? used : 0;
}

/** A store that an embedder hands in throws what it likes; an answer that was paid for is not lost for that: why is said. */
export async function tried<T>(
  action: () => Promise<T>,
  say: (reason: string) => void,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (caught) {
    say(caught instanceof Error ? caught.message : String(caught));
    return undefined;
  }
}
