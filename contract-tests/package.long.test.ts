/** The package: what is in it, what it weighs, and its declarations as a consumer compiles against them. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, lstatSync, readFileSync, readdirSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { ROOT } from "./harness.ts";

const CONSUMER = `import { CLOCK, SkillError, inject, injectable, type Call, type Clock } from "skillctl";
import { aiTools, anthropicTools, openaiTools } from "skillctl/ai";
import { createHost, mcpHandler, serveMcp } from "skillctl/host";
import { builtinSkills } from "skillctl/skills";
import { contractTests, createTestHost } from "skillctl/testing";
@injectable()
export class Tell { constructor(@inject(CLOCK) readonly clock: Clock) {} run(_: unknown, { signal }: Call) { return signal.aborted; } }
const host = await createHost({ skills: builtinSkills() });
export const text: string = (await host.run({ skill: "music-analysis", input: { question: "x" } })).text;
// @ts-expect-error
export const none = (await host.run({ skill: "login-proxy", command: "status" })).nothing;
export const tools = [await aiTools(host), await anthropicTools(host), await openaiTools(host)];
export const answer = async (request: Request): Promise<Response> => (await mcpHandler(host)).fetch(request);
export const all = [SkillError, createHost, serveMcp, builtinSkills, contractTests, createTestHost];
`;

const OPTIONS = {
  target: "es2023",
  lib: ["es2023", "esnext.disposable"],
  module: "nodenext",
  strict: true,
  noEmit: true,
  experimentalDecorators: true,
  skipLibCheck: false,
};

const run = promisify(execFile);

/** The compiler's messages on a consumer in a separate folder; empty if there are none. Libraries are checked too. */
async function compiled(source: string, types: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-types-"));
  const packed = join(folder, "node_modules", "skillctl");
  try {
    await mkdir(packed, { recursive: true });
    await cp(join(ROOT, "package.json"), join(packed, "package.json"));
    await cp(join(ROOT, "dist", "types"), join(packed, "dist", "types"), { recursive: true });
    await mkdir(join(folder, "node_modules", "@types"));
    for (const name of types.length > 0 ? ["@types/node", "undici-types"] : [])
      await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name), "junction");
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const settings = { compilerOptions: { ...OPTIONS, types }, files: ["a.ts"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
    await writeFile(join(folder, "a.ts"), source);
    const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    return await run(process.execPath, [compiler, "-p", folder], { cwd: folder }).then(
      () => "",
      ({ stdout, message }: { readonly stdout: string; readonly message: string }) => stdout || message,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("a consumer compiles without an error, with the types of Node and without", async () => {
  const types = join(ROOT, "dist", "types", "core", "index.d.ts");
  assert.ok(existsSync(types), `${types} is missing: run \`npm run build\` before this test.`);
  assert.equal(await compiled(CONSUMER, ["node"]), "");
  assert.equal(await compiled(CONSUMER, []), "");
});

test("control: the compiler reports a wrong use of the declarations", async () => {
  const wrong = `${CONSUMER}export const wrong: number = new SkillError("A", "b").code;\n`;
  assert.match(await compiled(wrong, ["node"]), /^a\.ts\(15,14\): error TS2322/);
});

test("no file of the package names the folder it was built in, and every bundled package has its licence", async () => {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: ROOT });
  const [{ files }] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
  assert.ok(files.length > 100);
  const telling = files.filter(({ path }) => readFileSync(join(ROOT, path)).includes(ROOT));
  assert.deepEqual(telling, []);
  const notices = readFileSync(join(ROOT, "dist", "THIRD-PARTY-NOTICES.txt"), "utf8").split("-".repeat(80));
  for (const notice of notices.slice(1)) assert.match(notice, /permission|licen[cs]e/i);
});

test("the npm package pins its dependencies by version and hash, and names no registry", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-pack-"));
  try {
    // `npm pack` itself would build again, while other tests use the build.
    await run("npm", ["run", "prepack"], { cwd: ROOT });
    const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
    const { stdout } = await run("npm", words, { cwd: ROOT });
    await run("npm", ["run", "postpack"], { cwd: ROOT });
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf("[\n"))) as [{ readonly filename: string }];
    await run("tar", ["-xf", join(folder, filename), "-C", folder]);
    const text = readFileSync(join(folder, "package", "npm-shrinkwrap.json"), "utf8");
    const { packages } = JSON.parse(text) as Lock;
    const { packages: locked } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as Lock;
    const { dependencies = {}, devDependencies } = packages[""] ?? {};
    assert.equal(devDependencies, undefined);
    assert.deepEqual(dependencies, locked[""]?.dependencies);
    for (const name of Object.keys(dependencies))
      assert.deepEqual(packages[`node_modules/${name}`], locked[`node_modules/${name}`]);
    assert.doesNotMatch(text, /"resolved"|"dev": true|https?:\/\/registry/);
    assert.ok(!existsSync(join(ROOT, "npm-shrinkwrap.json")));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** The parts of an npm lock file that the test reads. */
interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      { readonly dependencies?: Readonly<Record<string, string>>; readonly devDependencies?: object }
    >
  >;
}

test("the package without its optional parts takes less than 30 MB", async () => {
  const words = ["ls", "--all", "--parseable", "--omit=dev", "--omit=optional"];
  const { stdout } = await run("npm", words, { cwd: ROOT });
  const packages = stdout.trim().split("\n").slice(1);
  assert.ok(packages.length > 20);
  const own = ["bin", "dist", "docs", "schemas", "skills"].map((name) => join(ROOT, name));
  const bytes = [...packages, ...own].reduce((sum, folder) => sum + sizeOf(folder), 0);
  assert.ok(bytes < 30_000_000, `${bytes} bytes`);
});

/** On the disk, in blocks of 4 KiB; packages inside a package are counted separately. */
function sizeOf(path: string): number {
  const entry = lstatSync(path);
  if (!entry.isDirectory()) return Math.ceil(entry.size / 4096) * 4096;
  const names = readdirSync(path).filter((name) => name !== "node_modules");
  return names.reduce((sum, name) => sum + sizeOf(join(path, name)), 4096);
}
