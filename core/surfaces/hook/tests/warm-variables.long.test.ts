/** Whatever of the environment decides something is sent to the warm host: else it would answer for another environment. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sentVariables } from "../warm/dispatcher.ts";
import { ROOT, SKILLS } from "../../../../contract-tests/harness.ts";

/** What only says how output looks, what only Windows has, where no warm host is, and what only other verbs ask for. */
const BESIDE = ["APPDATA", "CI", "LOCALAPPDATA", "NO_COLOR", "TERM"];
const READ = /(?:\bvariable\(|\bvariables\[)"([A-Z_]+)"/g;

test("every variable that the code reads is sent, or decides nothing here", () => {
  const sent = new Set(
    sentVariables(SKILLS.flatMap(({ manifest }) => manifest.permissions?.environment ?? [])).split(" "),
  );
  const read = new Set<string>();
  for (const room of ["core", "plugins"])
    for (const path of readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" }))
      if (path.endsWith(".ts") && !/\.test\.ts$|fixture|testing/.test(path))
        for (const [, name = ""] of readFileSync(join(ROOT, room, path), "utf8").matchAll(READ))
          read.add(name);
  assert.ok(read.size > 8);
  const unsent = [...read].filter((name) => !sent.has(name) && !name.startsWith("SKILLCTL_"));
  assert.deepEqual(unsent.sort(), BESIDE);
});
