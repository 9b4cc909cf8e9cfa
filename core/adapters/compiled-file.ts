import { readFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

/** Given to every file that is required here, which cannot import ES modules by itself: see `scripts/build.ts`. */
declare const importHere: undefined | ((name: string) => Promise<unknown>);

/** What stands around every such file, which is a function and no module: to put it around here would copy the text. */
export const HEAD = "(function (exports, require, module, __filename, __dirname, importHere) {";
export const TAIL = "\n})";

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
  const script = new Script(readFileSync(path, "utf8"), {
    filename: path,
    ...(cachedData && { cachedData }),
  });
  told?.(script);
  const file = new Module(path);
  file.filename = path;
  require.cache[path] = file;
  const run = script.runInThisContext() as (...given: readonly unknown[]) => void;
  try {
    run.call(file.exports, file.exports, require, file, path, dirname(path), importThere);
  } catch (caught) {
    // As Node does: what failed half-way is not handed out the next time.
    delete require.cache[path];
    throw caught;
  }
  return file.exports;
}

/**
 * All files of the build stand in one folder, so that a name means the same in each. Node's own modules are required,
 * because its loader of ES modules takes a fifth of a start to get ready; so are the native packages, which are CommonJS:
 * that loader would read all their source for names first, a quarter of a question to the embedded gateway.
 */
async function importThere(name: string): Promise<unknown> {
  if (/^(?:node:|@duckdb\/|@napi-rs\/)/u.test(name)) return createRequire(import.meta.url)(name);
  return typeof importHere === "function" ? importHere(name) : import(name);
}

function compiledForm(path: string): Buffer | undefined {
  try {
    return readFileSync(path + COMPILED);
  } catch {
    // It is a cache: without it the file is compiled as usual.
    return undefined;
  }
}
