#!/usr/bin/env node
/** Starts the program that `npm ci` built, in the repository and in the installed package alike. */
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const program = join(__dirname, "..", "dist", "skillctl.cjs");
if (existsSync(program)) require(program);
else {
  process.stderr.write(`skillctl is not built: ${program} is missing.\nhint: Run: npm ci\n`);
  process.exitCode = 70;
}
