import { join, normalize } from "node:path";
import type { Files } from "skillctl";
import { linesOf, regionsIn, withoutMark, type Region } from "../regions/regions.ts";
import type { SessionEntry } from "../session/entry.ts";
import { FILE_AND_LINE } from "../session/set-probes.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { inert, shortened } from "../store/event/inert-text.ts";
import type { PageCode, PageLine } from "./page-view.ts";

/** The number of lines shown around a point. */
const AROUND = 4;
const MOST_FILES = 12;
const MOST_LINES = 200;
const MOST_BYTES = 1024 * 1024;
const MOST_CHARACTERS = 240;

/** The code around each point: current probes, observed lines, and the places of hypotheses without a point. */
export async function codeAround({ root, entry }: OpenedSession, files: Files): Promise<readonly PageCode[]> {
  const shown: PageCode[] = [];
  for (const [file, places] of [...placesOf(entry)].slice(0, MOST_FILES)) {
    const facts = await files.facts(join(root, file));
    if (facts?.kind !== "file" || facts.bytes > MOST_BYTES) continue;
    const text = await files.readText(join(root, file));
    const lines = text === undefined ? [] : linesAround(text, places);
    if (lines.length > 0) shown.push({ file: inert(file), lines });
  }
  return shown;
}

/** The project-relative files of points, with the lines to show, from 1; no lines for a probe, whose region is searched. */
function placesOf({ probes, hypotheses }: SessionEntry): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  const add = (file: string, ...lines: readonly number[]): void => {
    const path = normalize(file);
    if (/^(?:\.\.|[/\\]|[a-z]:)/i.test(path)) return;
    places.set(path, [...(places.get(path) ?? []), ...lines]);
  };
  for (const { file, at = "" } of probes) {
    const [, observed, line] = FILE_AND_LINE.exec(at) ?? [];
    if (observed !== undefined) add(observed, Number(line));
    else if (file !== undefined) add(file);
  }
  for (const { observe } of hypotheses) {
    const [, file = "", line] = /^(.+):(\d+)(?:-\d+)?$/s.exec(observe) ?? [];
    // A probe shifts the lines below: its region shows the place.
    if (file !== "" && !places.has(normalize(file))) add(file, Number(line));
  }
  return places;
}

/** The lines around regions and places; each region is one row with its label. */
function linesAround(text: string, places: readonly number[]): readonly PageLine[] {
  const lines = linesOf(withoutMark(text));
  const { regions } = regionsIn(lines);
  const centres = [
    ...regions.flatMap(({ first, last }) => [first, last + 1]),
    ...places.map((line) => line - 1),
  ];
  const isNear = (index: number): boolean =>
    centres.some((centre) => Math.abs(index - centre) <= AROUND) || regions.some((one) => holds(one, index));
  const points = new Set([...regions.map((one) => pointOf(one, regions)), ...places.map((line) => line - 1)]);
  const shown: PageLine[] = [];
  for (const [index, { text: line }] of lines.entries()) {
    if (shown.length === MOST_LINES) break;
    if (!isNear(index)) continue;
    const region = regions.find((one) => holds(one, index));
    if (region === undefined) shown.push(row(index + 1, line, points.has(index)));
    else if (region.first === index) shown.push(row(0, region.label, false));
  }
  return shown;
}

function holds({ first, last }: Region, index: number): boolean {
  return first <= index && index <= last;
}

/** The line after a probe; other probes may be in between. */
function pointOf({ last }: Region, regions: readonly Region[]): number {
  const next = regions.find(({ first }) => first === last + 1);
  return next ? pointOf(next, regions) : last + 1;
}

function row(number: number, text: string, isPoint: boolean): PageLine {
  return { number, text: inert(shortened(text, MOST_CHARACTERS)), isPoint };
}
