import type { Language } from "../../probes/languages.ts";
import { GO } from "./go.ts";
import { JAVASCRIPT } from "./javascript.ts";
import { PHP } from "./php.ts";
import { PYTHON } from "./python.ts";
import { RUBY } from "./ruby.ts";
import type { Rules } from "./rules.ts";
import { SHELL } from "./shell.ts";
import { C, CPP, CSHARP, JAVA, RUST } from "./values.ts";

/** The rules of each language that has a grammar. */
export const RULES: Readonly<Partial<Record<Language, Rules>>> = {
  javascript: JAVASCRIPT,
  jsx: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  vue: JAVASCRIPT,
  html: JAVASCRIPT,
  python: PYTHON,
  go: GO,
  rust: RUST,
  java: JAVA,
  c: C,
  cpp: CPP,
  csharp: CSHARP,
  php: PHP,
  ruby: RUBY,
  shell: SHELL,
};
