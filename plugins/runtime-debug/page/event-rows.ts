import type { LogStore } from "../store/log/log-store.ts";
import { objectOf } from "../store/log/log-lines.ts";
import { inert, shortened } from "../store/event/inert-text.ts";
import { isoTime, keysOf, textOf } from "../store/read/event-filter.ts";
import { select } from "../store/read/selection.ts";
import type { PageEvent } from "./page-view.ts";

/** The number of events, and of bytes, sent at a time. */
const MOST_EVENTS = 4_000;
const MOST_BYTES = 512 * 1024;
const MOST_TEXT = 300;
const MOST_DATA = 2_000;

/** The events after a sequence number, oldest first, as JSON, limited to one message. */
export async function rowsAfter(log: LogStore, since: number): Promise<readonly string[]> {
  const { shown } = await log.read(
    (segments) => segments,
    (sources) => select(sources, { since, limit: MOST_EVENTS }, rowText, MOST_BYTES),
  );
  return shown.filter(({ leftOut }) => leftOut === 0).map(({ text }) => text);
}

function rowText(stored: string): string {
  const event = objectOf(stored) ?? {};
  const { hypothesis, run, location } = keysOf(event);
  const { _seq: seq, ts, _at: at, msg, message, data, _flags: flags } = event;
  const time = ts ?? at;
  const row: PageEvent = {
    seq: Number(seq),
    time: brief(isoTime(time) ?? textOf(time)),
    run: brief(run),
    letters: brief(hypothesis),
    point: brief(location),
    message: brief(textOf(msg ?? message)),
    data: data === undefined ? "" : inert(shortened(JSON.stringify(data), MOST_DATA)),
    flags: Array.isArray(flags) ? brief(flags.map(String).join(", ")) : "",
  };
  return JSON.stringify(row);
}

function brief(text: string): string {
  return inert(shortened(text, MOST_TEXT));
}
