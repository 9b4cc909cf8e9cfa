import type { Word } from "./effects.ts";
import { follow } from "./follow.ts";
import { repository, tree } from "./git-places.ts";
import type { Scene } from "./scene.ts";

/** Paths with a meaning to git: `:/`, `:(top)`, patterns. */
const PATTERN = /^:|[*?[]/;

function paths(words: readonly Word[], scene: Scene): void {
  if (words.length === 0 || words.some(({ text }) => text === undefined || PATTERN.test(text))) tree(scene);
  for (const word of words) if (word.text !== undefined && !PATTERN.test(word.text)) scene.write(word);
}

function behindMark(scene: Scene): readonly Word[] | undefined {
  const mark = scene.args.findIndex(({ text }) => text === "--");
  return mark === -1 ? undefined : scene.args.slice(mark + 1);
}

/** `git checkout`: named files, or all of the tree. A new branch of what is there changes no file. */
export function checkout(scene: Scene): void {
  const { operands, has } = follow("v | b: B: orphan: conflict: pathspec-from-file:r t!v", scene);
  repository(scene, "post-checkout");
  const marked = behindMark(scene);
  if (has("p", "patch", "pathspec-from-file")) tree(scene);
  else if (marked !== undefined) paths(marked, scene);
  else if (has("b", "B", "orphan") && operands.length === 0) return;
  else if (operands.length < 2)
    paths(
      operands.filter((word) => scene.kind(word) !== undefined),
      scene,
    );
  else
    paths(
      operands.filter((word, index) => index > 0 || scene.kind(word) !== undefined),
      scene,
    );
}

export function switchBranch(scene: Scene): void {
  const { operands, has } = follow("v | c: C: create: force-create: orphan: conflict:", scene);
  repository(scene, "post-checkout");
  if (operands.length > 0 || !has("c", "C", "create", "force-create")) tree(scene);
}

export function restore(scene: Scene): void {
  const { operands, has } = follow("v | s: source: conflict: pathspec-from-file:r", scene);
  repository(scene);
  if (has("p", "patch", "pathspec-from-file")) tree(scene);
  else if (!has("staged", "S") || has("worktree", "W")) paths(operands, scene);
}

export function reset(scene: Scene): void {
  const { has } = follow("v | pathspec-from-file:r", scene);
  repository(scene);
  if (has("hard", "merge", "keep")) tree(scene);
}

export function clean(scene: Scene): void {
  const { operands, has } = follow("v | e: exclude:", scene);
  if (has("n", "dry-run")) return;
  if (has("i", "interactive")) tree(scene);
  paths(operands, scene);
}

/** `git rm` and `git mv`. */
export function remove(scene: Scene): void {
  const { operands, has } = follow("v | pathspec-from-file:r", scene);
  repository(scene);
  if (!has("cached", "n", "dry-run")) paths(operands, scene);
}

export function stash(scene: Scene): void {
  const { operands } = follow("v | m: message: pathspec-from-file:r", scene);
  const what = operands[0]?.text ?? "push";
  if (what === "list" || what === "show") return;
  repository(scene);
  if (!/^(?:drop|clear|create|store)$/.test(what)) tree(scene);
}

export function applyPatch(scene: Scene): void {
  const { has } = follow(
    "r | p: C: directory: exclude: include: whitespace: build-fake-ancestor:w check!v stat!v numstat!v summary!v",
    scene,
  );
  if (has("cached", "index", "3way", "3")) repository(scene);
  const looks = has("check", "stat", "numstat", "summary") && !has("apply", "index", "3way", "3");
  if (!looks && !has("cached")) tree(scene);
}
