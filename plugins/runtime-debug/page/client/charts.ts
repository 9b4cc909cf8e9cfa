import type { PageEvent, PageView } from "../page-view.ts";
import { el, svg } from "#page/client/dom";

const [WIDTH, HEIGHT, EDGE] = [320, 90, 8];
/** The number of values of a run that are drawn, beginning with the first, and the number of charts. */
const MOST_VALUES = 400;
const MOST_CHARTS = 12;
/** Each value of a line is marked up to this number of values. */
const FEW = 40;

/** The numbers reported by points, in order, by run. */
export class Charts {
  readonly #series = new Map<string, Map<string, number[]>>();

  add(events: readonly PageEvent[]): void {
    for (const { letters, point, run, data } of events)
      for (const [field, value] of numbersIn(data)) {
        const key = `${letters} ${point} ${field}`.trim();
        const runs = this.#series.get(key) ?? new Map<string, number[]>();
        const values = runs.get(run) ?? [];
        if (values.length < MOST_VALUES) values.push(value);
        this.#series.set(key, runs.set(run, values));
      }
  }

  clear(): void {
    this.#series.clear();
  }

  /** A chart of each number with at least two values in a run. */
  shown({ before, after }: PageView["runs"]): readonly HTMLElement[] {
    const all = [...this.#series].map(([name, runs]) => {
      const lines = [
        { label: after === undefined ? before : "before", style: "before", values: runs.get(before) ?? [] },
        { label: "with the fix", style: "after", values: (after !== undefined && runs.get(after)) || [] },
      ];
      return { name, lines: lines.filter(({ values }) => values.length > 0) };
    });
    return all
      .filter(({ lines }) => lines.some(({ values }) => values.length > 1))
      .slice(0, MOST_CHARTS)
      .map(({ name, lines }) => chart(name, lines));
  }
}

interface Line {
  readonly label: string;
  readonly style: string;
  readonly values: readonly number[];
}

function chart(name: string, lines: readonly Line[]): HTMLElement {
  const all = lines.flatMap(({ values }) => values);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const most = Math.max(...lines.map(({ values }) => values.length));
  const at = (value: number, index: number): readonly [number, number] => [
    EDGE + (most === 1 ? 0 : (index / (most - 1)) * (WIDTH - 2 * EDGE)),
    HEIGHT - EDGE - (high === low ? 0.5 : (value - low) / (high - low)) * (HEIGHT - 2 * EDGE),
  ];
  const told = lines.map(({ label, values }) => `${label}: ${valuesText(values)}`);
  const drawn = lines.map(({ style, values }) => {
    const points = values.map(at);
    const dots =
      values.length > FEW ? [] : points.map(([x, y]) => svg("circle", { cx: `${x}`, cy: `${y}`, r: "2.5" }));
    const line = svg("polyline", {
      points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "),
    });
    return svg("g", { class: style }, line, ...dots);
  });
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${name}. ${told.join(". ")}` },
    svg("path", { class: "axis", d: `M${EDGE / 2} 2V${HEIGHT - 2}H${WIDTH - 2}` }),
    ...drawn,
  );
  const legend = lines.map(({ label, style, values }) =>
    el("li", { class: style }, `${label}: ${valuesText(values)}`),
  );
  return el(
    "figure",
    {},
    el("figcaption", {}, name),
    picture,
    el("ul", { class: "legend", "aria-hidden": "true" }, ...legend),
  );
}

function valuesText(values: readonly number[]): string {
  if (values.length <= 8) return values.join(", ");
  const range = `${Math.min(...values)} to ${Math.max(...values)}`;
  const more = values.length === MOST_VALUES ? "the first " : "";
  return `${more}${values.length} values, ${range}, the last ${values.at(-1)}`;
}

function numbersIn(data: string): readonly (readonly [string, number])[] {
  if (!data.startsWith("{") || !/\d/.test(data)) return [];
  try {
    const all = Object.entries(JSON.parse(data) as Readonly<Record<string, unknown>>);
    return all.filter((one): one is [string, number] => typeof one[1] === "number");
  } catch {
    // Shortened.
    return [];
  }
}
