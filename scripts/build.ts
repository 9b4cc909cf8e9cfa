/** The whole build: validators, JavaScript, declarations, licences of what was bundled. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { build, type Options } from "tsup";
import config from "../tsup.config.ts";
import { noticesOf } from "./notices.ts";
import { onDemandOutside } from "./on-demand-outside.ts";
import { validatorModules } from "./validators.ts";

const DOORS = {
  index: "core/index.ts",
  host: "core/host.ts",
  testing: "core/testing.ts",
  skills: "plugins/index.ts",
};
/** What `list` and `run` load on demand comes with the program all the same: it is parsed only when it is called. */
const WITH_THE_PROGRAM = [
  "core/host.ts",
  "core/adapters/files.ts",
  "core/adapters/foreign-skills.ts",
  "core/adapters/log.ts",
  "core/surfaces/cli/failure.ts",
  "core/surfaces/cli/schema-files.ts",
  "core/surfaces/cli/shelf.ts",
  "core/surfaces/cli/verbs/run.ts",
  "core/surfaces/cli/words.ts",
];
const VALIDATORS = ".build/validators";
const METAFILES = ["dist/metafile-cjs.json", "dist/metafile-esm.json", "dist/validators/metafile-esm.json"];

const common: Options = { ...config, config: false };
const onDemand = new Map<string, string>();

rmSync(".build", { recursive: true, force: true });
rmSync("dist", { recursive: true, force: true });
mkdirSync(VALIDATORS, { recursive: true });
for (const [skill, source] of validatorModules()) writeFileSync(`${VALIDATORS}/${skill}.js`, source);

await build({
  ...common,
  entry: { skillctl: "bin/skillctl.ts" },
  format: "cjs",
  outExtension: () => ({ js: ".cjs" }),
  splitting: false,
  esbuildPlugins: [onDemandOutside(onDemand, WITH_THE_PROGRAM)],
  esbuildOptions: (options, context) => {
    common.esbuildOptions?.(options, context);
    // Names stay, so that a stack can be read.
    options.minifyWhitespace = true;
    options.minifySyntax = true;
    options.define = { "import.meta.url": "here" };
    options.banner = { js: 'const here = require("node:url").pathToFileURL(__filename).href;' };
  },
});
await build({ ...common, entry: { ...DOORS, ...Object.fromEntries(onDemand) } });
await build({ ...common, entry: [`${VALIDATORS}/*.js`], outDir: "dist/validators" });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});

writeFileSync("dist/THIRD-PARTY-NOTICES.txt", noticesOf(METAFILES));
for (const path of METAFILES) rmSync(path);
chmodSync("dist/skillctl.cjs", 0o755);
