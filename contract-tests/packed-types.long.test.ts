/** The declarations of the package, as a consumer compiles against them who does not skip the check of libraries. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./harness.ts";

const CONSUMER = `import { CLOCK, SkillError, inject, injectable, type Clock } from "skillctl";
import { createHost } from "skillctl/host";
import { builtinSkills } from "skillctl/skills";
import { contractTests, createTestHost } from "skillctl/testing";
@injectable()
export class Tell { constructor(@inject(CLOCK) readonly clock: Clock) {} }
export const all = [SkillError, createHost, builtinSkills, contractTests, createTestHost];
`;

const OPTIONS = {
  target: "es2023",
  lib: ["es2023", "esnext.disposable"],
  module: "nodenext",
  types: ["node"],
  strict: true,
  noEmit: true,
  experimentalDecorators: true,
  skipLibCheck: false,
};

/** What the compiler says of a consumer in a folder of its own; empty when all is well. */
async function compiled(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-types-"));
  const packed = join(folder, "node_modules", "skillctl");
  try {
    await mkdir(packed, { recursive: true });
    await cp(join(ROOT, "package.json"), join(packed, "package.json"));
    await cp(join(ROOT, "dist", "types"), join(packed, "dist", "types"), { recursive: true });
    // Of the packages in this repository the consumer has what skillctl depends on, and the types of node.
    await mkdir(join(folder, "node_modules", "@types"));
    for (const name of ["fastify", "ky", "@types/node", "undici-types"])
      await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name), "junction");
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: OPTIONS, files: ["a.ts"] }),
    );
    await writeFile(join(folder, "a.ts"), source);
    const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    return await new Promise((resolve) =>
      execFile(process.execPath, [compiler, "-p", folder], { cwd: folder }, (failure, out, err) =>
        resolve(failure ? `${out}${err}` || failure.message : ""),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("a consumer of the packed declarations compiles without an error, libraries checked too", async () => {
  const types = join(ROOT, "dist", "types", "core", "index.d.ts");
  assert.ok(existsSync(types), `${types} is missing: run \`npm run build\` before this test.`);
  assert.equal(await compiled(CONSUMER), "");
});

test("and the compiler does see the declarations: a wrong use of them is an error", async () => {
  const wrong = `${CONSUMER}export const wrong: number = new SkillError("A", "b").code;\n`;
  assert.match(await compiled(wrong), /^a\.ts\(8,14\): error TS2322/);
});
