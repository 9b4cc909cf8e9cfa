/** Every command of the README and of the examples in docs/music-analysis.md, typed in a separate folder and home; its picture; links and the index of docs/. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { picture } from "../scripts/picture.ts";
import { PROGRAM, variablesOf } from "./command-line.ts";
import { ROOT } from "./harness.ts";

const README = readFileSync(join(ROOT, "README.md"), "utf8");
const QUESTIONS = readFileSync(join(ROOT, "docs", "music-analysis.md"), "utf8");
const blocks = (language: string, page = README): readonly string[] =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, one]) => one === language)
    .map(([, , text = ""]) => text);
const COMMANDS = [...blocks("sh"), ...blocks("sh", QUESTIONS)].flatMap((block) => block.trim().split("\n"));
/** Commands that run until they are ended. */
const SERVES = /^skillctl serve\b/;
/** CI runs them: an installation, and the tests, which include this one. */
const NPM = /^npm (?:ci|test)\b/;

const folder = await realpath(await mkdtemp(join(tmpdir(), "skillctl-readme-")));
after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Runs a shell line to its end; a server is ended as soon as it prints something. */
async function typed(line: string, cwd: string): Promise<readonly [status: number | null, said: string]> {
  const variables = variablesOf(folder);
  const PATH = `${join(folder, "bin")}${delimiter}${variables["PATH"]}`;
  const child = spawn("sh", ["-c", `exec ${line}`], {
    cwd,
    env: { ...variables, PATH },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = once(child, "close");
  if (SERVES.test(line)) {
    await once(child.stdout, "data");
    child.kill("SIGTERM");
  }
  const [status] = (await ended) as [number | null];
  return [status, said];
}

describe("the README", () => {
  before(async () => {
    for (const name of ["bin", "Downloads", "work"]) await mkdir(join(folder, name));
    const program = [process.execPath, ...PROGRAM].map((word) => `'${word}'`).join(" ");
    await writeFile(join(folder, "bin", "skillctl"), `#!/bin/sh\nexec ${program} "$@"\n`);
    await chmod(join(folder, "bin", "skillctl"), 0o755);
    await cp(join(ROOT, "skills", "music-gateway", "sample"), join(folder, "Downloads"), { recursive: true });
  });

  test("has commands, and is under 110 lines", () => {
    assert.ok(COMMANDS.length > 15);
    assert.ok(README.trimEnd().split("\n").length < 110);
  });

  for (const line of COMMANDS.filter((one) => !NPM.test(one))) {
    const [command = ""] = line.split(/ +#/);
    test(`${command} does what it says`, async () => {
      const [status, said] = await typed(command, join(folder, "work"));
      assert.equal(status, 0, said);
    });
  }

  test("every npm command of the README is run by .ci/run", () => {
    const checks = readFileSync(join(ROOT, ".ci", "run"), "utf8");
    for (const line of COMMANDS.filter((one) => NPM.test(one)))
      for (const part of line.split(" && ")) assert.ok(checks.includes(part), part);
  });

  test("the example of an embedding program runs", async () => {
    const [source = ""] = blocks("js");
    const own = join(folder, "own");
    await mkdir(join(own, "node_modules"), { recursive: true });
    await symlink(ROOT, join(own, "node_modules", "skillctl"), "junction");
    await writeFile(join(own, "a.mjs"), `${source}console.log(typeof answer.text);\n`);
    const [status, said] = await typed(`'${process.execPath}' a.mjs`, own);
    assert.equal(status, 0, said);
    assert.match(said, /^string$/m);
  });

  test("its picture shows commands that its script types, and is well-formed", async () => {
    const typedIn = (svg: string) => svg.match(/(?<=>)\$ skillctl [^<]*/g);
    const drawn = await picture();
    assert.deepEqual(typedIn(readFileSync(join(ROOT, "docs", "session.svg"), "utf8")), typedIn(drawn));
    assert.match(drawn, /^<svg [^>]*>\n<rect [^>]*\/>\n(?:<text [^>]*>[^<]*<\/text>\n){15,}<\/svg>\n$/);
  });
});

const PAGES = ["README.md", "SECURITY.md", "AGENTS.md", "CONTRIBUTING.md"].concat(
  readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
);

/** The names under which links reach the headings of a page. */
const anchors = (path: string): readonly string[] =>
  [
    ...readFileSync(path, "utf8")
      .replaceAll(/^```.*?^```$/gms, "")
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

test("every link of a page leads to a file, and to a heading that it names", () => {
  const broken = PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(/\]\(([^)#:\s]*)(?:#([^)]*))?\)/g)]
      .filter(([, target = "", anchor]) => {
        const path = target === "" ? join(ROOT, page) : join(ROOT, dirname(page), target);
        return !existsSync(path) || (anchor !== undefined && !anchors(path).includes(anchor));
      })
      .map(([link]) => `${page}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

test("the index of docs/ names every page", () => {
  const index = readFileSync(join(ROOT, "docs", "README.md"), "utf8");
  const pages = PAGES.filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
  assert.deepEqual(
    pages.filter((page) => !index.includes(`(${page.replace("docs/", "")})`)),
    [],
  );
});
