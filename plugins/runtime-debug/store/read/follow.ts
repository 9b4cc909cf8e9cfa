import type { Segment } from "../log/segment-reader.ts";
import { inertLines } from "./event-lines.ts";
import { linesAt } from "./line-reader.ts";
import { sourcesOf } from "./log-source.ts";
import { select, type Question, type Selection } from "./selection.ts";

/** So many events are looked up at once; what a slow reader has not taken waits in the log. */
const MOST_AT_ONCE = 500;
const HEARTBEAT_MS = 15_000;

/** What is followed. */
export interface Followed {
  readonly segments: readonly Segment[];
  readonly onCommit: (listener: () => void) => () => void;
}

/**
 * Server-sent events: what fits now, then what comes, each with its `_seq` as id, until the signal. A comment goes out
 * when nothing else did for a while.
 * @param heartbeatMs default 15 s
 */
export async function* follow(
  log: Followed,
  question: Question,
  signal: AbortSignal,
  heartbeatMs: number = HEARTBEAT_MS,
): AsyncGenerator<string> {
  const waker = new Waker();
  const stop = log.onCommit(waker.wake);
  signal.addEventListener("abort", waker.wake);
  try {
    yield ": following\n\n";
    for (let next = question; !signal.aborted;) {
      waker.rest();
      const sources = sourcesOf(log.segments);
      const selection = await select(sources, { limit: MOST_AT_ONCE, ...next });
      yield* messages(selection);
      const { more } = selection;
      const newest = Math.max(...sources.map(({ view }) => view.lastSeq));
      const since = more && "since" in more ? more.since : newest;
      next = { ...question, since, last: undefined, limit: MOST_AT_ONCE, segment: "all" };
      if (more && "since" in more) continue;
      while (!signal.aborted && !(await waker.wait(heartbeatMs))) yield ": waiting\n\n";
    }
  } finally {
    signal.removeEventListener("abort", waker.wake);
    stop();
  }
}

async function* messages({ parts }: Selection): AsyncGenerator<string> {
  for (const { source, places } of parts) {
    let at = 0;
    for await (const lines of linesAt(source.reader, places)) {
      yield lines.map((line) => `id: ${places[at++]?.seq ?? 0}\ndata: ${inertLines(line)}\n\n`).join("");
    }
  }
}

/** Waits for something that may have happened already. */
class Waker {
  #woken = false;
  #resolve: (() => void) | undefined;

  readonly wake = (): void => {
    this.#woken = true;
    this.#resolve?.();
  };

  /** What has happened until now no longer counts. */
  rest(): void {
    this.#woken = false;
  }

  /** Until `wake` was called, or the time is over; answers whether it was called. */
  async wait(ms: number): Promise<boolean> {
    if (this.#woken) return true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#resolve = resolve;
      timer = setTimeout(resolve, ms);
      timer.unref();
    });
    clearTimeout(timer);
    this.#resolve = undefined;
    return this.#woken;
  }
}
