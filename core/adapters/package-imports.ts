import { existsSync } from "node:fs";
import * as modules from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageFolder } from "./package-folder.ts";

/** The folder of skillctl that an import of `skillctl` from a folder would find; undefined when it would find none. */
export function foundPackage(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, "node_modules", "skillctl");
    if (existsSync(join(found, "package.json"))) return found;
    if (at === dirname(at)) return undefined;
  }
}

let isLent = false;

/**
 * From now on an import of `skillctl` that finds no package, from any folder, resolves to the running program. A package that is
 * found still wins. Nothing is written.
 */
export function lendPackage(): void {
  if (isLent) return;
  isLent = true;
  const parentURL = pathToFileURL(join(packageFolder(), "package.json")).href;
  const { resolve: resolveOwn } = modules.createRequire(parentURL);
  // Node 22.15 has hooks for `import` and `require` in the same thread; Node 20 has them for `import`, in another one.
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

/** As much of `node:module` as Node 22.15 has and Node 20 has not. */
interface SynchronousHooks {
  readonly registerHooks?: (hooks: {
    readonly resolve: (specifier: string, context: object, next: NextResolve) => unknown;
  }) => void;
}

type NextResolve = (specifier: string, context: object) => unknown;

/** The resolver of `require`, which Node 20 has no hook for. */
interface CommonJsLoader {
  _resolveFilename: (this: unknown, specifier: string, ...more: readonly unknown[]) => string;
}

function isMissing(specifier: string, caught: unknown): boolean {
  const { code = "" } = caught as NodeJS.ErrnoException;
  return /^skillctl(?:\/|$)/.test(specifier) && /^(?:ERR_)?MODULE_NOT_FOUND$/.test(code);
}

/** The hook of Node 20, which runs in a thread of its own. */
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
