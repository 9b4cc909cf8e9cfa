import { diskLook } from "../adapters/disk-look.ts";
import { joined, tidied } from "./paths.ts";

const MOST_FILES = 1000;
const MOST_LOOKS = 100;

/**
 * Files that a pattern names now, as the shell would write them. In `pattern` a backslash takes the next character as it
 * is. Empty when there are none, or when they are too many to say.
 */
export function globbed(pattern: string, cwd: string | undefined): readonly string[] {
  let found: readonly string[] = [pattern.startsWith("/") ? "/" : ""];
  let looks = 0;
  for (const part of pattern.split("/").filter((each) => each !== "")) {
    const plain = part.replace(/\\(.)/gs, "$1");
    const next: string[] = [];
    for (const start of found) {
      const folder = joined(start === "" ? "." : start, cwd);
      if (folder === undefined || ++looks > MOST_LOOKS) return [];
      const names = isPattern(part)
        ? (diskLook.list(folder) ?? []).filter((name) => fits(part, name))
        : [plain].filter((name) => diskLook.kind(tidied(`${folder}/${name}`)) !== undefined);
      for (const name of names) next.push(start === "" || start === "/" ? start + name : `${start}/${name}`);
    }
    if (next.length > MOST_FILES) return [];
    found = next;
  }
  return found;
}

function isPattern(part: string): boolean {
  return /[*?[]/.test(part.replace(/\\./gs, ""));
}

/** The pieces between the stars, each at the first place where it fits: time is their length times that of the name. */
function fits(pattern: string, name: string): boolean {
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  const pieces = pattern.split(/(?<!\\)\*+/).map((piece) => expression(piece));
  if (pieces.includes(undefined)) return false;
  const [first = "", ...rest] = pieces as readonly string[];
  let at = matched(`^(?:${first})${rest.length === 0 ? "$" : ""}`, name, 0);
  for (const [index, piece] of rest.entries()) {
    if (at < 0) return false;
    if (index < rest.length - 1) at = matched(piece, name, at);
    else return new RegExp(`^[^]*(?:${piece})$`, "s").test(name.slice(at));
  }
  return at >= 0;
}

function matched(source: string, name: string, from: number): number {
  const found = new RegExp(source, "gs");
  found.lastIndex = from;
  const match = found.exec(name);
  return match === null ? -1 : match.index + match[0].length;
}

/** A piece without a star; `undefined` for brackets that only a shell understands. */
function expression(piece: string): string | undefined {
  let source = "";
  for (let at = 0; at < piece.length; at++) {
    const char = piece.charAt(at);
    const set = char === "[" ? /^\[([!^]?)([^\][\\]+)\]/.exec(piece.slice(at)) : null;
    if (char === "[" && set === null) return undefined;
    if (set) {
      source += `[${set[1] === "" ? "" : "^"}${(set[2] ?? "").replaceAll("^", "\\^")}]`;
      at += set[0].length - 1;
    } else if (char === "?") source += ".";
    else source += (char === "\\" ? piece.charAt(++at) : char).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  }
  return source;
}
