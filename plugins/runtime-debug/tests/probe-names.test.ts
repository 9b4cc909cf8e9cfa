/** Names that probes once used themselves are reported with the program's values; all names are in the long suite. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { assertNamed, NODE, SHELLS } from "./probes/names.ts";

const NAMES = [..."abcdefghijklmnopqrstuvwxyz", "ok", "hB", "id", "fs"];

test("a probe in Node reports the values of its program's short names", (t) => assertNamed(t, NODE, NAMES));

test("a probe in the shell reports the values of its program's short names", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-curl-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // The suite knows no curl: this one sends what it is given.
  const curl = `#!${process.execPath}\nfetch(process.argv.at(-1), { method: "POST", body: require("fs").readFileSync(0) });\n`;
  await writeFile(join(folder, "curl"), curl, { mode: 0o755 });
  const [sh] = SHELLS;
  if (sh) await assertNamed(t, sh, NAMES, `${folder}${delimiter}${process.env["PATH"] ?? ""}`);
});
