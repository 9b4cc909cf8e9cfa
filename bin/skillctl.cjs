#!/usr/bin/env node
/** Starts the program that `npm ci` built, in the repository and in the installed package alike. */
const fs = require("node:fs");

const program = `${__dirname}/../dist/skillctl.cjs`;
if (fs.existsSync(program)) require(program);
else {
  process.stderr.write(`skillctl is not built: ${program} is missing.\nhint: Run: npm ci\n`);
  process.exitCode = 70;
}
