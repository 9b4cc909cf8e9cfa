/** What programs are told of a server. */
export interface ServerFacts {
  /** Ends in /event, or in /event?KEY. */
  readonly eventUrl: string;
  readonly session: string;
  readonly run: string;
  /** Absolute. */
  readonly logFile: string;
  readonly baseUrl: string;
}

/** What shells, dot-env readers and ini parsers all read as themselves. */
const PLAIN = /^[\p{L}\p{N}_./:@%+,-]+$/u;
/** What PHP's reader of ini files takes for a truth, a falsehood or nothing. */
const INI_WORD = /^(yes|no|on|off|true|false|none|null)$/i;

/**
 * The text of `<id>.env`: docs/runtime-debug.md, section Environment file. The address and the session come first, as
 * every reader expects. A value that some reader would take for something else is left out with its line.
 */
export function environmentText({ eventUrl, session, run, logFile, baseUrl }: ServerFacts): string {
  const further = { DEBUG_RUN_ID: run, DEBUG_LOG_FILE: logFile, DEBUG_BASE_URL: baseUrl };
  const lines = Object.entries(further).filter(([, value]) => PLAIN.test(value) && !INI_WORD.test(value));
  return [["DEBUG_SERVER_URL", eventUrl], ["DEBUG_SESSION_ID", session], ...lines]
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

/** Reads such a file the way probes do: names and values by line; quotes, spaces and carriage returns around are dropped. */
export function readEnvironmentText(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const [, name, value = ""] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined) values.set(name, value.replace(/^(["'])(.*)\1$/, "$2"));
  }
  return values;
}

/** The run that such a file names; `undefined` when there is no file, or it names none. */
export function runIn(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readEnvironmentText(text).get("DEBUG_RUN_ID");
}
