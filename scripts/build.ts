/**
 * The whole build: validators, the program, the doors, declarations, and the licences of bundled packages.
 *
 * The program is CommonJS: a main file, and one for each module that it imports on demand. Node 20 starts it a fifth
 * sooner than ES modules, and unneeded files are not read. The doors are ES modules, as every consumer expects.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "acorn";
import { build, type Options } from "tsup";
import type { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import type { Predicate, SkillManifest } from "../core/contract.ts";
import { HOOK_EVENTS } from "../core/guard/rules.ts";
import { necessaryWords } from "../core/guard/necessary-words.ts";
import { OWN_RULES } from "../core/guard/own/own-rules.ts";
import { keptPlaces, phaseSources } from "../core/guard/phases.ts";
import type { Screen } from "../core/guard/screen.ts";
import type { HostedSkill } from "../core/skill.ts";
import { compiledCondition, createAjv } from "../core/schema/ajv.ts";
import { startPage } from "../core/page/start-page.ts";
import { pageText } from "../plugins/runtime-debug/page/page-text.ts";
import { dateRules } from "../plugins/music-gateway/question/date-rules.ts";
import { fixedWords } from "../plugins/music-gateway/question/fixed-words.ts";
import { levelled } from "../plugins/music-gateway/question/vocabulary.ts";
import { summaries } from "../plugins/summaries.ts";
import { DIALECT as META_SCHEMA, SCHEMA_OF_SCHEMAS } from "../core/schema/schemas.ts";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

// In Node, the function is one level deeper than the types declare.
const generate = (standaloneCode as unknown as { default: (ajv: Ajv2020, named: object) => string }).default;
const VALIDATORS = ".build/validators";
const SDK = "node_modules/@modelcontextprotocol/server";
/** Shortens the local names in packages, which saves a tenth of the program. */
const SHORT_NAMES: Plugin = {
  name: "short-names",
  setup: (build) => {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const source = readFileSync(path, "utf8");
      const used = path.includes("@modelcontextprotocol") ? usedSchemas(source) : source;
      const { code } = await build.esbuild.transform(used, { minifyIdentifiers: true });
      return { contents: code };
    });
  },
};
/** Replaces modules with the results of their functions. */
const TABLES: Plugin = {
  name: "tables",
  setup: (build) => {
    const tables = {
      "fixed-words": { fixedWords: fixedWords(levelled) },
      "date-rules": { dateRules: dateRules() },
      "page-text": { pageText: pageText() },
      "start-page": { startPage: startPage() },
      summaries: { summaries: summaries() },
    };
    for (const [file, table] of Object.entries(tables)) {
      const functions = Object.entries(table).map(
        ([name, value]) => `export const ${name} = () => ${parsed(value)};`,
      );
      build.onLoad({ filter: new RegExp(`[\\\\/]${file}\\.ts$`) }, () => ({
        contents: functions.join("\n"),
      }));
    }
  },
};
/** Functions of modules of Node that take a millisecond or more to load: the program loads each module at the first call. */
const LATE_BUILTINS: Readonly<Record<string, readonly string[]>> = {
  "node:crypto": ["createHash", "randomBytes", "randomUUID", "timingSafeEqual"],
  "node:net": ["connect", "createConnection", "createServer", "isIP"],
  "node:zlib": ["gunzipSync", "gzipSync", "inflateRawSync"],
};
/** The build refuses a static import of anything else from these modules. */
const LATE: Plugin = {
  name: "late-builtins",
  setup: (build) => {
    build.onResolve({ filter: /^node:/ }, ({ path, kind, importer }) => {
      const isOwn = kind === "import-statement" && !importer.includes("node_modules");
      return isOwn && Object.hasOwn(LATE_BUILTINS, path) ? { path, namespace: "late" } : undefined;
    });
    build.onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => {
      const functions = (LATE_BUILTINS[path] ?? []).map(
        (name) => `export const ${name} = (...words) => module().${name}(...words);`,
      );
      const module = `let loaded; const module = () => (loaded ??= process.getBuiltinModule("${path}"));`;
      return { contents: [module, ...functions].join("\n") };
    });
  },
};
/** Imports a module on demand from the program's file for it, if the program has one. */
const FROM_PROGRAM: Plugin = {
  name: "from-program",
  setup: (build) => {
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir, namespace }) => {
      if (namespace === "program") return { path, external: true };
      if (kind !== "dynamic-import") return undefined;
      const name = fileOf(relative(process.cwd(), join(resolveDir, path)).split(sep).join("/"));
      return programFiles.has(name) ? { path: `./${name}.cjs`, namespace: "program" } : undefined;
    });
    // For an ES module, the default export of a CommonJS file is the object with all its exports.
    build.onLoad({ filter: /.*/, namespace: "program" }, ({ path }) => ({
      contents: `export * from "${path}"; import all from "${path}"; export default all.default;`,
    }));
  },
};
/** Code that is started often is bundled; packages for servers remain dependencies. */
const COMMON: Options = {
  config: false,
  silent: true,
  platform: "node",
  target: "node20",
  outDir: "dist",
  dts: false,
  metafile: true,
  // node:test cannot be imported without the prefix.
  removeNodeProtocol: false,
  // Our own names are not shortened, so that stacks stay readable.
  esbuildOptions: (options) => {
    options.conditions = ["@skillctl/source"];
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  esbuildPlugins: [SHORT_NAMES],
  external: [/^@duckdb\//, /^@napi-rs\//, /^@vscode\//, /^pg$/],
  noExternal: [/^(?!fastify|ky$|openid-client$|pg$|@duckdb\/|@napi-rs\/|@vscode\/)/],
};
/** Not bundled into the program: packages for serving, and native parts. */
const OUTSIDE = /^(?:node:|fastify|ky$|openid-client$|pg$|@duckdb\/|@napi-rs\/|@vscode\/)/;
/** Modules that are little more than large libraries. */
const LIBRARIES = [
  "plugins/music-gateway/answer/echarts.ts",
  "plugins/runtime-debug/otlp/messages.ts",
  "core/surfaces/mcp/mcp-doors.ts",
];
const PROGRAM: Options = {
  ...COMMON,
  external: [/^@napi-rs\//, /^@vscode\//, /^pg$/],
  noExternal: [new RegExp(`^(?!${OUTSIDE.source.slice(1)})`)],
  format: "cjs",
  splitting: false,
  outExtension: () => ({ js: ".cjs" }),
  banner: {
    js: 'const ownFile = { get url() { return require("node:url").pathToFileURL(__filename).href; } };',
  },
  esbuildOptions: (options, context) => {
    COMMON.esbuildOptions?.(options, context);
    options.define = { "import.meta.url": "ownFile.url", "import.meta.dirname": "__dirname" };
    // The validators of the MCP SDK without its copy of Ajv: servers are given a validator.
    options.alias = { "@modelcontextprotocol/server/_shims": `./${SDK}/dist/shimsBrowser.mjs` };
  },
};
/** For validators and packages, whose code appears in no stack that a person reads. */
const SHORTENED: Options = {
  ...PROGRAM,
  esbuildOptions: (options, context) => {
    PROGRAM.esbuildOptions?.(options, context);
    options.minifyIdentifiers = true;
  },
};
/** Modules that the program contains only once, like those imported on demand: they are large, or hold loaded data. */
const ONCE = /\/(?:languages|grammars|inert-text|originals)\.ts$|^ws$/;
const PLAIN = "plain";
const bundled = new Set<string>();
/** The names of the files of the program that are loaded on demand. */
const programFiles = new Set<string>();
const DOORS = {
  index: "core/index.ts",
  host: "core/host.ts",
  ai: "core/ai.ts",
  testing: "core/testing.ts",
  skills: "plugins/index.ts",
};

for (const folder of [".build", "dist"]) rmSync(folder, { recursive: true, force: true });
mkdirSync(VALIDATORS, { recursive: true });
for (const [name, source] of validatorModules()) writeFileSync(`${VALIDATORS}/${name}.js`, source);
await built({ ...SHORTENED, entry: [`${VALIDATORS}/*.js`], outDir: "dist/validators" });
await buildProgram("bin/skillctl.ts");
await built({
  ...COMMON,
  esbuildPlugins: [FROM_PROGRAM, TABLES, SHORT_NAMES],
  entry: DOORS,
  format: "esm",
  splitting: true,
});
const compiler = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"];
execFileSync(process.execPath, compiler, { stdio: "inherit" });
// The types of the doors, and those that they refer to.
const shown = new Set(Object.values(DOORS).map((path) => join("dist/types", path.replace(/ts$/, "d.ts"))));
for (const path of shown)
  for (const [, name] of readFileSync(path, "utf8").matchAll(/"(\.{1,2}\/[^"]+)\.ts"/g))
    shown.add(join(dirname(path), `${name}.d.ts`));
for (const path of readdirSync("dist/types", { recursive: true, encoding: "utf8" }))
  if (path.endsWith(".d.ts") && !shown.has(join("dist/types", path))) rmSync(join("dist/types", path));
writeFileSync("dist/THIRD-PARTY-NOTICES.txt", [...bundled].sort().map(noticeOf).join("\n"));

/** Builds a program, then the modules that it imports on demand, then theirs, until there are no new ones. */
async function buildProgram(source: string): Promise<void> {
  let entry: Record<string, string> = { skillctl: source };
  while (Object.keys(entry).length > 0) {
    const found: Record<string, string> = {};
    const add = (name: string, file: string): void => {
      if (!programFiles.has(name)) found[name] = file;
      programFiles.add(name);
    };
    const files = Object.entries(entry);
    for (const [options, own] of [
      [PROGRAM, files.filter(([, file]) => !isLibrary(file))],
      [SHORTENED, files.filter(([, file]) => isLibrary(file))],
    ] as const)
      if (own.length > 0)
        await built({
          ...options,
          entry: Object.fromEntries(own),
          esbuildPlugins: [LATE, onDemand(add), TABLES, SHORT_NAMES],
        });
    entry = found;
  }
}

/**
 * A module that is imported on demand is required from a separate file: `import()` would start the loader of ES modules, which takes a fifth
 * of a start. Data is JSON text, which is read faster than the same data as code.
 */
function onDemand(add: (name: string, file: string) => void): Plugin {
  const required = (name: string): string =>
    `export * from "${name}"; import * as all from "${name}"; export default all.default;`;
  return {
    name: "on-demand",
    setup: (esbuild) => {
      esbuild.onResolve({ filter: /./ }, async (asked) => {
        const { kind, path, namespace, resolveDir, pluginData } = asked;
        if (namespace === "on-demand") return { path, external: true };
        const isStatic = kind === "import-statement" && ONCE.test(path);
        if (pluginData === PLAIN || (kind !== "dynamic-import" && !isStatic)) return undefined;
        if (!path.startsWith(".")) return { path, namespace: "on-demand" };
        const plain = { resolveDir, kind: "import-statement", pluginData: PLAIN } as const;
        const { path: file } = await esbuild.resolve(path, plain);
        return { path: relative(process.cwd(), file).split(sep).join("/"), namespace: "on-demand" };
      });
      esbuild.onLoad({ filter: /.*/, namespace: "on-demand" }, ({ path }) => {
        if (OUTSIDE.test(path)) return { contents: required(path) };
        const name = fileOf(path);
        add(name, path.endsWith(".ts") ? path : fileURLToPath(import.meta.resolve(path)));
        return { contents: required(`./${name}.cjs`) };
      });
      esbuild.onLoad({ filter: /\.json$/ }, ({ path }) =>
        // Packages load their JSON files with require(), which needs no default export.
        path.includes("node_modules")
          ? undefined
          : { contents: `export default ${parsed(JSON.parse(readFileSync(path, "utf8")))};` },
      );
    },
  };
}

function isLibrary(file: string): boolean {
  return LIBRARIES.includes(file) || file.includes("node_modules");
}

/** The name of the file in dist/ that an imported module gets. */
function fileOf(path: string): string {
  return path.replace(/^@|\.ts$/g, "").replaceAll("/", "-");
}

/** The expression that parses a value from its JSON text. */
function parsed(value: unknown): string {
  // Marked as pure, so that it is dropped with a module that is not used.
  return `/* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
}

/** Runs a build, and notes the packages whose code was bundled. */
async function built(options: Options): Promise<void> {
  await build(options);
  const metafile = join(options.outDir ?? "dist", `metafile-${String(options.format)}.json`);
  const { inputs, outputs } = JSON.parse(readFileSync(metafile, "utf8")) as Readonly<Record<string, object>>;
  rmSync(metafile);
  for (const path of Object.keys(outputs ?? {})) writeFileSync(path, escaped(readFileSync(path, "utf8")));
  for (const input of Object.keys(inputs ?? {})) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
    if (folder !== undefined) bundled.add(folder);
  }
}

/**
 * A module of the MCP SDK whose unused schemas can be dropped: when it is loaded, it creates one for each message of the
 * protocol, and registers all of them in loops, for programs that check messages themselves.
 */
function usedSchemas(source: string): string {
  const { body } = parse(source, { ecmaVersion: "latest", sourceType: "module" });
  let used = source;
  // From the end, so that earlier positions stay valid.
  for (const node of body.reverse()) {
    if (node.type === "ForOfStatement") used = used.slice(0, node.start) + used.slice(node.end);
    if (node.type !== "VariableDeclaration") continue;
    for (const { init } of node.declarations.reverse())
      if (init?.type === "CallExpression") {
        const { start, end } = init;
        used = `${used.slice(0, start)}/* @__PURE__ */ (() => ${used.slice(start, end)})()${used.slice(end)}`;
      }
  }
  return used;
}

/** Source text in ASCII: Node reads and compiles it faster than text with even one character beyond Latin-1, as in patterns. */
function escaped(source: string): string {
  return source.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The notice that the licence of a package requires. */
function noticeOf(folder: string): string {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  const { name, version, license, author } = JSON.parse(text) as Readonly<Record<string, string>>;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined && license !== "MIT") throw new Error(`${folder} has no licence file.`);
  // A package without a file is under MIT, and so is skillctl: the text is the same.
  const own = readFileSync("LICENSE", "utf8").replace("The skillctl authors", `${author}`);
  const licence = file === undefined ? own : readFileSync(join(folder, file), "utf8");
  return `${"-".repeat(80)}\n${name} ${version} (${license})\n\n${licence.trim()}\n`;
}

/**
 * A module for each folder of schemas/, `<skill>.schemas`, with its compiled schemas. A module for each rule, `<owner>.<rule>.rule`, with its
 * compiled `when`, since a request needs only a few of them. Returns source texts by name.
 */
function validatorModules(): ReadonlyMap<string, string> {
  const modules = new Map([
    ["screen", `export default JSON.parse(${JSON.stringify(JSON.stringify(screen()))});\n`],
  ]);
  for (const skill of readdirSync("schemas")) modules.set(`${skill}.schemas`, moduleOf(skill));
  const owners = manifests().map(({ name, rules = {} }) => [name, rules] as const);
  for (const [owner, rules] of [["core", OWN_RULES] as const, ...owners])
    for (const [name, { when }] of Object.entries(rules))
      if (when) modules.set(`${owner}.${name}.rule`, predicateOf(when));
  return modules;
}

function manifests(): readonly SkillManifest[] {
  return readdirSync("skills").map(
    (skill) => JSON.parse(readFileSync(`skills/${skill}/skill.json`, "utf8")) as SkillManifest,
  );
}

/** The words without which no built-in rule can match, for the events of agents, and where their skills keep phases. */
function screen(): Screen {
  const skills = manifests();
  const all = [{ name: "core", rules: OWN_RULES }, ...skills].flatMap(({ name, rules = {} }) =>
    Object.entries(rules).map(([rule, { on = [], when }]) => ({ id: `${name}/${rule}`, on, when })),
  );
  const heard = (event: string) =>
    all
      .filter(({ on }) => on.some((one) => one === event))
      .map(({ id, when }) => [id, necessaryWords(when)] as const);
  const rules = Object.fromEntries(HOOK_EVENTS.map((event) => [event, heard(event)]));
  const catalog = { skills: skills.map((manifest) => ({ manifest }) as HostedSkill) };
  return { rules, phases: phaseSources(catalog), places: keptPlaces(catalog) };
}

/** A function that receives the pattern of each place on a machine, and returns the validator. */
function predicateOf(when: Predicate): string {
  const regExp = Object.assign((source: string) => ({ test: () => false, toString: () => source }), {
    code: "pattern",
  });
  const { ajv, test } = compiledCondition(when, { source: true, regExp });
  return `export default (pattern) => { const module = {};${generate(ajv, test)}return module.exports; };\n`;
}

function moduleOf(skill: string): string {
  const ajv = createAjv({ code: { source: true, esm: true } });
  const ids = readdirSync(`schemas/${skill}`).map((file) => `${skill}/${file.replace(".json", "")}`);
  for (const id of ids) {
    const schema = JSON.parse(readFileSync(`schemas/${id}.json`, "utf8")) as object;
    ajv.addSchema({ ...schema, $id: id }, id);
  }
  // The schema of schemas: compiling it anew for every third-party skill would cost as much as Node's own start.
  if (skill === "core") ajv.getSchema(META_SCHEMA);
  const names = Object.entries({ ...ids, ...(skill === "core" && { meta: META_SCHEMA }) }).map(
    ([key, id]) => [`v${key}`, id] as const,
  );
  const entries = names.map(
    ([name, id]) => `${JSON.stringify(id === META_SCHEMA ? SCHEMA_OF_SCHEMAS : id)}: ${name}`,
  );
  return `${generate(ajv, Object.fromEntries(names))}\nexport default { ${entries.join(", ")} };\n`;
}
