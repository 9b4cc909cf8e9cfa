/** The parts of a hook's command. */
export interface HookStart {
  /** The value of `--hook`. */
  readonly dialect: string;
  /** The words that start skillctl: its name if PATH leads to it, else Node and its file. */
  readonly program: readonly string[];
  /** The state folder, if the person's environment names one: agents do not pass every variable to their hooks. */
  readonly state?: string | undefined;
  /** The command of an earlier version, which accepts the status 0 of any program as an answer. */
  readonly isOlder?: true;
}

const WORD = String.raw`(?:[\w./+,:@%-]|'[^']*'|\\')+`;
const STATE = `(?:SKILLCTL_STATE=(${WORD}) )?`;
const PROGRAM = `(?:(${WORD}) )?(${WORD})`;
const POSIX = new RegExp(String.raw`^${STATE}sh -c (${WORD}) \|\| exit [12]$`);
/** Some agents treat a denial with an empty standard error as a failed hook, and let the call through. */
const CLOSED = "test $? = 93 || { echo skillctl guard: not allowed >&2; exit 2; }";
const INNER = new RegExp(String.raw`^${PROGRAM} guard --hook ([a-z-]+); ${escaped(CLOSED)}$`);
const OLDER = new RegExp(String.raw`^${STATE}${PROGRAM} guard --dialect ([a-z-]+) \|\| exit [12]$`);
const WINDOWS = /^node "([^"]*)" guard --dialect ([a-z-]+)$/;

/**
 * The command of a hook for a POSIX shell or fish. An answered event ends with the status 93, which no other program gives. Every
 * other status, including that of another program in the place of skillctl or Node, becomes status 2 with a sentence on standard
 * error, which makes every agent deny. The inner shell is for fish, which has no `$?`. On Windows the command must suit cmd,
 * PowerShell and bash, and its status is passed on.
 */
export function hookCommand({ dialect, program, state }: HookStart, platform = process.platform): string {
  if (platform === "win32")
    return `node "${program.at(-1)?.replaceAll("\\", "/") ?? ""}" guard --dialect ${dialect}`;
  const set = state === undefined ? "" : `SKILLCTL_STATE=${word(state)} `;
  const inner = `${program.map(word).join(" ")} guard --hook ${dialect}; ${CLOSED}`;
  return `${set}sh -c ${quoted(inner)} || exit 2`;
}

/**
 * The same command with another status for a failing hook. At the end of a turn status 2 makes an agent continue, so it would
 * never stop once skillctl has been removed from the machine. With 1 it stops, and shows the message of the shell or Node.
 */
export function endingWith(status: 1 | 2, command: string): string {
  return command.replace(/ \|\| exit [12]$/, ` || exit ${status}`);
}

/**
 * The parts of a command that `hookCommand` has written, with any state folder. Undefined for every other command, including one
 * with an addition: a person may have written it, or it may not ask the guard.
 */
export function startedBy(command: string): HookStart | undefined {
  const [, file = "", named = ""] = WINDOWS.exec(command) ?? [];
  if (isProgram(file)) return { dialect: named, program: ["node", file] };
  const [, set, inner] = POSIX.exec(command) ?? [];
  if (inner !== undefined) return startOf(INNER.exec(unquoted(inner))?.slice(1), set);
  const [, earlierSet, ...words] = OLDER.exec(command) ?? [];
  const start = startOf(words, earlierSet);
  return start && { ...start, isOlder: true };
}

function startOf(
  [node, last = "", dialect = ""]: readonly (string | undefined)[] = [],
  set: string | undefined,
): HookStart | undefined {
  const program = [...(node === undefined ? [] : [node]), last].map(unquoted);
  const isNamed = program.length === 1 && last === "skillctl";
  const isStarted =
    program.length === 2 && /(^|\/)node[\w.-]*$/.test(program[0] ?? "") && isProgram(program[1] ?? "");
  if (!isNamed && !isStarted) return undefined;
  return { dialect, program, state: set === undefined ? undefined : unquoted(set) };
}

function escaped(text: string): string {
  return text.replaceAll(/[$?|{}]/g, String.raw`\$&`);
}

function isProgram(file: string): boolean {
  return /(^|[\\/])skillctl(\.cjs)?$/.test(file);
}

/** Reverses `quoted`. */
function unquoted(text: string): string {
  return text.replaceAll(/'([^']*)'|\\(.)/g, "$1$2");
}

/** A word for a shell, quoted if necessary. */
export function word(text: string): string {
  return /^[\w./+,:@%-]+$/.test(text) ? text : quoted(text);
}

/** A quoted word for a shell. No name follows a `$`, since Gemini CLI replaces variables before a shell reads the command. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`).replaceAll("$", () => "$''")}'`;
}

/** The path at which a running `skillctl serve` answers hooks of the type `http`. */
const URL_PATH = "/v1/hook/";

/** The address for a dialect at a server, given as `skillctl serve` prints it. A key in it is left out. */
export function hookUrl(server: string, dialect: string): string | undefined {
  if (!URL.canParse(server)) return undefined;
  const { protocol, origin } = new URL(server);
  return protocol === "http:" || protocol === "https:" ? `${origin}${URL_PATH}${dialect}` : undefined;
}

/** The dialect in an address that `hookUrl` has built; undefined for every other address. */
export function dialectOfUrl(url: string): string | undefined {
  return /^https?:\/\/[^/?#]+\/v1\/hook\/([a-z-]+)$/.exec(url)?.[1];
}
