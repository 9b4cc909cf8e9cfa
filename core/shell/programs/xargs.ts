import type { Word } from "./effects.ts";
import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import { joined } from "./started.ts";
import { literal } from "./words.ts";

/** At most so many words of known input are given one by one. */
const MOST = 100;

/** xargs: the program it starts, with the words of its input where they are known. */
export function xargs(scene: Scene): void {
  const { operands, has, all } = follow(
    "v | + a:r arg-file:r d: delimiter: E: eof: e:: I: i:: replace:: L: l:: max-lines:: n: max-args: P: max-procs: s: max-chars: J: R: S: process-slot-var:",
    scene,
  );
  const words = operands.length === 0 ? [literal("echo")] : operands;
  const mark = has("I", "i", "replace", "J") ? (all("I", "i", "replace", "J")[0]?.text ?? "{}") : undefined;
  const { stdin } = scene.call;
  const text = stdin.kind === "text" && !has("a", "arg-file", "d", "delimiter") ? stdin.text : undefined;
  const split = text?.split(has("0", "null") ? "\0" : mark === undefined ? /\s+/ : "\n");
  const given = split?.filter((part) => part !== "");
  const known = given !== undefined && given.length <= MOST && !/["'\\]/.test(text ?? "");
  const parts: readonly Word[] = known ? given.map(literal) : [{ text: undefined }];
  if (mark === undefined) scene.run([...words, ...parts]);
  else for (const part of parts) scene.run(words.map((word) => filled(word, mark, part)));
}

function filled(word: Word, mark: string, part: Word): Word {
  if (word.text === undefined || !word.text.includes(mark)) return word;
  if (word.text === mark) return part;
  if (part.text !== undefined) return literal(word.text.replaceAll(mark, part.text));
  return { text: undefined, known: word.text.slice(0, word.text.indexOf(mark)) };
}

/** GNU parallel: its words are text for a shell, once for each argument behind `:::`. */
export function parallel(scene: Scene): void {
  const { operands, has } = follow(
    "v | + j: jobs: a:r arg-file:r n: N: I: C: colsep: d: S!c sshlogin!c results:w joblog:w tmpdir:w",
    scene,
  );
  const end = operands.findIndex(({ text }) => text === ":::" || text === "::::" || text === ":::+");
  const words = end === -1 ? operands : operands.slice(0, end);
  const parts = end === -1 || operands[end]?.text !== ":::" ? [{ text: undefined }] : operands.slice(end + 1);
  if (has("I", "C", "colsep", "N", "n")) scene.unknown("code", "write");
  if (words.length === 0) scene.unknown("code");
  for (const part of parts.slice(0, MOST)) {
    const holds = words.some(({ text }) => text?.includes("{"));
    scene.shell(joined(holds ? words.map((word) => filled(word, "{}", part)) : [...words, part]));
  }
  if (parts.length > MOST || words.some(({ text }) => /\{[^}]/.test(text ?? "")))
    scene.unknown("code", "write");
}
