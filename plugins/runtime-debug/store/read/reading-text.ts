import { Buffer } from "node:buffer";
import { framed } from "../event/inert-text.ts";
import { shortened } from "./budget.ts";
import type { EventFilter } from "./event-filter.ts";
import { eventText } from "./event-text.ts";
import { leftOut, type LeftOut, type Spot } from "./left-out.ts";
import { linesAt } from "./line-reader.ts";
import type { LogSource } from "./log-source.ts";
import { NOTICE } from "./notice.ts";
import { completeIn, type Selection } from "./selection.ts";

/** What is shown of one event, in characters. */
const MOST_LINE = 2_000;
/** What is shown of all of them, in bytes. */
const MOST_BYTES = 64 * 1024;

/** What can be read, and how much of the log that is. */
export interface ReadingText {
  /** Events that are shown. */
  readonly count: number;
  /** Events between them, at the most, that fitted and were left out of the log because it was full. */
  readonly dropped: number;
  readonly text: string;
}

interface Shown extends Spot {
  readonly text: string;
  readonly seq: number;
}

/**
 * Events for reading, in a frame: one a line, at most 2,000 characters of each and 64 KiB of all of them, the newest
 * where the last were asked for. What is not shown, or is no longer in the log, is said.
 * @param remark a line about the session after the frame; empty for none
 */
export async function readingText(
  selection: Selection,
  session: string,
  remark: string,
): Promise<ReadingText> {
  const { backwards, count } = selection;
  const shown = await shownEvents(selection, session);
  const isCut = shown.length < count;
  const whole = completeIn(selection);
  const [first, last] = [shown[0], shown.at(-1)];
  const gaps = leftOut(selection.sources, selection.filter, {
    from: isCut && backwards ? first : whole.from,
    to: isCut && !backwards ? last : whole.to,
  });
  const next = isCut ? (backwards ? { before: first?.seq ?? 0 } : { since: last?.seq ?? 0 }) : selection.more;
  const lines = inOrder(selection.sources, shown, gaps, selection.filter);
  const parts = [lines.length === 0 ? "No event fits." : framed(lines, NOTICE), goOn(next), remark];
  return {
    count: shown.length,
    dropped: gaps.reduce((sum, { events }) => sum + events, 0),
    text: parts.filter((part) => part !== "").join("\n"),
  };
}

async function shownEvents({ parts, backwards }: Selection, session: string): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  let bytes = 0;
  for (const { source, places } of backwards ? parts.toReversed() : parts) {
    const ordered = backwards ? places.toReversed() : places;
    let at = 0;
    for await (const lines of linesAt(source.reader, ordered)) {
      for (const line of lines) {
        const { offset = 0, seq = 0 } = ordered[at++] ?? {};
        const text = shortened(eventText(line, session), MOST_LINE);
        bytes += Buffer.byteLength(text) + 1;
        if (bytes > MOST_BYTES && shown.length > 0) return backwards ? shown.reverse() : shown;
        shown.push({ source, offset, seq, text });
      }
    }
  }
  return backwards ? shown.reverse() : shown;
}

/** Events with what was left out between them. */
function inOrder(
  sources: readonly LogSource[],
  shown: readonly Shown[],
  gaps: readonly LeftOut[],
  filter: EventFilter,
): readonly string[] {
  const most = filter.fitsAll ? "" : "up to ";
  const rows = gaps.map((gap) => ({
    ...gap,
    text: `… ${most}${gap.events.toLocaleString("en")} events left out here: the log was full …`,
  }));
  return [...shown, ...rows]
    .toSorted((a, b) => sources.indexOf(a.source) - sources.indexOf(b.source) || a.offset - b.offset)
    .map(({ text }) => text);
}

function goOn(next: Selection["more"]): string {
  if (next === undefined) return "";
  return "since" in next
    ? `More events fit: go on with --since ${next.since}.`
    : `Earlier events fit too: go on with --before ${next.before}.`;
}
