import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";

/** A host that could not start is not tried again so soon, in milliseconds. */
const AGAIN_MS = 10_000;

/**
 * Starts the warm host of a state folder as a process of its own that outlives this one: in a session of its own, in no
 * folder of a project, with nothing of this process open. Whoever calls hundreds of programs at once starts one.
 * Says nothing when it fails: the events are answered without it, only later.
 */
export function startWarmHost(own: readonly string[], stateFolder: string): void {
  const [program, ...first] = own;
  try {
    if (program === undefined || !isFirst(join(stateFolder, "guard", "host"))) return;
    const child = spawn(program, [...first, "guard", "--host"], {
      cwd: "/",
      env: { ...process.env, SKILLCTL_STATE: stateFolder },
      detached: true,
      stdio: "ignore",
      windowsHide: true,
    });
    child.on("error", () => undefined);
    child.unref();
  } catch {
    // See above.
  }
}

function isFirst(folder: string): boolean {
  const mark = join(folder, "starting");
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    fs.closeSync(fs.openSync(mark, "wx", 0o600));
    return true;
  } catch {
    const age = Date.now() - fs.statSync(mark).mtimeMs;
    if (age >= 0 && age < AGAIN_MS) return false;
    fs.utimesSync(mark, new Date(), new Date());
    return true;
  }
}
