import { randomBytes } from "node:crypto";
import { MAX_EVENT_BYTES, type Spoken } from "../../hook/hook.ts";
import { ALIVE, DECLINED, answerText, headOf, type WarmRequest } from "../../hook/warm/protocol.ts";

/** A connection, as far as it is used here. */
export interface Peer {
  readonly on: (event: "data" | "end" | "close" | "error", hears: (bytes: Buffer) => void) => unknown;
  readonly write: (bytes: string) => unknown;
  readonly end: (bytes: string) => unknown;
  readonly destroy: () => unknown;
}

/** Answers an event; undefined when the cold program has to. */
export type Answer = (request: WarmRequest, event: Buffer) => Promise<Spoken | undefined>;

/** How long a dispatcher may take to hand over the event, in milliseconds; it hands it to the cold program then. */
const WAIT_MS = 5_000;
/** How long an answer may take: longer than the longest time-out of a rule, in milliseconds. */
const MOST_MS = 30_000;
/** A dispatcher takes two seconds of silence for a dead host. */
const ALIVE_MS = 400;

/** One event of one dispatcher. Throws nothing: whatever goes wrong, the connection is closed and the cold program asked. */
export async function converse(peer: Peer, answer: Answer): Promise<void> {
  peer.on("error", () => undefined);
  const alive = setInterval(() => void peer.write(ALIVE), ALIVE_MS);
  const late = setTimeout(() => void peer.destroy(), MOST_MS);
  const slow = setTimeout(() => void peer.end(DECLINED), WAIT_MS);
  try {
    const asked = await requestOf(peer);
    clearTimeout(slow);
    const spoken = asked && (await answer(asked.request, asked.event));
    clearInterval(alive);
    peer.end(spoken ? answerText(spoken, markFor(spoken)) : DECLINED);
  } catch {
    peer.destroy();
  } finally {
    clearInterval(alive);
    clearTimeout(late);
    clearTimeout(slow);
  }
}

interface Asked {
  readonly request: WarmRequest;
  readonly event: Buffer;
}

/** Not by iteration, which would close the connection when it stops before the end. */
function requestOf(peer: Peer): Promise<Asked | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let head: ReturnType<typeof headOf>;
    const done = (): void => resolve(head && { request: head.request, event: Buffer.concat(chunks) });
    peer.on("end", done);
    peer.on("close", done);
    peer.on("data", (chunk) => {
      chunks.push(chunk);
      bytes += chunk.length;
      try {
        if (!head) {
          head = headOf(Buffer.concat(chunks));
          if (head) chunks.splice(0, chunks.length, Buffer.concat(chunks).subarray(head.end));
        }
      } catch (caught) {
        return reject(caught);
      }
      if (head && bytes - head.end > MAX_EVENT_BYTES) resolve(undefined);
      else if (head && isWhole(chunks)) done();
    });
  });
}

/** Some agents keep standard input open. */
function isWhole(chunks: readonly Buffer[]): boolean {
  if (!/\}\s*$/.test(chunks.at(-1)?.subarray(-8).toString("latin1") ?? "")) return false;
  try {
    JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

function markFor({ out, err }: Spoken): string {
  for (;;) {
    const mark = `skillctl-${randomBytes(8).toString("hex")}`;
    if (!out.includes(mark) && !err.includes(mark)) return mark;
  }
}
