import { PERL_VARIABLES, PERL_WORDS, WAY_OUT } from "../warm/client.ts";

/** What the command of a hook is made of. */
export interface CommandParts {
  /** As in `--dialect`. */
  readonly dialect: string;
  /** The dispatcher, absolute. */
  readonly dispatcher: string;
  /** The state folder where the person's environment names one: agents hand their hooks not every variable. */
  readonly state?: string | undefined;
  /** Whether perl stands at `PERL`. Default: no. */
  readonly perl?: boolean;
}

/** Where systems have perl. Not looked for along PATH, which is the caller's to set. */
export const PERL = "/usr/bin/perl";

const ENDED = denial("its dispatcher is missing or empty");
const WITHOUT_PERL = denial(`${PERL}, with which it was installed, is missing`);
const WINDOWS = /^node "([^"]*skillctl[^"]*)" guard --dialect ([a-z-]+)$/;
const READING = /^(?:SKILLCTL_STATE=(.*?) )?sh -c ('.*') sh ([a-z-]+) \|\| exit 2$/;
const INNER = /\] && \. (.*guard\/dispatcher\.sh'?); echo /;
const STARTING =
  /; (?:SKILLCTL_STATE=(.*?) )?PERL5OPT= .*?exit 2' (.*guard\/dispatcher\.sh'?) ([a-z-]+) \|\| exit 2$/;

/**
 * The command of a hook for a POSIX shell, or fish. Whatever ends with another status than 0 ends with 2, by which all
 * agents deny, also when perl or the dispatcher is missing or cannot be read.
 *
 * With perl the agent's shell starts the client itself: a further shell takes a millisecond. Without, the dispatcher is
 * read by `.` and ends the shell itself: one that is empty, or a folder, which some shells run as an empty file, would be
 * an answer that lets the call through.
 */
export function hookCommand({ dialect, dispatcher, state, perl = false }: CommandParts): string {
  const set = state === undefined ? "" : `SKILLCTL_STATE=${word(state)} `;
  const words = [PERL, ...PERL_WORDS, dispatcher, dialect].map(word).join(" ");
  // Fish stops at a program that is missing, and older ones know no braces; and Codex takes 2 for a denial only when
  // something was said.
  const there = `[ -x ${PERL} ] || sh -c ${quoted(WITHOUT_PERL)} || exit 2`;
  if (perl) return `${there}; ${set}${PERL_VARIABLES} ${words} || exit 2`;
  // A shell tells of a file that is missing in words of its own.
  const inner = `[ -f ${word(dispatcher)} ] && . ${word(dispatcher)}; ${ENDED}`;
  return `${set}sh -c ${quoted(inner)} sh ${dialect} || exit 2`;
}

/** The command of a hook on Windows, for cmd, PowerShell and bash alike: the cold program. */
export function windowsCommand(dialect: string, program: string): string {
  return `node "${program.replaceAll("\\", "/")}" guard --dialect ${dialect}`;
}

/** What a command that was installed starts. */
export interface Started {
  readonly dialect: string;
  /** Missing where the program itself is started. */
  readonly dispatcher?: string;
  /** The state folder, where the command names one. */
  readonly state?: string | undefined;
  /** Missing where the dispatcher is started. */
  readonly program?: string;
}

/**
 * What a command of ours starts, from whatever state folder. Undefined for every other one, and for ours with anything
 * before it, in it or behind it: that is another command, which a person may have written, or which asks no guard.
 */
export function startedBy(command: string): Started | undefined {
  const [, program, cold] = WINDOWS.exec(command) ?? [];
  if (program !== undefined && cold !== undefined) return { dialect: cold, program };
  const perl = STARTING.exec(command);
  const [, set, found = "", dialect] = perl ?? READING.exec(command) ?? [];
  const path = perl ? found : INNER.exec(unquoted(found))?.[1];
  if (path === undefined || dialect === undefined) return undefined;
  const dispatcher = unquoted(path);
  const state = set === undefined ? undefined : unquoted(set);
  const right = hookCommand({ dialect, dispatcher, state, perl: perl !== null });
  return command === right ? { dialect, dispatcher, state } : undefined;
}

/** Whether a command is one that was installed, from whatever state folder. */
export function isOurs(command: string): boolean {
  return startedBy(command) !== undefined;
}

/** The dispatcher that a command of ours starts; undefined where it starts the program itself. */
export function dispatcherIn(command: string): string | undefined {
  return startedBy(command)?.dispatcher;
}

/** Whether a command speaks of the guard, as ours does and one that somebody has made of it. */
export function namesGuard(command: string): boolean {
  return command.includes("guard/dispatcher.sh") || command.includes(" guard --dialect ");
}

/** A command that says why, and ends with 2. */
function denial(reason: string): string {
  return `echo "skillctl guard denies this: ${reason}; ${WAY_OUT}" >&2; exit 2`;
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
