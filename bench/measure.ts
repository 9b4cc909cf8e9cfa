/** Shared by all benchmarks: processes that are timed in turn, ratios, and the table. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const PROGRAM = fileURLToPath(new URL("../bin/skillctl.cjs", import.meta.url));
/** One line of the table. */
export interface Row {
  readonly what: string;
  /** The other side of the comparison; for a plain figure its unit. */
  readonly against: string;
  readonly value: number;
  /** The first and third quartiles of the rounds. */
  readonly spread: readonly number[];
  /** The upper bound of the value. A row without one is for information. */
  readonly limit?: number;
  /** Both medians, as text. */
  readonly medians?: string;
}

/** The ratio of two medians; values with the same index come from the same round. */
export function ratio(
  row: Pick<Row, "what" | "against" | "limit"> & { readonly unit?: string },
  bases: readonly number[],
  candidates: readonly number[],
): Row {
  const { unit = "ms", ...rest } = row;
  const ratios = candidates.map((candidate, round) => candidate / (bases[round] as number));
  const [over, under] = [median(candidates), median(bases)];
  const medians = `${over.toFixed(1)} / ${under.toFixed(1)} ${unit}`;
  return { ...rest, value: over / under, spread: quantiles(ratios, 0.25, 0.75), medians };
}

/** A figure with its unit. */
export function figure(row: Pick<Row, "what" | "against" | "limit">, values: readonly number[]): Row {
  return { ...row, value: median(values), spread: quantiles(values, 0.25, 0.75) };
}

function median(values: readonly number[]): number {
  return quantiles(values, 0.5)[0] as number;
}

function quantiles(values: readonly number[], ...shares: readonly number[]): readonly number[] {
  const sorted = [...values].sort((a, b) => a - b);
  return shares.map((share) => sorted[Math.round((sorted.length - 1) * share)] as number);
}

/** A folder to run in, with its own home folder, so that the files of the user have no effect. */
export interface Place {
  readonly folder: string;
  readonly variables: NodeJS.ProcessEnv;
}

/** Runs an action in a new folder, which is removed afterwards. */
export async function inPlace<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillctl-bench-")));
  mkdirSync(join(folder, "home"));
  const variables = {
    PATH: process.env["PATH"],
    HOME: join(folder, "home"),
    SKILLCTL_STATE: join(folder, "state"),
  };
  try {
    return await work({ folder, variables });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A process of Node that is timed from its start to its end. */
export interface Timed {
  readonly words: readonly string[];
  readonly cwd?: string;
  /** Standard input. */
  readonly input?: string;
  /** The text that its output must contain, or a function that checks the output. Default: it must be empty. */
  readonly holds?: string | ((out: string) => boolean);
}

/** `node -e 0`: nothing that runs on Node can be faster. */
export const NODE: Timed = { words: ["-e", "0"] };

/** Runs a process once and returns its time in milliseconds. @throws Error, with the output, if the output is wrong. */
export function timed({ words, cwd, input = "", holds = "" }: Timed, place: Place): number {
  const start = performance.now();
  const { status, stdout, stderr, error } = spawnSync(process.execPath, words, {
    cwd: cwd ?? place.folder,
    env: place.variables,
    input,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const ms = performance.now() - start;
  if (error) throw error;
  const isRight =
    typeof holds === "function" ? holds(stdout) : holds === "" ? stdout === "" : stdout.includes(holds);
  if (status === 0 && isRight) return ms;
  throw new Error(`${words.join(" ")} gave a wrong answer, status ${status}:\n${stdout}${stderr}`);
}

/** The milliseconds of each process in each round, run in turn; the first round is a warm-up and is not returned. */
export function inTurn(all: readonly Timed[], place: Place, rounds = 31): number[][] {
  const times = Array.from({ length: rounds + 1 }, () => all.map((one) => timed(one, place)));
  return all.map((_, index) => times.slice(1).map((round) => round[index] as number));
}

/** The rows as a Markdown table, which is also readable in a terminal; rows over their limit come first. */
export function table(rows: readonly Row[]): string {
  const isShort = ({ value, limit }: Row): boolean => limit !== undefined && value > limit;
  const sorted = [...rows.filter(isShort), ...rows.filter((row) => !isShort(row))];
  const lines = sorted.map((row) => [
    row.what,
    row.against,
    row.value.toFixed(2),
    row.limit === undefined ? "" : String(row.limit),
    row.limit === undefined ? "" : isShort(row) ? "**short**" : "ok",
    row.spread.map((value) => value.toFixed(2)).join(" to "),
    row.medians ?? "",
  ]);
  const head = ["Figure", "Base", "Value", "Limit", "", "Spread", "Medians"];
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
