import { spawnSync } from "node:child_process";
import type { Truth } from "./query-oracle.ts";

const PIPELINE = `rg -o '"hypothesisId":"[^"]*"' "$0" | sort | uniq -c`;
const ROW = /^\s*(\d+) "hypothesisId":"([^"]*)"$/;

/** Whether the program is on the path. */
export const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;

/** Milliseconds of the usual pipeline over a log. @throws Error when it counts otherwise. */
export function ripgrepCounts(log: string, { counts }: Truth): number {
  const start = performance.now();
  const { stdout, stderr } = spawnSync("sh", ["-c", PIPELINE, log], { encoding: "utf8" });
  const took = performance.now() - start;
  const rows = stdout.split("\n").flatMap((line) => {
    const [, count, hypothesis = ""] = ROW.exec(line) ?? [];
    return count === undefined ? [] : [[hypothesis, Number(count)] as const];
  });
  const isRight = rows.length === counts.size && rows.every(([name, count]) => counts.get(name) === count);
  if (!isRight) throw new Error(`The pipeline of ripgrep gave a wrong answer: ${stdout}${stderr}`);
  return took;
}
