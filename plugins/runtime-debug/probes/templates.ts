import type { Language } from "./languages.ts";
import type { Template } from "./template.ts";
import { C, CPP, GO, RUST, SWIFT } from "./templates/compiled.ts";
import { JAVASCRIPT, PAGE, TYPESCRIPT } from "./templates/javascript.ts";
import { CSHARP, DART, JAVA, KOTLIN } from "./templates/managed.ts";
import { LUA, PERL, PHP, POWERSHELL, PYTHON, RUBY, SHELL } from "./templates/scripts.ts";

/** The forms of a language: the first is written when nothing else is known, all are read. SQL has none. */
export const TEMPLATES: Readonly<Record<Language, readonly Template[]>> = {
  javascript: [JAVASCRIPT],
  jsx: [JAVASCRIPT],
  typescript: [TYPESCRIPT],
  tsx: [TYPESCRIPT],
  vue: [JAVASCRIPT, TYPESCRIPT],
  svelte: [JAVASCRIPT, TYPESCRIPT],
  html: [PAGE, JAVASCRIPT],
  python: [PYTHON],
  go: [GO],
  rust: [RUST],
  java: [JAVA],
  kotlin: [KOTLIN],
  swift: [SWIFT],
  c: [C, CPP],
  cpp: [CPP, C],
  csharp: [CSHARP],
  php: [PHP],
  ruby: [RUBY],
  lua: [LUA],
  dart: [DART],
  perl: [PERL],
  shell: [SHELL],
  powershell: [POWERSHELL],
  sql: [],
};
