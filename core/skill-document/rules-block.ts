/** A rule as it is described to a model. */
export interface ToldRule {
  readonly tell: string;
  /** enforced: the host enforces it. told: it cannot be enforced. recorded: violations are recorded, not prevented. */
  readonly kind: "enforced" | "told" | "recorded";
  /** told: the reason why it cannot be enforced. */
  readonly why?: string;
}

/** The part of a manifest's rule that matters here. */
interface WrittenRule {
  readonly tell: string;
  readonly enforced?: boolean | undefined;
  readonly mode?: string | undefined;
  readonly why?: string | undefined;
}

/** Between these lines SKILL.md lists the rules of skill.json; the text there is generated from it. */
export const RULES_BEGIN = "<!-- rules:begin -->";
export const RULES_END = "<!-- rules:end -->";

const PARTS = [
  ["enforced", ""],
  ["told", "Not enforced by the guard, for the reason given after each:\n\n"],
  ["recorded", "Not enforced yet; violations are recorded:\n\n"],
] as const;

/** A rule of a manifest as it is listed. */
export function toldRule({ tell, enforced, mode, why }: WrittenRule): ToldRule {
  const kind = enforced === false ? "told" : mode === "audit" ? "recorded" : "enforced";
  return { tell, kind, ...(why !== undefined && { why }) };
}

/** Rules as Markdown: those that the host enforces, then those that are only listed, then those that are only recorded. */
export function rulesText(rules: readonly ToldRule[]): string {
  const parts = PARTS.map(([kind, lead]) => {
    const lines = rules.filter((rule) => rule.kind === kind).map((rule) => `- ${lineOf(rule)}\n`);
    return lines.length === 0 ? "" : lead + lines.join("");
  });
  return parts.filter((part) => part !== "").join("\n");
}

function lineOf({ tell, why }: ToldRule): string {
  const lines = (why === undefined ? tell : `${tell} (${why})`).split("\n");
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** The text of a SKILL.md with the present rules: the block is replaced or added at the end; without rules it is removed. */
export function withRules(text: string, rules: readonly ToldRule[]): string {
  const own = withoutRules(text).trimEnd();
  if (rules.length === 0) return `${own}\n`;
  const block = `${RULES_BEGIN}\n## Rules\n\n${rulesText(rules)}${RULES_END}`;
  const place = placeOf(text);
  if (!place) return `${own}\n\n${block}\n`;
  return `${text.slice(0, place.begin)}${block}${text.slice(place.end)}`;
}

/** The text of a SKILL.md, or its body, without the block of rules. */
export function withoutRules(text: string): string {
  const place = placeOf(text);
  if (!place) return text;
  let end = place.begin;
  while (end > 0 && text[end - 1] === "\n") end -= 1;
  const before = text.slice(0, Math.min(end + 1, place.begin));
  return before + text.slice(place.end).replace(/^\n+/, "\n");
}

function placeOf(text: string): { readonly begin: number; readonly end: number } | undefined {
  const begin = text.indexOf(RULES_BEGIN);
  const end = begin < 0 ? -1 : text.indexOf(RULES_END, begin);
  return end < 0 ? undefined : { begin, end: end + RULES_END.length };
}
