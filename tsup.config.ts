import type { Options } from "tsup";

/**
 * What every part of the build has in common; scripts/build.ts names the entries. JavaScript only: declarations come
 * from tsc. What starts often is bundled, what serves stays a dependency.
 */
const config: Options = {
  format: "esm",
  target: "node20",
  platform: "node",
  outDir: "dist",
  dts: false,
  splitting: true,
  silent: true,
  metafile: true,
  // node:test has no name without the prefix.
  removeNodeProtocol: false,
  external: [/^@duckdb\//, /^@napi-rs\//, /^@vscode\//],
  noExternal: [/^(?!fastify|ky$|openid-client$|@duckdb\/|@napi-rs\/|@vscode\/)/],
  esbuildOptions: (options) => {
    options.conditions = ["@skillctl/source"];
  },
};

export default config;
