import { SkillError } from "skillctl";
import { isSuccess, type Reply } from "./reply.ts";
import { sentence, type BilingualName, type Language } from "./texts.ts";

/** What a reply other than a complete answer means: the code, and the sentence the user is told. */
export interface Refusal {
  readonly code: string;
  readonly text: BilingualName;
}

/** The error table of the specification; the first row that fits decides (docs/music-analysis.md, Replies). */
const REFUSALS: readonly (Refusal & { readonly fits: (code: string, message: string) => boolean })[] = [
  { code: "MUSIC_FIELD_REFUSED", text: "field-refused", fits: (code) => code === "100010" },
  {
    code: "MUSIC_QUOTA_REACHED",
    text: "quota",
    fits: (code, message) =>
      code === "QUOTA_EXCEEDED" ||
      (/达|reached/i.test(message) && /(?<!\d)10(?!\d)/.test(message) && /次|times/i.test(message)),
  },
  {
    code: "MUSIC_SONG_BLOCKED",
    text: "song-blocked",
    fits: (code, message) =>
      code === "SONG_NOT_SUPPORTED" || /不支持分析|cannot be analy[sz]ed/i.test(message),
  },
  {
    code: "MUSIC_LOGIN_NEEDED",
    text: "login-needed",
    fits: (code, message) =>
      code === "UNAUTHORIZED" || /未登录|未知用户|登录态|not logged in|unknown user|unlogged/i.test(message),
  },
  {
    code: "MUSIC_PARAMETER",
    text: "parameter",
    fits: (code, message) => code === "INVALID_PARAM" || /不能为空|must not be empty/i.test(message),
  },
];

export const REPLY_BROKEN: Refusal = { code: "MUSIC_REPLY_BROKEN", text: "reply-broken" };

/** The finish-reason table of the specification. */
const FINISHES: ReadonlyMap<string, Refusal> = new Map(
  Object.entries({
    SAFETY_REVOKED: { code: "MUSIC_SAFETY_REVOKED", text: "safety-revoked" },
    TIMEOUT: { code: "MUSIC_TIMEOUT", text: "timeout" },
    UPSTREAM_ERROR: { code: "MUSIC_BUSY", text: "busy" },
  } satisfies Record<string, Refusal>),
);

/** Why a reply is not a complete answer; undefined when it is one. */
export function refusalOf(reply: Reply): Refusal | undefined {
  if (!isSuccess(reply)) {
    const row = REFUSALS.find(({ fits }) => fits(String(reply.code), reply.message));
    return row ?? { code: "MUSIC_REFUSED", text: "refused" };
  }
  const { data } = reply;
  if (!data) return REPLY_BROKEN;
  if (data.safetyRevoked) return FINISHES.get("SAFETY_REVOKED");
  if (data.finishReason === "COMPLETE") {
    return data.content === "" ? REPLY_BROKEN : undefined;
  }
  return FINISHES.get(data.finishReason) ?? REPLY_BROKEN;
}

/** The only finish reason after which the question is sent again, once (specification, Limits). */
export function asksForRetry(reply: Reply): boolean {
  return isSuccess(reply) && reply.data?.finishReason === "UPSTREAM_ERROR" && !reply.data.safetyRevoked;
}

/** What is known of a refusal besides. */
interface RefusalDetail {
  /** What the service said, without product names. */
  readonly reason?: string;
  /** Why no new login could be had. */
  readonly login?: SkillError;
}

const LONGEST_REASON = 200;

/** The error of a refusal, in the question's language. */
export function failure(
  { code, text }: Refusal,
  language: Language,
  { reason = "", login }: RefusalDetail = {},
): SkillError {
  const said = sentence(text, language);
  return new SkillError(code, code === "MUSIC_PARAMETER" ? parameterSentence(said, reason, language) : said, {
    hint: login?.hint ?? hintOf(code, language),
    cause: login,
  });
}

/** What was wrong with the question, as the service said it. */
function parameterSentence(said: string, message: string, language: Language): string {
  if (/userMessage/i.test(message)) return sentence("parameter-empty", language);
  const reason = message
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, LONGEST_REASON);
  return reason === "" ? said : `${said.replace(/[。.]$/u, "")}${language === "zh" ? "：" : ": "}${reason}`;
}

/** What was thrown on the way, in the question's language; anything else as it is. */
export function told(caught: unknown, language: Language, isUnlimited = false): unknown {
  const text = caught instanceof SkillError ? ON_THE_WAY.get(caught.code) : undefined;
  if (!(caught instanceof SkillError) || text === undefined) return caught;
  const { code, hint, message } = caught;
  // The address that cannot be reached stands in the message of the network.
  const known = code === "NETWORK_UNREACHED" ? message : hintOf(code, language);
  const isCounted = text === "cancelled" || text === "outcome-unknown";
  // Where no day has a limit, none may have been used.
  if (isCounted && isUnlimited)
    return new SkillError(code, sentence(`${text}-unlimited`, language), { cause: caught });
  return new SkillError(code, sentence(text, language), { hint: known ?? hint, cause: caught });
}

const ON_THE_WAY: ReadonlyMap<string, BilingualName> = new Map([
  ["TOKEN_MISSING", "token-missing"],
  ["NETWORK_UNREACHED", "unreached"],
  ["MUSIC_TIMEOUT", "timeout"],
  ["MUSIC_OUTCOME_UNKNOWN", "outcome-unknown"],
  ["MUSIC_REPLY_BROKEN", "reply-broken"],
  ["CANCELLED", "cancelled"],
]);

const HINTS: ReadonlyMap<string, BilingualName> = new Map([
  ["TOKEN_MISSING", "login-hint"],
  ["MUSIC_LOGIN_NEEDED", "login-hint"],
  ["MUSIC_OUTCOME_UNKNOWN", "outcome-hint"],
  ["MUSIC_FIELD_REFUSED", "field-hint"],
  ["MUSIC_REPLY_BROKEN", "address-hint"],
]);

function hintOf(code: string, language: Language): string | undefined {
  const name = HINTS.get(code);
  return name === undefined ? undefined : sentence(name, language);
}
