/** The whole build: validators, JavaScript, declarations. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { build } from "tsup";
import config from "../tsup.config.ts";
import { validatorModules } from "./validators.ts";

const VALIDATORS = ".build/validators";

rmSync(".build", { recursive: true, force: true });
rmSync("dist", { recursive: true, force: true });
mkdirSync(VALIDATORS, { recursive: true });
for (const [skill, source] of validatorModules()) writeFileSync(`${VALIDATORS}/${skill}.js`, source);

if (typeof config === "function" || Array.isArray(config))
  throw new TypeError("tsup.config.ts is one plain object.");
await build({ ...config, config: false });
await build({ ...config, config: false, entry: [`${VALIDATORS}/*.js`], outDir: "dist/validators" });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});

chmodSync("dist/skillctl.js", 0o755);
