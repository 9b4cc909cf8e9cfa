import type { OpenLog, SegmentPath } from "../log/open-log.ts";
import { inertLines } from "./event-lines.ts";
import { asked, select, selected, type Question } from "./selection.ts";

/** So many events are looked up at once; what a slow reader has not taken waits in the log. */
const MOST_AT_ONCE = 500;
const HEARTBEAT_MS = 15_000;

/** What is followed. */
export interface Followed {
  readonly read: (choose: (paths: readonly SegmentPath[]) => readonly SegmentPath[]) => Promise<OpenLog>;
  /** The number of the last event that lasts. */
  readonly facts: () => { readonly seq: number };
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
  let wake = (): void => undefined;
  const stop = log.onCommit(() => wake());
  signal.addEventListener("abort", () => wake());
  try {
    yield ": following\n\n";
    for (let next = question; !signal.aborted;) {
      // What comes from here on is looked for in the next round.
      const woken = new Promise<boolean>((resolve) => (wake = () => resolve(true)));
      let since = log.facts().seq;
      let isMore = false;
      const { sources, close } = await log.read((paths) => asked(paths, next));
      try {
        const selection = await select(sources, { limit: MOST_AT_ONCE, ...next });
        isMore = selection.more !== undefined && "since" in selection.more;
        if (isMore) since = 0;
        for await (const lines of selected(selection)) {
          const events = lines.filter(({ event }) => event);
          since = Math.max(since, ...events.map(({ seq }) => seq));
          yield events.map(({ seq, text }) => `id: ${seq}\ndata: ${inertLines(text)}\n\n`).join("");
        }
      } finally {
        await close();
      }
      next = { ...question, since, last: undefined, limit: MOST_AT_ONCE, segment: "all" };
      if (isMore) continue;
      while (!signal.aborted && !(await within(heartbeatMs, woken))) yield ": waiting\n\n";
    }
  } finally {
    stop();
  }
}

/** Whether something comes before a time is over. */
async function within(ms: number, coming: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
    timer.unref();
  });
  const came = await Promise.race([coming, over]);
  clearTimeout(timer);
  return came;
}
