import { SkillError, type Language } from "skillctl";
import { isSuccess, type Reply } from "./client.ts";
import type { ServiceEndpoint } from "./service.ts";
import { isEmbedded } from "./conversation/account.ts";
import { sentence, type BilingualName } from "./texts.ts";

/** The consequences of a failure for the user and for further questions. */
interface Failure {
  readonly text: BilingualName;
  readonly hint?: BilingualName;
  /**
   * Whether the question must not be sent again (specification, Handling of data.finishReason and Errors): the service
   * has refused it, or may have counted it. At this point, `UPSTREAM_ERROR` has already been retried once.
   */
  readonly isFinal?: true;
  /** Every other question would fail in the same way. */
  readonly endsAll?: true;
  /** The message for services without a daily limit. */
  readonly unlimited?: BilingualName;
}

const FAILURES = {
  MUSIC_FIELD_REFUSED: { text: "field-refused", hint: "field-hint", isFinal: true, endsAll: true },
  MUSIC_QUOTA_REACHED: { text: "quota", isFinal: true, endsAll: true },
  MUSIC_SONG_BLOCKED: { text: "song-blocked", isFinal: true },
  MUSIC_LOGIN_NEEDED: { text: "login-needed", hint: "login-hint", endsAll: true },
  MUSIC_PARAMETER: { text: "parameter" },
  MUSIC_REFUSED: { text: "refused" },
  MUSIC_SAFETY_REVOKED: { text: "safety-revoked", isFinal: true },
  MUSIC_TIMEOUT: { text: "timeout", isFinal: true },
  MUSIC_BUSY: { text: "busy", isFinal: true },
  MUSIC_REPLY_BROKEN: { text: "reply-broken", hint: "address-hint" },
  MUSIC_OUTCOME_UNKNOWN: {
    text: "outcome-unknown",
    hint: "outcome-hint",
    isFinal: true,
    unlimited: "outcome-unknown-unlimited",
  },
  CANCELLED: { text: "cancelled", isFinal: true, unlimited: "cancelled-unlimited" },
  TOKEN_MISSING: { text: "token-missing", hint: "login-hint", endsAll: true },
  NETWORK_UNREACHED: { text: "unreached", hint: "unreached-hint", endsAll: true },
} satisfies Readonly<Record<string, Failure>>;

/** The code of a failure for which this skill has a message. */
type FailureCode = keyof typeof FAILURES;

/** The failure for a code; undefined if this skill has no message for it. */
export function failureOf(code: string): Failure | undefined {
  return Object.hasOwn(FAILURES, code) ? FAILURES[code as FailureCode] : undefined;
}

/** Matches a message that says that a song cannot be analysed. */
const UNSUPPORTED_SONG =
  /不支持分析|(?:歌曲|单曲|作品|歌|曲目)[^。，,]{0,30}(?:不可|不能|无法|不支持|暂不)[^。，,]{0,10}分析|(?:cannot|can't|could not|can not) be analy[sz]ed|song.{0,40} not (?:analy[sz]able|supported)/iu;
/** Matches a message that says that a parameter is missing or malformed. */
const WRONG_PARAMETER =
  /不能为空|(?:必须|应)[为是](?:数字|整数|字符串|数值)|参数(?:错误|有误|格式|不合法|非法)|must (?:not be (?:empty|blank|null)|be an? (?:number|integer|string))|(?:invalid|illegal|wrong) param/iu;

/** The error table of the specification; the first matching row decides (docs/music-analysis.md, Replies). */
const REFUSALS: readonly (readonly [FailureCode, fits: (code: string, message: string) => boolean])[] = [
  ["MUSIC_FIELD_REFUSED", (code) => code === "100010"],
  [
    "MUSIC_QUOTA_REACHED",
    (code, message) =>
      code === "QUOTA_EXCEEDED" ||
      (/达|reached/i.test(message) && /(?<!\d)10(?!\d)/.test(message) && /次|times/i.test(message)),
  ],
  ["MUSIC_SONG_BLOCKED", (code, message) => code === "SONG_NOT_SUPPORTED" || UNSUPPORTED_SONG.test(message)],
  [
    "MUSIC_LOGIN_NEEDED",
    (code, message) =>
      code === "UNAUTHORIZED" || /未登录|未知用户|登录态|not logged in|unknown user|unlogged/i.test(message),
  ],
  ["MUSIC_PARAMETER", (code, message) => code === "INVALID_PARAM" || WRONG_PARAMETER.test(message)],
];

/** The finish-reason table of the specification. */
const FINISHES: ReadonlyMap<string, FailureCode> = new Map([
  ["SAFETY_REVOKED", "MUSIC_SAFETY_REVOKED"],
  ["TIMEOUT", "MUSIC_TIMEOUT"],
  ["UPSTREAM_ERROR", "MUSIC_BUSY"],
]);

/** How many characters of a service's message are examined: a refusal is a sentence, but a reply may have MiB. */
const READ_OF_MESSAGE = 10_000;

/** Why a reply is not a complete answer; undefined if it is. */
export function refusalOf(reply: Reply): FailureCode | undefined {
  const { data, code } = reply;
  const message = reply.message.slice(0, READ_OF_MESSAGE);
  if (!isSuccess(reply))
    return REFUSALS.find(([, fits]) => fits(String(code), message))?.[0] ?? "MUSIC_REFUSED";
  if (data?.safetyRevoked) return "MUSIC_SAFETY_REVOKED";
  if (data?.finishReason === "COMPLETE" && data.content !== "") return undefined;
  return FINISHES.get(data?.finishReason ?? "") ?? "MUSIC_REPLY_BROKEN";
}

const LONGEST_REASON = 200;

/**
 * The error for a refusal by a service, in the question's language. `reason` is the service's message, `login` the error of
 * a new login. Hints from other skills are only available in English.
 */
export function refused(
  code: FailureCode,
  language: Language,
  endpoint: ServiceEndpoint,
  reason: string,
  login?: SkillError,
): SkillError {
  const { text } = FAILURES[code];
  const isEmpty = code === "MUSIC_PARAMETER" && /userMessage/i.test(reason);
  const own = sentence(isEmpty ? "parameter-empty" : text, language);
  const isSaid = !isEmpty && (code === "MUSIC_PARAMETER" || code === "MUSIC_REFUSED");
  return new SkillError(code, isSaid ? withReason(own, reason, language) : own, {
    hint: (language === "en" ? login?.hint : undefined) ?? hintOf(code, language, endpoint),
    cause: login,
  });
}

/** The message with the service's reason. */
function withReason(said: string, message: string, language: Language): string {
  const reason = message
    .slice(0, READ_OF_MESSAGE)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, LONGEST_REASON);
  return reason === "" ? said : `${said.replace(/[。.]$/u, "")}${language === "zh" ? "：" : ": "}${reason}`;
}

/**
 * An error that occurred before the service answered, in the question's language with its hint; other errors remain
 * unchanged. Without an endpoint, the service has not been asked yet.
 */
export function told(caught: unknown, language: Language, endpoint?: ServiceEndpoint): unknown {
  const failure = caught instanceof SkillError ? failureOf(caught.code) : undefined;
  if (!(caught instanceof SkillError) || !failure) return caught;
  const { code } = caught;
  const { text, unlimited } = failure;
  // A server other than the service, such as that of a login.
  if (code === "NETWORK_UNREACHED" && !endpoint) return caught;
  if (unlimited && endpoint && isEmbedded(endpoint.login))
    return new SkillError(code, sentence(unlimited, language), { cause: caught });
  const { code: reason } = Object(caught.cause) as NodeJS.ErrnoException;
  const hint = hintOf(code, language, endpoint, reason) ?? (language === "en" ? caught.hint : undefined);
  return new SkillError(code, sentence(text, language), { hint, cause: caught });
}

/** The hint of a failure; `reason`: why the service cannot be reached, such as ECONNREFUSED. */
function hintOf(
  code: string,
  language: Language,
  endpoint?: ServiceEndpoint,
  reason?: string,
): string | undefined {
  const name = failureOf(code)?.hint;
  if (name === undefined) return undefined;
  // The embedded service does not use the user's own token.
  const own = name === "login-hint" && endpoint && isEmbedded(endpoint.login) ? "embedded-login-hint" : name;
  return sentence(own, language).replace("{ORIGIN}", () =>
    [endpoint?.origin, reason].filter(Boolean).join(language === "zh" ? "，" : ", "),
  );
}
