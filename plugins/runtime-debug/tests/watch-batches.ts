import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { chmod, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { TestContext } from "node:test";
import { watchedProject, type WatchedProject } from "./watch-harness.ts";
import { SLOT, chances, writeFor, type Slot, type Write } from "./watch-writes.ts";

const SLOTS = 40;

/** What came of generated writes. */
interface Batches {
  /** Writes that have really changed something. */
  readonly written: number;
  /** Of these the ones that were not put back byte for byte. */
  readonly missed: readonly string[];
  /** Those whose text was to be found nowhere afterwards. */
  readonly lost: readonly string[];
  /** Writes that had no effect here, as when a program is missing. */
  readonly idle: readonly string[];
}

/** Does `count` writes, some at a time, each in a folder of its own, and has the code looked at after each batch. */
export async function writeAndLook(
  t: TestContext,
  count: number,
  seed: number,
  isOn = true,
): Promise<Batches> {
  const project = await slots(t);
  const { begin, folder, root, tree } = project;
  await begin();
  const alias = join(folder, "alias");
  symlinkSync(root, alias);
  const before = tree();
  const below = chances(seed);
  const result = { written: 0, missed: [] as string[], lost: [] as string[], idle: [] as string[] };
  for (let first = 0; first < count; first += SLOTS) {
    const scratch = join(folder, `scratch-${first}`);
    const done = new Map<string, Write>();
    for (let number = first; number < Math.min(count, first + SLOTS); number += 1) {
      const at = `w${number % SLOTS}`;
      const slot: Slot = { root, at, alias, scratch: join(scratch, at) };
      mkdirSync(slot.scratch, { recursive: true });
      const write = writeFor(number, slot, below);
      runText(write.text, project);
      done.set(at, write);
    }
    const kept = new Set<string>();
    const seen = new Map<string, string>();
    const look = async (): Promise<readonly string[]> => {
      const now = tree();
      for (const [path, sign] of Object.entries(now)) if (before[path] !== sign) seen.set(path, sign);
      for (const path of Object.keys(before)) if (!(path in now)) seen.set(path, "gone");
      if (!isOn) return [];
      const { reverted, stuck } = await project.look();
      for (const { path, keptAt } of reverted) {
        // What was written while it looked is not in the tree that was seen.
        if (!seen.has(path)) seen.set(path, "put back");
        const hash = keptAt === undefined ? undefined : hashAt(keptAt);
        if (hash !== undefined) kept.add(hash);
      }
      return stuck;
    };
    // What is still being written is told, and found at a later look.
    await look();
    for (const { done: file } of done.values()) if (file !== undefined) await appears(file);
    let stuck = await look();
    for (let more = 0; more < MORE_LOOKS && stuck.length > 0; more += 1) stuck = await look();
    assert.deepEqual(stuck, []);
    const after = tree();
    for (const [at, { text }] of done) {
      const own = [...seen].filter(([path]) => path.startsWith(`${at}/`));
      if (own.length === 0) {
        result.idle.push(text);
        continue;
      }
      result.written += 1;
      const isIn = ([path]: readonly [string, string]): boolean => path.startsWith(`${at}/`);
      if (signOf(Object.entries(after).filter(isIn)) !== signOf(Object.entries(before).filter(isIn)))
        result.missed.push(text);
      const isKept = ([, sign]: readonly [string, string]): boolean => {
        const hash = /^\d+ ([0-9a-f]{64})$/.exec(sign)?.[1];
        return (
          hash === undefined || kept.has(hash) || Object.values(before).some((one) => one.endsWith(hash))
        );
      };
      if (isOn && !own.every(isKept)) result.lost.push(text);
    }
    if (isOn) assert.deepEqual(after, before);
    rmSync(scratch, { recursive: true, force: true });
    if (!isOn) break;
  }
  return result;
}

/** How often a busy machine may need another look, after the last writer has ended. */
const MORE_LOOKS = 5;

/** A project of two commits, with a folder for each write of a batch. */
async function slots(t: TestContext): Promise<WatchedProject> {
  const project = await watchedProject(t);
  const names = Array.from({ length: SLOTS }, (_, number) => `w${number}`);
  const all = (change: (text: string) => string): Record<string, string> =>
    Object.fromEntries(
      names.flatMap((at) =>
        Object.entries(SLOT).map(([path, text]) => [`${at}/${path}`, change(text)] as const),
      ),
    );
  await project.write({ ".gitignore": "dist/\n*.tmp\n", ...all((text) => `${text}// older\n`) });
  for (const at of names) {
    await chmod(join(project.root, at, "run.sh"), 0o755);
    await symlink("a.js", join(project.root, at, "link.js"));
  }
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", "first");
  project.git("tag", "older");
  await project.write(all((text) => text));
  project.git("commit", "--quiet", "--all", "--message", "second");
  return project;
}

function runText(text: string, { root, folder }: WatchedProject): void {
  const env = {
    PATH: process.env["PATH"],
    HOME: join(folder, "home"),
    GIT_CONFIG_NOSYSTEM: "1",
    LC_ALL: "C",
  };
  spawnSync("bash", ["-c", text], { cwd: root, env, stdio: ["ignore", "ignore", "ignore"], timeout: 30_000 });
}

async function appears(file: string): Promise<void> {
  for (let tries = 0; !existsSync(file); tries += 1) {
    if (tries > 600) throw new Error(`${file} was never made.`);
    await pause(50);
  }
}

function signOf(entries: readonly (readonly [string, string])[]): string {
  return JSON.stringify(entries);
}

function hashAt(path: string): string | undefined {
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile();
  return isFile === true ? createHash("sha256").update(readFileSync(path)).digest("hex") : undefined;
}
