/** The whole build: validators, JavaScript, declarations, licences of what was bundled. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { build } from "tsup";
import config from "../tsup.config.ts";
import { onDemandOutside } from "./hot-entry.ts";
import { noticesOf } from "./notices.ts";
import { validatorModules } from "./validators.ts";

const DOORS = {
  index: "core/index.ts",
  host: "core/host.ts",
  testing: "core/testing.ts",
  skills: "plugins/index.ts",
};
const VALIDATORS = ".build/validators";

rmSync(".build", { recursive: true, force: true });
rmSync("dist", { recursive: true, force: true });
mkdirSync(VALIDATORS, { recursive: true });
for (const [skill, source] of validatorModules()) writeFileSync(`${VALIDATORS}/${skill}.js`, source);

if (typeof config === "function" || Array.isArray(config))
  throw new TypeError("tsup.config.ts is one plain object.");
const onDemand = new Map<string, string>();
await build({
  ...config,
  config: false,
  entry: { skillctl: "bin/skillctl.ts" },
  splitting: false,
  esbuildPlugins: [onDemandOutside(onDemand)],
});
await build({ ...config, config: false, entry: { ...DOORS, ...Object.fromEntries(onDemand) } });
await build({ ...config, config: false, entry: [`${VALIDATORS}/*.js`], outDir: "dist/validators" });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});

const METAFILES = ["dist/metafile-esm.json", "dist/validators/metafile-esm.json"];
writeFileSync("dist/THIRD-PARTY-NOTICES.txt", noticesOf(METAFILES));
for (const path of METAFILES) rmSync(path);

chmodSync("dist/skillctl.js", 0o755);
