import { posix } from "node:path";
import type { Scene } from "./scene.ts";
import { literal } from "./words.ts";

/** The folder that holds `.git`: of the working folder or above it; else the working folder. */
export function root(scene: Scene): string | undefined {
  const start = scene.absolute("");
  if (start === undefined) return undefined;
  for (let folder = start; ; folder = posix.dirname(folder)) {
    if (scene.files.kind(posix.join(folder, ".git")) !== undefined) return folder;
    if (folder === posix.dirname(folder)) return start;
  }
}

/** Any file of the work tree may come to be different. */
export function tree(scene: Scene): void {
  scene.write({ text: root(scene) });
}

/** Something is kept in the repository, and its hooks of these names are run. */
export function repository(scene: Scene, ...hooks: readonly string[]): void {
  const top = root(scene);
  if (top === undefined) return scene.unknown("write");
  scene.write(literal(posix.join(top, ".git")));
  const settings = scene.files.text(posix.join(top, ".git", "config")) ?? "";
  const named = /^[ \t]*hookspath[ \t]*=[ \t]*"?([^"\n]+)/im.exec(settings)?.[1]?.trim();
  for (const hook of hooks) {
    const path = posix.resolve(top, named ?? ".git/hooks", hook);
    if (scene.files.kind(path) !== undefined) scene.script(literal(path));
  }
}
