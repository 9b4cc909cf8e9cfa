import type { Subject } from "skillctl";

const COMMANDS: ReadonlySet<string> = new Set(["ask", "chat-sync", "songs"]);
/** Flags that take the next word. */
const VALUED = /^--(?:conversation|input|plugin|config)$/;

/** What a tool call asks the analysis. */
export interface AskedQuestion {
  /** Undefined when the words do not tell. */
  readonly question: string | undefined;
}

/** The question that a tool call asks through `ask` or `chat-sync`; undefined when it asks none. */
export function askedIn({ tool, shell, name = "", input }: Subject): AskedQuestion | undefined {
  if (tool === "mcp") {
    if (!name.endsWith("music-analysis_ask")) return undefined;
    const { question } = (input ?? {}) as { readonly question?: unknown };
    return { question: typeof question === "string" ? question : undefined };
  }
  for (const program of shell?.programs ?? []) {
    const asked = program.name === "skillctl" ? ofWords(program.args) : undefined;
    if (asked) return asked;
  }
  return undefined;
}

function ofWords(args: readonly string[]): AskedQuestion | undefined {
  const at = args.indexOf("music-analysis");
  if (at < 0 || !args.slice(0, at).includes("run")) return undefined;
  const words: string[] = [];
  const rest = args.slice(at + 1);
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index] ?? "";
    if (word === "--help" || word === "-h") return undefined;
    if (VALUED.test(word)) index += 1;
    else if (!word.startsWith("-") || word === "-") words.push(word);
  }
  if (words[0] === "songs") return undefined;
  const [question] = COMMANDS.has(words[0] ?? "") ? words.slice(1) : words;
  // What the shell would put in its place is not known.
  const isKnown = question !== undefined && question !== "" && !/[$`]/.test(question);
  return { question: isKnown ? question : undefined };
}
