import { SkillError, type Programs } from "skillctl";

export interface GitRun {
  /** Where it runs, absolute. */
  readonly folder: string;
  readonly input?: string | Uint8Array;
  /** Default 120,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Variables that git is handed beside the usual ones: `ProgramRun.variables`. */
  readonly variables?: readonly string[];
}

interface GitEnd {
  readonly status: number | undefined;
  readonly out: Buffer;
  /** The last line that it said. */
  readonly said: string;
}

/** Nothing of a project's configuration that would run a program, and nothing written beside what was asked for. */
const QUIET = [
  "--no-optional-locks",
  "--no-pager",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
];

/** The program git. */
export class Git {
  constructor(
    private readonly programs: Programs,
    private readonly program: string,
  ) {}

  /** @throws SkillError `PROGRAM_FAILED` when it cannot be started, `CANCELLED` */
  async run(args: readonly string[], { folder, timeoutMs = 120_000, ...run }: GitRun): Promise<GitEnd> {
    const chunks: Uint8Array[] = [];
    let said = "";
    const { status } = await this.programs.run({
      ...run,
      program: this.program,
      args: [...QUIET, ...args],
      folder,
      timeoutMs,
      take: (bytes) => void chunks.push(bytes),
      note: (line) => void (said = line),
    });
    return { status, out: Buffer.concat(chunks), said };
  }
}

/** `said` is its last line, or how it ended: `undefined` when it was ended. */
export function failed(
  folder: string,
  verb: string | undefined,
  said: string | number | undefined,
): SkillError {
  return new SkillError("PROGRAM_FAILED", `git ${verb} failed in ${folder}: ${said ?? "it was ended"}.`, {
    hint: "Try `git status` there, to see what is wrong.",
  });
}

export async function gitOnPath(programs: Programs): Promise<Git | undefined> {
  const program = await programs.find("git");
  return program === undefined ? undefined : new Git(programs, program);
}

/** The names between zero bytes. */
export function names(out: Buffer): readonly string[] {
  return out.toString("utf8").split("\0").slice(0, -1);
}
