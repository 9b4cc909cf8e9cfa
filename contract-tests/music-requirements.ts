import type { Requirement } from "./requirement.ts";

/**
 * The rules of the specification of the music data-analysis service, one id each. A test that shows one names it in its
 * title, in square brackets: `[music.request.fields]`. `requirements.test.ts` fails for a rule without a test and for a
 * name without a rule.
 */
export const MUSIC_REQUIREMENTS = {
  "music.service.question": {
    place: "What the service does",
    rule: "One remote operation answers a question in natural language with a Markdown conclusion.",
  },
  "music.service.scope": {
    place: "What the service does",
    rule: "A question is about the whole account (no songId) or about one song (songId).",
  },
  "music.service.wrapper": {
    place: "What the service does",
    rule: "The operation is called through the one command; direct calls are forbidden.",
  },
  "music.service.account": {
    place: "What the service does",
    rule: "The account is told by the token and never sent in the body.",
  },
  "music.request.fields": {
    place: "Request body",
    rule: "The body has userMessage and, for one song, songId; no other field can be sent.",
  },
  "music.request.message": {
    place: "Request body",
    rule: "userMessage is the user's original question, unmodified.",
  },
  "music.request.song-id": {
    place: "Request body",
    rule: "songId is a number, sent only for an exactly resolved song, never for account-wide questions.",
  },
  "music.request.forbidden": {
    place: "Request body",
    rule: "The server answers forbidden fields with code 100010.",
  },
  "music.response.code": {
    place: "Response body",
    rule: "code 0, as number or text, is success; anything else is a failure with its message.",
  },
  "music.response.session": {
    place: "Response body",
    rule: "sessionId is <prefix>:<prefix>:<account_id>:<yyyymmdd>, made by the server, a response field only.",
  },
  "music.response.data": {
    place: "Response body",
    rule: "data holds sessionId, messageId, content, finishReason and safetyRevoked.",
  },
  "music.cache.order": {
    place: "Local login cache; Authentication 2",
    rule: "The token comes from ~/.svc-login/token.json, then from SVC_HEADER_TOKEN.",
  },
  "music.cache.helpers": {
    place: "Local login cache",
    rule: "A login-check and a token-verify command are thin proxies to the login skill.",
  },
  "music.resolve.named": {
    place: "States and transitions 1",
    rule: "A question that names a song in title marks or quotes is a single-song question.",
  },
  "music.resolve.pointer": {
    place: "States and transitions 1",
    rule: "A pointer such as 'this song' makes a single-song question.",
  },
  "music.resolve.pronoun": {
    place: "States and transitions 1",
    rule: "A pronoun about a song in focus makes a single-song question.",
  },
  "music.resolve.account": {
    place: "States and transitions 1",
    rule: "Account-wide questions are sent without songId.",
  },
  "music.resolve.known": {
    place: "States and transitions 2",
    rule: "A mapping that the conversation holds is used.",
  },
  "music.resolve.overall": {
    place: "States and transitions 2",
    rule: "Otherwise one internal overall question is asked; its content is read and never shown.",
  },
  "music.tier-a": {
    place: "States and transitions 3, A",
    rule: "Exactly one entry equal without marks, spaces and case: the original message with its id, no hint line.",
  },
  "music.tier-b": {
    place: "States and transitions 3, B",
    rule: "Similar entries: the fixed question, and no call with an id until the user has answered.",
  },
  "music.tier-b.words": {
    place: "States and transitions 3, B",
    rule: "No technical words are shown in the question of tier B.",
  },
  "music.tier-c": {
    place: "States and transitions 3, C",
    rule: "No similar entry, an empty mapping or no song information: the fixed line only.",
  },
  "music.tier-c.name": {
    place: "Tier C fallback line",
    rule: "Only the song's name is replaced in the line.",
  },
  "music.tier-c.nothing-else": {
    place: "Tier C rules 1",
    rule: "The reply is the line and nothing else.",
  },
  "music.tier-c.no-attempt": {
    place: "Tier C rules 2",
    rule: "No further attempt is made: no loose match, no other window, no substitute.",
  },
  "music.tier-c.restart": {
    place: "Tier C rules 3",
    rule: "Only a new user request starts the resolution again.",
  },
  "music.tier-c.no-fallback": {
    place: "Tier C rules 4",
    rule: "A single-song question is never sent without songId.",
  },
  "music.endpoint.address": {
    place: "Ask a data question",
    rule: "POST {base_url}/openapi/v1/musician/data/agent/chat-sync with JSON.",
  },
  "music.endpoint.header": {
    place: "Ask a data question; Authentication 1",
    rule: "Every call carries the token in svc-header-token.",
  },
  "music.wrapper.forms": {
    place: "Ask a data question",
    rule: "The wrapper takes the message and an optional song id, and prints the formatted raw JSON to stdout.",
  },
  "music.wrapper.no-token": {
    place: "Ask a data question; Authentication 4",
    rule: "The token is never an argument of an analysis command.",
  },
  "music.check.prints": {
    place: "Ask a data question",
    rule: "The login-check helper prints the token to stdout.",
  },
  "music.finish.complete": {
    place: "Handling of data.finishReason",
    rule: "COMPLETE: the content is shown in full and unchanged.",
  },
  "music.finish.safety": {
    place: "Handling of data.finishReason",
    rule: "SAFETY_REVOKED: the user is told to rephrase; no retry.",
  },
  "music.finish.timeout": {
    place: "Handling of data.finishReason",
    rule: "TIMEOUT: the user is told to try later; no retry.",
  },
  "music.finish.upstream": {
    place: "Handling of data.finishReason; Limits",
    rule: "UPSTREAM_ERROR: one retry, then the user is told that the service is busy.",
  },
  "music.present.verbatim": {
    place: "Presentation rules 1",
    rule: "The content is put out completely and character for character.",
  },
  "music.present.lead-in": {
    place: "Presentation rules 1",
    rule: "At most one short sentence stands before the content.",
  },
  "music.present.keyword": {
    place: "Presentation rules 2",
    rule: "The forbidden product name is never put out, in any letter case.",
  },
  "music.present.hint": {
    place: "Presentation rules 3",
    rule: "An account-wide answer ends with a blank line and the hint line; a single-song answer has none.",
  },
  "music.present.top-song": {
    place: "Presentation rules 3",
    rule: "The hint names the most-played song of the content, once in marks, or the placeholder; never an invented one.",
  },
  "music.present.waiting": {
    place: "Presentation rules 4",
    rule: "While waiting, only positive texts are shown.",
  },
  "music.auth.missing": {
    place: "Authentication 2; Errors",
    rule: "Without a token the command fails with a hint to run the login skill.",
  },
  "music.auth.check": {
    place: "Authentication 3",
    rule: "Login-check asks the token API, then the check command, else guidance on stderr and exit 1.",
  },
  "music.auth.no-login-logic": {
    place: "Authentication 4",
    rule: "The analysis skill has no login logic and never writes the cache file.",
  },
  "music.auth.paste": {
    place: "Authentication 4",
    rule: "A pasted token is handed to the login skill.",
  },
  "music.auth.renew": {
    place: "Authentication 5; Errors",
    rule: "Not logged in or UNAUTHORIZED: log in again through the login skill, then retry.",
  },
  "music.auth.install": {
    place: "Authentication 6",
    rule: "When the login skill is missing, the user is told to install it.",
  },
  "music.error.quota": {
    place: "Errors",
    rule: "Quota used up: no retry; the user is told to come back the next day.",
  },
  "music.error.song": {
    place: "Errors",
    rule: "Song not supported: no retry; the user is told so.",
  },
  "music.error.parameter": {
    place: "Errors",
    rule: "Parameter error: the input is corrected before it is sent again; a blank question is never sent.",
  },
  "music.error.field": {
    place: "Errors",
    rule: "100010: no retry; use the wrapper.",
  },
  "music.limit.time": {
    place: "Limits",
    rule: "The wrapper gives up after 260 seconds.",
  },
  "music.limit.questions": {
    place: "Limits",
    rule: "Ten questions a day.",
  },
} as const satisfies Readonly<Record<string, Requirement>>;
