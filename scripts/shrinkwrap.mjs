/**
 * Writes `npm-shrinkwrap.json` for the package that is packed: the exact versions and hashes of its dependencies, from
 * `package-lock.json`, so that an installation gets the dependencies that were tested. It names no registry. In the repository it
 * would replace the lock file, so it exists only while npm packs.
 *
 *   node scripts/shrinkwrap.mjs [--remove]
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";

const path = new URL("../npm-shrinkwrap.json", import.meta.url);

if (process.argv.includes("--remove")) rmSync(path, { force: true });
else {
  const lock = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
  const {
    "": { devDependencies: _, ...root },
    ...packages
  } = lock.packages;
  const running = Object.entries(packages).filter(([, { dev }]) => dev !== true);
  const shrunk = { ...lock, packages: { "": root, ...Object.fromEntries(running) } };
  writeFileSync(path, `${JSON.stringify(shrunk, undefined, 2)}\n`);
}
