import { relative, sep } from "node:path";
import type { Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/**
 * For the build of the program itself: what is imported on demand stays outside, as a file of its own beside it, unless
 * it is listed in `inside`. The program is then one file, however much it shares with the doors: every further file
 * costs a start a millisecond. `entries` is filled with name -> source of what has to be built beside it.
 */
export function onDemandOutside(entries: Map<string, string>, inside: readonly string[]): Plugin {
  return {
    name: "on-demand-outside",
    setup: (build) => {
      build.onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const { path: file } = await build.resolve(path, { resolveDir, kind: "import-statement" });
        const source = relative(process.cwd(), file).replaceAll(sep, "/");
        if (inside.includes(source)) return undefined;
        const name = source.replace(/\.[a-z]+$/, "").replaceAll("/", "-");
        entries.set(name, file);
        return { path: `./${name}.js`, external: true };
      });
    },
  };
}
