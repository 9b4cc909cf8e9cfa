import { SkillError } from "skillctl";
import { instrumented } from "../check/instrumented.ts";
import { linesOf, textOf } from "../regions/lines.ts";
import { regionsIn } from "../regions/regions.ts";
import { insert, without } from "../regions/strip.ts";
import { scriptsOf } from "./embedded.ts";
import type { Language } from "./languages.ts";
import { embeds, parse, syntaxFaults } from "../syntax/syntax.ts";
import { headLine } from "./head-place.ts";
import { JAVASCRIPT, TYPESCRIPT } from "./languages/javascript.ts";
import { headRegion, probeIn, probeRegion, type ProbeWish } from "./probe-text.ts";
import { statementFault } from "./statement-place.ts";
import type { Template } from "./template.ts";
import { textFault } from "./text-place.ts";

/** A probe that is to be put into the text of a file. */
export interface Application {
  /** From the project folder. */
  readonly path: string;
  readonly text: string;
  /** In front of which line; from 1, and one more than there are is the end. */
  readonly line: number;
  readonly wish: ProbeWish;
}

export interface Applied {
  readonly text: string;
  readonly region: readonly string[];
  /** Where the probe begins now, from 1. */
  readonly line: number;
}

/**
 * The text with the probe, every other byte as it was. What it needs to import goes to the top, once a file.
 * @throws SkillError `DEBUG_PROBE_INVALID`, `DEBUG_PROBE_PLACE` where a statement cannot stand or would change something
 */
export async function applied({ path, text, line, wish }: Application): Promise<Applied> {
  const { language } = wish;
  const lines = linesOf(text);
  if (text.replace("\ufeff", "").trim() === "")
    throw misplaced(`${path} is empty: no statement stands in it.`);
  if (line > lines.length + 1) throw misplaced(`${path} has ${lines.length} lines.`);
  if (line === 1 && text.startsWith("\ufeff")) throw misplaced(`${path} begins with a byte order mark.`);
  if (line === 1 && /^\ufeff?#!/.test(text))
    throw misplaced(`${path} begins with the line that says what runs it.`);
  refuseInRegion(path, text, line, wish);
  const template = formAt(language, text, line);
  const fault = await placeFault(language, ...withoutProbes(text, line));
  if (fault !== undefined) throw misplaced(`No probe can stand in front of ${path}:${line}. ${fault}`);
  const indentation = /^[\t ]*/.exec(lines.slice(line - 1).find((one) => one.text.trim() !== "")?.text ?? "");
  const region = probeRegion(wish, template).map((one) => `${indentation?.[0] ?? ""}${one}`);
  const probed = withHead(language, insert(text, line, region));
  const at = probed.before + line;
  await assertSound(path, language, text, probed.text);
  return { text: probed.text, region, line: at };
}

/** Inside of a page or component, the form that its script is written in; outside of one `undefined`. */
function formAt(language: Language, text: string, line: number): Template | undefined {
  if (!embeds(language)) return undefined;
  const place = placeOf(text, line);
  if (
    scriptsOf(text)
      .slice(place, place + 1)
      .trim() === ""
  ) {
    if (language === "html") return undefined;
    throw misplaced("Only the script of a component can hold a probe.");
  }
  const tag =
    text
      .slice(0, place)
      .match(/<script\b[^>]*>/gi)
      ?.at(-1) ?? "";
  return /\blang\s*=\s*["']?tsx?\b/i.test(tag) ? TYPESCRIPT : JAVASCRIPT;
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
  if (!regions.some(({ first }) => first === line - 1)) return [text, line];
  const above = regions.filter(({ last }) => last < line - 1);
  const gone = above.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return [without(lines, regions), line - gone];
}

async function placeFault(language: Language, text: string, line: number): Promise<string | undefined> {
  const place = placeOf(text, line);
  if (
    language === "html" &&
    scriptsOf(text)
      .slice(place, place + 1)
      .trim() === ""
  )
    return pageFault(text, line);
  using tree = await parse(language, text);
  if (tree) return statementFault(language, tree.root, place);
  return textFault(language, linesOf(text), line - 1);
}

/** In a page outside of its scripts: between two elements of its body. */
function pageFault(text: string, line: number): string | undefined {
  const before = textOf(linesOf(text).slice(0, line - 1));
  const rest = text.slice(before.length).trimStart();
  const isOpen = (name: string): boolean =>
    before.toLowerCase().lastIndexOf(`<${name}`) > before.toLowerCase().lastIndexOf(`</${name}`);
  const isInside = ["script", "style", "textarea", "title", "svg", "select", "template", "head"].some(isOpen);
  const isComment = before.lastIndexOf("<!--") > before.lastIndexOf("-->");
  if (isInside || isComment || !/>\s*$/.test(before) || !/^<(?!\/?(?:html|head|body|!))/i.test(rest))
    return "The line does not stand between two elements of the page's body.";
  return undefined;
}

function refuseInRegion(path: string, text: string, line: number, { hypothesis, point }: ProbeWish): void {
  const { regions, faults } = regionsIn(linesOf(text));
  const fault = faults[0];
  if (fault) throw misplaced(`${path}:${fault.line + 1}: ${fault.sentence}`);
  if (regions.some(({ first, last }) => line - 1 > first && line - 1 <= last))
    throw misplaced(`${path}:${line} is inside of another probe.`);
  if (regions.some(({ label }) => label === `${hypothesis}:${point}`)) {
    throw new SkillError("DEBUG_PROBE_INVALID", `${path} has a probe ${hypothesis}:${point} already.`, {
      hint: "Give the new one another name with --point.",
    });
  }
}

/** The text with what its probes import, and how many lines that is. */
function withHead(language: Language, text: string): { readonly text: string; readonly before: number } {
  const head = headRegion(language);
  const { regions } = regionsIn(linesOf(text));
  const lines = linesOf(text).map((one) => one.text);
  const has = regions.some(
    ({ first, last }) => probeIn(language, lines.slice(first, last + 1))?.hypothesis === "",
  );
  if (!head || has) return { text, before: 0 };
  return { text: insert(text, headLine(language, text), head), before: head.length };
}

/** The last word: the whole file as `check` will judge it. */
async function assertSound(path: string, language: Language, before: string, after: string): Promise<void> {
  const { findings, isAsBefore } = instrumented(path, after, before);
  const [finding] = findings;
  if (finding) throw misplaced(`No probe can stand there: ${finding.sentence}`);
  if (!isAsBefore) throw misplaced("The file would not be the same again without its probes.");
  const faults = [await syntaxFaults(language, before), await syntaxFaults(language, after)];
  if ((faults[1] ?? 0) > (faults[0] ?? 0)) throw misplaced("The program would not be read any more.");
}

function misplaced(sentence: string): SkillError {
  return new SkillError("DEBUG_PROBE_PLACE", sentence, {
    hint: "Choose a line in a function at which a statement begins; the file is as it was.",
  });
}
