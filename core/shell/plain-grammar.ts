import type { AndOr, Command, ParsedScript, PipelineNode, Statement, Word } from "unbash";

/** A text needs the whole grammar of the shell. */
export class NeedsGrammar extends Error {}

const PLAIN = /^[A-Za-z0-9_./=:,@%+ |&;-]*$/;
const OPERATOR = /(&&|\|\||;|\|)/;
/** Words that mean something to the grammar, or whose words do. */
const GRAMMAR = new Set(
  (
    "if then elif else fi for while until do done case esac select in function time coproc declare typeset export " +
    "local readonly alias eval let"
  ).split(" "),
);

/**
 * The tree of a text of plain words, joined by `&&`, `||`, `;` and `|`: most of what is ever typed, read without loading
 * the parser. The same tree as the parser gives.
 *
 * @throws NeedsGrammar for every other text
 */
export function plainScript(text: string): ParsedScript {
  if (!PLAIN.test(text)) throw new NeedsGrammar();
  const pieces = text.split(OPERATOR);
  const statements: Statement[] = [];
  let chain: { readonly pipes: PipelineNode[]; readonly operators: ("&&" | "||")[] } = {
    pipes: [],
    operators: [],
  };
  let pipe: Command[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const words = (pieces[at] ?? "").split(" ").filter((word) => word !== "");
    const operator = pieces[at + 1];
    const last = operator === undefined;
    if (words.length === 0) {
      // Only at the end, or behind a semicolon that ends it.
      if (!last || pipe.length > 0 || chain.pipes.length > 0) throw new NeedsGrammar();
      if (at === 0 && text.trim() !== "") throw new NeedsGrammar();
      break;
    }
    pipe.push(command(words));
    if (operator === "|") continue;
    chain.pipes.push(pipeline(pipe));
    pipe = [];
    if (operator === "&&" || operator === "||") {
      chain.operators.push(operator);
      continue;
    }
    statements.push({ type: "Statement", ...NOWHERE, command: joined(chain), background: undefined });
    chain = { pipes: [], operators: [] };
  }
  return { type: "Script", ...NOWHERE, shebang: undefined, commands: statements };
}

const NOWHERE = { pos: 0, end: 0 };

function command(words: readonly string[]): Command {
  const [name = "", ...rest] = words;
  // An ampersand alone, an assignment, a word of the grammar.
  if (words.some((word) => word.includes("&")) || name.includes("=") || GRAMMAR.has(name))
    throw new NeedsGrammar();
  const suffix = rest.map(word);
  return { type: "Command", ...NOWHERE, name: word(name), prefix: [], suffix, args: suffix, redirects: [] };
}

function word(text: string): Word {
  return { type: "Word", ...NOWHERE, text, value: text };
}

function pipeline(commands: readonly Command[]): PipelineNode {
  const [first] = commands;
  if (first && commands.length === 1) return first;
  return {
    type: "Pipeline",
    ...NOWHERE,
    prefixes: [],
    commands,
    operators: commands.slice(1).map(() => "|"),
  };
}

function joined({
  pipes,
  operators,
}: {
  pipes: PipelineNode[];
  operators: ("&&" | "||")[];
}): PipelineNode | AndOr {
  const [first] = pipes;
  if (first && pipes.length === 1) return first;
  return { type: "AndOr", ...NOWHERE, commands: pipes, operators };
}
