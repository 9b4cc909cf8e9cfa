import type { ServerProblem } from "skillctl";
import type { Refusal } from "./contract.ts";

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

/** Every error of the server: docs/runtime-debug.md, section Errors. */
export function problemBody({ status, code, detail, hint, pointer = "" }: ServerProblem): Refusal {
  return {
    ok: false,
    error: wordOf(code, status, pointer),
    message: detail.slice(0, 4_000),
    ...(hint !== undefined && { hint: hint.slice(0, 1_000) }),
  };
}

/** The word of a code. */
export function wordOf(code: string, status = 0, pointer = ""): string {
  if (code === "INPUT_INVALID") return pointer.startsWith("/query") ? "bad_query" : "bad_body";
  if (code === "REQUEST_UNREADABLE") return status === TIME_OUT ? "time_out" : "bad_request";
  return WORDS[code] ?? code.toLowerCase();
}
