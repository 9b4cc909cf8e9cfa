import type { ProbeOutput } from "../contract.ts";
import type { Placement } from "./placement.ts";
import type { ProbeWish } from "./probe-text.ts";
import { TEMPLATES } from "./templates.ts";

type Put = NonNullable<ProbeOutput["probes"]>;

/** A program that gives events no time to leave. */
const ENDS_ITSELF =
  /\bprocess\.(?:exit|reallyExit|abort|kill)\s*\(|\bSIGKILL\b|\bwhile\s*\((?:true|1)\)|\bfor\s*\(\s*;\s*;\s*\)/;

/** What is told of probes that were put into files; of a single one also how it looks. */
export function told(placements: readonly Placement[]): {
  readonly probes: Put;
  readonly text: string;
  readonly only?: Pick<ProbeOutput, "language" | "region" | "file" | "line">;
} {
  const all = placements.flatMap(({ path, put }) => put.map((one) => ({ file: path, ...one })));
  const probes = all.map(({ file, line, wish: { hypothesis, point, language, data } }) => ({
    hypothesis,
    point,
    language,
    file,
    line,
    data: data.map(({ name }) => name),
  }));
  const text = [putText(probes), ...(placements.some(losesEvents) ? [LOSES] : [])].join("\n");
  const [only] = all;
  if (all.length !== 1 || !only) return { probes, text };
  const { wish, region, file, line } = only;
  return { probes, text, only: { language: wish.language, region: [...region], file, line } };
}

const LOSES =
  "The file can end, kill or hold its process, and events under way are lost then: --sync reports before the program goes on.";

/** The probes that were put, one a line. */
export function putText(probes: Put = []): string {
  return probes
    .map(({ hypothesis, point, file, line, data }) => {
      const reported = data.length === 0 ? "no data" : data.join(", ");
      return `Put into ${file}, line ${line}: the probe ${hypothesis}:${point}, which reports ${reported}.`;
    })
    .join("\n");
}

function losesEvents({ before, put }: Placement): boolean {
  const waitsNot = put.some(
    ({ wish }) => wish.sync !== true && TEMPLATES[wish.language].some(({ sync }) => sync !== undefined),
  );
  return waitsNot && ENDS_ITSELF.test(before);
}

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
