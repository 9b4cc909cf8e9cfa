/** Shared by tests of observation points. */
import { readdir, readFile, readlink } from "node:fs/promises";
import type { TestContext } from "node:test";
import type { Http, HttpRequest } from "skillctl";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { Attachment } from "../observe/attachment.ts";
import type { Pass, Point, PointNote } from "../observe/point.ts";
import { inspectorOf, targetsAt } from "../observe/processes.ts";
import type { Texts } from "../observe/scripts.ts";
import { lastly } from "./server-harness.ts";

export const http = {
  send: async ({ url, timeoutMs }: Pick<HttpRequest, "url" | "timeoutMs">) => {
    // Another process at the port of a closed inspector may never answer.
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    return { status: response.status, headers: {}, body: await response.text() };
  },
} as unknown as Http;

/** Points that are set in a Node program until the test is over, and their reports. */
export async function attached(
  t: TestContext,
  pid: number,
  points: readonly Point[],
  changed: Texts["changed"] = [],
) {
  const passes: Pass[] = [];
  const notes: PointNote[] = [];
  const beyond: number[] = [];
  const witness = {
    passed: (pass: Pass) => passes.push(pass),
    skipped: (_: Point, count: number) => beyond.push(count),
    noted: (note: PointNote) => notes.push(note),
    troubled: () => undefined,
  };
  const { address, ours } = await inspectorOf(pid, nodeFiles, http);
  const [target] = await targetsAt(address, http);
  const list = { all: [...points], gone: new Set<Point>() };
  const texts = { files: nodeFiles, http, changed };
  const attachment = await Attachment.open(target?.url ?? "", list, texts, witness, { pid });
  lastly(t, () => attachment.leave(ours));
  return { passes, notes, beyond, attachment, address };
}

/** The addresses at which a process listens, as /proc writes them. */
export async function listensAt(pid: number): Promise<readonly string[]> {
  const handles = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(
    handles.map((one) => readlink(`/proc/${pid}/fd/${one}`).catch(() => "gone")),
  );
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/${pid}/net/${name}`, "utf8")),
  );
  return tables.flatMap((table) =>
    table.split("\n").flatMap((line) => {
      const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
      return state === "0A" && links.includes(`socket:[${inode}]`) ? [local.split(":")[0] ?? ""] : [];
    }),
  );
}
