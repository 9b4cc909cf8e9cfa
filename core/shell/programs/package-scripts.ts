import { posix } from "node:path";
import type { Word } from "./effects.ts";
import type { Scene } from "./scene.ts";
import { quoted } from "./started.ts";
import { literal } from "./words.ts";

/** The folder of the `package.json` that a package manager takes, and what is in it. */
function packageOf(
  scene: Scene,
): { readonly folder: string; readonly scripts: Readonly<Record<string, unknown>> } | undefined {
  const start = scene.absolute("");
  if (start === undefined) return undefined;
  for (let folder = start; ; folder = posix.dirname(folder)) {
    const text = scene.files.text(posix.join(folder, "package.json"));
    if (text !== undefined) return { folder, scripts: scriptsIn(text) };
    if (folder === posix.dirname(folder)) return undefined;
  }
}

function scriptsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    const scripts: unknown =
      typeof parsed === "object" && parsed !== null && "scripts" in parsed ? parsed.scripts : {};
    return typeof scripts === "object" && scripts !== null ? Object.fromEntries(Object.entries(scripts)) : {};
  } catch {
    return {};
  }
}

export function hasScript(name: string, scene: Scene): boolean {
  return Object.hasOwn(packageOf(scene)?.scripts ?? {}, name);
}

/** `npm run NAME`: the texts of the script, and of those before and after it, as a shell is given them. */
export function packageScript(name: Word, args: readonly Word[], scene: Scene): void {
  const found = packageOf(scene);
  if (name.text === undefined || scene.absolute("") === undefined) return scene.unknown("code");
  if (found === undefined) return;
  for (const [index, script] of [`pre${name.text}`, name.text, `post${name.text}`].entries()) {
    const text = Object.hasOwn(found.scripts, script) ? found.scripts[script] : undefined;
    if (typeof text !== "string") continue;
    const more = index === 1 ? args : [];
    const known = more.every((word) => word.text !== undefined);
    const shell = known
      ? literal([text, ...more.map((word) => quoted(word.text ?? ""))].join(" "))
      : { text: undefined, known: `${text} ` };
    scene.run({ shell, cwd: found.folder });
    if (!known) scene.run({ shell: literal(text), cwd: found.folder });
  }
}

/** Files that a package manager changes when it installs, and what the project has it run then; of an install
 * that names nothing only that it runs: whether it changes the lock file cannot be seen. */
export function installs(scene: Scene, names = MANIFESTS): void {
  const folder = packageOf(scene)?.folder ?? scene.absolute("");
  if (folder === undefined) return scene.unknown("write");
  for (const script of ["install", "prepare"]) packageScript(literal(script), [], scene);
  if (names.length === 0) scene.unknown("unlisted");
  for (const name of [
    ...names.filter((name) => scene.files.kind(posix.join(folder, name)) !== undefined),
    "node_modules",
  ])
    scene.write(literal(posix.join(folder, name)));
}

const MANIFESTS: readonly string[] = [
  "package.json",
  "package-lock.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "bun.lockb",
  "npm-shrinkwrap.json",
];
