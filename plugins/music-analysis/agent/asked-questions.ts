import type { Subject } from "skillctl";

/** Flags that every command of skillctl knows. */
const GLOBAL = /^--(?:json|verbose|no-progress|plugin=.*)$/s;

/**
 * The words of a tool call that may be the question it asks through `ask` or `chat-sync`: a question that was asked is
 * among them. Undefined when it asks none, empty when the words do not tell.
 */
export function askedIn({ tool, shell, name = "", input }: Subject): readonly string[] | undefined {
  if (tool === "mcp") {
    if (!name.endsWith("music-analysis_ask")) return undefined;
    const { question } = (input ?? {}) as { readonly question?: unknown };
    return typeof question === "string" ? [question] : [];
  }
  for (const program of shell?.programs ?? []) {
    const asked = program.name === "skillctl" ? inWords(program.args) : undefined;
    if (asked) return asked;
  }
  return undefined;
}

function inWords(args: readonly string[]): readonly string[] | undefined {
  const skill = args.indexOf("music-analysis");
  if (skill < 0 || !args.slice(0, skill).includes("run")) return undefined;
  const words = args.slice(skill + 1).filter((word) => !GLOBAL.test(word));
  const end = words.indexOf("--");
  const flags = end < 0 ? words : words.slice(0, end);
  if (words[0] === "songs" || flags.includes("--help") || flags.includes("-h")) return undefined;
  // What the shell would put in its place, and what stands in a file or on standard input, is not known.
  const isHidden =
    words.some((word) => /[$`]/.test(word)) || flags.some((word) => /^(?:--input\b|-$)/.test(word));
  return isHidden ? [] : words.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]);
}
