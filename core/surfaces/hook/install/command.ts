/** A command of a hook, taken apart. */
export interface HookStart {
  /** As in `--hook`. */
  readonly dialect: string;
  /** The words that start skillctl: its name, where PATH leads to it, or Node and its file. */
  readonly program: readonly string[];
  /** The state folder where the person's environment names one: agents hand their hooks not every variable. */
  readonly state?: string | undefined;
  /** It is the command of an earlier version, which takes the status 0 of any program for an answer. */
  readonly isOlder?: true;
}

const WORD = String.raw`(?:[\w./+,:@%-]|'[^']*'|\\')+`;
const STATE = `(?:SKILLCTL_STATE=(${WORD}) )?`;
const PROGRAM = `(?:(${WORD}) )?(${WORD})`;
const POSIX = new RegExp(String.raw`^${STATE}sh -c (${WORD}) \|\| exit [12]$`);
/** Some agents take a denial without a word on standard error for a failed hook, which lets the call through. */
const CLOSED = "test $? = 93 || { echo skillctl guard: not allowed >&2; exit 2; }";
const INNER = new RegExp(String.raw`^${PROGRAM} guard --hook ([a-z-]+); ${escaped(CLOSED)}$`);
const OLDER = new RegExp(String.raw`^${STATE}${PROGRAM} guard --dialect ([a-z-]+) \|\| exit [12]$`);
const WINDOWS = /^node "([^"]*)" guard --dialect ([a-z-]+)$/;

/**
 * The command of a hook for a POSIX shell, or fish. An answered event ends with the status 93, which nothing else gives: every
 * other end, also of another program in the place of skillctl or Node, becomes status 2 and a word on standard error, by which all
 * agents deny. The inner shell is there for fish, which has no `$?`. On Windows, for cmd, PowerShell and bash alike, there is no
 * such end.
 */
export function hookCommand({ dialect, program, state }: HookStart, platform = process.platform): string {
  if (platform === "win32")
    return `node "${program.at(-1)?.replaceAll("\\", "/") ?? ""}" guard --dialect ${dialect}`;
  const set = state === undefined ? "" : `SKILLCTL_STATE=${word(state)} `;
  const inner = `${program.map(word).join(" ")} guard --hook ${dialect}; ${CLOSED}`;
  return `${set}sh -c ${quoted(inner)} || exit 2`;
}

/**
 * The same command with its end for an event. Where an agent would stop, 2 has it go on: once skillctl is gone from the
 * machine, it would never stop. With 1 it stops, and shows what the shell or Node says.
 */
export function endingWith(status: 1 | 2, command: string): string {
  return command.replace(/ \|\| exit [12]$/, ` || exit ${status}`);
}

/**
 * The parts of a command of ours, with any state folder. Undefined for every other one, and for ours with anything before it, in
 * it or behind it: that is another command, which a person may have written, or which asks no guard.
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

/** The words of a text that `quoted` made. */
function unquoted(text: string): string {
  return text.replaceAll(/'([^']*)'|\\(.)/g, "$1$2");
}

function word(text: string): string {
  return /^[\w./+,:@%-]+$/.test(text) ? text : quoted(text);
}

/** A word for a shell. No name stands behind a `$`: Gemini CLI fills in variables before a shell sees the command. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`).replaceAll("$", () => "$''")}'`;
}

/** Where a running `skillctl serve` answers hooks of an agent that can ask by HTTP. */
const URL_PATH = "/v1/hook/";

/** The address for a dialect at a server, as its start printed it. The key that it shows is not taken over. */
export function hookUrl(server: string, dialect: string): string | undefined {
  if (!URL.canParse(server)) return undefined;
  const { protocol, origin } = new URL(server);
  return protocol === "http:" || protocol === "https:" ? `${origin}${URL_PATH}${dialect}` : undefined;
}

/** Whose hooks an address is for; undefined for one that is not ours. */
export function dialectOfUrl(url: string): string | undefined {
  return /^https?:\/\/[^/?#]+\/v1\/hook\/([a-z-]+)$/.exec(url)?.[1];
}
