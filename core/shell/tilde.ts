import type { Word } from "./programs/effects.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";
import { NOT_KNOWN } from "./variable.ts";
import type { Piece } from "./word-fields.ts";

/** What `~`, `~+` and `~-` stand for. */
export type Homes = Readonly<Record<"" | "+" | "-", Word>>;

export function homeOf(reader: Reader, state: ShellState): Homes {
  const set = state.variables.get("HOME");
  const before = state.variables.get("OLDPWD");
  const cwd = state.cwds?.length === 1 ? state.cwds[0] : undefined;
  return {
    "": set ? (set.kind === "text" ? set.value : NOT_KNOWN) : { text: reader.home },
    "+": { text: cwd },
    "-": before?.kind === "text" ? before.value : NOT_KNOWN,
  };
}

/** Tilde expansion (Bash manual 3.5.2): at the beginning of a word; in assignments also after `=` and `:`. */
export function tildeExpanded(pieces: readonly Piece[], assignment: boolean, homes: Homes): readonly Piece[] {
  return pieces.flatMap((piece, index) => {
    if (piece.kind !== "text" || piece.quoted || piece.splits || !piece.text.includes("~")) return [piece];
    const first = index === 0;
    const named = first && /^[A-Za-z_]\w*=/.test(piece.text);
    // A quoted character right after the name belongs to it: `~"x"` is no tilde.
    const next = pieces[index + 1];
    return expandedText(piece.text, first, assignment || named, next === undefined, homes);
  });
}

function expandedText(
  text: string,
  first: boolean,
  everywhere: boolean,
  last: boolean,
  homes: Homes,
): readonly Piece[] {
  const found = (everywhere ? /(^|[=:])~([^/:]*)/g : /^()~([^/]*)/g).exec(text);
  if (!found || (found.index === 0 && found[1] === "" && !first))
    return [{ kind: "text", text, quoted: false }];
  const [whole, before = "", user = ""] = found;
  const start = found.index;
  const end = start + whole.length;
  const after = text.slice(end);
  const head = text.slice(0, start) + before;
  const open = after === "" && !last;
  const home = open ? undefined : user === "" || user === "+" || user === "-" ? homes[user].text : undefined;
  const pieces: Piece[] = head === "" ? [] : [{ kind: "text", text: head, quoted: false }];
  if (open && user === "") pieces.push({ kind: "text", text: whole.slice(before.length), quoted: false });
  else if (home === undefined) pieces.push({ kind: "hole", known: "", quoted: true });
  else pieces.push({ kind: "text", text: home, quoted: true });
  return [...pieces, ...(after === "" ? [] : expandedText(after, false, everywhere, last, homes))];
}
