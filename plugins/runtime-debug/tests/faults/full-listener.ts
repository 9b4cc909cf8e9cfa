import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** Linux drops the first packet of a connection that no longer fits into the queue of a listener. */
export const noFullListener =
  process.platform !== "linux" && "only Linux drops connections to a full listener";

const LISTENER = `require("node:net").createServer().listen({ host: "127.0.0.1", port: 0, backlog: 1 }, function () {
  process.stdout.write(String(this.address().port));
});`;

/** A port at which the first packet is not answered: its listener is stopped, and its queue of connections is full. */
export async function fullListener(t: TestContext): Promise<number> {
  const listener = spawn(process.execPath, ["-e", LISTENER], { stdio: ["ignore", "pipe", "inherit"] });
  const fillers: Socket[] = [];
  t.after(() => {
    listener.kill("SIGKILL");
    for (const filler of fillers) filler.destroy();
  });
  const [text] = (await once(listener.stdout, "data")) as [Buffer];
  listener.kill("SIGSTOP");
  const port = Number(text);
  for (let taken = true; taken;) {
    const filler = connect(port, "127.0.0.1").on("error", () => undefined);
    fillers.push(filler);
    const waiting = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 1_000));
    taken = await Promise.race([once(filler, "connect").then(() => true), waiting]);
  }
  return port;
}
