/** One point of a chart: undefined where there is no figure. */
export interface Point {
  readonly value: number;
  /** As the tables have it. */
  readonly text: string;
}

/** Figures of a table as they are drawn: a line through time, or bars. */
export interface Chart {
  readonly kind: "line" | "bars";
  /** What the figures are. */
  readonly title: string;
  /** What each point is of. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
}

/** One line, or the bars of one colour. Its name is empty where there is but one. */
export interface Series {
  readonly name: string;
  readonly points: readonly (Point | undefined)[];
}

/** An answer that is drawn. */
export interface Drawable {
  /** What was understood. */
  readonly title: string;
  /** The song it is about. */
  readonly name: string;
  readonly charts: readonly Chart[];
}

/** The charts of several songs' answers to one question: those of the same points become one, with a series a song. */
export function sideBySide(answers: readonly Drawable[]): readonly Chart[] {
  const [first] = answers;
  if (first === undefined || answers.length === 1) return first?.charts ?? [];
  const isSame = (one: Chart, other: Chart | undefined): boolean =>
    other !== undefined &&
    other.series.length === 1 &&
    JSON.stringify([one.kind, one.title, one.labels]) ===
      JSON.stringify([other.kind, other.title, other.labels]);
  const canJoin = first.charts.every((chart, place) =>
    answers.every(({ charts }) => charts.length === first.charts.length && isSame(chart, charts[place])),
  );
  if (!canJoin)
    return answers.flatMap(({ name, charts }) =>
      charts.map((chart) => ({ ...chart, title: `${name} · ${chart.title}` })),
    );
  return first.charts.map((chart, place) => ({
    ...chart,
    series: answers.flatMap(({ name, charts }) =>
      (charts[place]?.series ?? []).map((series) => ({ ...series, name })),
    ),
  }));
}
