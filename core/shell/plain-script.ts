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
const MOST_WORDS = 2000;

/**
 * The tree of a text of plain words, quoted literal text, redirections, `&&`, `||`, `;` and `|`, as the grammar of Bash
 * builds it; `undefined` for any other text. Most commands are read this way, without loading the grammar.
 */
export function plainScript(text: string): tree.ParsedScript | undefined {
  const end = text.trimEnd().length;
  const commands: tree.Statement[] = [];
  let list: tree.PipelineNode[] = [];
  let operators: tree.LogicalOperator[] = [];
  let pipeline: tree.Command[] = [];
  let words: (tree.Word | tree.Redirect)[] = [];
  /** Ends a command; false if it has no name. */
  const endCommand = (operator: string): boolean => {
    const command = commandOf(words);
    if (!command) return false;
    pipeline.push(command);
    words = [];
    if (operator === "|") return true;
    const several = {
      type: "Pipeline",
      prefixes: [],
      operators: [],
      commands: pipeline,
      ...spanOf(pipeline),
    } as const;
    list.push(pipeline.length > 1 ? several : command);
    pipeline = [];
    if (operator !== ";") return operators.push(operator as tree.LogicalOperator) > 0;
    const span = spanOf(list);
    const whole =
      list.length > 1 ? ({ type: "AndOr", commands: list, operators, ...span } as const) : list[0];
    if (whole) commands.push({ type: "Statement", command: whole, background: undefined, ...span });
    [list, operators] = [[], []];
    return true;
  };
  for (let at = 0; at < end;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match || words.length + commands.length + list.length > MOST_WORDS) return undefined;
    at = TOKEN.lastIndex;
    const [, copy, descriptor, redirect, target, word, operator] = match;
    const source = descriptor ?? target ?? word ?? "";
    const value = source.replace(/'([^']*)'|"([^"]*)"/g, "$1$2");
    const node: tree.Word = { type: "Word", text: source, value, pos: at - source.length, end: at };
    const kind = (copy ?? redirect) as tree.RedirectOperator | undefined;
    if (kind) words.push({ ...node, type: "Redirect", operator: kind, descriptor: undefined, target: node });
    else if (word !== undefined) words.push(node);
    else if (!endCommand(operator ?? "")) return undefined;
  }
  const isEnded = words.length === 0 && list.length + pipeline.length === 0 && commands.length > 0;
  if (!isEnded && !endCommand(";")) return undefined;
  return { type: "Script", pos: 0, end, shebang: undefined, commands };
}

function commandOf(suffix: readonly (tree.Word | tree.Redirect)[]): tree.Command | undefined {
  const redirects = suffix.filter((one): one is tree.Redirect => one.type === "Redirect");
  const [name, ...args] = suffix.filter((one): one is tree.Word => one.type === "Word");
  if (!name || SPECIAL.test(name.text)) return undefined;
  return { type: "Command", name, prefix: [], suffix, args, redirects, ...spanOf(suffix) };
}

function spanOf(nodes: readonly { readonly pos: number; readonly end: number }[]) {
  return { pos: nodes[0]?.pos ?? 0, end: nodes.at(-1)?.end ?? 0 };
}
