import { pointerOf } from "./fault.ts";

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/**
 * Pointers of the keys that stand twice in one object of a JSON text. `JSON.parse` keeps the last one and says
 * nothing, so a whole command could vanish. The text must be valid JSON.
 */
export function duplicateKeys(text: string): readonly string[] {
  const found: string[] = [];
  const stack: { readonly keys: Set<string> | undefined; at: string | number }[] = [];
  let last: string | undefined;
  for (const [token] of text.matchAll(TOKEN)) {
    const top = stack.at(-1);
    if (token === "{") stack.push({ keys: new Set(), at: "" });
    else if (token === "[") stack.push({ keys: undefined, at: 0 });
    else if (token === "}" || token === "]") stack.pop();
    else if (token === "," && typeof top?.at === "number") top.at += 1;
    else if (token === ":" && top?.keys && last !== undefined) {
      top.at = JSON.parse(last) as string;
      if (top.keys.has(top.at)) found.push(pointerOf(...stack.map(({ at }) => at)));
      top.keys.add(top.at);
    }
    last = token.startsWith('"') ? token : undefined;
  }
  return found;
}
