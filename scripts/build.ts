/** The whole build: validators, JavaScript, declarations, and the link that lets npx find the program. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";
import config from "../tsup.config.ts";
import { validatorModules } from "./validators.ts";

const VALIDATORS = ".build/validators";

rmSync(".build", { recursive: true, force: true });
rmSync("dist", { recursive: true, force: true });
mkdirSync(VALIDATORS, { recursive: true });
for (const [skill, source] of validatorModules()) writeFileSync(`${VALIDATORS}/${skill}.js`, source);

if (typeof config === "function" || Array.isArray(config)) throw new TypeError("tsup.config.ts is one plain object.");
await build({ ...config, config: false });
await build({ ...config, config: false, entry: [`${VALIDATORS}/*.js`], outDir: "dist/validators" });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" });

chmodSync("dist/skillctl.js", 0o755);
linkProgram();

/** `npm ci` links the programs of dependencies, not the package's own; npx looks there first. */
function linkProgram(): void {
  const link = join("node_modules", ".bin", "skillctl");
  if (process.platform === "win32" || existsSync(link)) return;
  mkdirSync(join("node_modules", ".bin"), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(join("..", "..", "dist", "skillctl.js"), link);
}
