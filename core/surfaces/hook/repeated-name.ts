/**
 * The first name that stands twice in one object of a JSON text, as it is written there; undefined when none does. Readers
 * differ in which of the two counts. In linear time; `text` is JSON.
 */
export function repeatedName(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case "{":
        open.push(new Set());
        break;
      case "[":
        open.push(undefined);
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case '"': {
        const end = endOf(text, at);
        const names = open.at(-1);
        if (names && isName(text, end)) {
          const name = JSON.parse(text.slice(at, end)) as string;
          if (names.has(name)) return name;
          names.add(name);
        }
        at = end - 1;
        break;
      }
      default:
    }
  }
  return undefined;
}

/** Where a string ends, after its quotation mark. */
function endOf(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (at < text.length && " \t\r\n".includes(text[at] ?? "x")) at += 1;
  return text[at] === ":";
}
