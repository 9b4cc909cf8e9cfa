/** What a dispatcher asks of the warm host. */
export interface WarmRequest {
  readonly dialect: string;
  /** The working folder of the dispatcher, absolute, without links. */
  readonly cwd: string;
  /** Names of the variables that it looked at, beside SKILLCTL_... */
  readonly names: readonly string[];
  /** The cold program that it would start, its words with blanks between. */
  readonly program: string;
  /** Of those variables the ones that are set. */
  readonly variables: Readonly<Record<string, string>>;
}

const VERSION = "skillctl-guard/1";
/** Variables are at most 128 KiB each on Linux. */
export const MAX_HEAD_BYTES = 1_048_576;

/** The head of a request and where the event begins; undefined while it is not whole. @throws Error for another's words */
export function headOf(bytes: Buffer): { readonly request: WarmRequest; readonly end: number } | undefined {
  const end = bytes.indexOf("\0\0", 0, "latin1");
  if (end < 0) {
    if (bytes.length > MAX_HEAD_BYTES) throw new Error("the head of the request is too long");
    return undefined;
  }
  const fields = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, end)).split("\0");
  const [version, dialect, cwd, names, program, ...set] = fields;
  if (version !== VERSION || !dialect || !cwd?.startsWith("/") || names === undefined || !program)
    throw new Error("the request is in no words of this host");
  const variables = Object.fromEntries(
    set.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
  return { request: { dialect, cwd, names: names.split(" "), program, variables }, end: end + 2 };
}

/** An answer whose parts cannot be mistaken: `mark` occurs in neither. */
export function answerText(
  { out, err, status }: { readonly out: string; readonly err: string; readonly status: number },
  mark: string,
): string {
  return `${mark} ${status}\n${out}${mark}${err}${mark}`;
}

/** The cold program has to answer. */
export const DECLINED = "no\n";
/** Said now and then while an answer is not ready. */
export const ALIVE = ".";
