// Not among letters, their marks and digits of every script and the punctuation that is usual in paths, or without a glyph.
// Without spaces, quotes, backticks and angle brackets a name cannot end a word, a line or a code span.
const UNUSUAL = /[^\p{L}\p{M}\p{N}._/\\@+~=,%#()[\]{}&^:$-]|\p{Default_Ignorable_Code_Point}/u;

// JSON.stringify leaves these as they are: C1 controls, format and bidirectional characters, separators of lines and
// paragraphs, unusual spaces, characters without a glyph, and the marks of Markdown and XML around what we quote.
const UNSHOWN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}`<>]/gu;

/**
 * A name of foreign origin (a file, a folder, a rule, a skill) as it stands in a text for a person or a model: unchanged when
 * it is plain, otherwise as a JSON string in double quotes on one line. A quoted name parses to the name; no plain name begins
 * with a double quote, so two names never look the same.
 */
export function quotedName(name: string): string {
  const isPlain = name !== "" && !UNUSUAL.test(name);
  return isPlain ? name : JSON.stringify(name).replace(UNSHOWN, escaped);
}

/** The JSON escape of a character: one for each of its UTF-16 units. */
function escaped(character: string): string {
  const first = unitEscape(character.charCodeAt(0));
  return character.length === 1 ? first : first + unitEscape(character.charCodeAt(1));
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
