import type { Language } from "./languages.ts";
import { C, CPP } from "./languages/c.ts";
import { CSHARP } from "./languages/csharp.ts";
import { DART } from "./languages/dart.ts";
import { GO } from "./languages/go.ts";
import { JAVA } from "./languages/java.ts";
import { JAVASCRIPT, TYPESCRIPT } from "./languages/javascript.ts";
import { KOTLIN } from "./languages/kotlin.ts";
import { LUA } from "./languages/lua.ts";
import { PERL } from "./languages/perl.ts";
import { PHP } from "./languages/php.ts";
import { POWERSHELL } from "./languages/powershell.ts";
import { PYTHON } from "./languages/python.ts";
import { RUBY } from "./languages/ruby.ts";
import { RUST } from "./languages/rust.ts";
import { SHELL } from "./languages/shell.ts";
import { SWIFT } from "./languages/swift.ts";
import type { Template } from "./template.ts";

/** Outside of scripts a page can only hold a script of its own. */
const PAGE: Template = {
  ...JAVASCRIPT,
  mark: (text) => `<!-- ${text} -->`,
  line: `<script>${JAVASCRIPT.line}</script>`,
};

/** The forms of a language: the first is written when nothing else is known, all are read. SQL has none. */
export const TEMPLATES: Readonly<Record<Language, readonly Template[]>> = {
  javascript: [JAVASCRIPT],
  jsx: [JAVASCRIPT],
  typescript: [TYPESCRIPT],
  tsx: [TYPESCRIPT],
  vue: [JAVASCRIPT, TYPESCRIPT],
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
