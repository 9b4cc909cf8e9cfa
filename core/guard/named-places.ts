import type { Subject } from "../plugin.ts";

/**
 * What a request names beside its own folder, absolute: paths of a tool, and of a shell command what it writes, runs as a
 * program, and where it starts programs. A call from elsewhere can reach into a project too.
 */
export function namedPlaces({ paths = [], shell }: Subject): readonly string[] {
  const { writes = [], scripts = [], programs = [] } = shell ?? {};
  const folders = programs.flatMap(({ cwd }) => cwd ?? []);
  return [...new Set([...paths, ...writes, ...scripts, ...folders])];
}
