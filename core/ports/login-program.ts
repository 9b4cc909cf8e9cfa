import { portToken } from "../container/token.ts";
import type { Renewal } from "./access-tokens.ts";

/** A token that a login has just yielded. */
export interface FreshToken {
  /** Printable ASCII without spaces, at most 8 KiB. */
  readonly value: string;
  /** The origin it is good for, where the login says so. */
  readonly baseUrl?: string;
  /** Until when it is good, in milliseconds since the epoch, where the login says so. */
  readonly expiresAt?: number;
  /** Names the account, the same over new logins. Personal data: only shown masked. */
  readonly account?: string;
}

/** Who waits for a login, and what can be shown to them. */
export interface LoginWait extends Renewal {
  /** The width of the terminal in columns; `undefined` without one. */
  readonly columns: number | undefined;
  /** Where a QR code is written to as an SVG picture, absolute. */
  readonly qrFile?: string;
  /** A token that the service has just refused: the same one again is no answer. */
  readonly refused?: string;
}

/** Whether a token is good, as far as it can be told. */
export type TokenVerdict =
  /** `account` is masked: never a whole phone number, name or id. */
  | { readonly state: "valid"; readonly account?: string }
  | { readonly state: "invalid" }
  | { readonly state: "unreachable"; readonly reason: string };

/** What fetches login tokens: lent by a login skill, or made of a program of the machine (docs/login.md, Login programs). */
export interface LoginProgram {
  /** For people: `svc-login (/usr/bin/svc-login)`, `device login (https://id.example)`. */
  readonly label: string;
  /** A token without asking anybody: its token API, then its check command; `undefined` when only a person can help. */
  readonly quiet: (wait: LoginWait) => Promise<FreshToken | undefined>;
  /**
   * A login by a person.
   * @throws SkillError `LOGIN_REFUSED`, `LOGIN_EXPIRED`, `NETWORK_*`, `PROGRAM_FAILED`, `CANCELLED`, and
   * `LOGIN_REQUIRED` when nobody can be asked.
   */
  readonly interactive: (wait: LoginWait) => Promise<FreshToken>;
  /** Whether the service takes a token; `undefined` when this program cannot tell. */
  readonly verify: (token: string, signal: AbortSignal) => Promise<TokenVerdict | undefined>;
  /** Forgets what it keeps beside the cache file, such as refresh tokens. */
  readonly forget: (signal: AbortSignal) => Promise<void>;
}

export const LOGIN_PROGRAM = portToken<LoginProgram>("login-program");
