import { defineConfig } from "tsup";

/** JavaScript only; declarations come from tsc. What starts often is bundled, what serves stays a dependency. */
export default defineConfig({
  entry: {
    skillctl: "bin/skillctl.ts",
    index: "core/index.ts",
    host: "core/host.ts",
    testing: "core/testing.ts",
    skills: "plugins/index.ts",
  },
  format: "esm",
  target: "node20",
  platform: "node",
  outDir: "dist",
  dts: false,
  splitting: true,
  silent: true,
  // node:test has no name without the prefix.
  removeNodeProtocol: false,
  external: [/^@duckdb\//],
  noExternal: [/^(?!fastify|ky$|@duckdb\/)/],
  esbuildOptions: (options) => {
    options.conditions = ["@skillctl/source"];
  },
});
