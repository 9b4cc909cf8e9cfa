import { quotedName, SkillError } from "skillctl";
import { templateOf, type Language, type Template } from "./languages.ts";
import { bodiesIn, type OneLineBody } from "./one-line-body.ts";
import { IN_TEXT, textFault } from "./place.ts";
import { HEAD_LABEL, headRegion, probeLines, probeRegion, region, type ProbeWish } from "./probe-text.ts";
import { linesOf, textOf, regionsIn, markerIn, insert, replace, strip, without } from "../regions/regions.ts";

/** A probe that is to be put into the text of a file. */
export interface Application {
  /** From the project folder. */
  readonly path: string;
  readonly text: string;
  /** In front of which line; from 1, and one more than there are is the end. */
  readonly line: number;
  readonly wish: ProbeWish;
}

/** What cannot be kept in a comment of one line, or goes on behind the line. */
const UNFIT = /[\u2028\u2029\v\f]|<\/script|\\\s*$/i;

export interface Applied {
  readonly text: string;
  readonly region: readonly string[];
  /** Where the probe begins now, from 1. */
  readonly line: number;
}

/**
 * The text with the probe, every other byte as it was. What it needs to import goes to the top, once a file.
 * @throws SkillError `DEBUG_PROBE_INVALID`, `DEBUG_PROBE_PLACE` where a statement cannot stand
 */
export function applied({ path, text, line, wish }: Application): Applied {
  const { language } = wish;
  const lines = linesOf(text);
  if (text.replace("\ufeff", "").trim() === "")
    throw misplaced(`${quotedName(path)} is empty: no statement stands in it.`);
  if (line > lines.length + 1) throw misplaced(`${quotedName(path)} has ${lines.length} lines.`);
  if (line === 1 && text.startsWith("\ufeff"))
    throw misplaced(`${quotedName(path)} begins with a byte order mark.`);
  if (line === 1 && /^\ufeff?#!/.test(text))
    throw misplaced(`${quotedName(path)} begins with the line that says what runs it.`);
  refuseInRegion(path, text, line, wish);
  const template = formAt(language, text, line);
  const place = withoutProbes(text, line);
  const fault = placeFault(language, ...place);
  const body = bodyAt(wish, lines[line - 1]?.text ?? "", fault);
  if (wish.inside && !body)
    throw misplaced(`${quotedName(path)}:${line} holds no body that ends on the line.`);
  if (fault !== undefined && (!body || IN_TEXT.test(fault)))
    throw misplaced(`No probe can stand in front of ${quotedName(path)}:${line}. ${fault}`);
  const indentation =
    /^[\t ]*/.exec(lines.slice(line - 1).find((one) => one.text.trim() !== "")?.text ?? "")?.[0] ?? "";
  const indented = (all: readonly string[], by = indentation): readonly string[] =>
    all.map((one) => `${by}${one}`);
  const region = body
    ? indented(replacing(wish, body, lines[line - 1]?.text ?? "", indented, template))
    : indented(probeRegion(wish, template));
  const put = body ? replace(text, line, region) : insert(text, line, region);
  const probed = withHead(language, put);
  const back = strip(probed.text);
  const before = strip(text);
  if (!back.ok || !before.ok || back.text !== before.text)
    throw misplaced("The file would not be the same again without its probes.");
  return { text: probed.text, region, line: probed.before + line };
}

/** The body that the probe is to stand in: asked for, or because the data are known in it only, or no other place is. */
function bodyAt(wish: ProbeWish, line: string, fault: string | undefined): OneLineBody | undefined {
  const { language, data, inside = false } = wish;
  if (
    UNFIT.test(line) ||
    markerIn(line) ||
    ((language === "jsx" || language === "tsx") && /^\s*[<{]/.test(line))
  )
    return undefined;
  const words = new Set(
    data.flatMap(({ expression }) => expression.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
  );
  const bodies = bodiesIn(language, line);
  const knowing = bodies.find(({ names }) => names.some((name) => words.has(name)));
  return knowing ?? (inside || fault !== undefined ? bodies[0] : undefined);
}

/** The lines of a region that stands instead of a line with a body. */
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

/** Whether only scripts in the file are of the language. */
function embeds(language: Language): boolean {
  return language === "html" || language === "vue" || language === "svelte";
}

/** Inside of a page or component, the form that its script is written in; outside of one `undefined`. */
function formAt(language: Language, text: string, line: number): Template | undefined {
  if (!embeds(language)) return undefined;
  const place = placeOf(text, line);
  if (!isInScript(text, place)) {
    if (language === "html") return undefined;
    throw misplaced("Only the script of a component can hold a probe.");
  }
  const tag =
    text
      .slice(0, place)
      .match(/<script\b[^<>]*>/gi)
      ?.at(-1) ?? "";
  return templateOf(/\blang\s*=\s*["']?tsx?\b/i.test(tag) ? "typescript" : "javascript");
}

function isInScript(text: string, place: number): boolean {
  return (
    scriptsOf(text)
      .slice(place, place + 1)
      .trim() !== ""
  );
}

/** Where the first character stands that is not blank, from the beginning of a line on. */
function placeOf(text: string, line: number): number {
  const start = textOf(linesOf(text).slice(0, line - 1)).length;
  return start + (/^\s*/.exec(text.slice(start))?.[0].length ?? 0);
}

/** In front of another probe the place is the one that it stands at: what is there without the probes. */
function withoutProbes(text: string, line: number): readonly [text: string, line: number] {
  const lines = linesOf(text);
  const { regions } = regionsIn(lines);
  const above = regions.filter(({ last }) => last < line - 1);
  const kept = linesOf(without(lines.slice(0, line - 1), above)).length;
  return [without(lines, regions), kept + 1];
}

/** Of a line that is looked at. */
const MOST_CHARACTERS = 1000;

function placeFault(language: Language, text: string, line: number): string | undefined {
  // Patterns look at each line up to there.
  const isLong = ({ text: one }: { readonly text: string }): boolean => one.length > MOST_CHARACTERS;
  if (linesOf(text).slice(0, line).some(isLong))
    return `A line of the file up to here has more than ${MOST_CHARACTERS} characters, so the place cannot be judged.`;
  if (!embeds(language)) return textFault(language, linesOf(text), line - 1);
  if (!isInScript(text, placeOf(text, line))) return pageFault(text, line);
  const scripts = scriptsOf(text).replaceAll("\u2028", " ");
  return textFault(language, linesOf(scripts), line - 1);
}

/** In a page outside of its scripts: between two elements of its body. */
function pageFault(text: string, line: number): string | undefined {
  const before = textOf(linesOf(text).slice(0, line - 1));
  const rest = text.slice(before.length).trimStart();
  const isOpen = (name: string): boolean =>
    before.toLowerCase().lastIndexOf(`<${name}`) > before.toLowerCase().lastIndexOf(`</${name}`);
  const isInside = ["script", "style", "textarea", "title", "svg", "select", "template", "head"].some(isOpen);
  const isComment = before.lastIndexOf("<!--") > before.lastIndexOf("-->");
  if (
    isInside ||
    isComment ||
    !before.trimEnd().endsWith(">") ||
    !/^<(?!\/?(?:html|head|body|!))/i.test(rest)
  )
    return "The line does not stand between two elements of the page's body.";
  return undefined;
}

const ELSEWHERE = "Choose a line in a function at which a statement begins; the file is as it was.";
const UNBALANCED =
  "Give each region one begin and one end, and none inside another; where a mark stood alone before the session, no probe can.";

function refuseInRegion(path: string, text: string, line: number, { hypothesis, point }: ProbeWish): void {
  const { regions, faults } = regionsIn(linesOf(text));
  const fault = faults[0];
  if (fault) throw misplaced(`${quotedName(path)}:${fault.line + 1}: ${fault.sentence}`, UNBALANCED);
  if (regions.some(({ first, last }) => line - 1 > first && line - 1 <= last))
    throw misplaced(`${quotedName(path)}:${line} is inside of another probe.`);
  if (regions.some(({ label }) => label === `${hypothesis}:${point}`)) {
    throw new SkillError(
      "DEBUG_PROBE_INVALID",
      `${quotedName(path)} has a probe ${hypothesis}:${point} already.`,
      {
        hint: "Give the new one another name with --point; to change this one, delete its region and set it again.",
      },
    );
  }
}

/** The text with what its probes import, and how many lines that is. */
function withHead(language: Language, text: string): { readonly text: string; readonly before: number } {
  const head = headRegion(language);
  const { regions } = regionsIn(linesOf(text));
  if (!head || regions.some(({ label }) => label === HEAD_LABEL)) return { text, before: 0 };
  return { text: insert(text, headLine(language, text), head), before: head.length };
}

/** In front of which line of a file the region belongs that imports what its probes need; lines count from 1. */
function headLine(language: Language, text: string): number {
  const lines = linesOf(text);
  const first = text.startsWith("\ufeff") ? 2 : 1;
  const find = (pattern: RegExp): number => lines.findIndex((line) => pattern.test(line.text)) + 1;
  // Behind the package; all imports of Dart stand behind its library.
  if (language === "go") return find(/^package\s+\w+/) + 1;
  if (language === "dart") return Math.max(first, find(/^library\b[^;]*;/) + 1);
  return first;
}

function misplaced(sentence: string, hint = ELSEWHERE): SkillError {
  return new SkillError("DEBUG_PROBE_PLACE", sentence, { hint });
}

/** A script in a page or in a component of Vue; its end may be missing. */
const SCRIPT = /(<script\b[^<>]*>)([^]*?)(?:<\/script\s*>|$)/gi;
/** Scripts that hold data or templates. */
const NO_SCRIPT = /\btype\s*=\s*["']?(?!module\b|(?:text|application)\/(?:java|ecma|type)script\b)[\w/+-]/i;
/** One that editors do not count. */
const LINE_END = "\u2028";

/**
 * The scripts of a page or component, everything around them blanked out, so that each place is where it was in the
 * text. A comment of a script ends with it.
 */
export function scriptsOf(page: string): string {
  let scripts = "";
  for (const { 1: tag = "", 2: script = "", index } of page.matchAll(SCRIPT)) {
    if (NO_SCRIPT.test(tag)) continue;
    const begin = index + tag.length;
    scripts += blank(page.slice(scripts.length, begin)) + script;
    if (scripts.length < page.length) scripts += LINE_END;
  }
  return scripts + blank(page.slice(scripts.length));
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, " ");
}
