import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CODES, type CodeEntry } from "../core/errors/codes.ts";
import { ROOT, SKILLS } from "./harness.ts";

type Table = Readonly<Record<string, CodeEntry>>;

/** The tables of docs/errors.md by heading. */
function documented(): Readonly<Record<string, Table>> {
  const sections = readFileSync(join(ROOT, "docs", "errors.md"), "utf8")
    .split(/^## /m)
    .slice(1);
  return Object.fromEntries(
    sections.map((section) => {
      const rows = [
        ...section.matchAll(/^\| ([A-Z][A-Z0-9_]+) \| (\d+) \| (\d+) \| (user|system) \| (.+) \|$/gm),
      ];
      const table = rows.map(([, code, exit, http, fault, summary = ""]) => {
        const entry = {
          exit: Number(exit),
          http: Number(http),
          fault,
          summary: summary.replaceAll("\\|", "|"),
        };
        return [code, entry];
      });
      assert.equal(
        new Set(rows.map(([, code]) => code)).size,
        rows.length,
        "a code occurs twice in one table",
      );
      return [section.slice(0, section.indexOf("\n")), Object.fromEntries(table) as Table];
    }),
  );
}

/** The texts of the files below a folder, without tests. */
function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/test|fixture|errors\/codes\.ts/.test(path))
    .map((path) => readFileSync(join(folder, path), "utf8"));
}

const written: Readonly<Record<string, Table>> = {
  skillctl: CODES,
  ...Object.fromEntries(SKILLS.map(({ manifest }) => [manifest.name, manifest.errors ?? {}])),
};

for (const [owner, table] of Object.entries(written)) {
  test(`docs/errors.md has exactly the codes of ${owner}, with exit status, HTTP status, fault and summary`, () => {
    assert.deepEqual(documented()[owner] ?? {}, table);
  });
}

test("each table of docs/errors.md belongs to the core or to an existing skill", () => {
  assert.deepEqual(
    Object.keys(documented()).filter((owner) => !(owner in written)),
    [],
  );
});

test("no two skills declare the same code, and no skill declares a code of the core", () => {
  const codes = Object.values(written).flatMap((table) => Object.keys(table));
  assert.deepEqual(
    codes.filter((code, index) => codes.indexOf(code) !== index),
    [],
  );
});

test("every code that a command declares is in a table", () => {
  for (const { manifest } of SKILLS) {
    for (const [name, { errors = [], exitStatus = {} }] of Object.entries(manifest.commands ?? {})) {
      for (const code of [...errors, ...Object.keys(exitStatus)]) {
        const known = code === "other" || code in CODES || code in (manifest.errors ?? {});
        assert.ok(known, `${manifest.name} ${name}: ${code}`);
      }
    }
  }
});

test("every thrown code is in a table, and every code of a table is thrown", () => {
  const known = new Set(Object.values(written).flatMap((table) => Object.keys(table)));
  const sources = ["core", "plugins"].flatMap((folder) => sourcesBelow(join(ROOT, folder)));
  const thrown = sources.flatMap((text) =>
    [...text.matchAll(/new SkillError\(\s*"(\w+)"/g)].map(([, code = ""]) => code),
  );
  assert.deepEqual([...new Set(thrown)].filter((code) => !known.has(code)).toSorted(), []);
  const words = new Set(sources.flatMap((text) => text.match(/\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*\b/g) ?? []));
  assert.deepEqual([...known].filter((code) => !words.has(code)).toSorted(), []);
});

test("exit statuses suit a shell, HTTP statuses are those of errors, and system faults are not client errors", () => {
  for (const [code, { exit, http, fault }] of Object.values(written).flatMap((table) =>
    Object.entries(table),
  )) {
    assert.ok(exit >= 1 && exit <= 130, `${code}: ${exit}`);
    assert.ok(http >= (fault === "system" ? 500 : 400) && http <= 599, `${code}: ${http}`);
  }
});
