// Not imported: see standard-streams.ts.
const { spawnSync } = process.getBuiltinModule("node:child_process");

/** How a program is run. */
interface TimedRun {
  readonly input: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** It is killed then, whatever it does. In milliseconds. */
  readonly withinMs: number;
}

/** Runs a program to its end; undefined when it had none in time, could not be started, or was killed. */
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
