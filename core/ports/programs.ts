import { portToken } from "../container/token.ts";

/** One run of another program. Never through a shell. */
export interface ProgramRun {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** The folder that it runs in, absolute. Default: the working folder. */
  readonly folder?: string;
  /** Written to its standard input, which is then closed. Default: nothing. */
  readonly input?: string | Uint8Array;
  /**
   * Environment variables that it is handed beside the usual ones: those for finding programs, folders, the language,
   * the terminal, the display, proxies and certificates. Nothing else is inherited, so that no secret is.
   */
  readonly variables?: readonly string[];
  /** Environment variables with values of their own; they replace what would be inherited. Default: none. */
  readonly environment?: Readonly<Record<string, string>>;
  /** After that it is told to end, and killed 2 s later, in milliseconds. Bounds: 1 to 3,600,000. Default: never. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Takes its standard output as bytes, as they come and however many they are; `out` is empty then. */
  readonly take?: (bytes: Uint8Array) => void;
  /** A line of its standard error, as it comes; one over 16,384 characters is left out. */
  readonly note?: (line: string) => void;
}

/** How a program ended. */
export interface ProgramEnd {
  /** Exit status; `undefined` when it was ended by a signal or the time-out. */
  readonly status: number | undefined;
  /** Its standard output in UTF-8, at most 1 MiB; what it left running is not waited for. */
  readonly out: string;
}

/** A start of this very program in the background. */
export interface BackgroundRun {
  /** The words after the program's own name. */
  readonly args: readonly string[];
  /** File that its standard output and error are added to, absolute; made with mode 0600, never a link. */
  readonly log: string;
  /** Environment variables that it is handed beside the usual ones and skillctl's own, as far as they are set. */
  readonly variables?: readonly string[];
}

/** A program in the background. It outlives this process and its terminal. */
export interface BackgroundProgram {
  readonly pid: number;
  /** Settles with its exit status if it ends while this process still runs; `undefined` when a signal ended it. */
  readonly ended: Promise<number | undefined>;
}

/** Other programs of this machine, as a port. */
export interface Programs {
  /** The absolute path of an executable on PATH, of which only absolute folders count; `undefined` when there is none. */
  readonly find: (name: string) => Promise<string | undefined>;
  /**
   * Runs a program to its end.
   * @throws SkillError `PROGRAM_FAILED` when it cannot be started or writes more than allowed, `CANCELLED`.
   */
  readonly run: (run: ProgramRun) => Promise<ProgramEnd>;
  /**
   * Starts this very program once more: in a session of its own, without a terminal or standard input, in the same
   * working folder, with the usual variables and skillctl's own.
   * @throws SkillError `PROGRAM_FAILED` when it cannot be started, or where nobody has said which program this is;
   * `FILE_UNWRITABLE`.
   */
  readonly background: (run: BackgroundRun) => Promise<BackgroundProgram>;
}

export const PROGRAMS = portToken<Programs>("programs");
