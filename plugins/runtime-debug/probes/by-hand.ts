import type { ProbeWish } from "./probe-text.ts";

/** A probe in a language that none is written in: the marks, and what the statement between them is to send. */
export interface HandWritten {
  readonly region: readonly string[];
  readonly text: string;
}

/** How a probe looks that somebody writes by hand; `comment` is what stands around a comment of one line. */
export function byHand(
  wish: Omit<ProbeWish, "language">,
  comment: readonly [before: string, after: string],
  language: string,
): HandWritten {
  const { session, hypothesis, point, location, data, fallbackUrl } = wish;
  const values = data.map(({ name, expression }) => `${JSON.stringify(name)}:<${expression}>`).join(",");
  const marked = (text: string): string => comment[0] + text + comment[1];
  const event = `{"sessionId":"${session}","hypothesisId":"${hypothesis}","location":"${location}","msg":"[DEBUG] ${point}","data":{${values}}}`;
  const region = [
    marked(`#region debug-point ${hypothesis}:${point}`),
    marked(`one statement that posts ${event} to DEBUG_SERVER_URL, else to ${fallbackUrl}`),
    marked(`#endregion debug-point ${hypothesis}:${point}`),
  ];
  const text = `Probes of ${language} are written by hand. Put one statement between these marks, in front of ${location}: it sends this body by HTTP POST, with what the program has in place of <…>; any HTTP client of the language or a call of curl will do.
${region.join("\n")}
\`check\` takes every region between such marks.`;
  return { region, text };
}
