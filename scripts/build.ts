/** The whole build: validators, JavaScript, declarations, licences of what was bundled. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { build, type Options } from "tsup";
import config from "../tsup.config.ts";
import { noticesOf } from "./notices.ts";
import { besideEntry, onDemand, type Beside } from "./on-demand.ts";
import { validatorModules } from "./validators.ts";

const DOORS = {
  index: "core/index.ts",
  host: "core/host.ts",
  testing: "core/testing.ts",
  skills: "plugins/index.ts",
};
/** What `run` needs at once and `list` does not: one second file beside the program. */
const BESIDE: Beside = new Map([
  ["core/host.ts", "host"],
  ["core/adapters/files.ts", "files"],
  ["core/adapters/foreign-skills.ts", "foreignSkills"],
  ["core/adapters/log.ts", "log"],
  ["core/surfaces/cli/failure.ts", "failure"],
  ["core/surfaces/cli/schema-files.ts", "schemaFiles"],
  ["core/surfaces/cli/verbs/run.ts", "run"],
  ["core/surfaces/cli/words.ts", "words"],
]);
const BESIDE_FILE = "./skillctl-run.cjs";
const VALIDATORS = ".build/validators";
const METAFILES = ["dist/metafile-cjs.json", "dist/metafile-esm.json", "dist/validators/metafile-esm.json"];

const common: Options = { ...config, config: false };
const entries = new Map<string, string>();

rmSync(".build", { recursive: true, force: true });
rmSync("dist", { recursive: true, force: true });
mkdirSync(VALIDATORS, { recursive: true });
for (const [skill, source] of validatorModules()) writeFileSync(`${VALIDATORS}/${skill}.js`, source);

writeFileSync(".build/skillctl-run.ts", besideEntry(BESIDE));
await program({ skillctl: "bin/skillctl.ts" }, onDemand(entries, BESIDE, BESIDE_FILE));
await program({ "skillctl-run": ".build/skillctl-run.ts" }, onDemand(entries, new Map(), BESIDE_FILE));
await build({ ...common, entry: { ...DOORS, ...Object.fromEntries(entries) } });
await build({ ...common, entry: [`${VALIDATORS}/*.js`], outDir: "dist/validators" });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});

writeFileSync("dist/THIRD-PARTY-NOTICES.txt", noticesOf(METAFILES));
for (const path of METAFILES) rmSync(path);
chmodSync("dist/skillctl.cjs", 0o755);

/** A CommonJS file: Node starts it a twentieth sooner than an ES module. */
async function program(entry: Record<string, string>, plugin: ReturnType<typeof onDemand>): Promise<void> {
  await build({
    ...common,
    entry,
    format: "cjs",
    outExtension: () => ({ js: ".cjs" }),
    splitting: false,
    esbuildPlugins: [plugin],
    esbuildOptions: (options, context) => {
      common.esbuildOptions?.(options, context);
      // Names stay, so that a stack can be read.
      options.minifyWhitespace = true;
      options.minifySyntax = true;
      options.define = { "import.meta.url": "here" };
      options.banner = { js: 'const here = require("node:url").pathToFileURL(__filename).href;' };
    },
  });
}
