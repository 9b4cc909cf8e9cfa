/** The imports, compared with the table in layers.ts. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, test } from "node:test";
import { LAYERS } from "./layers.ts";
import { ROOT } from "./harness.ts";
import {
  circles,
  circlesOf,
  foldersBothWays,
  importsOf,
  reachable,
  unusedPackages,
  violations,
} from "./layer-rules.ts";

function sources(places: readonly string[]): ReadonlyMap<string, string> {
  const files = places.flatMap((place) =>
    readdirSync(join(ROOT, place), { recursive: true, encoding: "utf8" })
      .map((path) => `${place}/${path.split(sep).join("/")}`)
      .filter((path) => path.endsWith(".ts")),
  );
  return new Map(files.sort().map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
}

const ALL = sources(["core", "plugins", "bin"]);
/** The product: all files that the doors and the program import, directly or not. The rest is tests and their helpers. */
const CODE = reachable(ALL, [
  "core/index.ts",
  "core/host.ts",
  "core/ai.ts",
  "core/testing.ts",
  "plugins/index.ts",
  "bin/skillctl.ts",
]);
const TESTS = new Map([...ALL].filter(([path]) => !CODE.has(path)));

describe("the layers", () => {
  test("every file imports only what the table allows its layer", () => {
    assert.deepEqual(violations(CODE), []);
  });

  test("no imports form a cycle, types and dynamic imports included", () => {
    assert.deepEqual(circles(CODE), []);
  });

  test("no two folders inside a plugin import each other", () => {
    assert.deepEqual(foldersBothWays(CODE), []);
    const planted = new Map([
      ["plugins/a/b/c.ts", 'import "../d/e.ts";'],
      ["plugins/a/d/e.ts", 'import "../b/c.ts";'],
    ]);
    assert.deepEqual(foldersBothWays(planted), ["plugins/a/b <-> plugins/a/d"]);
  });

  test("the table allows imports in one direction only", () => {
    const edges = new Map(Object.entries(LAYERS).map(([layer, { from }]) => [layer, from]));
    assert.deepEqual(circlesOf(edges), []);
  });

  test("the layers contain most of the code, and no test", () => {
    assert.ok(CODE.size > ALL.size / 3);
    assert.deepEqual(
      [...CODE.keys()].filter((path) => path.endsWith(".test.ts")),
      [],
    );
  });

  test("every layer of the table has a file", () => {
    const empty = Object.keys(LAYERS).filter(
      (layer) => ![...CODE.keys()].some((path) => path === layer || path.startsWith(`${layer}/`)),
    );
    assert.deepEqual(empty, []);
  });

  test("every package that the table allows a layer is imported by a file of that layer", () => {
    assert.deepEqual(unusedPackages(CODE), []);
  });

  test("only the adapters create a require function, tests included", () => {
    const makers = [...ALL]
      .filter(([, source]) => importsOf(source).some(({ kind }) => kind === "require"))
      .map(([file]) => file);
    assert.deepEqual(
      makers.filter((file) => !file.startsWith("core/adapters/")),
      [],
    );
    assert.ok(makers.length > 0);
  });

  test("the core and the tests beside its source import no plugin, and no plugin imports another", () => {
    for (const [file, source] of [...CODE, ...TESTS]) {
      for (const { specifier = "" } of importsOf(source)) {
        const path = specifier.startsWith(".") ? join(file, "..", specifier).split(sep).join("/") : specifier;
        // Tests through the doors, in a folder `tests`, host the built-in skills.
        if (file.startsWith("core/") && !file.includes("/tests/"))
          assert.ok(!path.startsWith("plugins/") && path !== "skillctl/skills", `${file} imports ${path}`);
        const [, own] = file.split("/");
        if (/^plugins\/[^/]+\/(?!tests\/)/.test(file)) {
          assert.ok(
            !path.startsWith("plugins/") || path.startsWith(`plugins/${own}/`) || path === "plugins/ports.ts",
            `${file} imports ${path}`,
          );
          assert.ok(!path.startsWith("core/"), `${file} imports ${path} by path`);
        }
      }
    }
  });

  test("only login-proxy names the folder that holds the token", () => {
    const named = [...CODE].filter(([, source]) => /["'`][^"'`\n]*\.svc-login/i.test(source));
    assert.deepEqual(
      named.map(([file]) => file).filter((file) => !file.startsWith("plugins/login-proxy/")),
      [],
    );
  });

  test("only core/git looks up the program git", () => {
    const callers = [...CODE].filter(([, source]) => /find\(["'`]git["'`]/.test(source));
    assert.deepEqual(
      callers.map(([file]) => file),
      ["core/git/git.ts"],
    );
  });

  test("only servers, adapters, clients of debuggers and the runner of commands open files, processes and sockets", () => {
    const world = /^(?:node:)?(fs|http|https|net|tls|dgram|child_process|worker_threads|cluster)(\/|$)/;
    const holders = [...CODE].filter(([, source]) =>
      importsOf(source).some(({ specifier = "" }) => world.test(specifier)),
    );
    const outside = holders
      .map(([file]) => file)
      .filter(
        (file) =>
          !/^core\/(adapters|surfaces\/http)\/|\/(observe\/(adapter|keeper)|reproduce\/command-run)\.ts$/.test(
            file,
          ),
      );
    assert.deepEqual(outside, []);
  });
});

describe("the checker itself", () => {
  const planted = (path: string, source: string) => violations(new Map([[path, source]]));

  const forbidden: readonly (readonly [string, string, RegExp])[] = [
    [
      "core/guard.ts",
      'const { readFileSync } = process.getBuiltinModule("node:fs");',
      /imports the package node:fs\./,
    ],
    [
      "plugins/login-proxy/plugin.ts",
      "globalThis.process?.['getBuiltinModule']?.('node:child_process');",
      /imports the package node:child_process\./,
    ],
    ["plugins/login-proxy/plugin.ts", 'process.getBuiltinModule("node:" + "fs");', /imports a computed path/],
    ["plugins/login-proxy/plugin.ts", "const { getBuiltinModule: a } = process;", /imports a computed path/],
    [
      "plugins/login-proxy/plugin.ts",
      'import { createRequire as a } from "node:module"; a(import.meta.url)("node:fs");',
      /imports the package node:module\.[\s\S]*creates a require function/,
    ],
    [
      "plugins/music-gateway/plugin.ts",
      'process.getBuiltinModule("node:module").createRequire(import.meta.url)("ky");',
      /imports the package node:module\.[\s\S]*creates a require function/,
    ],
    ["core/runner.ts", "module.createRequire(path);", /core\/runner\.ts creates a require function/],
    ["core/guard.ts", 'import { a } from "./runner.ts";', /core\/guard\.ts imports core\/runner\.ts/],
    [
      "core/guard.ts",
      'import type { A } from "../plugins/login-proxy/plugin.ts";',
      /imports plugins\/login-proxy/,
    ],
    ["core/ports/clock.ts", 'import fs from "node:fs";', /imports the package node:fs/],
    ["plugins/login-proxy/plugin.ts", 'const a = await import("fastify");', /imports the package fastify/],
    [
      "plugins/login-proxy/plugin.ts",
      'type A = import("../music-analysis/plugin.ts").A;',
      /imports plugins\/music-analysis\/plugin\.ts/,
    ],
    [
      "plugins/login-proxy/plugin.ts",
      'export { a } from "../../core/index.ts2";',
      /imports core\/index\.ts2/,
    ],
    ["plugins/login-proxy/plugin.ts", 'import { Host } from "skillctl/host";', /imports core\/host\.ts/],
    ["core/surfaces/http/server.ts", 'import "../cli/main.ts";', /imports core\/surfaces\/cli\/main\.ts/],
    ["core/host.ts", 'import { a } from "./surfaces/http/server.ts";', /statically/],
    ["core/runner.ts", "await import(path);", /imports a computed path/],
    ["core/new-layer.ts", "", /is in no layer/],
  ];
  test("finds every forbidden import", () => {
    for (const [path, source, pattern] of forbidden) {
      assert.match(planted(path, source).join("\n"), pattern, `${path}: ${source}`);
    }
  });

  test("ignores comments, strings, templates and regular expressions", () => {
    const source = [
      '// import "node:fs";',
      '/* export * from "fastify"; */',
      'const text = "import(\\"ky\\")";',
      'const made = `import "ky"; ${[1].map((n) => `${n} import("ky")`).join()} from "ky"`;',
      'const pattern = /import "ky"/u.test("a") ? 4 / 2 : 6 / 3;',
      'const { import: a } = { import: 1 }; const b = { "from": "ky" };',
      'export const from = "ky";',
    ].join("\n");
    assert.deepEqual(planted("core/contract.ts", source), []);
  });

  test("lets adapters import modules of Node and create a require function", () => {
    const source = `import { createRequire } from "node:module";
const { readFileSync } = process.getBuiltinModule("node:fs");
const { resolve } = createRequire(import.meta.url);`;
    assert.deepEqual(planted("core/adapters/files.ts", source), []);
  });

  test("finds a package that is allowed but not used", () => {
    const layers = { "core/a.ts": { from: [], packages: ["node:os", "node:util", "ajv*"] } };
    const source = 'import "node:os"; process.getBuiltinModule("ajv-formats");';
    assert.deepEqual(unusedPackages(new Map([["core/a.ts", source]]), layers), ["core/a.ts node:util"]);
  });

  test("reads each form of import once, with its kind", () => {
    const source = [
      'import a, { b as c, type D } from "one";',
      'import type { E } from "two";',
      'import "three";',
      'export * as f from "four";',
      'export type { G } from "five";',
      'const h = async () => (await import("six")).default;',
      'let i: typeof import("seven");',
      'import type from "eight";',
      'const { l } = process.getBuiltinModule("nine");',
      'import j from "./k.json" with { type: "json" };',
      "const url = import.meta.url;",
    ].join("\n");
    assert.deepEqual(
      importsOf(source).map(({ specifier, kind }) => `${specifier} ${kind}`),
      [
        "one static",
        "two type",
        "three static",
        "four static",
        "five type",
        "six dynamic",
        "seven dynamic",
        "eight static",
        "nine builtin",
        "./k.json static",
      ],
    );
  });

  test("finds a cycle and lists its members", () => {
    const two = new Map([
      ["core/a.ts", 'import "./b.ts";'],
      ["core/b.ts", 'import type { C } from "./c.ts";'],
      ["core/c.ts", 'void import("./a.ts");'],
    ]);
    assert.deepEqual(circles(two), [["core/a.ts", "core/b.ts", "core/c.ts", "core/a.ts"]]);
  });
});
