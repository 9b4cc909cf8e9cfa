import type { Folders } from "./facts.ts";
import { isAbsolute, joined, tidied } from "./paths.ts";
import { isPatternText, Pattern } from "./pattern.ts";
import type { Reader } from "./reader.ts";

const MOST = 1000;
const MOST_LOOKS = 1000;

/**
 * Files that a pattern names now, and such that the text itself has written. `**` means what it means with `globstar`
 * and without. `undefined` when there are more than 1,000, or the folder is not known.
 */
export function globbed(pattern: string, cwds: Folders, reader: Reader): readonly string[] | undefined {
  if (!isAbsolute(pattern) && cwds === undefined) return undefined;
  const parts = pattern.split("/");
  const absolute = pattern.startsWith("/");
  const search = { looks: 0, found: new Set<string>() };
  for (const cwd of absolute ? ["/"] : (cwds ?? [])) {
    const start = absolute ? "/" : "";
    if (
      !walk(
        search,
        parts.filter((part, index) => part !== "" || index === parts.length - 1),
        start,
        cwd,
        reader,
      )
    ) {
      return undefined;
    }
  }
  return search.found.size > MOST ? undefined : [...search.found].sort();
}

interface Search {
  looks: number;
  readonly found: Set<string>;
}

/** @returns false when it was given up */
function walk(
  search: Search,
  parts: readonly string[],
  prefix: string,
  cwd: string,
  reader: Reader,
): boolean {
  const [part, ...rest] = parts;
  if (part === undefined || part === "") {
    if (prefix !== "") search.found.add(prefix);
    return search.found.size <= MOST;
  }
  search.looks += 1;
  if (search.looks > MOST_LOOKS) return false;
  const here = joined(prefix === "" ? "." : prefix, cwd) ?? cwd;
  if (!isPatternText(part)) {
    const next = prefix + plain(part);
    const at = tidied(joined(next, cwd) ?? next);
    if (reader.files.kind(at) === undefined && reader.facts.written(at).length === 0) return true;
    return walk(search, rest, rest.length > 0 ? `${next}/` : next, cwd, reader);
  }
  if (part === "**" && !walk(search, rest, prefix, cwd, reader)) return false;
  const fitting = new Pattern(part);
  for (const name of names(here, reader)) {
    if (name.startsWith(".") && !part.startsWith(".") && !part.startsWith("\\.")) continue;
    if (!fitting.fits(name)) continue;
    const deeper = rest.length > 0 ? `${prefix}${name}/` : prefix + name;
    if (part === "**") {
      const at = joined(prefix + name, cwd) ?? name;
      if (reader.files.kind(at) === "folder" && !walk(search, parts, `${prefix}${name}/`, cwd, reader))
        return false;
      if (rest.length === 0) search.found.add(deeper);
    }
    if (!walk(search, rest, deeper, cwd, reader)) return false;
  }
  return true;
}

function names(folder: string, reader: Reader): ReadonlySet<string> {
  const below = tidied(folder);
  const start = below === "/" ? "/" : `${below}/`;
  const made = reader.facts.written(below).map((path) => path.slice(start.length).split("/")[0] ?? "");
  const there = reader.files.list(folder);
  if (!there && reader.files.kind(tidied(folder)) === "folder") reader.facts.unknown("read", "write");
  return new Set([...(there ?? []), ...made].filter((name) => name !== ""));
}

function plain(part: string): string {
  return part.replace(/\\(.)/gs, "$1");
}
