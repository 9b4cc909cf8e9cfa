import { createRequire } from "node:module";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { packageFolder } from "./package-folder.ts";

/** An optional package of skillctl. */
export interface OptionalPackage {
  readonly name: string;
  /** The skill in the box that uses it. */
  readonly user: string;
  readonly installed: boolean;
}

/** Every optional dependency has its row: the compiler holds that. */
const USERS: Readonly<Record<keyof typeof manifest.optionalDependencies, string>> = {
  "@duckdb/node-api": "music-gateway",
  "@napi-rs/keyring": "login-proxy",
};

/** The optional packages of skillctl, and whether each is installed. None is loaded. */
export function optionalPackages(): readonly OptionalPackage[] {
  const { resolve } = createRequire(join(packageFolder(), "package.json"));
  return Object.entries(USERS).map(([name, user]) => {
    try {
      resolve(`${name}/package.json`);
      return { name, user, installed: true };
    } catch (caught) {
      // A package that hides its package.json is there all the same.
      const installed = (caught as NodeJS.ErrnoException).code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
      return { name, user, installed };
    }
  });
}

/** The range of Node versions that skillctl runs on. */
export const NODE_RANGE: string = manifest.engines.node;
