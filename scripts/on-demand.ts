import { relative, sep } from "node:path";
import type { Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** Where the modules of the second file are found in it: source -> the name it exports them under. */
export type Beside = ReadonlyMap<string, string>;

/** The text of the second file's entry: every module of it under a name of its own. */
export function besideEntry(beside: Beside): string {
  return [...beside].map(([source, name]) => `export * as ${name} from "../${source}";\n`).join("");
}

/**
 * What the program imports on demand stays out of its file, since every kilobyte and every further file costs a start.
 * What is listed in `beside` is required from the one file `besideFile`; everything else becomes an ES module of its own
 * and is put into `entries`, name -> source.
 */
export function onDemand(entries: Map<string, string>, beside: Beside, besideFile: string): Plugin {
  return {
    name: "on-demand",
    setup: (build) => {
      build.onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
        if (path === besideFile) return { path, external: true };
        if (kind !== "dynamic-import") return undefined;
        const { path: file } = await build.resolve(path, { resolveDir, kind: "import-statement" });
        const source = relative(process.cwd(), file).replaceAll(sep, "/");
        if (beside.has(source)) return { path: source, namespace: "beside" };
        const name = source.replace(/\.[a-z]+$/, "").replaceAll("/", "-");
        entries.set(name, file);
        return { path: `./${name}.js`, external: true };
      });
      build.onLoad({ filter: /.*/, namespace: "beside" }, ({ path }) => ({
        contents: `module.exports = require("${besideFile}").${beside.get(path)};`,
        resolveDir: process.cwd(),
      }));
    },
  };
}
