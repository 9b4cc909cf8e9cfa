import { declaredIn, importedIn, wordsOf } from "./names.ts";
import { probeIn } from "../probes/read-probe.ts";
import type { Language } from "../probes/languages.ts";
import type { Cut } from "./cuts.ts";
import { traceIn, type SessionTraces } from "./traces.ts";

/** Keywords and brackets around other lines: nothing by themselves. */
const FRAME =
  /^\s*(?:[)\]}>;,]*\s*(?:(?:try|except|catch|finally|else|do|begin|rescue|ensure|end|then|fi|done|pass|if|with|using|unsafe|defer|go|BEGIN|END)\b[^;]*)?[([{:;,]*|[)\]};,\s]*)\s*$/;
const LOGGING =
  /\b(?:console\s*\.\s*\w+|print(?:ln|f|k)?!?|puts|echo|var_dump|NSLog|Log\.[dewiv]|System\.(?:out|err)\.\w+|fmt\.F?[Pp]rint\w*|Console\.Write\w*|(?:log|logger|logging)\s*\.\s*\w+|dbg!)\s*[( "']/;
const COMMENT = /^\s*(?:\/\/|#(?!\s*(?:if|else|endif|define|include)\b)|--|\/?\*|<!--|\{\s*\/\*|;)/;

/** What is known of all regions of a file. */
export interface Surroundings {
  /** Names that they declare and that the code before did not hold. */
  readonly own: ReadonlySet<string>;
  readonly traces: SessionTraces;
  readonly language: Language | undefined;
  /** In which line of the file, from 0, the statement ends that begins in a line, where the syntax tells. */
  readonly ends: ReadonlyMap<number, number>;
}

/**
 * The lines of a region, from 0 in its body, that can be a part of the program: they are neither reports nor what reports
 * are made with, as far as their text tells.
 */
export function doubtsIn(cut: Cut, { own, traces, language, ends }: Surroundings): readonly number[] {
  const { body, restored, region } = cut;
  const lines = body.map(({ text }) => text);
  const back = new Set(restored.map(({ text }) => text.trim()));
  const doubts: number[] = [];
  let cover: Cover | undefined;
  let depth = 0;
  for (const [line, text] of lines.entries()) {
    const before = depth;
    depth += depthOf(text);
    if (text.trim() === "" || COMMENT.test(text)) continue;
    if (cover && isCovered(cover, line, before, text)) continue;
    cover = undefined;
    if (isOwnLine(cut, text, language)) continue;
    if (FRAME.test(text) || [...back].some((one) => one.includes(text.trim()) || text.includes(one)))
      continue;
    if (!isReporting(text, own, traces)) doubts.push(line);
    else {
      const end = ends.get(region.first + 1 + line);
      const last = end === undefined ? endByText(text, line, before, depth) : end - region.first - 1;
      cover = { depth: before, indentation: indentation(text), last };
    }
  }
  return doubts;
}

/** A statement that may go on: to its last line, where that is known; else lines within its brackets, or further in. */
interface Cover {
  readonly depth: number;
  readonly indentation: number;
  readonly last: number | undefined;
}

function isCovered(cover: Cover, line: number, depth: number, text: string): boolean {
  if (cover.last !== undefined) return line <= cover.last;
  return depth > cover.depth || indentation(text) > cover.indentation;
}

/** Where no syntax tells it: a line that closes what it opens and ends in a semicolon is whole. */
function endByText(text: string, line: number, before: number, after: number): number | undefined {
  return after === before && text.trimEnd().endsWith(";") ? line : undefined;
}

/** Whether a line is all that `probe` writes between these markers: nothing behind it belongs to it. */
function isOwnLine({ markers }: Cut, text: string, language: Language | undefined): boolean {
  return language !== undefined && probeIn(language, [markers[0], text, markers[1]]) !== undefined;
}

function isReporting(text: string, own: ReadonlySet<string>, traces: SessionTraces): boolean {
  const declared = importedIn(text) ?? declaredIn(text);
  if (declared !== undefined) return [declared].flat().every((name) => own.has(name));
  if (traceIn(text, traces) !== undefined || LOGGING.test(text)) return true;
  const words = wordsOf(text);
  return [...own].some((name) => words.has(name));
}

function depthOf(text: string): number {
  const opened = text.match(/[([{]/g)?.length ?? 0;
  return opened - (text.match(/[)\]}]/g)?.length ?? 0);
}

function indentation(text: string): number {
  return text.length - text.trimStart().length;
}
