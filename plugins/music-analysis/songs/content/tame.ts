/** As many quotes and lists inside one another, or emphasis marks in one line, no answer has. */
const DEEPEST = 32;
const MOST_MARKS = 400;

const DEEP = new RegExp(`^((?:[ \\t]*(?:[>*+-]|\\d{1,9}[.)])){${DEEPEST}})[ \\t>*+\\-0-9.)]+`, "gmu");

/**
 * A Markdown that a parser reads in time in proportion to its length: nesting beyond 32 levels and the emphasis of lines
 * with more than 400 marks are taken out. Either would keep the process busy for seconds, deaf to Ctrl-C.
 */
export function tamed(markdown: string): string {
  const shallow = markdown.replace(DEEP, "$1 ");
  if (shallow.length <= MOST_MARKS) return shallow;
  return shallow.replace(/^.*$/gmu, (line) => (hasManyMarks(line) ? line.replace(/[*_]/gu, "") : line));
}

function hasManyMarks(line: string): boolean {
  if (line.length <= MOST_MARKS) return false;
  return (line.match(/[*_]/gu)?.length ?? 0) > MOST_MARKS;
}
