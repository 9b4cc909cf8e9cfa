/** One import of a source file. */
export interface Import {
  /** What is between the quotes; undefined for `import(expression)` and for `createRequire`. */
  readonly specifier: string | undefined;
  readonly kind: "static" | "type" | "dynamic" | "builtin" | "require";
}

interface Token {
  readonly kind: "word" | "text" | "sign";
  readonly text: string;
}

/**
 * Every import of a TypeScript source: static, `import type`, `export from`, `import()` and `import("...")` types.
 * What reaches a module without the word counts too: `process.getBuiltinModule`, and each mention of `createRequire`.
 */
export function importsOf(source: string): readonly Import[] {
  const tokens = [...tokensOf(source)];
  const found: Import[] = [];
  tokens.forEach((token, index) => {
    const before = tokens[index - 1]?.text;
    if (token.kind !== "sign" && token.text === "createRequire")
      found.push({ specifier: undefined, kind: "require" });
    if (token.kind !== "sign" && token.text === "getBuiltinModule")
      found.push({ specifier: firstArgument(tokens.slice(index + 1)), kind: "builtin" });
    if (token.kind !== "word" || before === "." || (token.text !== "import" && token.text !== "export"))
      return;
    const next = tokens[index + 1];
    if (token.text === "import" && next?.text === "(" && next.kind === "sign") {
      const given = tokens[index + 2];
      found.push({ specifier: given?.kind === "text" ? given.text : undefined, kind: "dynamic" });
      return;
    }
    if (token.text === "import" && next?.kind === "text")
      found.push({ specifier: next.text, kind: "static" });
    else if (next) found.push(...fromClause(tokens.slice(index + 1)));
  });
  return found;
}

/** The quoted text a function is called with; undefined when it is computed, or the function only handed on. */
function firstArgument(tokens: readonly Token[]): string | undefined {
  const open = tokens.findIndex(({ kind, text }) => kind !== "sign" || !["]", "?", ".", "!"].includes(text));
  const [sign, given, end] = tokens.slice(open);
  const isCall = sign?.text === "(" && given?.kind === "text" && (end?.text === ")" || end?.text === ",");
  return isCall ? given.text : undefined;
}

/** The clause after `import` or `export`, up to `from "..."`; nothing when it is another statement. */
function fromClause(tokens: readonly Token[]): readonly Import[] {
  const isType = tokens[0]?.text === "type" && tokens[1]?.text !== "from" && tokens[1]?.text !== ",";
  for (const [index, { kind, text }] of tokens.entries()) {
    const after = tokens[index + 1];
    if (kind === "word" && text === "from" && after?.kind === "text")
      return [{ specifier: after.text, kind: isType ? "type" : "static" }];
    if (kind === "text" || (kind === "sign" && !"{},*".includes(text))) return [];
    if (["const", "function", "class", "interface", "async", "default", "abstract", "let"].includes(text))
      return [];
  }
  return [];
}

/** Words, texts and signs, without comments, regular expressions and the text of templates. */
function* tokensOf(source: string): Generator<Token> {
  const pattern =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_$][\w$]*|`|\d[\w.]*|\/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|[^\s]/g;
  let last: Token | undefined;
  const templates: number[] = [];
  let depth = 0;
  for (let match = pattern.exec(source); match; match = pattern.exec(source)) {
    let [text] = match;
    if (text.startsWith("//") || text.startsWith("/*")) continue;
    if (text.length > 1 && text.startsWith("/")) {
      if (!endsValue(last)) {
        last = { kind: "text", text: "" };
        yield { kind: "sign", text: "/" };
        continue;
      }
      pattern.lastIndex = match.index + 1;
      text = "/";
    }
    if (text === "{") depth += 1;
    if (text === "}") depth -= 1;
    if (text === "`" || (text === "}" && templates.at(-1) === depth)) {
      if (text === "}") templates.pop();
      const end = templateEnd(source, pattern.lastIndex);
      pattern.lastIndex = end.at;
      if (end.opens) {
        templates.push(depth);
        depth += 1;
      }
      last = { kind: "word", text: "" };
      continue;
    }
    const quoted = /^["']/.test(text) && text.length > 1;
    last = {
      kind: quoted ? "text" : /^[\w$]/.test(text) ? "word" : "sign",
      text: quoted ? text.slice(1, -1) : text,
    };
    yield last;
  }
}

/** Where the text of a template stops: at its end, or after a `${` that opens an expression. */
function templateEnd(source: string, from: number): { readonly at: number; readonly opens: boolean } {
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "`") return { at: at + 1, opens: false };
    else if (source.startsWith("${", at)) return { at: at + 2, opens: true };
  }
  return { at: source.length, opens: false };
}

/** Whether a slash after the token divides; otherwise it opens a regular expression. */
function endsValue(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === "sign") return [")", "]", "}"].includes(token.text);
  return !["return", "case", "typeof", "in", "of", "yield", "await"].includes(token.text);
}
