import { createRequire } from "node:module";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { packageFolder } from "./package-folder.ts";

/** The optional packages of skillctl, and whether each is installed. None is loaded. */
export function optionalPackages(
  from = packageFolder(),
): readonly { readonly name: string; readonly installed: boolean }[] {
  const { resolve } = createRequire(join(from, "package.json"));
  return Object.keys(manifest.optionalDependencies).map((name) => {
    try {
      resolve(`${name}/package.json`);
      return { name, installed: true };
    } catch (caught) {
      // A package that hides its package.json is there all the same.
      return { name, installed: (caught as NodeJS.ErrnoException).code === "ERR_PACKAGE_PATH_NOT_EXPORTED" };
    }
  });
}

/** The range of Node versions that skillctl runs on. */
export const NODE_RANGE: string = manifest.engines.node;
