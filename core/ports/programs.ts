import { portToken } from "../container/token.ts";

/** One run of another program, never through a shell. */
export interface ProgramRun {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** Its working folder, absolute. Default: the working folder of this process. */
  readonly folder?: string;
  /** Its standard input. Default: empty. */
  readonly input?: string | Uint8Array;
  /**
   * Names of environment variables to inherit besides the usual ones: those for finding programs, folders, language,
   * terminal, display, proxies and certificates. No other variable is inherited, so that secrets stay here.
   */
  readonly variables?: readonly string[];
  /** Environment variables to set; they override inherited ones. Default: none. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Time limit in milliseconds; the program is killed 2 s after its termination signal. Bounds: 1 to 3,600,000. Default: none. */
  readonly timeoutMs?: number;
  /** Whether all that the program starts is ended with it, at the time limit or a cancellation. Default: the program alone. */
  readonly isGroup?: boolean;
  /** Ends the program when it is aborted. */
  readonly signal?: AbortSignal;
  /** Receives standard output as bytes, without a size limit; `out` is then empty. */
  readonly take?: (bytes: Uint8Array) => void;
  /** Receives each line of standard error; lines over 16,384 characters are dropped. */
  readonly note?: (line: string) => void;
}

/** The result of a run. */
export interface ProgramEnd {
  /** Exit status; `undefined` if a signal or the time limit ended it. */
  readonly status: number | undefined;
  /** Standard output as UTF-8, at most 1 MiB; processes that it leaves running are not waited for. */
  readonly out: string;
}

/** A start of this program in the background. */
export interface BackgroundRun {
  /** The arguments of the command line, without the program. */
  readonly args: readonly string[];
  /** File for standard output and error, absolute; appended to, created with mode 0600, never a link. */
  readonly log: string;
  /** Environment variables to inherit besides the usual ones and skillctl's own. */
  readonly variables?: readonly string[];
}

/** A background program. It outlives this process and its terminal. */
export interface BackgroundProgram {
  readonly pid: number;
  /** Settles with its exit status if it ends while this process runs; `undefined` if a signal ended it. */
  readonly ended: Promise<number | undefined>;
}

/** Other programs of this machine. */
export interface Programs {
  /** The absolute path of an executable on PATH, ignoring relative folders; `undefined` if there is no such executable. */
  readonly find: (name: string) => Promise<string | undefined>;
  /**
   * Runs a program to its end.
   * @throws SkillError `PROGRAM_FAILED` if it cannot be started or writes more than 1 MiB without `take`; `CANCELLED`.
   */
  readonly run: (run: ProgramRun) => Promise<ProgramEnd>;
  /**
   * Starts this program again in a session of its own, without a terminal or standard input, in the same working folder,
   * with the usual variables and skillctl's own.
   * @throws SkillError `PROGRAM_FAILED` if it cannot be started, or if the host does not know how; `FILE_UNWRITABLE`.
   */
  readonly background: (run: BackgroundRun) => Promise<BackgroundProgram>;
}

export const PROGRAMS = portToken<Programs>("programs");
