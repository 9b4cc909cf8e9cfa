import type { Language } from "../probes/languages.ts";

/**
 * The grammar of tree-sitter that reads a language; what is missing here is judged by its text. PowerShell has one too,
 * whose lexer V8 (Node 20) optimizes for 16 s of CPU at the second text.
 */
export const GRAMMARS: Readonly<Partial<Record<Language, string>>> = {
  javascript: "javascript",
  jsx: "javascript",
  typescript: "typescript",
  tsx: "tsx",
  // What stands in their scripts may be TypeScript, which takes in JavaScript.
  vue: "typescript",
  html: "javascript",
  python: "python",
  go: "go",
  rust: "rust",
  java: "java",
  // It takes in C but for old words such as `new` as a name.
  c: "cpp",
  cpp: "cpp",
  csharp: "c-sharp",
  php: "php",
  ruby: "ruby",
  shell: "bash",
};
