import { relative } from "node:path";
import type { Plugin } from "esbuild";

/**
 * For the build of the program itself: what is imported on demand stays outside, as a file of its own beside it.
 * The program is then one file, however much the doors share with it: every further file costs a start a millisecond.
 * `entries` is filled with name -> source of what has to be built beside it.
 */
export function onDemandOutside(entries: Map<string, string>): Plugin {
  return {
    name: "on-demand-outside",
    setup: (build) => {
      build.onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const { path: file } = await build.resolve(path, { resolveDir, kind: "import-statement" });
        const name = relative(process.cwd(), file)
          .replace(/\.[a-z]+$/, "")
          .replaceAll(/[\\/]/g, "-");
        entries.set(name, file);
        return { path: `./${name}.js`, external: true };
      });
    },
  };
}
