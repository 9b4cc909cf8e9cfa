import { Buffer } from "node:buffer";

/** What a difference adds to a file. */
interface Added {
  /** From the top of the project, with `/`. */
  readonly path: string;
  /** The lines that are new; `line` counts from 1. None for what git takes for binary. */
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

const RAW = /^:\d+ (\d+) \S+ \S+ [A-Z]\d*\t([^]*)$/;
const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** Links hold a path, and a submodule an id: neither is code. */
const REGULAR = /^100/;
const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/**
 * Reads what `git diff --raw --patch --unified=0` has written. Lines of a hunk are counted, so that content that looks
 * like a header stays content.
 */
export function addedIn(out: Buffer): readonly Added[] {
  const files = new Map<string, { readonly line: number; readonly text: string }[]>();
  let lines: { readonly line: number; readonly text: string }[] = [];
  let [gone, added, at] = [0, 0, 0];
  // One character a byte until the end: names and lines may be in any encoding.
  for (const line of out.toString("latin1").split("\n")) {
    if (gone > 0 && line.startsWith("-")) gone -= 1;
    else if (added > 0 && line.startsWith("+")) {
      lines.push({ line: at, text: decoded(line.slice(1)) });
      [added, at] = [added - 1, at + 1];
    } else if (gone > 0 || added > 0) continue;
    else if (line.startsWith("@@ ")) {
      const [, before = "1", first = "1", after = "1"] = HUNK.exec(line) ?? [];
      [gone, added, at] = [Number(before), Number(after), Number(first)];
    } else if (line.startsWith("+++ b/") || line.startsWith('+++ "b/'))
      lines = files.get(unquoted(line.slice(4).replace(/\t$/, "")).slice(2)) ?? [];
    else if (line.startsWith(":")) {
      const [, mode = "", path = ""] = RAW.exec(line) ?? [];
      if (REGULAR.test(mode)) files.set(unquoted(path), []);
    } else if (line.startsWith("diff --git ")) lines = [];
  }
  return [...files].map(([path, lines]) => ({ path, lines }));
}

/** A name as git writes it: in quotes with the escapes of C where it holds anything unusual. */
function unquoted(name: string): string {
  const inside = /^"([^]*)"$/.exec(name)?.[1];
  const plain = inside?.replaceAll(/\\([0-7]{3}|.)/g, (_, escape: string) =>
    escape.length === 3 ? String.fromCodePoint(Number.parseInt(escape, 8)) : (ESCAPES[escape] ?? escape),
  );
  return decoded(plain ?? name);
}

function decoded(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
