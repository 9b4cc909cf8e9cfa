/** The whole build: validators, JavaScript, declarations, licences of what was bundled. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build, type Options } from "tsup";
import { HEAD, TAIL } from "../core/adapters/compiled-file.ts";
import config from "../tsup.config.ts";
import { noticesOf, packagesIn } from "./notices.ts";
import { besideEntry, lateRules, onDemand, type Beside } from "./on-demand.ts";
import { validatorModules } from "./validators.ts";

const DOORS = {
  index: "core/index.ts",
  host: "core/host.ts",
  testing: "core/testing.ts",
  skills: "plugins/index.ts",
};
/** What `run` needs and `list` does not: files for the host, for foreign skills, and for each skill in the box. */
const BESIDE: readonly Beside[] = [
  {
    file: "./skillctl-run.cjs",
    modules: new Map([
      ["core/host.ts", "host"],
      ["core/adapters/environment.ts", "environment"],
      ["core/adapters/files.ts", "files"],
      ["core/adapters/foreign-skills.ts", "foreignSkills"],
      ["core/adapters/log.ts", "log"],
      ["core/adapters/programs.ts", "programs"],
      ["core/surfaces/cli/failure.ts", "failure"],
      ["core/surfaces/cli/schema-files.ts", "schemaFiles"],
      ["core/surfaces/cli/verbs/run.ts", "run"],
      ["core/surfaces/cli/words.ts", "words"],
    ]),
  },
  // What every event needs; and what one does that looks at a shell command.
  {
    file: "./skillctl-guard.cjs",
    modules: new Map([
      ["core/adapters/clock.ts", "clock"],
      ["core/adapters/state-files.ts", "stateFiles"],
      ["core/guard/phases.ts", "phases"],
      ["core/surfaces/cli/verbs/guard.ts", "guard"],
    ]),
  },
  { file: "./skillctl-shell.cjs", modules: new Map([["core/shell/read-shell.ts", "readShell"]]) },
  { file: "./skillctl-shelf.cjs", modules: new Map([["core/surfaces/cli/shelf.ts", "shelf"]]) },
  { file: "./skillctl-ajv.cjs", modules: new Map([["core/schema/ajv.ts", "ajv"]]) },
  { file: "./skillctl-engine.cjs", modules: new Map([["core/adapters/engine-range.ts", "engineRange"]]) },
  // What `runtime-debug logs` does without.
  {
    file: "./skillctl-debug-server.cjs",
    modules: new Map([
      ["plugins/runtime-debug/doctor/examination.ts", "examination"],
      ["plugins/runtime-debug/routes/query-route.ts", "queryRoute"],
      ["plugins/runtime-debug/server/serving.ts", "serving"],
    ]),
  },
  // What `runtime-debug check` does beside opening its session.
  {
    file: "./skillctl-debug-check.cjs",
    modules: new Map([
      ["plugins/runtime-debug/check/check-tree.ts", "checkTree"],
      ["plugins/runtime-debug/worktree/stored-tree.ts", "storedTree"],
    ]),
  },
  // What an event does beside that while a session keeps the code of its project shut.
  {
    file: "./skillctl-debug-gate.cjs",
    modules: new Map([["plugins/runtime-debug/gate/code-refusals.ts", "codeRefusals"]]),
  },
  ...readdirSync("plugins", { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      file: `./skillctl-${name}.cjs`,
      modules: new Map([[`plugins/${name}/plugin.ts`, "plugin"]]),
      byDefault: true as const,
    })),
];
/** The file that people start: too short to need a compiled form, it requires the program in its own. */
const START = `#!/usr/bin/env node
import { requireCompiled } from "../core/adapters/compiled-file.ts";
requireCompiled(__dirname + "/skillctl-main.cjs");
`;
/** An event of a hook, for the compiled form of what judges it. */
const exampleEvent = (command: string): string =>
  JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: "an-example",
    cwd: "/",
    tool_name: "Bash",
    tool_input: { command, file_path: "/a.ts" },
  });
/** Found out when it is asked for: few do. */
const OWN_URL =
  'const ownFile = { get url() { return require("node:url").pathToFileURL(__filename).href; } };';
const VALIDATORS = ".build/validators";
const BEYOND_ASCII = /[^\0-\x7f]/g;

const common: Options = { ...config, config: false };
const entries = new Map<string, string>();
const bundled = new Set<string>();

rmSync(".build", { recursive: true, force: true });
rmSync("dist", { recursive: true, force: true });
mkdirSync(VALIDATORS, { recursive: true });
for (const [skill, source] of validatorModules()) writeFileSync(`${VALIDATORS}/${skill}.js`, source);

await program("bin/skillctl.ts", "skillctl-main");
writeFileSync(".build/skillctl.ts", START);
await program(".build/skillctl.ts", "skillctl");
for (const beside of BESIDE) {
  const name = beside.file.slice("./".length, -".cjs".length);
  writeFileSync(`.build/${name}.ts`, besideEntry(beside));
  await program(`.build/${name}.ts`, name, beside);
}
await build({ ...common, entry: { ...DOORS, ...Object.fromEntries(entries) } });
collect("dist/metafile-esm.json");
await build({
  ...common,
  entry: [`${VALIDATORS}/*.js`],
  outDir: "dist/validators",
  format: "cjs",
  splitting: false,
  outExtension: () => ({ js: ".cjs" }),
  esbuildOptions: (options, context) => {
    common.esbuildOptions?.(options, context);
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
});
collect("dist/validators/metafile-cjs.json");
for (const name of readdirSync("dist/validators")) wrap(`dist/validators/${name}`);
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});

compile([
  "skillctl-run",
  "skillctl-shelf",
  "skillctl-runtime-debug",
  "skillctl-debug-check",
  "validators/runtime-debug.schemas",
  "skillctl-main",
]);

compile(
  ["skillctl-guard", "skillctl-shell", "skillctl-debug-gate", "skillctl-main"],
  exampleEvent('for f in *.ts; do grep -n "$f" a | head > b; done'),
);

writeFileSync("dist/THIRD-PARTY-NOTICES.txt", noticesOf(bundled));
chmodSync("dist/skillctl.cjs", 0o755);

/** A CommonJS file: Node starts it a twentieth sooner than an ES module. */
async function program(source: string, name: string, own?: Beside): Promise<void> {
  await build({
    ...common,
    entry: { [name]: source },
    format: "cjs",
    outExtension: () => ({ js: ".cjs" }),
    splitting: false,
    esbuildPlugins: [onDemand(entries, BESIDE, own), lateRules("dist")],
    esbuildOptions: (options, context) => {
      common.esbuildOptions?.(options, context);
      // Names stay, so that a stack can be read.
      options.minifyWhitespace = true;
      options.minifySyntax = true;
      options.define = { "import.meta.url": "ownFile.url", "import.meta.dirname": "__dirname" };
      options.banner = { js: OWN_URL };
    },
  });
  if (name !== "skillctl") wrap(`dist/${name}.cjs`);
  collect("dist/metafile-cjs.json");
}

/**
 * Makes a file one of those that `core/adapters/compiled-file.ts` requires: they cannot import by themselves, and are
 * handed a function that does. What they take from node:fs is not copied first, name by name. Letters beyond ASCII are
 * escaped: one alone would double the text in memory. By now they stand only in regular expressions, and in raw texts,
 * where an escape would be taken for what it is.
 */
function wrap(file: string): void {
  const text = readFileSync(file, "utf8")
    .replace(/^#!.*\n/, "")
    .replaceAll(/(?<![\w$.])import\(/g, "importHere(")
    .replaceAll('__toESM(require("node:fs"),1)', 'require("node:fs")')
    .replaceAll(/String\.raw`[^`]*`/g, (raw) =>
      raw.replaceAll(BEYOND_ASCII, (unit) => `\${"${escaped(unit)}"}`),
    )
    .replaceAll(BEYOND_ASCII, escaped);
  writeFileSync(file, `${HEAD}${text}${TAIL}`);
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Keeps the compiled form of files of the program. In a home of its own, since it runs the program. */
function compile(names: readonly string[], event?: string): void {
  const files = names.map((name) => `dist/${name}.cjs`);
  const words = [
    "--import",
    "tsx",
    "scripts/compile.ts",
    ...(event === undefined ? [] : ["guard"]),
    ...files,
  ];
  const home = resolve(".build/home");
  execFileSync(process.execPath, words, {
    input: event ?? "",
    stdio: ["pipe", "ignore", "inherit"],
    env: { ...process.env, HOME: home },
  });
}

/** Notes which packages went into a build; the next one overwrites what it says of itself. */
function collect(metafile: string): void {
  for (const folder of packagesIn(metafile)) bundled.add(folder);
  rmSync(metafile);
}
