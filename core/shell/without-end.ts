/** A text without the marks that it ends with, in linear time: `/x+$/` looks again from each run of them. */
export function withoutEnd(text: string, mark: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === mark) end--;
  return text.slice(0, end);
}
