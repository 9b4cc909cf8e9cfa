/** What the command of a hook is made of. */
export interface CommandParts {
  /** As in `--dialect`. */
  readonly dialect: string;
  /** The dispatcher, absolute. */
  readonly dispatcher: string;
  /** The state folder where the person's environment names one: agents hand their hooks not every variable. */
  readonly state?: string | undefined;
}

const ENDED = "skillctl guard denies this: its dispatcher is empty. Run: skillctl hooks status";
const OURS = /(?:^| )sh -c ('.*') sh [a-z-]+ \|\| exit 2$/;
const INNER = /^\. (.*guard\/dispatcher\.sh'?); echo /;

/**
 * The command of a hook for a POSIX shell, or fish. Whatever ends with another status than 0 ends with 2, by which all
 * agents deny, also when the dispatcher is missing or cannot be read. It is read by `.` and ends the shell itself: one
 * that is empty, or a folder, which some shells run as an empty file, would be an answer that lets the call through.
 */
export function hookCommand({ dialect, dispatcher, state }: CommandParts): string {
  const set = state === undefined ? "" : `SKILLCTL_STATE=${word(state)} `;
  const inner = `. ${word(dispatcher)}; echo "${ENDED}" >&2; exit 2`;
  return `${set}sh -c ${quoted(inner)} sh ${dialect} || exit 2`;
}

/** The command of a hook on Windows, for cmd, PowerShell and bash alike: the cold program. */
export function windowsCommand(dialect: string, program: string): string {
  return `node "${program.replaceAll("\\", "/")}" guard --dialect ${dialect}`;
}

/** Whether a command is one that was installed, from whatever state folder. */
export function isOurs(command: string): boolean {
  return (
    dispatcherIn(command) !== undefined || /^node "[^"]*skillctl[^"]*" guard --dialect [a-z-]+$/.test(command)
  );
}

/** The dispatcher that a command of ours starts; undefined where it starts the program itself. */
export function dispatcherIn(command: string): string | undefined {
  const [, script] = OURS.exec(command) ?? [];
  const [, path] = INNER.exec(script === undefined ? "" : unquoted(script)) ?? [];
  return path === undefined ? undefined : unquoted(path);
}

/** The words of a text that `quoted` made. */
export function unquoted(text: string): string {
  return text.replaceAll(/'([^']*)'|\\(.)/g, "$1$2");
}

function word(text: string): string {
  return /^[\w./+,:@%-]+$/.test(text) ? text : quoted(text);
}

/** A word for a shell. No name stands behind a `$`: Gemini CLI fills in variables before a shell sees the command. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`).replaceAll("$", () => "$''")}'`;
}
