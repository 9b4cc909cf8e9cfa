/** The ports between the built-in skills: their names and types. */
import { port, type Http } from "skillctl";

/** A login token and its source. */
export interface AccessToken {
  /** Printable ASCII without spaces, at most 8 KiB. Goes into one request header to one origin and nowhere else. */
  readonly value: string;
  /** The cache file of a login, or an environment variable. */
  readonly source: "cache" | "environment";
  /** Identifies the account, if the login skill knows it. Remains the same after a new login. */
  readonly account?: string | undefined;
  /** The value of `HttpRequest.viaEnvironment` for requests with this token. Default: false. */
  readonly viaEnvironment?: boolean;
}

/** The context of a request for a token. */
export interface Renewal {
  readonly signal: AbortSignal;
  /** Receives a sentence about the current step. */
  readonly progress: (sentence: string) => void;
  /** Whether a person is at a terminal. Otherwise only ways without a person are tried. */
  readonly interactive: boolean;
}

/** The port `access-tokens`, lent by the skill that owns the login. A token belongs to one origin, such as `https://music.example`. */
export interface AccessTokens {
  /**
   * The token for an origin. A token without an origin is bound to the first origin for which a person, or the user's
   * own configuration, requests it.
   * @throws SkillError `TOKEN_MISSING` without a token, `TOKEN_ELSEWHERE` if the only one is for another origin.
   */
  readonly current: (origin: string, wait: Renewal) => Promise<AccessToken>;
  /**
   * Logs in again because the service at an origin refused `failed`, once for all processes: later callers get the token of
   * the first. The returned token differs from `failed`.
   * @throws SkillError `TOKEN_MISSING` if no new token is available, with the remedy as its hint; `TOKEN_ELSEWHERE`;
   * `CANCELLED`.
   */
  readonly renew: (origin: string, failed: string, wait: Renewal) => Promise<AccessToken>;
  /** The values of all current tokens, so that output can mask them. Never sent. */
  readonly held: () => Promise<readonly string[]>;
}

export const ACCESS_TOKENS = port<AccessTokens>("access-tokens");

/** A token from a login. */
export interface FreshToken {
  /** Printable ASCII without spaces, at most 8 KiB. */
  readonly value: string;
  /** The origin for which it is valid, if the login states it. */
  readonly baseUrl?: string | undefined;
  /** Its expiry in milliseconds since the epoch, if the login states it. */
  readonly expiresAt?: number | undefined;
  /** Identifies the account; remains the same after a new login. Personal data: only shown masked. */
  readonly account?: string | undefined;
}

/** The context of a login, and its means of display. */
export interface LoginWait extends Renewal {
  /** The width of the terminal in columns; `undefined` without one. */
  readonly columns: number | undefined;
  /** The file for a QR code as an SVG picture, absolute. */
  readonly qrFile?: string;
  /** A token that the service has just refused, and that must not be returned again. */
  readonly refused?: string;
}

/** The validity of a token, as far as known. */
export type TokenVerdict =
  /** `account` is masked: never a whole phone number, name or id. */
  | { readonly state: "valid"; readonly account?: string | undefined }
  | { readonly state: "invalid" }
  | { readonly state: "unreachable"; readonly reason: string };

/** Fetches login tokens: a port of a login skill, or a program on the machine (docs/login.md, Login programs). */
export interface LoginProgram {
  /** For people: `svc-login (/usr/bin/svc-login)`, `device login (https://id.example)`. */
  readonly label: string;
  /** Gets a token without a person, by its token API or its check command; `undefined` if a person is needed. */
  readonly quiet: (wait: LoginWait) => Promise<FreshToken | undefined>;
  /**
   * A login by a person.
   * @throws SkillError `LOGIN_REFUSED`, `LOGIN_EXPIRED`, `NETWORK_*`, `PROGRAM_FAILED`, `CANCELLED`, and
   * `LOGIN_REQUIRED` without a person.
   */
  readonly interactive: (wait: LoginWait) => Promise<FreshToken>;
  /** Whether the service accepts a token; `undefined` if this program cannot check it. */
  readonly verify: (token: string, signal: AbortSignal) => Promise<TokenVerdict | undefined>;
  /** Removes its data other than the cache file, such as refresh tokens. */
  readonly forget: (signal: AbortSignal) => Promise<void>;
}

export const LOGIN_PROGRAM = port<LoginProgram>("login-program");

/** The address of an analysis service, and its token. */
export interface AnalysisEndpoint {
  /** Origin only, such as `http://music-gateway.localhost`. */
  readonly baseUrl: string;
  /** Handles the requests to this origin in this process, instead of the network. */
  readonly http?: Http;
  /** Kept in memory, valid for this endpoint only. */
  readonly token: string;
  /** Identifies the data behind its answers: a different name means different songs. */
  readonly account: string;
  /** One line for the person: the service, its data, and how to use other data. */
  readonly notice: string;
}

/** Rows of an answer as data: `schemas/music-gateway/answer-output.json` describes its members. */
export interface AnalysisTable {
  readonly title: string;
  readonly grain: "day" | "month" | "window";
  readonly days: { readonly from: string; readonly to: string } | null;
  readonly before: { readonly from: string; readonly to: string } | null;
  readonly files: readonly string[];
  readonly columns: readonly {
    readonly name: string;
    readonly label: string;
    readonly unit: "text" | "count" | "hours" | "money" | "percent" | "quotient" | "row";
  }[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** A song, or `other` for something else, such as a playlist. */
export type AnalysisSubject = { readonly songId: number; readonly title: string } | "other";

/** The port `analysis-service`, lent by a skill that answers the analysis contract in this process. */
export interface AnalysisService {
  /**
   * Starts the service on first use and returns its address. Questions of one `conversation` refer to each other; questions
   * without one share a conversation that lasts a day.
   */
  readonly endpoint: (conversation?: string) => Promise<AnalysisEndpoint>;
  /**
   * The figures of its answer to a question as an SVG picture, for the account or for these songs; `undefined` if the answer has
   * none. Missing if the service draws no pictures.
   */
  readonly picture?: (
    question: string,
    songIds: readonly number[],
    conversation?: string,
  ) => Promise<string | undefined>;
  /** The rows of one of its last answers, by message id; `undefined` if it has none or they are no longer stored. */
  readonly tables?: (messageId: string) => readonly AnalysisTable[] | undefined;
  /** The subject of one of its last answers, by message id; `undefined` if it has several. */
  readonly subject?: (messageId: string) => AnalysisSubject | undefined;
}

export const ANALYSIS_SERVICE = port<AnalysisService>("analysis-service");
