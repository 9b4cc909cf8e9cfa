import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import type { Bench, Row } from "./row.ts";

/** A bench and what it measured. */
export interface Measured {
  readonly bench: Bench;
  readonly rows: readonly Row[];
}

const DOCUMENT = fileURLToPath(new URL("../docs/benchmarks.md", import.meta.url));
const START = "<!-- measured: start; written by `npm run bench -- --write` -->";
const END = "<!-- measured: end -->";
const HEAD = ["What", "Against", "Ratio", "Spread", "Limit", "", "Medians", "Rounds"] as const;

/** The table for a terminal. */
export function textTable({ bench, rows }: Measured): string {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length)));
  const shown = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join("  ")
      .trimEnd(),
  );
  return `\n${bench.name}: ${bench.describe}\n\n${shown.join("\n")}\n`;
}

/** Replaces what stands between the marks of docs/benchmarks.md. What is written by hand around them stays. */
export function writeDocument(measured: readonly Measured[], date = new Date()): void {
  const before = readFileSync(DOCUMENT, "utf8");
  const [start, end] = [before.indexOf(START), before.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${DOCUMENT} has lost its marks: ${START} and ${END}`);
  const text = [START, "", machine(date), ...measured.map(section), ""].join("\n");
  writeFileSync(DOCUMENT, before.slice(0, start) + text + before.slice(end));
}

/** No host names: only what decides how fast it is. */
function machine(date: Date): string {
  const { length } = cpus();
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  const memory = Math.round(totalmem() / 1024 ** 3);
  const day = date.toISOString().slice(0, 10);
  return `${day}, Node ${process.version.slice(1)}, ${process.platform} ${process.arch}, ${length} × ${model}, ${memory} GiB.\n`;
}

function section({ bench, rows }: Measured): string {
  const lines = [HEAD, HEAD.map(() => "---"), ...rows.map(cells)].map((line) => `| ${line.join(" | ")} |`);
  return `### ${bench.name}\n\n${bench.describe}\n\n${lines.join("\n")}\n`;
}

function cells({ subject, base, value, unit, spread, limit, rounds, medians }: Row): readonly string[] {
  const digits = unit === undefined ? 2 : 1;
  return [
    subject,
    base,
    unit === undefined ? value.toFixed(digits) : `${value.toFixed(digits)} ${unit}`,
    `${spread[0].toFixed(digits)} to ${spread[1].toFixed(digits)}`,
    limit === undefined ? "" : limit.toFixed(2),
    limit === undefined ? "" : value <= limit ? "ok" : "short",
    medians,
    String(rounds),
  ];
}
