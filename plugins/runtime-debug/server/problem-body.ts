import type { ServerProblem } from "skillctl";
import type { Refusal } from "../contract.ts";

/** The codes of refusals, as programs that post events know them. What is not here is its own code in lower case. */
const WORDS: Readonly<Record<string, string>> = {
  DEBUG_BAD_JSON: "bad_json",
  DEBUG_NOT_OBJECT: "not_object",
  DEBUG_TOO_DEEP: "too_deep",
  DEBUG_BAD_SESSION: "bad_session",
  DEBUG_TOO_MANY: "too_large",
  BODY_TOO_LARGE: "too_large",
  BODY_UNREADABLE: "bad_body",
  MEDIA_TYPE_REFUSED: "unsupported_encoding",
  ORIGIN_REFUSED: "forbidden_origin",
  HOST_REFUSED: "forbidden_host",
  KEY_REFUSED: "forbidden_key",
  METHOD_REFUSED: "method_not_allowed",
  DEBUG_NOT_SERVED: "not_served",
};
const TIME_OUT = 408;
const PARAMETERS =
  "GET /logs takes last, hypothesisId, runId, since, before, limit, segment and format; DELETE /logs takes purge.";

/** What to send instead. */
export const RUN_BODY = 'The body of POST /run is such as {"runId":"post-fix"}.';

const KEYS =
  "Send events to the address in the environment file, as it stands; for all else send `Authorization: Bearer KEY` with `control` of the file that `serve` names as key_file.";

/** Every error of the server: docs/runtime-debug.md, section Errors. */
export function problemBody({ status, code, detail, hint: given, pointer = "" }: ServerProblem): Refusal {
  const error = wordOf(code, status, pointer);
  // The general hint names a description that this server does not serve.
  const isGeneral = given?.includes("/openapi.json") ?? false;
  const own = isGeneral ? (isOfQuery(pointer) ? PARAMETERS : RUN_BODY) : given;
  const hint = code === "KEY_REFUSED" ? KEYS : own;
  return {
    ok: false,
    error,
    message: detail.slice(0, 4_000),
    ...(hint !== undefined && { hint: hint.slice(0, 1_000) }),
  };
}

/** The word of a code. */
export function wordOf(code: string, status = 0, pointer = ""): string {
  if (code === "INPUT_INVALID") return isOfQuery(pointer) ? "bad_query" : "bad_body";
  if (code === "REQUEST_UNREADABLE") return status === TIME_OUT ? "time_out" : "bad_request";
  return WORDS[code] ?? code.toLowerCase();
}

/** What only the query itself finds out: a segment that is not there, and what does not go together. */
const FOUND_BY_QUERY = ["/segment", "/last", "/limit"];

/** Of the body only `runId` is looked at. */
function isOfQuery(pointer: string): boolean {
  return pointer.startsWith("/query") || FOUND_BY_QUERY.includes(pointer);
}
