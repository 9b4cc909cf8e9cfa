import { existsSync } from "node:fs";
import * as modules from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageFolder } from "./package-folder.ts";

/** The folder of the skillctl package that resolves from a folder; undefined if none does. */
export function foundPackage(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, "node_modules", "skillctl");
    if (existsSync(join(found, "package.json"))) return found;
    if (at === dirname(at)) return undefined;
  }
}

/** Imports a module of a skill's folder, which may import `skillctl`. */
export async function importFrom(folder: string, module: string): Promise<{ readonly default?: unknown }> {
  if (foundPackage(folder) === undefined) lendPackage();
  return (await import(pathToFileURL(module).href)) as { readonly default?: unknown };
}

let isLent = false;

/**
 * Makes `skillctl` resolve to the running program from folders where no package of that name is found. An installed
 * package takes precedence. Writes no files.
 */
function lendPackage(): void {
  if (isLent) return;
  isLent = true;
  const parentURL = pathToFileURL(join(packageFolder(), "package.json")).href;
  const { resolve: resolveOwn } = modules.createRequire(parentURL);
  // Node 22.15 has synchronous hooks for `import` and `require`; Node 20 has hooks for `import` only, in a thread.
  const { registerHooks } = modules as SynchronousHooks;
  if (registerHooks) {
    registerHooks({
      resolve: (specifier, context, next) => {
        try {
          return next(specifier, context);
        } catch (caught) {
          if (!isMissing(specifier, caught)) throw caught;
          return { url: pathToFileURL(resolveOwn(specifier)).href, shortCircuit: true };
        }
      },
    });
    return;
  }
  modules.register(`data:text/javascript,${encodeURIComponent(THREAD)}`, { data: parentURL });
  const loader = modules.Module as unknown as CommonJsLoader;
  const resolve = loader._resolveFilename;
  loader._resolveFilename = function (specifier, ...more) {
    try {
      return resolve.call(this, specifier, ...more);
    } catch (caught) {
      if (!isMissing(specifier, caught)) throw caught;
      return resolveOwn(specifier);
    }
  };
}

/** The part of `node:module` that Node 22.15 has and Node 20 lacks. */
interface SynchronousHooks {
  readonly registerHooks?: (hooks: {
    readonly resolve: (specifier: string, context: object, next: NextResolve) => unknown;
  }) => void;
}

type NextResolve = (specifier: string, context: object) => unknown;

/** The resolver of `require`, for which Node 20 has no hook. */
interface CommonJsLoader {
  _resolveFilename: (this: unknown, specifier: string, ...more: readonly unknown[]) => string;
}

function isMissing(specifier: string, caught: unknown): boolean {
  const { code = "" } = caught as NodeJS.ErrnoException;
  return /^skillctl(?:\/|$)/.test(specifier) && /^(?:ERR_)?MODULE_NOT_FOUND$/.test(code);
}

/** The hook for Node 20, which runs in a thread. */
const THREAD = `let parentURL;
export function initialize(data) { parentURL = data; }
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (caught) {
    if (!/^skillctl(?:\\/|$)/.test(specifier) || caught.code !== "ERR_MODULE_NOT_FOUND") throw caught;
    return next(specifier, { ...context, parentURL });
  }
}`;
