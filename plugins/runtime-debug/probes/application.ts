import { quotedName, SkillError } from "skillctl";
import { bodiesIn, type OneLineBody } from "../places/body.ts";
import { hasRules, type Grammar } from "../places/grammars.ts";
import { nameNotes } from "../places/names.ts";
import { isOpened, placeOf, type Place } from "../places/place.ts";
import { templateOf, type Language, type Template } from "./languages.ts";
import { HEAD_LABEL, headRegion, probeLines, probeRegion, region, type ProbeWish } from "./probe-text.ts";
import {
  linesOf,
  textOf,
  regionsIn,
  markerIn,
  insert,
  replace,
  strip,
  type TextLine,
} from "../regions/regions.ts";

/** A probe to insert into the text of a file. */
export interface Application {
  /** Relative to the project folder. */
  readonly path: string;
  readonly text: string;
  /** The line before which it is inserted, from 1; the number of lines plus 1 means the end. */
  readonly line: number;
  readonly wish: ProbeWish;
}

/** Lines that a one-line comment cannot contain, or that continue on the next line. */
const UNFIT = /[\u2028\u2029\v\f]|<\/script|\\\s*$/i;

export interface Applied {
  readonly text: string;
  readonly region: readonly string[];
  /** The first line of the inserted probe, from 1. */
  readonly line: number;
  /** A remark on its place. */
  readonly note?: string;
}

/**
 * The text with the probe, with every other byte unchanged. Its imports are inserted at the top, once for
 * each file. @throws SkillError `DEBUG_PROBE_INVALID`, `DEBUG_PROBE_PLACE` if no statement is possible there
 */
export function applied(application: Application, grammar?: Grammar): Applied {
  const { path, text, line, wish } = application;
  const { language } = wish;
  refuseLine(application);
  const template = formAt(language, text, line);
  const { region, text: put, note } = putIn(application, grammar, template);
  const probed = withHead(wish, put);
  const back = strip(probed.text);
  const before = strip(text);
  if (!back.ok || !before.ok || back.text !== before.text)
    throw misplaced(`${quotedName(path)} could not be restored exactly by removing its probes.`);
  return { text: probed.text, region, line: probed.before + line, ...(note !== undefined && { note }) };
}

function refuseLine({ path, text, line, wish }: Application): void {
  const lines = linesOf(text);
  if (text.replace("\ufeff", "").trim() === "")
    throw misplaced(`${quotedName(path)} is empty and has no statement.`);
  if (line > lines.length + 1) throw misplaced(`${quotedName(path)} has ${lines.length} lines.`);
  if (line === 1 && text.startsWith("\ufeff"))
    throw misplaced(`${quotedName(path)} begins with a byte order mark.`);
  if (line === 1 && /^\ufeff?#!/.test(text)) throw misplaced(`${quotedName(path)} begins with a #! line.`);
  refuseInRegion(path, text, line, wish);
}

interface PutRegion {
  readonly region: readonly string[];
  readonly text: string;
  readonly note?: string;
}

const UNPARSED = ["the language has no parser", "the package @vscode/tree-sitter-wasm is not installed"];

/** Inserts the probe before its line, or into a body on the line. */
function putIn(application: Application, grammar: Grammar | undefined, template?: Template): PutRegion {
  const { path, text, line, wish } = application;
  const { language } = wish;
  const lines = linesOf(text);
  const indentation =
    /^[\t ]*/.exec(lines.slice(line - 1).find((one) => one.text.trim() !== "")?.text ?? "")?.[0] ?? "";
  const indented = (all: readonly string[], by = indentation): readonly string[] =>
    all.map((one) => `${by}${one}`);
  const region = indented(probeRegion(wish, template));
  const put = insert(text, line, region);
  const isPage = embeds(language) && !template;
  if (isPage || !grammar) {
    const why = isPage ? "it is outside of the scripts of the page" : UNPARSED[Number(hasRules(language))];
    if (wish.inside) throw misplaced(`No body in ${quotedName(path)}:${line} can be opened: ${why}.`);
    return { region, text: put, note: `Place not checked: ${why}.` };
  }
  const seen = (one: string): string => seenText(language, one);
  const from = textOf(lines.slice(0, line - 1)).length;
  const to = from + put.length - text.length;
  const place = placeOf(grammar, seen(text), { text: seen(put), from, to });
  const whole = lines[line - 1]?.text ?? "";
  const body = bodyAt(wish, whole, place, bodiesIn(grammar, seen(text), from, from + whole.length));
  if (wish.inside && !body)
    throw misplaced(`${quotedName(path)}:${line} contains no body that ends on the line.`);
  if (!body) {
    if (place.fault !== undefined)
      throw misplaced(`No probe is possible before ${quotedName(path)}:${line}. ${place.fault}`);
    const expressions = wish.data.map(({ expression }) => expression);
    const notes = [place.note ?? [], nameNotes(grammar, seen(text), from, expressions)].flat();
    return { region, text: put, ...(notes.length > 0 && { note: notes.join(" ") }) };
  }
  const instead = indented(replacing(wish, body, whole, indented, template));
  const opened = replace(text, line, instead);
  const starts = linesOf(opened).slice(0, line + instead.length - 1);
  const at = (count: number): number => textOf(starts.slice(0, line - 1 + count)).length;
  const range = { text: seen(opened), from: at(3), to: at(instead.length - 2) };
  if (!isOpened(grammar, seen(text), range, [at(0), at(1), at(instead.length - 1)]))
    throw misplaced(`The body in ${quotedName(path)}:${line} cannot be opened.`);
  return { region: instead, text: opened };
}

/** The body for the probe: a requested one, the only scope with the names of the data, or the only possible place. */
function bodyAt(
  { data, inside = false }: ProbeWish,
  line: string,
  { fault, isClosed }: Place,
  bodies: readonly OneLineBody[],
): OneLineBody | undefined {
  if (isClosed || UNFIT.test(line) || markerIn(line)) return undefined;
  const words = new Set(
    data.flatMap(({ expression }) => expression.match(/[$@]{0,2}[\p{L}_][\p{L}\p{N}_$]*/gu) ?? []),
  );
  const knowing = bodies.find(({ names }) => names.some((name) => words.has(name)));
  return knowing ?? (inside || fault !== undefined ? bodies[0] : undefined);
}

/** The lines of a region that replaces a line with a body. */
function replacing(
  wish: ProbeWish,
  { head, rest, isIndented }: OneLineBody,
  line: string,
  indented: (lines: readonly string[], by: string) => readonly string[],
  template = templateOf(wish.language),
): readonly string[] {
  const inner = isIndented ? "    " : "  ";
  return region(template, `${wish.hypothesis}:${wish.point}`, [
    `${template.comment} instead of: ${line}`,
    head.trim(),
    ...indented([...probeLines(wish, template), rest.trim()], inner),
  ]);
}

/** The text of a file as the parser of its language reads it. */
export function seenText(language: Language, text: string): string {
  return embeds(language) ? scriptsOf(text) : text;
}

/** Whether only scripts in the file are of the language. */
function embeds(language: Language): boolean {
  return language === "html" || language === "vue" || language === "svelte";
}

/** The template for a script of a page or component; `undefined` outside a script. */
function formAt(language: Language, text: string, line: number): Template | undefined {
  if (!embeds(language)) return undefined;
  const from = textOf(linesOf(text).slice(0, line - 1)).length;
  const script = scriptAt(text, from);
  if (script) return templateOf(/\blang\s*=\s*["']?tsx?\b/i.test(script.tag) ? "typescript" : "javascript");
  if (language === "html") return undefined;
  throw misplaced("Only the script of a component can hold a probe.");
}

function scriptAt(page: string, place: number): Script | undefined {
  return scriptsIn(page).find(({ begin, end }) => begin <= place && place <= end);
}

const ELSEWHERE = "Choose a line in a function where a statement begins; the file is unchanged.";
const UNBALANCED =
  "Give each region one begin marker and one end marker, without nesting; a file that had an unpaired marker before the session cannot hold probes.";

function refuseInRegion(path: string, text: string, line: number, { hypothesis, point }: ProbeWish): void {
  const { regions, faults } = regionsIn(linesOf(text));
  const fault = faults[0];
  if (fault) throw misplaced(`${quotedName(path)}:${fault.line + 1}: ${fault.sentence}`, UNBALANCED);
  if (regions.some(({ first, last }) => line - 1 > first && line - 1 <= last))
    throw misplaced(`${quotedName(path)}:${line} is inside another probe.`);
  if (regions.some(({ label }) => label === `${hypothesis}:${point}`)) {
    throw new SkillError(
      "DEBUG_PROBE_INVALID",
      `${quotedName(path)} already has a probe ${hypothesis}:${point}.`,
      {
        hint: "Give the new one another name with --point; to change this one, delete its region and set it again.",
      },
    );
  }
}

/** The text with the imports for its probes, and the number of added lines. */
function withHead(
  { language, location }: ProbeWish,
  text: string,
): { readonly text: string; readonly before: number } {
  const head = headRegion(language, location);
  const { regions } = regionsIn(linesOf(text));
  if (!head || regions.some(({ label }) => label === HEAD_LABEL)) return { text, before: 0 };
  return { text: insert(text, headLine(language, text), head), before: head.length };
}

/** The line of a file before which the region with the imports for probes belongs; lines count from 1. */
function headLine(language: Language, text: string): number {
  const lines = linesOf(text);
  const first = text.startsWith("\ufeff") ? 2 : 1;
  const find = (pattern: RegExp): number => lines.findIndex((line) => pattern.test(line.text)) + 1;
  if (language === "go") return behindImports(lines, find(/^package\s+\w+/));
  // All imports of Dart follow its library directive.
  if (language === "dart") return Math.max(first, find(/^library\b[^;]*;/) + 1);
  return first;
}

/** The line after the imports of a Go file, which follow its package clause. */
function behindImports(lines: readonly TextLine[], packageLine: number): number {
  let [last, isList] = [packageLine, false];
  for (const [at, { text }] of lines.entries()) {
    if (at < packageLine) continue;
    if (!isList && /^(?:func|type|var|const)\b/.test(text)) break;
    const isImport = isList || /^import\b/.test(text);
    if (isImport) last = at + 1;
    isList = isList ? !/^[^"`/]*\)/.test(text) : /^import\s*\([^)]*$/.test(text);
  }
  return last + 1;
}

function misplaced(sentence: string, hint = ELSEWHERE): SkillError {
  return new SkillError("DEBUG_PROBE_PLACE", sentence, { hint });
}

/** A script in a page or in a component of Vue; its end may be missing. */
const SCRIPT = /(<script\b[^<>]*>)([^]*?)(?:<\/script\s*>|$)/gi;
/** Scripts that hold data or templates. */
const NO_SCRIPT = /\btype\s*=\s*["']?(?!module\b|(?:text|application)\/(?:java|ecma|type)script\b)[\w/+-]/i;
/** A line end that editors do not count. */
const LINE_END = "\u2028";

interface Script {
  readonly tag: string;
  /** The start and end of its content. */
  readonly begin: number;
  readonly end: number;
}

function scriptsIn(page: string): readonly Script[] {
  return [...page.matchAll(SCRIPT)].flatMap(({ 1: tag = "", 2: script = "", index }) => {
    const begin = index + tag.length;
    return NO_SCRIPT.test(tag) ? [] : [{ tag, begin, end: begin + script.length }];
  });
}

/**
 * The scripts of a page or component, with everything around them blanked out, so that each position is the same as in
 * the text. A comment in a script ends with the script.
 */
export function scriptsOf(page: string): string {
  let scripts = "";
  for (const { begin, end } of scriptsIn(page)) {
    scripts += blank(page.slice(scripts.length, begin)) + page.slice(begin, end);
    if (scripts.length < page.length) scripts += LINE_END;
  }
  return scripts + blank(page.slice(scripts.length));
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, " ");
}
