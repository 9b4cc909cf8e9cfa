/** The most bytes of a request body: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The most bytes of bodies that are on their way to one raw route: 64 MiB. */
export const MAX_BODIES_BYTES = 64 * 1024 * 1024;
/** The most bytes of a request's head: 16 KiB. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** A head that is not complete after this long ends the connection. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** A request, body included, that has not arrived after this long ends the connection. Handlers may run longer. */
export const REQUEST_TIMEOUT_MS = 20_000;
/** How often the two limits above are checked. */
export const TIMEOUT_CHECK_MS = 2_000;
/** A connection without a request is kept this long. */
export const KEEP_ALIVE_MS = 60_000;
/** A stream of events without an event gets a comment this often, so that nobody between takes it for dead. */
export const HEARTBEAT_MS = 15_000;
/** A stream that a closing server has told to end is broken off when it has not after this long. */
export const STREAM_END_MS = 1_000;
/** Browsers remember the answer to a preflight this long. */
export const PREFLIGHT_SECONDS = 600;
/** An answer of which its reader takes nothing for this long ends the connection. */
export const READER_TIMEOUT_MS = 30_000;
/** Of a body that is over the limit, or refused unread, this much is still taken in, so that its sender comes to the answer. */
export const LINGER_BYTES = 64 * 1024 * 1024;
/** And for this long. */
export const LINGER_MS = 10_000;
/** When a server closes, whoever is still sending a request, or reads no answer, has this long. */
export const CLOSING_MS = 3_000;
/** A handler of a raw route gets this much of a body that is over the limit. */
export const BODY_HEAD_BYTES = 4_096;
/** The most open connections, where the system allows as many: 16,384. */
export const MAX_CONNECTIONS = 16_384;
/** Descriptors that connections leave to the rest of the program, or half of all, if that is less. */
export const SPARE_DESCRIPTORS = 256;
