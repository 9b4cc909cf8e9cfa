import { basename, extname } from "node:path";

/** A language that probes are written in. `tsx` is TypeScript with JSX; JSX in JavaScript is `jsx`. */
export type Language =
  | "javascript"
  | "jsx"
  | "typescript"
  | "tsx"
  | "vue"
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
