import { basename, extname } from "node:path";

/** A language that probes are written in. `tsx` is TypeScript with JSX; JSX in JavaScript is `jsx`. */
export type Language =
  | "javascript"
  | "jsx"
  | "typescript"
  | "tsx"
  | "vue"
  | "svelte"
  | "html"
  | "python"
  | "go"
  | "rust"
  | "java"
  | "kotlin"
  | "swift"
  | "c"
  | "cpp"
  | "csharp"
  | "php"
  | "ruby"
  | "lua"
  | "dart"
  | "perl"
  | "shell"
  | "powershell"
  | "sql";

const BY_ENDING: Readonly<Record<string, Language>> = {
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".jsx": "jsx",
  ".ts": "typescript",
  ".mts": "typescript",
  ".cts": "typescript",
  ".tsx": "tsx",
  ".vue": "vue",
  ".svelte": "svelte",
  ".html": "html",
  ".htm": "html",
  ".py": "python",
  ".pyw": "python",
  ".go": "go",
  ".rs": "rust",
  ".java": "java",
  ".kt": "kotlin",
  ".kts": "kotlin",
  ".swift": "swift",
  ".c": "c",
  ".h": "c",
  ".cc": "cpp",
  ".cpp": "cpp",
  ".cxx": "cpp",
  ".hh": "cpp",
  ".hpp": "cpp",
  ".cs": "csharp",
  ".php": "php",
  ".rb": "ruby",
  ".rake": "ruby",
  ".lua": "lua",
  ".dart": "dart",
  ".pl": "perl",
  ".pm": "perl",
  ".sh": "shell",
  ".bash": "shell",
  ".ps1": "powershell",
  ".psm1": "powershell",
  ".sql": "sql",
};
const BY_NAME: Readonly<Record<string, Language>> = { Rakefile: "ruby", Gemfile: "ruby" };
/** What people call them too. */
const BY_WORD: Readonly<Record<string, Language>> = {
  js: "javascript",
  node: "javascript",
  browser: "javascript",
  ts: "typescript",
  py: "python",
  golang: "go",
  rs: "rust",
  kt: "kotlin",
  "c++": "cpp",
  "c#": "csharp",
  cs: "csharp",
  rb: "ruby",
  pl: "perl",
  sh: "shell",
  bash: "shell",
  pwsh: "powershell",
};

/** The language of a file by its name; `undefined` when it has none that probes are written in. */
export function languageOf(path: string): Language | undefined {
  return BY_NAME[basename(path)] ?? BY_ENDING[extname(path).toLowerCase()];
}

/** The language of a word such as `python`, `ts` or `C++`. */
export function languageNamed(word: string): Language | undefined {
  const plain = word.toLowerCase();
  return BY_WORD[plain] ?? LANGUAGES.find((language) => language === plain);
}

export const LANGUAGES: readonly Language[] = [...new Set(Object.values(BY_ENDING))];

/** What begins a comment of one line in languages that no probes are written in, by endings and names. */
const COMMENTS: Readonly<Record<string, string>> = {
  "//": "scala sc zig groovy gradle d v sol m mm fs fsx cu hx odin objective-c solidity haxe fsharp f#",
  "#": "ex exs r jl nim cr tcl awk fish nix yml yaml mk cmake coffee gd elixir julia crystal makefile dockerfile",
  "--": "hs elm adb ads vhd purs haskell ada vhdl",
  ";": "clj cljs lisp el scm rkt asm s clojure scheme racket",
  "%": "erl hrl tex pro erlang prolog matlab",
  "'": "vb bas vbs basic",
  "!": "f f90 f95 f03 fortran",
  "(*": "ml mli pas sml ocaml pascal",
};
/** They hold no program. */
const NO_CODE = /\.(?:mdx?|markdown|txt|rst|adoc|json[lc5]?|ndjson|csv|tsv|log|lock|xml|svg|png|pdf)$/i;

/** How a comment of one line looks in a language or file that no probes are written in; `undefined` for files without code. */
export function commentOf(wordOrPath: string): readonly [before: string, after: string] | undefined {
  if (NO_CODE.test(wordOrPath)) return undefined;
  const word = (extname(wordOrPath).slice(1) || basename(wordOrPath)).toLowerCase();
  const [sign = "#"] = Object.entries(COMMENTS).find(([, words]) => words.split(" ").includes(word)) ?? [];
  return [`${sign} `, sign === "(*" ? " *)" : ""];
}
