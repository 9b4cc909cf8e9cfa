import type { Scene } from "../scene.ts";
import { reachesOut } from "./reach.ts";

const MOST = 2000;
/** Strings without interpolation of code, numbers, and what the language itself knows. */
const VALUE =
  /^(?:"(?:[^"\\$@#`]|\\[^x]|\$[_\d])*"|'[^'\\]*'|\d+(?:\.\d+)?|[-+*%().,]|\$_|\$\.|\$\d|\$F\[-?\d+\]|\$\]|\$\^V|RUBY_VERSION|RUBY_PLATFORM|PHP_VERSION|PHP_EOL|PHP_OS|_VERSION|phpversion\(\))\s*/;
const PART = /^\/(?:[^/\\\n$@(]|\\.|\$(?=[/|)])|\((?!\?[?{]))*\/[imsx]*\s*/;
const CHANGE =
  /^(?:s([/,|#!])(?:(?!\1)[^\\\n@$(]|\\.|\$(?=\1|[\d&|)])|\((?!\?[?{]))*\1(?:(?!\1)[^\\\n@{`]|\\.)*\1[gimsx]*|(?:tr|y)\/[^/\n]*\/[^/\n]*\/[cdsr]*)(?![a-z])\s*/;

/** The whole environment, in any of these languages. */
const WHOLE =
  /%ENV\b|(?<![$\w])ENV\b(?!\s*[[{]|\.fetch)|\$_(?:ENV|SERVER)\b(?!\s*\[)|\bphpinfo\b|\b(?:Sys\.)?getenv\(\s*\)|\bSys\.environ\b/;

/** Perl, Ruby, PHP, Lua and others: plain printing and replacing is known, all else is code that nobody reads, or work that cannot be seen. */
export function readOther(text: string, scene: Scene): void {
  if (WHOLE.test(text)) scene.use(undefined);
  if (text.length > MOST || !isPlain(text)) scene.unknown(reachesOut(text, true) ? "code" : "unlisted");
}

function isPlain(text: string): boolean {
  let rest = text.trim();
  const take = (pattern: RegExp): boolean => {
    const found = pattern.exec(rest)?.[0] ?? "";
    rest = rest.slice(found.length);
    return found !== "";
  };
  for (;;) {
    if (rest === "") return true;
    if (take(/^(?:print|say|puts|echo|p|printf|var_dump|io\.write)\b\s*/)) while (take(VALUE)) continue;
    else if (!take(CHANGE) && !take(PART)) take(/^(?:next|last)\b\s*/);
    if (take(/^(?:if|unless)\b\s*/)) {
      take(/^!\s*/);
      take(/^\$_\s*=~\s*/);
      if (!take(PART) && !take(/^(?:\$\.\s*[<>=]=?\s*\d+|\d+\s*\.\.\s*\d+)\s*/)) return false;
    }
    if (rest !== "" && !take(/^;\s*/)) return false;
  }
}
