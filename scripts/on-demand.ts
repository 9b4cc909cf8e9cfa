import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** A file beside the program, and the modules in it: source, or name of a package -> the name it exports them under. */
export interface Beside {
  /** As the program requires it, for example `./skillctl-run.cjs`. */
  readonly file: string;
  readonly modules: ReadonlyMap<string, string>;
  /** Its modules have a default export and nothing else. */
  readonly byDefault?: true;
}

/** The text of such a file's entry: every module of it under a name of its own. */
export function besideEntry({ modules }: Beside): string {
  const from = (source: string): string => (isPackage(source) ? source : `../${source}`);
  return [...modules].map(([source, name]) => `export * as ${name} from "${from(source)}";\n`).join("");
}

/**
 * What the program imports on demand stays out of its file, since every kilobyte and every further file costs a start.
 * node:crypto, which takes a tenth of a start to load, waits until one of its functions is called.
 * What stands in one of the files `beside` is required from there; everything else becomes an ES module of its own and
 * is put into `entries`, name -> source. `own` is the file that is being built, when it is one of those beside.
 */
export function onDemand(entries: Map<string, string>, beside: readonly Beside[], own?: Beside): Plugin {
  const fileOf = (source: string): Beside | undefined => beside.find(({ modules }) => modules.has(source));
  return {
    name: "on-demand",
    setup: (build) => {
      build.onResolve({ filter: /^node:crypto$/ }, ({ kind, path, namespace }) =>
        kind === "import-statement" && namespace !== "late" ? { path, namespace: "late" } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: "late" }, async ({ path }) => ({
        contents: await lateModule(path),
      }));
      build.onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
        if (beside.some(({ file }) => file === path)) return { path, external: true };
        if (kind !== "dynamic-import") return undefined;
        const { path: file } = await build.resolve(path, { resolveDir, kind: "import-statement" });
        const source = relative(process.cwd(), file).replaceAll(sep, "/");
        if (own?.modules.has(source)) return undefined;
        if (fileOf(source)) return { path: source, namespace: "beside" };
        const name = source.replace(/\.[a-z]+$/, "").replaceAll("/", "-");
        entries.set(name, file);
        return { path: `./${name}.js`, external: true };
      });
      build.onResolve({ filter: /^[^.]/ }, ({ kind, path }) =>
        kind === "dynamic-import" && isPackage(path) && fileOf(path)
          ? { path, namespace: "beside" }
          : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: "beside" }, ({ path }) => {
        const found = fileOf(path);
        const name = found?.modules.get(path);
        // A default export does not survive the other form: in a package of ES modules it would be the whole of it.
        const required = `requireCompiled(__dirname + "${found?.file.slice(1)}").${name}`;
        const from = `import { requireCompiled } from "./core/adapters/compiled-file.ts";`;
        const contents = found?.byDefault
          ? `${from} export default ${required}.default;`
          : `const { requireCompiled } = require("./core/adapters/compiled-file.ts"); module.exports = ${required};`;
        return { contents, resolveDir: process.cwd() };
      });
    },
  };
}

/**
 * Rules make up most of a manifest, and `list` or `--version` do without: they stay in a file of their own, `rules/<skill>.json`
 * beside the program, until somebody looks at them. `folder` is where the program is put.
 */
export function lateRules(folder: string): Plugin {
  return {
    name: "late-rules",
    setup: (build) => {
      build.onLoad({ filter: /[\\/]skills[\\/][^\\/]+[\\/]skill\.json$/ }, ({ path }) => {
        const { rules, ...manifest } = JSON.parse(readFileSync(path, "utf8")) as Readonly<
          Record<string, unknown>
        >;
        if (rules === undefined)
          return { contents: `export default ${JSON.stringify(manifest)};\n`, loader: "js" };
        const file = `rules/${String(manifest["name"])}.json`;
        mkdirSync(join(folder, "rules"), { recursive: true });
        writeFileSync(join(folder, file), JSON.stringify(rules));
        const read = `process.getBuiltinModule("node:fs").readFileSync(import.meta.dirname + "/${file}", "utf8")`;
        const late = `get rules() { return (rules ??= JSON.parse(${read})); }`;
        const contents = `let rules;\nexport default { ...${JSON.stringify(manifest)}, ${late} };\n`;
        return { contents, loader: "js" };
      });
    },
  };
}

/** The text of a module with the functions of one of Node, which is loaded when one of them is called. */
async function lateModule(name: string): Promise<string> {
  const module = (await import(name)) as Readonly<Record<string, unknown>>;
  return Object.keys(module)
    .filter((key) => key !== "default" && typeof module[key] === "function")
    .map((key) => `export const ${key} = (...given) => require("${name}").${key}(...given);\n`)
    .join("");
}

function isPackage(source: string): boolean {
  return !source.includes("/");
}
