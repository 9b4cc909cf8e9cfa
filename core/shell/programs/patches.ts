import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import { literal } from "./words.ts";

/** A patch names the files that it changes. */
function patch(scene: Scene): void {
  const { operands, has } = follow(
    "w r | d:d directory:d i:r input:r o:w output:w r:w reject-file:w p: F: B: z: Y: V: D: strip: fuzz: prefix: suffix: get: ifdef:",
    scene,
  );
  if (operands.length === 0 && !has("o", "output", "dry-run", "C", "check")) scene.write({ text: "." });
}

const FILE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$/gm;

/** The program of Codex: a patch in its own form, as a word or on standard input. */
function applyPatch(scene: Scene): void {
  const { stdin } = scene.call;
  const texts = scene.args.length > 0 ? scene.args.map(({ text }) => text) : [];
  if (texts.length === 0) texts.push(stdin.kind === "text" ? stdin.text : undefined);
  for (const text of texts) {
    const files = [...(text ?? "").matchAll(FILE)].map(([, name = ""]) => name);
    if (files.length === 0) scene.unknown("write");
    for (const name of files) scene.write(literal(name));
  }
}

export const PATCHES = { patch, "apply_patch applypatch apply-patch": applyPatch };
