import { word } from "./event-text.ts";

/** A summary as its JSON holds it. */
interface SummaryJson {
  readonly run: string;
  readonly events: number;
  readonly dropped: number | null;
  readonly rejected: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly hypotheses: readonly { readonly hypothesis: string; readonly events: number }[];
  readonly counts: readonly {
    readonly run: string;
    readonly hypothesis: string;
    readonly location?: string;
    readonly probe?: string;
    readonly events: number;
  }[];
  readonly more?: string;
  readonly shapes: readonly { readonly probe: string; readonly shapes: readonly string[] }[];
  readonly changed: readonly {
    readonly probe: string;
    readonly field: string;
    readonly values: number;
    readonly first: string;
    readonly last: string;
  }[];
}

/** A summary for reading, one line a fact; what was collected is a word or JSON, so that none passes for another. */
export function summaryLines(json: object): readonly string[] {
  const { run, events, dropped, rejected, first, last, hypotheses, counts, more, shapes, changed } =
    json as SummaryJson;
  const times = first === null ? "" : `, ${first} to ${last ?? "-"}`;
  const beside = [
    ...((dropped ?? 0) > 0 ? [`${dropped} left out because the log was full`] : []),
    ...(rejected > 0 ? [`${rejected} refused`] : []),
  ];
  return [
    `${events} ${events === 1 ? "event" : "events"}${times}; the run is ${word(run)}${beside.map((one) => `; ${one}`).join("")}`,
    ...heading("by hypothesis", hypotheses.length),
    ...hypotheses.map((one) => `  ${word(one.hypothesis)}: ${one.events}`),
    ...heading("by run, hypothesis and place", counts.length),
    ...counts.map(
      (one) => `  ${word(one.run)} ${word(one.hypothesis)} ${word(one.location ?? one.probe)}: ${one.events}`,
    ),
    ...(more === undefined ? [] : [`  ${more}`]),
    ...heading("data", shapes.length),
    ...shapes.map((one) => `  ${word(one.probe)}: ${one.shapes.map(word).join(" | ")}`),
    ...heading("values that change", changed.length),
    ...changed.map(
      (one) =>
        `  ${word(one.probe)} ${word(one.field)}: ${one.values} values, ${word(one.first)} to ${word(one.last)}`,
    ),
  ];
}

function heading(name: string, rows: number): readonly string[] {
  return rows === 0 ? [] : [`${name}:`];
}
