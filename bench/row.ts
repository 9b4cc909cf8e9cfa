/** One line of the table: a ratio inside one run, or a figure for information. */
export interface Row {
  /** What was measured. */
  readonly subject: string;
  /** What it is compared with. */
  readonly base: string;
  /** Median of the candidate over median of the base; for a figure the figure itself. */
  readonly value: number;
  /** Unit of a figure; undefined for a ratio. */
  readonly unit?: string;
  /** Quartiles of the rounds, each candidate over the base of its own round. */
  readonly spread: readonly [low: number, high: number];
  /** The ratio that the row may not be over. Rows without one are information. */
  readonly limit?: number;
  readonly rounds: number;
  /** Both medians, in words: `51.2 / 47.3 ms`. */
  readonly medians: string;
}

/** One bench: a file of this folder exports it as `bench`. */
export interface Bench {
  readonly name: string;
  /** One sentence above its rows. */
  readonly describe: string;
  /** Checks the answers and takes the time. @throws Error for a wrong answer. */
  readonly run: () => Promise<readonly Row[]>;
}

/** What a ratio is made of: one value a round for the base and the candidate, of the same rounds. */
export interface Pair {
  readonly subject: string;
  readonly base: string;
  readonly unit: string;
  readonly bases: readonly number[];
  readonly candidates: readonly number[];
  readonly limit?: number;
}

/** The ratio of two medians, with the quartiles of the ratios round by round. */
export function ratioRow({ subject, base, unit, bases, candidates, limit }: Pair): Row {
  const ratios = candidates.map((candidate, round) => candidate / (bases[round] as number));
  const [candidate, floor] = [median(candidates), median(bases)];
  return {
    subject,
    base,
    value: candidate / floor,
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    ...(limit !== undefined && { limit }),
    rounds: ratios.length,
    medians: `${short(candidate)} / ${short(floor)} ${unit}`,
  };
}

/** A figure without a limit. */
export function figureRow(subject: string, base: string, unit: string, values: readonly number[]): Row {
  const spread = [quantile(values, 0.25), quantile(values, 0.75)] as const;
  return { subject, base, value: median(values), unit, spread, rounds: values.length, medians: "" };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Between two values it lies in proportion. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

function short(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}
