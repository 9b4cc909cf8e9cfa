import { OTHER_CODE, type LogEvent } from "../store/log/log-lines.ts";
import { hypothesisNames } from "../store/read/event-filter.ts";
import type { SessionEntry } from "./entry.ts";

/** The session name that editors write into every event of an agent log: a constant word or their own number. */
const EDITOR_SESSION = /^(?:debug-session|[0-9a-f]{6})$/;

/** Whether a name does not identify a session. */
export function isAnySession(name: unknown): boolean {
  return name === undefined || (typeof name === "string" && EDITOR_SESSION.test(name));
}

/** The number of newest signs of a session that are kept. */
const MOST_SIGNS = 2_000;
const LONGEST_SIGN = 200;
/** A prefix of messages that does not identify their origin. */
const LOG_PREFIX = /^\s*\[[^\]]*\]\s*/;
/** An interpolation in a text: `${x}`, `$x`, `#{x}`, `{x}`, `%s`, `\(x)`. */
const HOLE = /[$#]?\{|\$\w|%[-\d.]*[a-z@]|\\\(/i;
/** Code between two texts of a program begins or ends like this. */
const CODE = /^[\s,:;)}\]=({<>+&|?!*]|^\[?$|^\.\w|^[\w.]+\s*[:=(]+$|=>\s*$/;
/** Shorter texts do not identify an event. */
const FEWEST = 3;
const FEWEST_OF_A_BEGINNING = 4;

/** The members of an event that name its origin, in either public format. */
const NAMES = ["location", "msg", "message", "id", "point"] as const;

/**
 * Texts that identify the events of a region: the string literals of its code, such as the location, the message and the id
 * of both public formats, in any language. A text with an interpolation is cut before it and ends with `*`.
 */
export function signsIn(code: string): readonly string[] {
  const plain = code.replaceAll(/\\(["'`\\/])/g, "$1");
  const found = new Set<string>();
  for (const line of plain.split(/\r?\n/))
    for (const quotes of [/["'`]/, /"/, /'/, /`/])
      for (const text of line.split(quotes)) {
        const sign = signOf(text);
        if (sign !== undefined) found.add(sign);
      }
  return [...found];
}

/** Adds signs to those of a session, without duplicates; beyond the limit, the newest are kept. */
export function withSigns({ signs: known = [] }: SessionEntry, more: readonly string[]): readonly string[] {
  return [...new Set([...known.filter((sign) => !more.includes(sign)), ...more])].slice(-MOST_SIGNS);
}

/** Returns a function that tells whether an event has one of these signs. */
function signReader(signs: readonly string[] = []): (event: Readonly<Record<string, unknown>>) => boolean {
  const whole = new Set(signs);
  const beginnings = signs.filter((sign) => sign.endsWith("*")).map((sign) => sign.slice(0, -1));
  return (event) =>
    NAMES.some((name) => {
      const value = event[name];
      if (typeof value !== "string") return false;
      return whole.has(value) || beginnings.some((beginning) => value.startsWith(beginning));
    });
}

function signOf(text: string): string | undefined {
  if (text.length < FEWEST || text.length > LONGEST_SIGN || CODE.test(text) || !/\p{L}/u.test(text))
    return undefined;
  const hole = HOLE.exec(text);
  const isOpen = /[\s:=#([]$/.test(text);
  if (!hole && !isOpen) return text;
  const beginning = hole ? text.slice(0, hole.index) : text;
  return beginning.replace(LOG_PREFIX, "").length < FEWEST_OF_A_BEGINNING ? undefined : `${beginning}*`;
}

/** The reason why an event is not evidence. */
export type Unfit = "session" | "hypothesis" | "region" | "code";

/** Completes a sentence about one event. */
export const UNFIT: Readonly<Record<Unfit, string>> = {
  session: "names another session",
  hypothesis: "names no hypothesis that is listed",
  region: "comes from no region that `check` has seen",
  code: "came while the code was not as `check` had seen it",
};

/** The hypotheses that an event names. */
export function hypothesesOf({ hypothesisId }: LogEvent): ReadonlySet<string> {
  const named = Array.isArray(hypothesisId) ? hypothesisId.join(",") : hypothesisId;
  return typeof named === "string" ? hypothesisNames(named) : new Set();
}

/** Whether the server has flagged an event: no sent event can contain such a flag. */
function isOfOtherCode({ _flags: flags }: LogEvent): boolean {
  return Array.isArray(flags) && flags.includes(OTHER_CODE);
}

/**
 * Separates evidence from other events: it is of this session, for a listed hypothesis, from a region and code that
 * `check` has seen.
 */
export function unfitReader({
  id,
  hypotheses,
  signs,
}: Pick<SessionEntry, "id" | "hypotheses" | "signs">): (event: LogEvent) => Unfit | undefined {
  const listed = new Set(hypotheses.map((one) => one.id));
  const hasSign = signReader(signs);
  return (event) => {
    const { sessionId } = event;
    if (sessionId !== id && !isAnySession(sessionId)) return "session";
    const names = hypothesesOf(event);
    if (![...names].some((name) => listed.has(name))) return "hypothesis";
    if (!hasSign(event)) return "region";
    return isOfOtherCode(event) ? "code" : undefined;
  };
}
