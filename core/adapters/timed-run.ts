// Not imported: see standard-streams.ts.
const { spawnSync } = process.getBuiltinModule("node:child_process");

/** Options of a run. */
interface TimedRun {
  readonly input: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Time after which the program is killed, in milliseconds. */
  readonly withinMs: number;
}

/** Runs a program; undefined if it exceeded the time limit, could not be started, or was killed. */
export function timedRun([program = "", ...words]: readonly string[], run: TimedRun) {
  const { withinMs, env, ...where } = run;
  const { status, stdout, stderr } = spawnSync(program, words, {
    ...where,
    env: { ...env },
    timeout: withinMs,
    killSignal: "SIGKILL",
    maxBuffer: 64 * 1024 * 1024,
    encoding: "utf8",
    windowsHide: true,
  });
  return status === null ? undefined : { out: stdout, err: stderr, status };
}
