import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { LINGER_BYTES, LINGER_MS } from "./limits.ts";

/**
 * Takes in what still comes and forgets it, so that its sender comes to the answer: closed under its hands, the
 * connection would be reset and the answer lost with it. `over` is called, perhaps more than once, when nothing comes any
 * more, or too much, or for too long.
 */
export function linger(source: IncomingMessage | Socket, over: () => void): void {
  let left = LINGER_BYTES;
  const end = (): void => {
    clearTimeout(timer);
    over();
  };
  const timer = setTimeout(end, LINGER_MS);
  source.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  });
  source.once("end", end).once("close", end);
}
