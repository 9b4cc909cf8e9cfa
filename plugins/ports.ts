/** What the skills in the box lend each other: the names of the ports, and what stands behind each. */
import { port, type Http } from "skillctl";

/** A login token, and where it was found. */
export interface AccessToken {
  /** Printable ASCII without spaces, at most 8 KiB. Goes into one request header to one origin and nowhere else. */
  readonly value: string;
  readonly source: "cache" | "environment";
  /** Names the account, when the login skill knows it; the same over new logins. */
  readonly account?: string;
  /** What `HttpRequest.viaEnvironment` is for requests with this token. Default false. */
  readonly viaEnvironment?: boolean;
}

/** Who waits for a token. */
export interface Renewal {
  readonly signal: AbortSignal;
  /** A positive sentence about what is going on. */
  readonly progress: (sentence: string) => void;
  /** Whether a person sits at a terminal. Without, only what needs nobody is tried. */
  readonly interactive: boolean;
}

/** Lent by the skill that owns the login. A token belongs to one origin, such as `https://music.example`. */
export interface AccessTokens {
  /**
   * The token for an origin. One that is kept without an origin is bound to the first one it is asked for, where a person
   * or the user's own configuration stands behind that.
   * @throws SkillError `TOKEN_MISSING` when there is none, `TOKEN_ELSEWHERE` when there is one for another origin only.
   */
  readonly current: (origin: string, wait: Renewal) => Promise<AccessToken>;
  /**
   * Logs in again because the service at an origin refused `failed`, at most once over all processes: who comes late gets
   * the token that somebody else has just fetched. The token that is answered is another one than `failed`.
   * @throws SkillError `TOKEN_MISSING` when no new token can be had, with what to do as its hint; `TOKEN_ELSEWHERE`;
   * `CANCELLED`.
   */
  readonly renew: (origin: string, failed: string, wait: Renewal) => Promise<AccessToken>;
  /** The values of all tokens that are there now, so that they can be kept out of what is written down. Sent nowhere. */
  readonly held: () => Promise<readonly string[]>;
}

export const ACCESS_TOKENS = port<AccessTokens>("access-tokens");

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

export const LOGIN_PROGRAM = port<LoginProgram>("login-program");

/** Where an analysis service answers, and the token it takes. */
export interface AnalysisEndpoint {
  /** Origin only, e.g. `http://music-gateway.localhost`. */
  readonly baseUrl: string;
  /** Takes the requests to this origin instead of the network: the service answers in this process. */
  readonly http?: Http;
  /** Held in memory, valid for this endpoint only. */
  readonly token: string;
  /** Names the data that it answers from: another name, other songs. */
  readonly account: string;
  /** One line for the person: who answers, from which data, and how to use one's own. */
  readonly notice: string;
}

/** Lent by a skill that can answer the analysis contract itself. */
export interface AnalysisService {
  /** Starts it on first use; the same endpoint until the host closes. */
  readonly endpoint: () => Promise<AnalysisEndpoint>;
  /**
   * The figures of its answer to a question as an SVG picture, of the account or of these songs; undefined when the answer
   * has none. Missing where it draws nothing.
   */
  readonly picture?: (question: string, songIds: readonly number[]) => Promise<string | undefined>;
}

export const ANALYSIS_SERVICE = port<AnalysisService>("analysis-service");
