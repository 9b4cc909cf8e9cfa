import { isUtf8 } from "node:buffer";
import * as B from "./bytes.ts";
import { FAULTS, rejection, type FaultName } from "./rejection.ts";
import { MOST_DEPTH } from "./scanner.ts";
import type { Sheet } from "./sheet.ts";
import type { Rejection } from "./stamped.ts";

/** The parts of a body that are no events, and how far each goes. They are reported in the order of the body. */
export class Rejections {
  list: Rejection[] = [];

  readonly #keepSecrets: boolean;
  /** Where a line begins that was counted, and its number. */
  #lineStart = 0;
  #line = 1;

  constructor(keepSecrets: boolean) {
    this.#keepSecrets = keepSecrets;
  }

  begin(sheet: Sheet): void {
    this.list = [];
    this.#lineStart = sheet.start;
    this.#line = 1;
  }

  /** The whole body is refused; nothing else is then said of it. */
  whole(sheet: Sheet, fault: FaultName): void {
    this.list = [];
    this.#add(sheet, sheet.start, sheet.end, fault, "The body");
  }

  /** An element of an array, and the array with it, which is the rest of the body. */
  element(sheet: Sheet, start: number, number: number, fault: FaultName): number {
    const wrong = fault === "object" ? faultOf(sheet.bytes.subarray(start, sheet.end)) : fault;
    const who = wrong === "syntax" || fault === "hollow" ? "The array" : `Element ${number} of the array`;
    this.#add(sheet, start, sheet.end, wrong, who);
    return sheet.end;
  }

  /** A line that begins with something else than an object. @returns where to go on */
  other(sheet: Sheet, start: number): number {
    const end = lineEnd(sheet, start);
    return this.part(sheet, start, end, faultOf(sheet.bytes.subarray(start, end)));
  }

  /**
   * Something that begins as an object: up to the end of its line; of one that is printed over many lines, the rest of
   * the body, because nothing in it shows where another begins. @returns where to go on
   */
  broken(sheet: Sheet, start: number, fault: FaultName, wrong: number): number {
    const end = lineEnd(sheet, start);
    const alone = sheet.bytes[start] === B.OPEN_OBJECT && isBlank(sheet.bytes.subarray(start + 1, end));
    return this.part(sheet, start, alone ? sheet.end : end, fault, wrong);
  }

  part(sheet: Sheet, start: number, end: number, fault: FaultName, wrong = end): number {
    for (let at = sheet.bytes.indexOf(B.LINE_FEED, this.#lineStart); at >= 0 && at < start;) {
      this.#line++;
      this.#lineStart = at + 1;
      at = sheet.bytes.indexOf(B.LINE_FEED, at + 1);
    }
    const single = this.#line === 1 && isBlank(sheet.bytes.subarray(lineEnd(sheet, start), sheet.end));
    const who = single ? "The body" : `Line ${this.#line}`;
    const near = fault === "syntax" && wrong < lineEnd(sheet, start);
    const place = near ? ` (character ${wrong - this.#lineStart + 1})` : "";
    this.#add(sheet, start, end, fault, who, place);
    return end;
  }

  #add(sheet: Sheet, start: number, end: number, fault: FaultName, who: string, place = ""): void {
    const { code, says } = FAULTS[fault];
    const bytes = sheet.bytes.subarray(start, end);
    this.list.push(rejection(code, `${who} ${says}${place}.`, bytes, this.#keepSecrets));
  }
}

function lineEnd(sheet: Sheet, start: number): number {
  const at = sheet.bytes.indexOf(B.LINE_FEED, start);
  return at < 0 || at > sheet.end ? sheet.end : at;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

/** What is wrong with something that does not begin as an object. */
function faultOf(bytes: Buffer): FaultName {
  // A megabyte of brackets would keep the parser busy for a fraction of a second.
  if (isTooDeep(bytes)) return "deep";
  if (!isUtf8(bytes)) return "syntax";
  try {
    JSON.parse(bytes.toString());
    return "object";
  } catch {
    return "syntax";
  }
}

function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === B.QUOTE) inString = !inString;
    else if (inString) at += byte === B.BACKSLASH ? 1 : 0;
    else if (byte === B.OPEN_ARRAY || byte === B.OPEN_OBJECT) depth++;
    else if (byte === B.CLOSE_ARRAY || byte === B.CLOSE_OBJECT) depth--;
    if (depth > MOST_DEPTH) return true;
  }
  return false;
}
