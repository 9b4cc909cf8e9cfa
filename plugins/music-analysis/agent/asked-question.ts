import type { Subject } from "skillctl";

const COMMANDS: ReadonlySet<string> = new Set(["ask", "chat-sync"]);
/** Flags that every command of skillctl knows, wherever they stand before `--`. */
const GLOBAL = /^--(?:json|verbose|no-progress|plugin=.*)$/s;
/** The flags of both commands; each takes the next word, or what follows `=`. */
const VALUED = /^--(conversation|picture|song-id|input|question|user-message)(?:=(.*))?$/s;

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

/** What the command line of skillctl makes of its words: global flags, `run`, the skill, and a command if the next word is one. */
function ofWords(args: readonly string[]): AskedQuestion | undefined {
  const own: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (word === "--help" || word === "-h") return undefined;
    if (word === "--plugin") index += 1;
    else if (!GLOBAL.test(word)) own.push(word);
    if (word !== "--") continue;
    own.push(...args.slice(index + 1));
    break;
  }
  const [verb, skill, command = "", ...rest] = own;
  if (verb !== "run" || skill !== "music-analysis" || command === "songs") return undefined;
  const question = questionIn(COMMANDS.has(command) ? rest : own.slice(2));
  // What the shell would put in its place is not known.
  const isKnown = question !== undefined && question !== "" && !/[$`]/.test(question);
  return { question: isKnown ? question : undefined };
}

function questionIn(words: readonly string[]): string | undefined {
  let given: string | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") return given ?? words[index + 1];
    const [flag, name, value = words[index + 1]] = VALUED.exec(word) ?? [];
    if (flag !== undefined && !flag.includes("=")) index += 1;
    if (name === "question" || name === "user-message") given ??= value;
    else if (flag === undefined && (!word.startsWith("-") || word === "-")) given ??= word;
  }
  return given;
}
