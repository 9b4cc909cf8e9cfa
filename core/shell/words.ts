import type { Command, Word as WordNode } from "unbash";
import { bracesExpanded } from "./braces.ts";
import { globbed } from "./globs.ts";
import type { Word } from "./programs/effects.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";
import { fieldsOf, onePattern, oneText, type Field } from "./word-fields.ts";
import { piecesOf } from "./word-pieces.ts";

/** A word of a command, with the text it was written as. */
export interface SpokenWord extends Word {
  readonly raw: string;
}

/** Words in the place of one word, in the order of the Bash manual 3.5. */
export function wordsOf(word: WordNode, reader: Reader, state: ShellState): readonly SpokenWord[] {
  reader.step();
  const spelled = braces(word, reader);
  if (spelled === undefined) {
    piecesOf(word, "word", reader, state);
    return [{ text: undefined, raw: word.text }];
  }
  return spelled.flatMap((one) => {
    const fields = fieldsOf(piecesOf(one, "word", reader, state));
    const raw = one.text;
    return fields.flatMap((field) => named(field, reader, state).map((each) => ({ ...each, raw })));
  });
}

/** A word that stays one: a value, a text for standard input. */
export function textOf(word: WordNode, reader: Reader, state: ShellState): Word {
  reader.step();
  return oneText(piecesOf(word, "assignment", reader, state));
}

/** A word of `case`: what is quoted in it stands for itself. */
export function patternOf(word: WordNode, reader: Reader, state: ShellState): string | undefined {
  reader.step();
  return onePattern(piecesOf(word, "word", reader, state));
}

function braces(word: WordNode, reader: Reader): readonly WordNode[] | undefined {
  const { text } = word;
  if (!mayHaveBraces(text)) return [word];
  // Where commands stand in it, what belongs to them is not told apart.
  if (/\$\(|`|[<>]\(/.test(text))
    return word.parts?.some(({ type }) => type === "BraceExpansion") ? undefined : [word];
  const all = bracesExpanded(text);
  if (!all) return undefined;
  if (all.length === 1 && all[0] === text) return [word];
  const parsed: WordNode[] = [];
  for (const one of all) {
    if (one === "") continue;
    const found = soleWord(reader.parse(`: ${one}`).commands[0]?.command);
    if (!found) return undefined;
    parsed.push(found);
  }
  return parsed;
}

/** An opening brace, then a comma or two dots, then a closing one: each looked for once. */
function mayHaveBraces(text: string): boolean {
  const opening = text.indexOf("{");
  const closing = text.lastIndexOf("}");
  if (opening < 0 || closing < opening) return false;
  return [",", ".."].some((mark) => {
    const at = text.indexOf(mark, opening);
    return at >= 0 && at < closing;
  });
}

function soleWord(command: { readonly type: string } | undefined): WordNode | undefined {
  if (command?.type !== "Command") return undefined;
  const { suffix } = command as Command;
  const [only] = suffix;
  return suffix.length === 1 && only?.type === "Word" ? only : undefined;
}

/** File names in the place of a pattern; none fits: the pattern itself. */
function named(field: Field, reader: Reader, state: ShellState): readonly Word[] {
  const { pattern, text } = field;
  if (state.oddWords) return [pattern === undefined ? field : { text: undefined }];
  if (pattern === undefined || text === undefined) return [field];
  const found = globbed(pattern, state.cwds, reader);
  if (!found) return [{ text: undefined, known: pattern.slice(0, pattern.search(/[*?[\\]/)) }];
  return found.length === 0 ? [{ text }] : found.map((path) => ({ text: path }));
}
