import { dirname, join } from "node:path/posix";
import { parseSync } from "oxc-parser";
import { LAYERS, ON_DEMAND, type Layer } from "./layers.ts";

/** Sources by path from the root of the repository, with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

const DOORS: Readonly<Record<string, string>> = {
  skillctl: "core/index.ts",
  "skillctl/host": "core/host.ts",
  "skillctl/ai": "core/ai.ts",
  "skillctl/testing": "core/testing.ts",
  "skillctl/skills": "plugins/index.ts",
};

/** The layer that a file is in: the longest one with which its path begins. */
export function layerOf(path: string, layers = LAYERS): string | undefined {
  const found = Object.keys(layers).filter((layer) => path === layer || path.startsWith(`${layer}/`));
  return found.sort((a, b) => b.length - a.length)[0];
}

/** Where an import leads: a path of the repository, or the unchanged name of a package. */
function targetOf(file: string, specifier: string): { readonly path?: string; readonly name?: string } {
  if (specifier.startsWith(".")) return { path: join(dirname(file), specifier) };
  if (specifier.startsWith("#page/")) return { path: `core${specifier.replace("#", "/")}.ts` };
  const door = DOORS[specifier];
  return door === undefined ? { name: specifier } : { path: door };
}

/** All violations of the table, each as a sentence. */
export function violations(sources: Sources, layers = LAYERS): readonly string[] {
  const found: string[] = [];
  for (const [file, source] of sources) {
    const layer = layerOf(file, layers);
    if (layer === undefined) {
      found.push(`${file} is in no layer of the table.`);
      continue;
    }
    for (const one of importsOf(source)) {
      const sentence = against(file, layer, layers[layer] as Layer, one, layers);
      if (sentence) found.push(sentence);
    }
  }
  return found;
}

function against(
  file: string,
  layer: string,
  { from, packages = [] }: Layer,
  { specifier, kind }: Import,
  layers: typeof LAYERS,
): string | undefined {
  const isAdapter = layer.startsWith("core/adapters");
  if (kind === "require" && !isAdapter)
    return `${file} creates a require function; only adapters load by path.`;
  if (specifier === undefined)
    return isAdapter ? undefined : `${file} imports a computed path; only adapters load by path.`;
  const { path, name } = targetOf(file, specifier);
  const place = path === undefined ? name : (layerOf(path, layers) ?? path);
  const target = path ?? name ?? "";
  const lazy = ON_DEMAND.find(([who, what]) => who === layer && matches(target, what));
  if (lazy && kind === "static" && file !== target)
    return `${file} imports ${target} statically; import it on demand.`;
  if (place === layer) return undefined;
  if (path === undefined)
    return packages.some((one) => matches(target, one)) ? undefined : `${file} imports the package ${name}.`;
  return from.some((one) => one === place || matches(path, one)) ? undefined : `${file} imports ${path}.`;
}

function matches(target: string, pattern: string): boolean {
  if (pattern.endsWith("*")) return target.startsWith(pattern.slice(0, -1));
  return target === pattern || target.startsWith(`${pattern}/`);
}

/** The packages that the table allows a layer and no file there imports, as layer and package. */
export function unusedPackages(sources: Sources, layers = LAYERS): readonly string[] {
  const used = new Map<string, string[]>();
  for (const [file, source] of sources) {
    const layer = layerOf(file, layers) ?? "";
    const names = importsOf(source).flatMap(({ specifier }) =>
      specifier === undefined ? [] : (targetOf(file, specifier).name ?? []),
    );
    used.set(layer, [...(used.get(layer) ?? []), ...names]);
  }
  return Object.entries(layers).flatMap(([layer, { packages = [] }]) =>
    packages
      .filter((one) => !used.get(layer)?.some((name) => matches(name, one)))
      .map((one) => `${layer} ${one}`),
  );
}

/** Every cycle of imports between files, as a path. Imports on demand and of types count. */
export function circles(sources: Sources): readonly (readonly string[])[] {
  return circlesOf(edgesOf(sources));
}

/** The sources that some files import, directly or not, and those files themselves. */
export function reachable(sources: Sources, from: readonly string[]): Sources {
  const edges = edgesOf(sources);
  const found = new Set<string>();
  const open = [...from];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    open.push(...(edges.get(file) ?? []));
  }
  return new Map([...sources].filter(([path]) => found.has(path)));
}

function edgesOf(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, readonly string[]>();
  for (const [file, source] of sources) {
    const targets = importsOf(source).flatMap(({ specifier }) => {
      const { path } = specifier === undefined ? {} : targetOf(file, specifier);
      return path !== undefined && sources.has(path) && path !== file ? [path] : [];
    });
    edges.set(file, targets);
  }
  return edges;
}

/** Folders inside a plugin that import each other, as `one <-> other`; except its root, which imports all of them. */
export function foldersBothWays(sources: Sources): readonly string[] {
  const found = new Set<string>();
  const ways = [...edgesOf(sources)].flatMap(([file, targets]) =>
    targets.map((target) => `${dirname(file)} -> ${dirname(target)}`),
  );
  const all = new Set(ways.filter((way) => /^(plugins\/[^/]+)\/\S+ -> \1\//.test(way)));
  for (const way of all) {
    const [from = "", to = ""] = way.split(" -> ");
    if (from < to && all.has(`${to} -> ${from}`)) found.add(`${from} <-> ${to}`);
  }
  return [...found];
}

/** Cycles in a graph, each found once. */
export function circlesOf(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const done = new Set<string>();
  const walk = (node: string, way: readonly string[]): void => {
    const at = way.indexOf(node);
    if (at >= 0) found.push([...way.slice(at), node]);
    if (at >= 0 || done.has(node)) return;
    for (const next of edges.get(node) ?? []) walk(next, [...way, node]);
    done.add(node);
  };
  for (const node of edges.keys()) walk(node, []);
  return found;
}

/** One import of a source file. */
export interface Import {
  /** The text between the quotes; undefined for `import(expression)` and for `createRequire`. */
  readonly specifier: string | undefined;
  readonly kind: "static" | "type" | "dynamic" | "builtin" | "require";
}

type Node = { readonly type?: string; readonly [key: string]: unknown };

const READ = new Map<string, readonly Import[]>();

/**
 * Every import of a TypeScript source: static, `import type`, `export from`, `import()` and `import("...")` types.
 * Access to a module without the word `import` counts too: `process.getBuiltinModule`, and each mention of `createRequire`.
 */
export function importsOf(source: string): readonly Import[] {
  const known = READ.get(source) ?? importsIn(parseSync("a.ts", source));
  READ.set(source, known);
  return known;
}

function importsIn({ program }: { readonly program: unknown }): readonly Import[] {
  const found: Import[] = [];
  const text = (node: unknown): string | undefined => {
    const { type, value } = (node ?? {}) as Node;
    return type === "Literal" && typeof value === "string" ? value : undefined;
  };
  const add = (kind: Import["kind"], node?: unknown): void =>
    void found.push({ specifier: text(node), kind });
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, source, callee, arguments: given, ...rest } = node as Node;
    if (type === "ImportDeclaration" || (type?.startsWith("Export") && source))
      add(rest["importKind"] === "type" || rest["exportKind"] === "type" ? "type" : "static", source);
    if (type === "ImportExpression" || type === "TSImportType") add("dynamic", source);
    const name = type === "Identifier" ? rest["name"] : text(node);
    if (name === "createRequire") add("require");
    // A direct call is an import; a reference to the function counts as an import of a computed name.
    if (name === "getBuiltinModule") add("builtin");
    const { property } = (callee ?? {}) as Node;
    const called = (property ?? {}) as Node;
    if (type === "CallExpression" && (called["name"] ?? text(called)) === "getBuiltinModule")
      add("builtin", (given as readonly unknown[])[0]);
    else walk(callee);
    for (const value of [given, ...Object.values(rest)]) walk(value);
  };
  walk(program);
  return found;
}
