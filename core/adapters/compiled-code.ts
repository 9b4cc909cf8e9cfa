import { dirname, join, sep } from "node:path";

// Not imported: see standard-streams.ts.
const { createRequire } = process.getBuiltinModule("node:module");
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } =
  process.getBuiltinModule("node:fs");
const { Script } = process.getBuiltinModule("node:vm");

/** How long compiled code is kept, in milliseconds. */
const KEEP_MS = 30 * 86_400_000;

const IMPORTS = /(?<![.\w])import\(/;
const HEAD = Buffer.from("(function (exports, require, module, __filename, __dirname) { ");
const TAIL = Buffer.from("\n})");

/** The function that Node makes from a CommonJS file. */
type Wrapper = (this: unknown, ...given: readonly unknown[]) => unknown;

/**
 * Keeps the compiled code of the program's own files in a folder, as `module.enableCompileCache` of Node 22 does. V8 refuses the code of
 * another version of itself, but compares only the length of a source, so a name contains all that identifies the state of its file.
 * New code is written when the process exits.
 */
export function keepCompiled(folder: string): void {
  const own = import.meta.dirname + sep;
  const { extensions } = createRequire(own);
  const compile = extensions[".js"];
  const fresh = new Map<string, InstanceType<typeof Script>>();
  // Not under .cjs, which each require() without a file extension would then try.
  extensions[".js"] = (module, filename) => {
    if (!filename.startsWith(own) || !filename.endsWith(".cjs")) return compile(module, filename);
    const { dev, ino, ctimeMs, size } = statSync(filename);
    const name = filename.slice(own.length).replaceAll(/\W/g, "_");
    const path = join(folder, [name, dev, ino, ctimeMs, size].join("-"));
    const [source, cachedData] = [readFileSync(filename), keptAt(path)];
    // Code that is compiled here cannot use import(), and none with it is kept.
    if (!cachedData && IMPORTS.test(source.toString("latin1"))) return compile(module, filename);
    // One string, since two for each file make V8 collect garbage before a short command ends.
    const wrapper = Buffer.concat([HEAD, source, TAIL]).toString("latin1");
    const script = new Script(wrapper, { filename, cachedData });
    if (script.cachedDataRejected !== false) fresh.set(path, script);
    const { exports } = module;
    const run = script.runInThisContext() as Wrapper;
    return run.call(exports, exports, createRequire(filename), module, filename, dirname(filename));
  };
  process.once("exit", () => {
    for (const [path, script] of fresh) keepAt(folder, path, script.createCachedData());
    if (fresh.size > 0) removeOld(folder);
  });
}

/** Removes old code: that of earlier installations is no longer used, and code in use is compiled again now and then. */
function removeOld(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const facts = statSync(path);
      if (facts.isFile() && facts.mtimeMs < Date.now() - KEEP_MS) rmSync(path, { force: true });
    }
  } catch {
    // Another process removes the same files.
  }
}

function keptAt(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    // Not kept yet.
    return undefined;
  }
}

function keepAt(folder: string, path: string, code: Buffer): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Renamed into place, since another process may read it.
    writeFileSync(`${path}.${process.pid}`, code, { mode: 0o600 });
    renameSync(`${path}.${process.pid}`, path);
  } catch {
    // The next start compiles again.
  }
}
