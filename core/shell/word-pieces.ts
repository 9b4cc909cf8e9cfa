import type { ParameterExpansionPart, SimpleExpansionPart, Word as WordNode, WordPart } from "unbash";
import { arithmeticValue } from "./arithmetic.ts";
import type { Expansion } from "./expansion.ts";
import { expandedParameter } from "./parameters.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";
import { substituted } from "./substitutions.ts";
import { homeOf, tildeExpanded } from "./tilde.ts";
import { oneText, type Piece } from "./word-fields.ts";

/** What counts in a word: in a command, in an assignment, or within quotes. */
export type Place = "word" | "assignment" | "quoted";

/** Characters that are not seen, or look like a blank and are none to the shell. */
const UNSEEN =
  /[^\P{Cc}\t\n]|[^\P{Zs} ]|[\p{Cf}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/u;

/** Parameters, commands, arithmetic and quotes of a word. What it starts on the way is read. */
export function piecesOf(word: WordNode, place: Place, reader: Reader, state: ShellState): readonly Piece[] {
  const { parts } = word;
  const pieces = parts
    ? parts.flatMap((part) => partPieces(part, place, reader, state))
    : bare(word.text, reader);
  return place === "quoted" ? pieces : tildeExpanded(pieces, place === "assignment", homeOf(reader, state));
}

export function partPieces(
  part: WordPart,
  place: Place,
  reader: Reader,
  state: ShellState,
): readonly Piece[] {
  const quoted = place === "quoted";
  switch (part.type) {
    case "Literal":
      return quoted ? [textPiece(part.value)] : bare(part.text, reader);
    case "Glob": {
      if (part.parts?.some(({ type }) => type !== "Literal")) {
        for (const inner of part.parts) partPieces(inner, place, reader, state);
        return [{ kind: "hole", known: "", quoted }];
      }
      return quoted ? [textPiece(part.value)] : bare(part.text, reader);
    }
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [textPiece(part.value)];
    case "DoubleQuoted":
    case "LocaleString":
      // The empty text first: quotes make a word even when nothing is in them.
      return [
        ...(part.parts.length === 1 && isAll(part.parts[0]) ? [] : [textPiece("")]),
        ...part.parts.flatMap((inner) => partPieces(inner, "quoted", reader, state)),
      ];
    case "SimpleExpansion":
    case "ParameterExpansion":
      return [
        piece(
          joinedStar(
            expandedParameter(part, reader, state, (word) => operand(word, place, reader, state)),
            part,
            quoted,
          ),
          quoted,
          state,
        ),
      ];
    case "CommandExpansion":
      return [piece({ value: substituted(part, reader, state) }, quoted, state)];
    case "ArithmeticExpansion": {
      const value = arithmeticValue(part.expression, reader, state, (inner) =>
        inner.flatMap((each) => partPieces(each, "quoted", reader, state)),
      );
      return [piece({ value: { text: value?.toString() } }, quoted, state)];
    }
    case "ProcessSubstitution":
      return [textPiece(processFile(part, reader, state))];
    case "ExtendedGlob":
      for (const inner of part.parts ?? []) partPieces(inner, place, reader, state);
      reader.facts.unknown("syntax");
      return [{ kind: "hole", known: "", quoted }];
    case "BraceExpansion":
      if (place === "assignment" && !/[$`'"\\]/.test(part.text)) return [textPiece(part.text)];
      for (const inner of part.parts ?? []) partPieces(inner, place, reader, state);
      reader.facts.unknown("syntax");
      return [{ kind: "hole", known: "", quoted }];
    default:
      reader.facts.unknown("syntax");
      return [{ kind: "hole", known: "", quoted }];
  }
}

/** Text outside of quotes: a backslash takes the next character as it is. */
function bare(text: string, reader: Reader): readonly Piece[] {
  if (UNSEEN.test(text)) reader.facts.unknown("syntax");
  if (!text.includes("\\")) return [{ kind: "text", text, quoted: false }];
  return (text.match(/\\[^]?|[^\\]+/gu) ?? []).flatMap((run): Piece[] => {
    if (!run.startsWith("\\")) return [{ kind: "text", text: run, quoted: false }];
    if (run === "\\\n") return [];
    return [textPiece(run.length > 1 ? run.slice(1) : run)];
  });
}

function textPiece(text: string): Piece {
  return { kind: "text", text, quoted: true };
}

function piece(expansion: Expansion, quoted: boolean, { oddWords }: ShellState): Piece {
  // Where words are divided is not known.
  if (oddWords && !quoted) return { kind: "hole", known: "", quoted };
  if ("items" in expansion) {
    return expansion.items
      ? { kind: "items", items: expansion.items, quoted }
      : { kind: "hole", known: "", quoted };
  }
  const { text, known = "", gapped } = expansion.value;
  if (text === undefined) return { kind: "hole", known, quoted, ...(gapped !== undefined && { gapped }) };
  return { kind: "text", text, quoted, ...(!quoted && { splits: true }) };
}

/** `"$*"` is one word. */
function joinedStar(
  expansion: Expansion,
  part: SimpleExpansionPart | ParameterExpansionPart,
  quoted: boolean,
): Expansion {
  const star =
    part.type === "SimpleExpansion" ? part.text === "$*" : part.parameter === "*" || part.index?.text === "*";
  if (!quoted || !star || !("items" in expansion)) return expansion;
  return {
    value: expansion.items
      ? oneText([{ kind: "items", items: expansion.items, quoted }])
      : { text: undefined },
  };
}

/** `"$@"` alone is no word at all when there are no parameters. */
function isAll(part: WordPart | undefined): boolean {
  if (part?.type === "SimpleExpansion") return part.text === "$@";
  return part?.type === "ParameterExpansion" && (part.parameter === "@" || part.index?.text === "@");
}

function operand(word: WordNode, place: Place, reader: Reader, state: ShellState): readonly Piece[] {
  return piecesOf(word, place === "quoted" ? "quoted" : "assignment", reader, state);
}

/** The file that `<(…)` and `>(…)` stand for. */
function processFile(
  part: Extract<WordPart, { type: "ProcessSubstitution" }>,
  reader: Reader,
  state: ShellState,
): string {
  const inner = state.clone();
  if (part.operator === ">") inner.stdin = { kind: "unknown" };
  const { output } = reader.script(part.script, inner);
  const path = `/dev/fd/${63 - (reader.descriptors.size % 50)}`;
  const again = reader.descriptors.has(path);
  reader.descriptors.set(path, part.operator === "<" && !again ? output : undefined);
  return path;
}
