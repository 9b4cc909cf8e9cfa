import { createRequire } from "node:module";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { packageFolder } from "./package-folder.ts";

/** An optional package of skillctl. */
export interface OptionalPackage {
  readonly name: string;
  /** The built-in skill, or the part of the core, that uses it. */
  readonly user: string;
  readonly installed: boolean;
}

/** The user of each optional dependency; the compiler checks that none is missing. */
const USERS: Readonly<Record<keyof typeof manifest.optionalDependencies, string>> = {
  "@duckdb/node-bindings": "music-gateway",
  "@napi-rs/keyring": "login-proxy",
  "@vscode/tree-sitter-wasm": "runtime-debug",
  pg: "shared state",
};

/** The optional packages of skillctl, and whether each is installed. Loads none of them. */
export function optionalPackages(): readonly OptionalPackage[] {
  const { resolve } = createRequire(join(packageFolder(), "package.json"));
  return Object.entries(USERS).map(([name, user]) => {
    try {
      resolve(`${name}/package.json`);
      return { name, user, installed: true };
    } catch (caught) {
      // A package that does not export its package.json is installed too.
      const installed = (caught as NodeJS.ErrnoException).code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
      return { name, user, installed };
    }
  });
}

/** The range of Node versions that skillctl runs on. */
export const NODE_RANGE: string = manifest.engines.node;
