// Any character except letters, marks and digits of every script and punctuation that is usual in paths; or one without
// a glyph. Without spaces, quotes, backticks and angle brackets a name cannot end a word, a line or a code span.
const UNUSUAL = /[^\p{L}\p{M}\p{N}._/\\@+~=,%#()[\]{}&^:$-]|\p{Default_Ignorable_Code_Point}/u;

// JSON.stringify does not escape these: C1 controls, format and bidirectional characters, line and paragraph separators,
// unusual spaces, characters without a glyph, and the delimiters of Markdown and XML around the quoted name.
const UNSHOWN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}`<>]/gu;
/** The escapes by UTF-16 unit, as far as they have been needed. */
const ESCAPES: string[] = [];

/**
 * Formats a name from outside (a file, folder, rule or skill) for a text that a person or model reads: unchanged if it
 * is plain, otherwise a JSON string on one line. A quoted name parses to the name; a plain name never begins with a
 * double quote, so two names never look the same.
 */
export function quotedName(name: string): string {
  const isPlain = name !== "" && !UNUSUAL.test(name);
  return isPlain ? name : JSON.stringify(name).replace(UNSHOWN, escaped);
}

/** A value as JSON on one line, with the escapes of a quoted name: at most `most` UTF-16 units, then `…`. */
export function shownJson(value: unknown, most: number): string {
  const text = JSON.stringify(value).replace(UNSHOWN, escaped);
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** JSON escapes for a character, one for each UTF-16 unit. */
function escaped(character: string): string {
  return character.length === 1
    ? unitEscape(character, 0)
    : unitEscape(character, 0) + unitEscape(character, 1);
}

function unitEscape(character: string, at: number): string {
  const unit = character.charCodeAt(at);
  return (ESCAPES[unit] ??= `\\u${unit.toString(16).padStart(4, "0")}`);
}
