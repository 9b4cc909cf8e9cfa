const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

const MODIFIERS =
  "(?:(?:export|default|pub|public|private|protected|internal|static|final|late|readonly|const|let|var|val|my|our|local|auto|async|declare|mut|lazy|override|open)\\s+)*";
/** How names are declared, each with the name as its first group. */
const DECLARATIONS: readonly RegExp[] = [
  new RegExp(
    `^\\s*${MODIFIERS}(?:function|def|func|fn|fun|sub|class|struct|object|interface|enum|trait|module|type|namespace)\\b\\s*\\*?(?:\\([^)]*\\)\\s*)?([\\w$]+)`,
  ),
  /^\s*([A-Za-z_]\w*)\s*\(\)\s*\{/,
  /^\s*(?:(?!(?:return|else|throw|new|await|yield|in|of|not|and|or|if|while|for|case|goto|echo|print)\b)[A-Za-z_][\w<>[\]:*&?,]*\s+)*(?:const\s+)?\*?[$@%&]?([A-Za-z_]\w*)\s*(?::\s*[^=]+?)?\s*(?::=|\+=|-=|=)(?![=>])/,
  /^\s*(?:(?:static|extern|inline|const|unsigned|signed|virtual|final|public|private)\s+)*(?!(?:return|else|throw|new|await|go|defer|yield|delete|echo|print)\b)[A-Za-z_][\w<>:]*[\s*&]+([A-Za-z_]\w*)\s*\([^;{]*\)\s*(?:\{|;|const)/,
  /^\s*#\s*define\s+(\w+)/,
];
const IMPORTS: readonly RegExp[] = [
  /^\s*import\s+(?:type\s+)?([^"';]+?)\s+from\b/,
  /^\s*from\s+[\w.]+\s+import\s+(.+)$/,
  /^\s*(?:const|let|var)\s+(.+?)\s*=\s*(?:await\s+)?(?:require|import)\s*\(/,
  /^\s*(?:import|using|use)\s+(?:static\s+)?([\w.:\\ {},*]+?)\s*;?\s*$/,
  /^\s*(?:import\s+)?([\w.]*\s*"[\w./-]+")\s*$/,
  /^\s*import\s+(["'][^"']+["'](?:\s+as\s+\w+)?)\s*;?\s*$/,
  /^\s*#\s*include\s*([<"][^>"]+[>"])/,
  /^\s*require(?:_once|_relative)?\s*\(?\s*(["'][^"']+["'])/,
];

/** The words of a text that can be names, strings and comments included. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(WORD)].map(([word]) => word.replace(/^\$/, "")));
}

/** The name that a line declares, or gives a value, in any of our languages, read as text; `undefined` when none. */
export function declaredIn(line: string): string | undefined {
  for (const form of DECLARATIONS) {
    const name = form.exec(line)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The names that an import brings in, also none, as for an include; `undefined` when the line imports nothing. */
export function importedIn(line: string): readonly string[] | undefined {
  for (const form of IMPORTS) {
    const found = form.exec(line)?.[1];
    if (found !== undefined) return boundBy(found);
  }
  return undefined;
}

function boundBy(found: string): readonly string[] {
  if (/^[<"']/.test(found.trim()) && !/\bas\b/.test(found)) return goPackage(found);
  return found
    .replaceAll(/[{}*]/g, " ")
    .split(",")
    .flatMap(
      (one) =>
        one
          .trim()
          .split(/\s+as\s+|\s*:\s+|\s+/)
          .at(-1)
          ?.split(/[.:\\]+/)
          .at(-1) ?? [],
    )
    .map((name) => name.replaceAll(/["']/g, ""))
    .filter((name) => /^\w+$/.test(name));
}

/** `"net/http"` is known as http; other strings name files, which bind nothing. */
function goPackage(found: string): readonly string[] {
  const name = /^"(?:[\w.-]+\/)*([a-z]\w*)"$/.exec(found.trim())?.[1];
  return name === undefined ? [] : [name];
}

/** All that lines declare or import. */
export function namesIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => importedIn(line) ?? declaredIn(line) ?? []));
}
