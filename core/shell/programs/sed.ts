import { GAP, type Word } from "./effects.ts";
import type { Scene } from "./scene.ts";
import { follow } from "./follow.ts";

const OPTIONS = "| e: expression: f:x file:x i:: in-place:: I:: l: line-length: s!v";

/** GNU and BSD sed: what its script writes, reads and starts, and files changed in place. */
export function sed(scene: Scene): void {
  const bsd = scene.args.some(({ text }) => text === "-i" || text === "-I");
  const line = follow(`v ${OPTIONS}`, scene);
  const scripts = [...line.all("e", "expression")];
  for (const file of line.all("f", "file")) scripts.push({ text: scene.text(file) });
  const changes = line.has("i", "in-place", "I");
  const operands = [...line.operands];
  if (bsd && operands[0]?.text === "") operands.shift();
  const own = scripts.length === 0 ? operands.shift() : undefined;
  if (own !== undefined) scripts.push(own);
  // A value of the environment in `s/…/…/`: what else it brings along cannot be seen.
  const texts = scripts.map((script) => script.text ?? withNumbers(script));
  if (texts.includes(undefined)) scene.unknown("code", "write");
  else {
    readSed(texts.join("\n"), scene);
    if (scripts.some(({ text }) => text === undefined)) scene.unknown("unlisted");
    if (changes && scripts.some(({ text }) => text === undefined)) scene.unknown("write");
  }
  const [suffix] = line.all("i", "in-place", "I");
  for (const file of operands) {
    if (changes) changedInPlace(file, suffix, scene);
    else scene.read(file);
  }
}

/** A script whose gaps stand within other text, with a number in each. */
function withNumbers({ gapped }: Word): string | undefined {
  return gapped?.startsWith(GAP) === false || gapped?.startsWith(`${GAP}p`) === true
    ? gapped.replaceAll(GAP, "1")
    : undefined;
}

/** The file, and the copy that is kept of it before; a suffix with a star says where. */
export function changedInPlace(file: Word, suffix: Word | undefined, scene: Scene): void {
  scene.write(file);
  if (suffix?.text === "" || suffix === undefined) return;
  if (suffix.text === undefined || /[*/]/.test(suffix.text)) scene.unknown("write");
  else scene.write({ text: file.text === undefined ? undefined : `${file.text}${suffix.text}` });
}

const ADDRESS =
  /^(?:\d+(?:~\d+)?|\$|[+~]\d+|\/(?:\\[^]|\[(?:\^?\]|\^(?!\])|(?![\]^]))[^\]]*\]|[^\\/[])*\/[IM]*|\\([^\\\n])(?:\\[^]|(?!\1)[^\\])*\1[IM]*)/;
const LINE = /^[^\n]*/;

/** Walks over the commands of a script. What it does not know is unknown. */
function readSed(script: string, scene: Scene): void {
  let rest = script;
  const take = (pattern: RegExp): string => {
    const found = pattern.exec(rest)?.[0] ?? "";
    rest = rest.slice(found.length);
    return found;
  };
  for (;;) {
    take(/^[\s;{}]*/);
    if (rest === "") return;
    take(ADDRESS);
    take(/^\s*,\s*/);
    take(ADDRESS);
    take(/^[\s!]*/);
    const command = take(/^[^]/);
    if (command === "#" || command === ":" || /^[btT]$/.test(command))
      take(command === "#" ? LINE : /^[^\n;}]*/);
    else if (/^[aic]$/.test(command)) take(/^(?:\\[^]|[^\\\n])*/);
    else if (/^[rRwW]$/.test(command)) {
      const file = { text: take(LINE).trim() };
      if (/^[rR]$/.test(command)) scene.read(file);
      else scene.write(file);
    } else if (command === "e") {
      const text = take(LINE).trim();
      if (text === "") scene.unknown("code");
      else scene.shell({ text });
    } else if (command === "s" || command === "y") substitute(command, take, scene);
    else if (/^[=dDgGhHlLnNpPqQxzF{}]$/.test(command)) take(/^[ \t]*\d*/);
    else return scene.unknown("code", "write");
  }
}

function substitute(command: string, take: (pattern: RegExp) => string, scene: Scene): void {
  const mark = take(/^[^\\\n]/);
  if (mark === "") return scene.unknown("code", "write");
  const part = new RegExp(`^(?:\\\\[^]|(?!${escaped(mark)})[^\\\\])*${escaped(mark)}`);
  const bracketed = new RegExp(
    `^(?:\\\\[^]|\\[(?:\\^?\\]|\\^(?!\\])|(?![\\]^]))[^\\]\\n]*\\]|(?!${escaped(mark)})[^\\\\[])*${escaped(mark)}`,
  );
  if (take(command === "s" ? bracketed : part) === "" && take(part) === "")
    return scene.unknown("code", "write");
  if (take(part) === "") return scene.unknown("code", "write");
  if (command === "y") return;
  if (take(/^[gpiImM0-9e]*/).includes("e")) scene.unknown("code");
  if (take(/^w/) === "w") scene.write({ text: take(LINE).trim() });
}

function escaped(mark: string): string {
  return `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`.replace(
    /\\u\{(\w+)\}/,
    (_all, hex: string) => `\\u${hex.padStart(4, "0")}`,
  );
}
