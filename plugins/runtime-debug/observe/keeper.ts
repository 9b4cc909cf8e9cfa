import { spawn, type ChildProcess } from "node:child_process";

/**
 * Keeps a connection to a debugger open when this process is killed, until the breakpoints are removed: Node can crash
 * when a debugger disconnects during a condition, and Delve stops at a log point without a client. A shell shares the
 * socket, waits for the end of this process and sends the messages that remove the breakpoints.
 */
export function keeperOf(socket: object, last: Buffer): ChildProcess {
  const octal = [...last].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  // Passed by its number: a socket object that is passed on can no longer be read here.
  const { fd } = (socket as { readonly _handle: { readonly fd: number } })._handle;
  const script = 'while kill -0 "$1" 2>/dev/null; do sleep 0.2; done; printf "$2" >&3; sleep 1';
  const keeper = spawn("/bin/sh", ["-c", script, "sh", String(process.pid), octal], {
    stdio: ["ignore", "ignore", "ignore", fd],
    detached: true,
  });
  keeper.on("error", () => undefined).unref();
  return keeper;
}
