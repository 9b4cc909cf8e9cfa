import * as fs from "node:fs";

/** A question to a log, as it stands in an address. */
export type Asked = Readonly<Record<string, string | number>>;

/** A stored line, and the event in it. */
export interface StoredLine {
  readonly text: string;
  readonly event: Readonly<Record<string, unknown>>;
  /** Number of its segment; the visible one has the greatest. */
  readonly segment: number;
  readonly isVisible: boolean;
}

/** Every line of a session's segments, oldest first, each parsed. Lines that are no events are left out. */
export function storedLines(visible: string): readonly StoredLine[] {
  const earlier = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) =>
    visible.replace(/\.ndjson$/, `.${number}.ndjson`),
  );
  const paths = [...earlier.filter((path) => fs.existsSync(path)), visible];
  return paths.flatMap((path, index) =>
    fs
      .readFileSync(path, "utf8")
      .split("\n")
      .flatMap((text) => {
        const event = parsed(text);
        return event ? [{ text, event, segment: index + 1, isVisible: path === visible }] : [];
      }),
  );
}

/** The lines that answer a question, found by looking at each of them. */
export function answerOf(lines: readonly StoredLine[], asked: Asked): readonly StoredLine[] {
  const which = asked["segment"] ?? (asked["runId"] === undefined ? "current" : "all");
  const fitting = lines.filter(
    (line) =>
      (which === "all" || (which === "current" ? line.isVisible : line.segment === Number(which))) &&
      fits(line, asked),
  );
  const last = Number(asked["last"] ?? 0);
  const limit = Number(asked["limit"] ?? (last > 0 ? 100_000 : 10_000));
  return last > 0 ? fitting.slice(-Math.min(last, limit)) : fitting.slice(0, limit);
}

function fits({ text, event }: StoredLine, asked: Asked): boolean {
  const { hypothesisId, runId, traceId, location, q, since, before } = asked;
  const number = event["_seq"];
  if (since !== undefined && !(typeof number === "number" && number > Number(since))) return false;
  if (before !== undefined && !(typeof number === "number" && number < Number(before))) return false;
  if (q !== undefined && !text.toLowerCase().includes(String(q).toLowerCase())) return false;
  if (
    runId !== undefined &&
    !list(runId)
      .map(run)
      .some((name) => name === event["_run"] || name === run(plain(event["runId"])))
  )
    return false;
  if (traceId !== undefined && !list(traceId).includes(plain(event["traceId"]))) return false;
  if (location !== undefined && !list(location).some((one) => isAt(plain(event["location"]), one)))
    return false;
  if (hypothesisId === undefined) return true;
  const wanted = list(hypothesisId).flatMap(names);
  return names(plain(event["hypothesisId"])).some((name) => wanted.includes(name));
}

function list(value: string | number): readonly string[] {
  return String(value).split(",");
}

function run(name: string): string {
  return name === "pre" ? "pre-fix" : name === "post" ? "post-fix" : name;
}

function isAt(location: string, asked: string): boolean {
  return asked.endsWith("*") ? location.startsWith(asked.slice(0, -1)) : location === asked;
}

/** What a value is asked for by: lists by their members. */
function plain(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(plain).join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** `A,C` names A and C, `A-D` and `H1-H3` all between too; each names itself. */
function names(text: string): readonly string[] {
  return [
    text,
    ...text.split(",").flatMap((part) => {
      const range = /^([A-Z]?)([A-Z]|\d)-\1([A-Z]|\d)$/.exec(part);
      if (!range) return [part];
      const [, letter = "", from = "", to = ""] = range;
      const codes = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
      return [part, ...codes.filter((code) => code >= from && code <= to).map((code) => letter + code)];
    }),
  ];
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && !("_gap" in value) ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
