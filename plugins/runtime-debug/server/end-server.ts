import { SkillError, type Http } from "skillctl";
import { healthAt } from "./identity.ts";
import { pause } from "./pause.ts";
import type { ServerRecord } from "./server-record.ts";

const LOOK_MS = 50;
/** A server ends within 5 s; this is how long it is waited for, in milliseconds. */
const PATIENCE_MS = 15_000;

/**
 * Asks the process of a server to end and waits until it is gone. Only the process that says itself that it is this
 * server is asked: a number in a file may be somebody else's by now.
 * @param isGone whether its hold on the session has ended, which it gives back last
 * @throws SkillError `PROGRAM_FAILED`
 */
export async function endServer(
  { url, pid, instance, session }: Pick<ServerRecord, "url" | "pid" | "instance" | "session">,
  http: Http,
  isGone: () => Promise<boolean>,
): Promise<void> {
  const health = await healthAt(url, http);
  // Somebody else has ended it meanwhile.
  if (health?.["instance"] !== instance) return;
  if (pid === process.pid || health["pid"] !== pid)
    throw unended(session, url, "is not a process of its own");
  signalEnd(pid);
  const late = AbortSignal.timeout(PATIENCE_MS);
  while (!(await isGone())) {
    if (late.aborted) throw unended(session, url, `(process ${pid}) does not end`);
    await pause(LOOK_MS, late);
  }
}

function signalEnd(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code !== "ESRCH") throw caught;
    // It has ended by itself.
  }
}

function unended(session: string, url: string, why: string): SkillError {
  return new SkillError("PROGRAM_FAILED", `The debug server of ${session} at ${url} ${why}.`, {
    hint: "End it where it was started, and try again.",
  });
}
