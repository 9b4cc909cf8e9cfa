import type { Word } from "./effects.ts";
import { literal } from "./words.ts";
import type { Scene } from "./scene.ts";

/** At most so many roots are told apart; with more, what is started is asked once with a word nobody knows. */
const ROOTS = 20;
const VALUES =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|regextype|type|xtype|size|perm|user|group|uid|gid|links|inum|samefile|[acm](?:min|time)|newer.*|used|fstype|context|maxdepth|mindepth|printf|D|f)$/;

/** find: what it removes, the lists it writes, and what it starts, with the roots in place of `{}`. */
export function find(scene: Scene): void {
  const first = scene.args.findIndex(({ text, known }) => /^(?:-(?![HLPO])|[(!])/.test(text ?? known ?? ""));
  const named = (first === -1 ? scene.args : scene.args.slice(0, first)).filter(
    ({ text }) => !text?.startsWith("-"),
  );
  if (named.some(({ text, known }) => text === undefined && (known ?? "") === ""))
    scene.unknown("code", "write");
  const roots = named.length === 0 ? [literal(".")] : named;
  const rest = first === -1 ? [] : scene.args.slice(first);
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index] ?? literal("");
    const { text } = word;
    if (text === undefined) scene.unknown("code", "write", "read");
    else if (text === "-delete") for (const root of roots) scene.write(root);
    else if (/^-f(?:print0?|ls)$/.test(text)) scene.write(rest[++index] ?? literal(""));
    else if (text === "-fprintf") {
      scene.write(rest[++index] ?? literal(""));
      index++;
    } else if (text === "-files0-from") scene.read(rest[++index] ?? literal(""));
    else if (/^-(?:exec|ok)(?:dir)?$/.test(text))
      index = started(scene, rest, index + 1, roots, text.endsWith("dir"));
    else if (VALUES.test(text)) index++;
  }
}

function started(
  scene: Scene,
  words: readonly Word[],
  from: number,
  roots: readonly Word[],
  within: boolean,
): number {
  let end = from;
  while (
    end < words.length &&
    words[end]?.text !== ";" &&
    !(words[end]?.text === "+" && words[end - 1]?.text === "{}")
  )
    end++;
  const command = words.slice(from, end);
  if (within) scene.unknown("write", "read");
  const places = within || roots.length > ROOTS ? [{ text: undefined }] : roots;
  const named = command.some(({ text }) => text?.includes("{}"));
  for (const root of named ? places : places.slice(0, 1))
    scene.run(command.map((word) => filled(word, root)));
  return end;
}

function filled(word: Word, root: Word): Word {
  if (word.text === "{}") return root;
  const at = word.text?.indexOf("{}") ?? -1;
  return at === -1 ? word : { text: undefined, known: word.text?.slice(0, at) ?? "" };
}
