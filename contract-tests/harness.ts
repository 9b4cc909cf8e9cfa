import { symlink } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { TestHost } from "skillctl/testing";
import { builtinSkills } from "../plugins/index.ts";

/** The folder of the repository, absolute, without a slash at the end. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url)).replace(/[/\\]$/, "");

/** The built-in skills. */
export const SKILLS = builtinSkills(ROOT);

/** Examples name sample files relative to the repository, so the working folder of a test links to them. */
export async function showSkills({ environment }: TestHost): Promise<void> {
  await symlink(join(ROOT, "skills"), join(environment.workingFolder, "skills"), "junction");
}

/**
 * How much a test does: `few` of something in `npm test`, `many` in the long suite, which runs each file that calls this.
 * `few` finds faults that occur in every run, `many` also finds rare ones.
 */
export function effort(few: number, many: number): number {
  return process.env["TEST_EFFORT"] === "long" ? many : few;
}

/** The index of one of `count` samples, drawn by the seed of the long suite; in `npm test` the first. */
export function sample(count: number): number {
  return effort(0, Number(process.env["TEST_SEED"]) % count);
}

/** The processor time in seconds that an action takes in this process; other processes do not count. */
export async function processorSeconds(action: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
