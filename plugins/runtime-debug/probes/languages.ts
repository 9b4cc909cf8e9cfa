import { basename, extname } from "node:path";
import { SkillError } from "skillctl";
import { hasNoProgram } from "../worktree/code-files.ts";
import c from "./languages/c.json" with { type: "json" };
import cpp from "./languages/cpp.json" with { type: "json" };
import csharp from "./languages/csharp.json" with { type: "json" };
import dart from "./languages/dart.json" with { type: "json" };
import go from "./languages/go.json" with { type: "json" };
import html from "./languages/html.json" with { type: "json" };
import java from "./languages/java.json" with { type: "json" };
import javascript from "./languages/javascript.json" with { type: "json" };
import kotlin from "./languages/kotlin.json" with { type: "json" };
import lua from "./languages/lua.json" with { type: "json" };
import others from "./languages/others.json" with { type: "json" };
import perl from "./languages/perl.json" with { type: "json" };
import php from "./languages/php.json" with { type: "json" };
import powershell from "./languages/powershell.json" with { type: "json" };
import python from "./languages/python.json" with { type: "json" };
import ruby from "./languages/ruby.json" with { type: "json" };
import rust from "./languages/rust.json" with { type: "json" };
import shell from "./languages/shell.json" with { type: "json" };
import sql from "./languages/sql.json" with { type: "json" };
import swift from "./languages/swift.json" with { type: "json" };
import typescript from "./languages/typescript.json" with { type: "json" };

/** One file per language or group of languages; the scripts of pages and components are JavaScript or TypeScript. */
const FILES = [
  [javascript, typescript, html, python, go, rust, java, kotlin, swift, c, cpp, csharp, php, ruby, lua],
  [dart, perl, shell, powershell, sql],
].flat();

type NamesOf<File> = File extends { readonly names: infer Names } ? keyof Names : never;
/** A language that probes are written in. `tsx` is TypeScript with JSX; JSX in JavaScript is `jsx`. */
export type Language = NamesOf<(typeof FILES)[number]>;

/** Text that an expression of a language may contain in addition to the allowed nodes of its parser. */
export interface ExpressionRules {
  /** A pattern for the whole text: for languages whose expressions cannot be classified safely. */
  readonly only?: string;
  /** Whether the names of variables begin with a dollar sign; other words are not variables. */
  readonly dollar?: boolean;
}

/** The template of the probes of a language. `@S@`, `@U@`, `@H@`, `@P@` and `@L@` stand for session, address, hypothesis, point and location, `@R@` and `@M@` for the limits of events per second and in total, `@F@` for a name of the file. */
export interface Template {
  /** The beginning of a comment of one line. */
  readonly comment: string;
  /** The text around a marker; default: such a comment. */
  readonly mark?: readonly string[];
  /**
   * Parts of the text, by the letters that stand for them: in JavaScript and Python `V` is a function that converts the value of a function into
   * readable JSON, as for observed points.
   */
  readonly parts?: Readonly<Record<string, string>>;
  /** The lines between the markers; `@D@` stands for the data, and its line is omitted without data. */
  readonly text: readonly string[];
  /** The lines for a program that is to wait for the response; default: `text` already waits. */
  readonly sync?: readonly string[];
  /** The text around either of them. */
  readonly around?: readonly string[];
  /** One field of the data: `@N@` for its name, `@X@` for the expression. */
  readonly field: readonly string[];
  readonly between: string;
  /** The text in place of the data if there is none. */
  readonly empty?: string;
  /** Replacements for expressions. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Lines that a file needs once for its probes, if the language has no other way. */
  readonly head?: readonly string[];
  readonly expressions?: ExpressionRules;
}

interface LanguageFile extends Partial<Template> {
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** The language whose properties are inherited. */
  readonly like?: Language;
  /** The reason why there are no probes, and a hint. */
  readonly refusal?: string;
  readonly hint?: string;
}

const BY_LANGUAGE: ReadonlyMap<Language, LanguageFile> = new Map(
  FILES.flatMap((file) => Object.keys(file.names).map((name) => [name as Language, file as LanguageFile])),
);
export const LANGUAGES: readonly Language[] = [...BY_LANGUAGE.keys()];

/** The program that a first line names, without its folder and version: `#!/usr/bin/env -S python3 -u`. */
const RUN_BY = /^#!\s*(?:\S*\/)?(?:env\s+(?:-\S+\s+|\w+=\S*\s+)*)?(?:\S*\/)?([a-z]+)/;

/**
 * The language of a file by its name, or by the program in its first line; `undefined` without a template for it.
 */
export function languageOf(path: string, text = ""): Language | undefined {
  const [name, ending] = [basename(path), extname(path).toLowerCase()];
  const byName = named((one) => (one.startsWith(".") ? one === ending : /^[A-Z]/.test(one) && one === name));
  return byName ?? languageNamed(RUN_BY.exec(text.slice(0, 200))?.[1] ?? "");
}

/** The language of a word such as `python`, `ts` or `C++`. */
export function languageNamed(word: string): Language | undefined {
  const plain = word.toLowerCase();
  return (
    LANGUAGES.find((language) => language === plain) ?? named((one) => one === plain && plain[0] !== ".")
  );
}

function named(isName: (one: string) => boolean): Language | undefined {
  return LANGUAGES.find((language) => BY_LANGUAGE.get(language)?.names[language]?.some(isName));
}

/** The form of a one-line comment in a language or file without a template; `undefined` for files without code. */
export function commentOf(wordOrPath: string): readonly [before: string, after: string] | undefined {
  if (hasNoProgram(wordOrPath)) return undefined;
  const ending = extname(wordOrPath).slice(1).toLowerCase();
  const word = ending || basename(wordOrPath).toLowerCase();
  const [sign = "#"] =
    Object.entries(others.comments).find(([, words]) => words.split(" ").includes(word)) ?? [];
  return [`${sign} `, sign === "(*" ? " *)" : ""];
}

/** The template of the probes of a language. @throws SkillError `DEBUG_PROBE_INVALID` without one */
export function templateOf(language: Language): Template {
  const file = BY_LANGUAGE.get(language);
  if (file?.refusal !== undefined)
    throw new SkillError("DEBUG_PROBE_INVALID", file.refusal, { hint: file.hint ?? "" });
  const like = file?.like && BY_LANGUAGE.get(file.like);
  return { ...like, ...file } as Template;
}
