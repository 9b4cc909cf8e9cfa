import { CODES, type CodeEntry, type CoreCode } from "./codes.ts";
import { withoutSignedTokens } from "./known-secrets.ts";

/** The parts of an error besides its code and message. */
export interface SkillErrorOptions {
  /** The remedy: one sentence. */
  readonly hint?: string | undefined;
  /** The value that was caught. Shown by `--verbose` only. */
  readonly cause?: unknown;
  /** JSON pointer to the fault in the input or in `file`. */
  readonly pointer?: string | undefined;
  /** The file that the error is about, absolute. */
  readonly file?: string | undefined;
  /** The recorded evaluation of the rules that refused: the argument of `skillctl why`. */
  readonly evaluation?: string | undefined;
  /** A partial result, shown before the error. Fits the output schema of the command. */
  readonly result?: unknown;
}

/** A registered symbol, since a plugin may come with its own copy of this package. */
const BRAND = Symbol.for("skillctl.error");

/**
 * An error that a caller can act on. Its code is one of the core or one under `errors` in the manifest of the skill; it decides
 * the exit status and the HTTP status. The message says in one sentence what happened and where. Any other error becomes
 * `INTERNAL`. Signed login tokens in message and hint are replaced by `[token]`. `instanceof` works across copies of this package.
 */
export class SkillError extends Error {
  override readonly name = "SkillError";
  readonly code: string;
  readonly hint: string | undefined;
  readonly pointer: string | undefined;
  readonly file: string | undefined;
  readonly result: unknown;
  readonly evaluation: string | undefined;
  /** @internal */
  readonly [BRAND] = true;

  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  constructor(code: CoreCode | (string & {}), message: string, options: SkillErrorOptions = {}) {
    // Plain JavaScript has no compiler that refuses a number.
    for (const [name, text] of Object.entries({ code, message, hint: options.hint ?? "" }))
      if (typeof text !== "string")
        throw new TypeError(
          `The ${name} of new SkillError(code, message) must be a string, not ${described(text)}; the code is one of /errors in skill.json`,
        );
    super(withoutTokens(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint === undefined ? undefined : withoutTokens(options.hint);
    this.pointer = options.pointer;
    this.file = options.file;
    this.result = options.result;
    this.evaluation = options.evaluation;
  }
}

/** A text in which `[token]` stands for whatever looks like a login token. */
export function withoutTokens(text: string): string {
  return withoutSignedTokens(text, "[token]");
}

/** The core's row for a code, or that of `INTERNAL`. */
export function coreEntry(code: string): CodeEntry {
  return Object.hasOwn(CODES, code) ? CODES[code as CoreCode] : CODES.INTERNAL;
}

/** A caught value as a SkillError; a value of another kind becomes `INTERNAL`, with the value as its cause. */
export function asSkillError(caught: unknown): SkillError {
  if (caught instanceof SkillError) return caught;
  return new SkillError("INTERNAL", `Unexpected failure: ${described(caught)}`, {
    cause: caught,
    hint:
      caught instanceof Error
        ? "Run again with --verbose to see the cause chain."
        : "Throw a SkillError or another Error, so that its line can be reported.",
  });
}

/** A thrown value in words: it can be anything, even an object that cannot be turned into text. */
export function described(caught: unknown): string {
  if (caught instanceof Error) return textOf(caught, "message") ?? "its message cannot be read";
  return typeof caught === "object" && caught !== null
    ? Object.prototype.toString.call(caught)
    : String(caught);
}

/** A text of a thrown value; undefined for another value and for a getter that throws. */
export function textOf(thrown: object, key: "message" | "stack" | "name" | "code"): string | undefined {
  try {
    const text = (thrown as Readonly<Record<string, unknown>>)[key];
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The parts of an AggregateError, such as that of `Promise.any`. */
export function partsOf(error: Error): readonly unknown[] {
  return error instanceof AggregateError && Array.isArray(error.errors) ? error.errors : [];
}

/** An error of a folder's code, with its cause or parts, and the file and line in it that the stack names first. Text that is not JavaScript has none. */
export function describedIn(folder: string, cause: unknown): string {
  if (!(cause instanceof Error))
    return `its code threw ${thrownValue(cause)}, not an Error, so its line is unknown`;
  const parts = partsOf(cause);
  const below = cause.cause instanceof Error ? [cause.cause] : parts.slice(0, 3);
  const own = described(cause);
  const message = below.length === 0 ? own : `${own.replace(/\.$/, "")}: ${below.map(described).join("; ")}`;
  const place = [cause, ...parts].map((one) => placeIn(folder, one)).find((one) => one !== undefined);
  if (place !== undefined) return `${message.replace(/\.$/, "")} (${place})`;
  return cause instanceof SyntaxError
    ? `${message} (\`skillctl validate DIR\`, with the folder of the skill, names the line)`
    : message;
}

/** The maximum length of a value, as JSON, in an error message. */
const MOST_SHOWN = 200;

/** A thrown value that is not an Error. Only `code` and `message` of an object are shown, since it may contain anything. */
function thrownValue(value: unknown): string {
  if (typeof value === "string") return cut(JSON.stringify(value));
  const [code, message] = [textOf(Object(value), "code"), textOf(Object(value), "message")];
  if (message === undefined) return described(value);
  return cut(JSON.stringify({ ...(code !== undefined && { code }), message }));
}

function cut(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** The file and line in a folder that the stack of an error names first. */
export function placeIn(folder: string, cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const start = `${encodeURI(folder.replaceAll("\\", "/"))}/`;
  const lines = textOf(cause, "stack")?.split("\n") ?? [];
  const line = lines.find((one) => one.includes(start) && !one.includes("/node_modules/"));
  return line && /^\S+?:\d+/.exec(line.slice(line.indexOf(start) + start.length))?.[0];
}
