import type { Word } from "./effects.ts";
import type { Scene } from "./scene.ts";

/** A word as a shell would have to be given it. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Words put together to one text, as `eval` and `watch` do; `quote` keeps all but the first as one word each. */
export function joined(words: readonly Word[], quote = false): Word {
  const known: string[] = [];
  for (const [index, { text, known: begin }] of words.entries()) {
    if (text === undefined) return { text: undefined, known: [...known, begin ?? ""].join(" ") };
    known.push(quote && index > 0 ? quoted(text) : text);
  }
  return { text: known.join(" ") };
}

/** Starts a program in the folder that `-C` and the like have named. */
export function runHere(scene: Scene, words: readonly Word[]): void {
  if (words.length === 0) return;
  if (scene.base === "") return scene.run(words);
  if (scene.base === undefined || words.some(({ text }) => text === undefined))
    scene.unknown("code", "write", "read");
  if (scene.base === undefined) return scene.run(words);
  scene.shell({ text: words.map(({ text }) => quoted(text ?? "")).join(" ") });
}
