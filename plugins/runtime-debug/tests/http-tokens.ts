/** Strings, the signs between values, and everything else that JSON knows; white space is left out. */
const TOKEN = /"(?:[^"\\]|\\[^])*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

/** The parts of JSON text: strings as what they mean, all else as it is written. */
export function tokensOf(text: string): readonly string[] {
  return (text.match(TOKEN) ?? []).map((token) =>
    token.startsWith('"') ? `"${JSON.parse(token) as string}` : token,
  );
}

/** The objects of a body, one by one, whether they are a list, lines, or one after the other. */
export function objectsOf(text: string): readonly (readonly string[])[] {
  const objects: string[][] = [];
  let depth = 0;
  for (const token of tokensOf(text.replace(/^\uFEFF/, ""))) {
    if (token === "{" && depth++ === 0) objects.push([]);
    if (depth > 0) objects.at(-1)?.push(token);
    if (token === "}") depth -= 1;
  }
  return objects;
}
