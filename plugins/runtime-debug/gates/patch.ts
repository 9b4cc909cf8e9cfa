import type { Edited } from "./edited.ts";

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;

/**
 * A file after a patch in the form of Codex (`*** Begin Patch`). `path` is the file's, absolute or relative: the part of
 * the patch is taken whose name it ends with. What is not surely one text is unknown.
 */
export function patched(patch: string, path: string, now: string | undefined): Edited {
  const parts = partsOf(patch).filter(
    ({ name }) => path === name || path.endsWith(`/${name.replace(/^\.?\//, "")}`),
  );
  const [part] = parts;
  if (!part || parts.length > 1) return { unknown: "the patch does not name this file once" };
  if (part.kind === "Delete") return { gone: true };
  if (part.lines.some((line) => line.startsWith("*** Move to:"))) return { unknown: "the patch moves it" };
  if (part.kind === "Add") {
    const added = part.lines.filter((line) => line.startsWith("+")).map((line) => line.slice(1));
    return { text: added.length === 0 ? "" : `${added.join("\n")}\n` };
  }
  return now === undefined ? { unknown: "there is no such file" } : updated(part.lines, now);
}

interface Part {
  readonly kind: string;
  readonly name: string;
  readonly lines: string[];
}

function partsOf(patch: string): readonly Part[] {
  const parts: Part[] = [];
  for (const line of patch.split(/\r?\n/)) {
    const [, kind, name] = FILE.exec(line) ?? [];
    if (kind !== undefined && name !== undefined) parts.push({ kind, name: name.trim(), lines: [] });
    else if (!/^\*\*\* (?:Begin|End) (?:Patch|of File)/.test(line)) parts.at(-1)?.lines.push(line);
  }
  return parts;
}

/** Each hunk replaces the one place where its lines stand. */
function updated(lines: readonly string[], now: string): Edited {
  const hunks = lines.join("\n").split(/^@@.*$\n?/m);
  let text = now;
  for (const hunk of hunks) {
    const rows = hunk.split("\n").filter((row, index, all) => row !== "" || index < all.length - 1);
    if (rows.length === 0) continue;
    const before = rows.filter((row) => !row.startsWith("+")).map((row) => row.slice(1));
    const after = rows.filter((row) => !row.startsWith("-")).map((row) => row.slice(1));
    if (before.length === 0) return { unknown: "a part of the patch does not say where" };
    const from = `\n${before.join("\n")}\n`;
    const places = `\n${text}`.split(from);
    if (places.length !== 2) return { unknown: "a part of the patch has not one place in the file" };
    text = places.join(after.length === 0 ? "\n" : `\n${after.join("\n")}\n`).slice(1);
  }
  return { text };
}
