import { readFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

/** Given to every file that is required here, which cannot import ES modules by itself: see `scripts/build.ts`. */
declare const importHere: undefined | ((name: string) => Promise<unknown>);

const HEAD = "(function (exports, require, module, __filename, __dirname, importHere) {";
/** All files of the build stand in one folder, so that a name means the same in each. */
const importer = typeof importHere === "function" ? importHere : (name: string) => import(name);

/** What the compiled form of a file stands in, beside it. */
export const COMPILED = ".compiled";

/**
 * Requires a CommonJS file of the build in the form that this Node compiled when the build was made, which saves a
 * quarter of a start. Another version of Node refuses that form and compiles the source, as it does without one.
 * `told` hears of the script, for the build itself.
 */
export function requireCompiled(path: string, told?: (script: Script) => void): unknown {
  const require = createRequire(path);
  const known = require.cache[path];
  if (known) return known.exports;
  const cachedData = compiledForm(path);
  const script = new Script(`${HEAD}${readFileSync(path, "utf8")}\n})`, {
    filename: path,
    ...(cachedData && { cachedData }),
  });
  told?.(script);
  const file = new Module(path);
  file.filename = path;
  require.cache[path] = file;
  const run = script.runInThisContext() as (...given: readonly unknown[]) => void;
  run.call(file.exports, file.exports, require, file, path, dirname(path), importer);
  return file.exports;
}

function compiledForm(path: string): Buffer | undefined {
  try {
    return readFileSync(path + COMPILED);
  } catch {
    // It is a cache: without it the file is compiled as usual.
    return undefined;
  }
}
