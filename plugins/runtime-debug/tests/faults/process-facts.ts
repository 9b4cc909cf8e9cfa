import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** Bytes of memory that a process holds, as Linux counts them. */
export function residentBytes(pid: number): number {
  return statusOf(pid, "VmRSS");
}

/** The most it has held since `forgetPeak`. */
export function peakBytes(pid: number): number {
  return statusOf(pid, "VmHWM");
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** How many file descriptors it has open. */
export function descriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function statusOf(pid: number, name: string): number {
  const [, amount = "0"] =
    new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(amount) * 1024;
}
