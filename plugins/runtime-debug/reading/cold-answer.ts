import type { LogsInput, LogsOutput } from "../contract.ts";
import { framed } from "../event/inert-text.ts";
import { comparison } from "./comparison.ts";
import { eventLines, whole } from "./event-lines.ts";
import { eventText } from "./event-text.ts";
import { linesAt } from "./line-reader.ts";
import type { LogSource } from "./log-source.ts";
import { NOTICE } from "./notice.ts";
import { select, type Selection } from "./selection.ts";
import { lastRun, summary } from "./summary.ts";

/** The answer to a question on the command line: framed text for reading, or JSON for programs. */
export async function coldAnswer(
  sources: readonly LogSource[],
  question: LogsInput,
  rejected: () => Promise<number>,
): Promise<LogsOutput> {
  const { format = "text", session } = question;
  if (format === "summary") {
    const facts = { session, run: await lastRun(sources), rejected: await rejected() };
    return resultOutput(format, await summary(sources, question, facts));
  }
  if (format === "diff") return resultOutput(format, await comparison(sources, question, session));
  const selection = await select(sources, question);
  const { count } = selection;
  if (format === "text") return { format, count, text: await readingText(selection) };
  const text = await whole(eventLines(selection, format));
  if (format === "ndjson") return { format, count, text };
  return { format, count, events: JSON.parse(text) as Record<string, unknown>[], text };
}

function resultOutput(format: "summary" | "diff", json: string): LogsOutput {
  const result = JSON.parse(json) as Record<string, unknown>;
  return { format, result, text: framed([JSON.stringify(result, undefined, 2)], NOTICE) };
}

async function readingText(selection: Selection): Promise<string> {
  const { parts, count, more } = selection;
  if (count === 0) return "No event fits.";
  const texts: string[] = [];
  for (const { source, places } of parts) {
    for await (const lines of linesAt(source.reader, places)) {
      for (const line of lines) texts.push(eventText(line));
    }
  }
  const rest =
    more === undefined
      ? ""
      : "since" in more
        ? `\nMore events fit: go on with --since ${more.since}.`
        : `\nEarlier events fit too, before #${more.before}: ask for more with --last or --limit.`;
  return `${framed(texts, NOTICE)}${rest}`;
}
