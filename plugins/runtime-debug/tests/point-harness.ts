/** What tests of observation points look at. */
import { readdir, readFile, readlink } from "node:fs/promises";
import type { Http, HttpRequest } from "skillctl";
import type { Pass, Point, PointNote } from "../observe/point.ts";

export const http = {
  send: async ({ url, timeoutMs }: Pick<HttpRequest, "url" | "timeoutMs">) => {
    // Who has the port of an inspector that was closed may never answer.
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    return { status: response.status, headers: {}, body: await response.text() };
  },
} as unknown as Http;

/** What is told of points, and the witness who hears it. */
export function heard() {
  const passes: Pass[] = [];
  const notes: PointNote[] = [];
  const beyond: number[] = [];
  const witness = {
    passed: (pass: Pass) => passes.push(pass),
    skipped: (_: Point, count: number) => beyond.push(count),
    noted: (note: PointNote) => notes.push(note),
    troubled: () => undefined,
  };
  return { passes, notes, beyond, witness };
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
