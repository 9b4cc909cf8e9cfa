import type * as tree from "unbash";

/** Letters that mean only themselves, and quoted text without expansions. */
const WORD = String.raw`((?:[\w./:,@%+=-]|'[^']*'|"[^"$\x60\\!]*")+)`;
const TOKEN = new RegExp(
  String.raw`[ \t]*(?:[12]?(>&)([12])(?!\w)|[012]?(>>?|<)(?![<>(&|])[ \t]*${WORD}|${WORD}|(&&|\|\||;(?![;&])|\|(?!&)))`,
  "y",
);
/** Words with a meaning of their own at the start of a command, and assignments. */
const SPECIAL =
  /^(?:if|then|else|elif|fi|for|select|while|until|do|done|case|esac|function|time|coproc|\w+\+?=[^]*)$/;
const MOST_TOKENS = 2000;
type Token = tree.Word | tree.Redirect | "&&" | "||" | ";" | "|";

/**
 * The tree of a text of plain words, quoted literal text, redirections, `&&`, `||`, `;` and `|`, as the grammar of Bash
 * builds it; `undefined` for any other text. Most commands are read this way, without loading the grammar.
 */
export function plainScript(text: string): tree.ParsedScript | undefined {
  const end = text.trimEnd().length;
  const tokens: Token[] = [];
  let needsName = true;
  for (let at = 0; at < end;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match || tokens.length > MOST_TOKENS) return undefined;
    at = TOKEN.lastIndex;
    const [, copy, descriptor, redirect, target, word, operator] = match;
    const value = descriptor ?? target ?? word ?? "";
    const pos = at - value.length;
    const plain = value.replace(/'([^']*)'|"([^"]*)"/g, "$1$2");
    const node: tree.Word = { type: "Word", text: value, value: plain, pos, end: at };
    const kind = (copy ?? redirect) as tree.RedirectOperator | undefined;
    if (needsName && (operator !== undefined || (word !== undefined && SPECIAL.test(word)))) return undefined;
    if (kind)
      tokens.push({ type: "Redirect", operator: kind, descriptor: undefined, target: node, pos, end: at });
    else {
      tokens.push((operator as Token | undefined) ?? node);
      needsName = operator !== undefined;
    }
  }
  if (tokens.at(-1) === ";") tokens.pop();
  else if (needsName) return undefined;
  const commands = split(tokens, ";").map((part) => statementOf(part));
  return { type: "Script", pos: 0, end, shebang: undefined, commands };
}

function split(tokens: readonly Token[], ...operators: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  for (const token of tokens)
    if (operators.includes(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  return parts;
}

function statementOf(tokens: readonly Token[]): tree.Statement {
  const operators = tokens.filter((token): token is "&&" | "||" => token === "&&" || token === "||");
  const commands = split(tokens, "&&", "||").map((part): tree.PipelineNode => {
    const calls = split(part, "|").map((words) => commandOf(words));
    const pipeline: tree.Pipeline = {
      type: "Pipeline",
      prefixes: [],
      operators: [],
      commands: calls,
      ...spanOf(calls),
    };
    return calls.length === 1 && calls[0] ? calls[0] : pipeline;
  });
  const span = spanOf(commands);
  const list: tree.AndOr = { type: "AndOr", commands, operators, ...span };
  return {
    type: "Statement",
    command: commands.length > 1 ? list : (commands[0] ?? list),
    background: undefined,
    ...span,
  };
}

function commandOf(tokens: readonly Token[]): tree.Command {
  const suffix = tokens.filter((token): token is tree.Word | tree.Redirect => typeof token !== "string");
  const redirects = suffix.filter((one): one is tree.Redirect => one.type === "Redirect");
  const [name, ...args] = suffix.filter((one): one is tree.Word => one.type === "Word");
  return { type: "Command", name, prefix: [], suffix, args, redirects, ...spanOf(suffix) };
}

function spanOf(nodes: readonly { readonly pos: number; readonly end: number }[]) {
  return { pos: nodes[0]?.pos ?? 0, end: nodes.at(-1)?.end ?? 0 };
}
