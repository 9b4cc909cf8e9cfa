/** One step of a pattern: any text, or one character. */
export type Step = "any" | ((char: string) => boolean);

/** Whether a text fits a pattern as a whole, in time of one length by the other, whatever they hold; letter case does not count. */
export function fitsSteps(steps: readonly Step[], text: string): boolean {
  const chars = [...text.toLowerCase()];
  let [at, next, star, retry] = [0, 0, -1, 0];
  while (at < chars.length) {
    const step = steps[next];
    if (step === "any") {
      star = next++;
      retry = at;
    } else if (step?.(chars[at] ?? "")) {
      at++;
      next++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++retry;
    } else return false;
  }
  return steps.slice(next).every((step) => step === "any");
}

export function one(char: string): Step {
  const wanted = char.toLowerCase();
  return (other) => other === wanted;
}

export const EACH: Step = () => true;

/** A pattern of file names as a search takes it; `undefined` when a bracket stays open: no pattern that anybody knows. */
export function nameSteps(pattern: string): readonly Step[] | undefined {
  const chars = [...pattern];
  const steps: Step[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    if (char === "*") steps.push("any");
    else if (char === "?") steps.push(EACH);
    else if (char === "\\" && at + 1 < chars.length) steps.push(one(chars[++at] ?? ""));
    else if (char === "[") {
      const end = chars.indexOf("]", at + (/[!^]/.test(chars[at + 1] ?? "") ? 3 : 2));
      if (end < 0) return undefined;
      // What stands in it may be any character: one name too many, never one too few.
      steps.push(EACH);
      at = end;
    } else steps.push(one(char));
  }
  return steps;
}

/**
 * An expression of plain characters, `.`, `.*`, `^` and `$`, wherever it may fit; `undefined` when it holds more: it is
 * not run, since words of a command can make that take for ever.
 */
export function expressionSteps(expression: string): readonly Step[] | undefined {
  const open = !expression.startsWith("^");
  const closed = expression.endsWith("$");
  const body = expression.slice(open ? 0 : 1, closed ? -1 : undefined);
  if (/[\\()[\]{}+?|^$]|(?<!\.)\*/.test(body)) return undefined;
  const parts = body.match(/\.\*|[^]/gu) ?? [];
  const steps = parts.map((part): Step => (part === ".*" ? "any" : part === "." ? EACH : one(part)));
  return [...(open ? (["any"] as const) : []), ...steps, ...(closed ? [] : (["any"] as const))];
}
