/** One row of the error table. */
export interface CodeEntry {
  /** Exit status of the command line; follows sysexits where it fits. */
  readonly exit: number;
  /** HTTP status. */
  readonly http: number;
  /** `user`: the caller can correct it. `system`: the operator or the author must. */
  readonly fault: "user" | "system";
  /** One sentence, as in docs/errors.md. */
  readonly summary: string;
}

/** The table of the core's codes. A skill adds its own in its manifest under `errors`. */
export const CODES = {
  USAGE: { exit: 64, http: 400, fault: "user", summary: "The words or options of a call cannot be used." },
  UNKNOWN_SKILL: { exit: 64, http: 404, fault: "user", summary: "No skill of that name is served." },
  UNKNOWN_COMMAND: { exit: 64, http: 404, fault: "user", summary: "The skill has no command of that name." },
  NOT_FOUND: { exit: 64, http: 404, fault: "user", summary: "Nothing answers at that address." },
  METHOD_REFUSED: {
    exit: 64,
    http: 405,
    fault: "user",
    summary: "The address exists, but not for that method.",
  },
  SURFACE_REFUSED: {
    exit: 64,
    http: 403,
    fault: "user",
    summary: "The command is not offered on this surface.",
  },
  INPUT_INVALID: { exit: 65, http: 400, fault: "user", summary: "The input does not fit its schema." },
  REQUEST_UNREADABLE: {
    exit: 65,
    http: 400,
    fault: "user",
    summary: "The request is not valid HTTP.",
  },
  BODY_UNREADABLE: { exit: 65, http: 400, fault: "user", summary: "The request body is not JSON." },
  BODY_TOO_LARGE: { exit: 65, http: 413, fault: "user", summary: "The request body is over the limit." },
  SERVER_BUSY: {
    exit: 75,
    http: 503,
    fault: "system",
    summary: "The server has reached its limit of open requests; this one was not handled.",
  },
  MEDIA_TYPE_REFUSED: {
    exit: 65,
    http: 415,
    fault: "user",
    summary: "The content type is not supported.",
  },
  HOST_REFUSED: {
    exit: 77,
    http: 403,
    fault: "user",
    summary: "The Host header names a host that this server does not serve.",
  },
  ORIGIN_REFUSED: {
    exit: 77,
    http: 403,
    fault: "user",
    summary: "A page of another origin may not call this server.",
  },
  KEY_REFUSED: {
    exit: 77,
    http: 401,
    fault: "user",
    summary: "The server requires a key, and the request has none or a wrong one.",
  },
  FILE_UNREADABLE: { exit: 66, http: 500, fault: "user", summary: "A file or folder cannot be read." },
  FILE_UNWRITABLE: { exit: 73, http: 500, fault: "user", summary: "A file or folder cannot be written." },
  STORAGE_FULL: {
    exit: 73,
    http: 507,
    fault: "system",
    summary: "The disk is full; the data was not stored.",
  },
  STORAGE_FAILED: {
    exit: 74,
    http: 503,
    fault: "system",
    summary: "The disk reported a failure; the data was not stored.",
  },
  STORAGE_BUSY: {
    exit: 75,
    http: 503,
    fault: "system",
    summary: "Too much data is waiting to be stored.",
  },
  STORAGE_LOST: {
    exit: 74,
    http: 503,
    fault: "system",
    summary: "Another process removed, replaced or changed a file while it was written.",
  },
  STORAGE_UNSAFE: {
    exit: 77,
    http: 500,
    fault: "user",
    summary: "The path of a file to be written is a link, or a file that is not the user's own.",
  },
  STATE_UNAVAILABLE: {
    exit: 69,
    http: 503,
    fault: "system",
    summary: "The database of the shared state cannot be used.",
  },
  CLAIM_FAILED: {
    exit: 71,
    http: 500,
    fault: "system",
    summary: "The system does not report whether another process holds a name.",
  },
  PROGRAM_FAILED: {
    exit: 69,
    http: 502,
    fault: "system",
    summary: "A required program could not be run.",
  },
  ADDRESS_IN_USE: {
    exit: 69,
    http: 503,
    fault: "user",
    summary: "The port to listen on is taken or not allowed.",
  },
  TOKEN_MISSING: { exit: 77, http: 401, fault: "user", summary: "No login token was found." },
  TOKEN_ELSEWHERE: {
    exit: 77,
    http: 403,
    fault: "user",
    summary: "The login token belongs to another service, or to none yet, and is not sent to this one.",
  },
  GUARD_DENIED: { exit: 77, http: 403, fault: "user", summary: "A rule denies the operation." },
  GUARD_ASKS: {
    exit: 77,
    http: 403,
    fault: "user",
    summary: "A rule asks for a person's decision, and this surface cannot ask.",
  },
  GUARD_FAILED: {
    exit: 70,
    http: 500,
    fault: "system",
    summary: "A rule failed to decide; that counts as a denial.",
  },
  MANIFEST_INVALID: {
    exit: 78,
    http: 500,
    fault: "system",
    summary: "A manifest does not fit its schema or contradicts itself.",
  },
  SCHEMA_INVALID: {
    exit: 78,
    http: 500,
    fault: "system",
    summary: "A JSON Schema is missing, broken or not strict.",
  },
  CONFIG_INVALID: {
    exit: 78,
    http: 500,
    fault: "user",
    summary: "A configuration file or value does not fit.",
  },
  INSTALL_REFUSED: {
    exit: 65,
    http: 500,
    fault: "user",
    summary: "The source or the lock of a skill cannot be used as it is; nothing is installed.",
  },
  SKILL_CONFLICT: { exit: 78, http: 500, fault: "system", summary: "Two skills have the same name." },
  ENGINE_MISMATCH: {
    exit: 78,
    http: 500,
    fault: "system",
    summary: "The skill asks for another version of skillctl.",
  },
  PORT_MISSING: {
    exit: 69,
    http: 503,
    fault: "user",
    summary: "No hosted skill provides a required port.",
  },
  PORT_CONFLICT: { exit: 78, http: 500, fault: "system", summary: "Two skills provide the same port." },
  PORT_CYCLE: {
    exit: 78,
    http: 500,
    fault: "system",
    summary: "The ports of skills form a cycle.",
  },
  PLUGIN_MISSING: { exit: 78, http: 500, fault: "system", summary: "The code of a skill cannot be found." },
  PLUGIN_BROKEN: {
    exit: 70,
    http: 500,
    fault: "system",
    summary: "The code of a skill fails while it is loaded or wired.",
  },
  OPTIONAL_MISSING: {
    exit: 69,
    http: 503,
    fault: "user",
    summary: "A required optional package is not installed.",
  },
  OUTPUT_INVALID: {
    exit: 70,
    http: 500,
    fault: "system",
    summary: "The result of a handler does not fit its schema.",
  },
  NETWORK_UNREACHED: {
    exit: 69,
    http: 502,
    fault: "system",
    summary: "The other side could not be reached; nothing was sent.",
  },
  NETWORK_BROKEN: {
    exit: 69,
    http: 502,
    fault: "system",
    summary: "The connection broke; the request may have been read.",
  },
  NETWORK_TIMEOUT: {
    exit: 75,
    http: 504,
    fault: "system",
    summary: "The other side did not answer in time.",
  },
  NETWORK_TOO_LARGE: { exit: 69, http: 502, fault: "system", summary: "The answer is over the size limit." },
  CANCELLED: { exit: 130, http: 499, fault: "user", summary: "The caller ended the call." },
  CLOSE_FAILED: { exit: 70, http: 500, fault: "system", summary: "A part could not be closed." },
  INTERNAL: { exit: 70, http: 500, fault: "system", summary: "A fault in skillctl or a plugin." },
} as const satisfies Record<string, CodeEntry>;

/** A code of the core; docs/errors.md lists them with their exit statuses and HTTP statuses. */
export type CoreCode = keyof typeof CODES;
