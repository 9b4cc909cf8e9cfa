import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { probeRegion } from "../plugins/runtime-debug/probes/probe-text.ts";

const FILES = 20_000;
const FILES_A_FOLDER = 20;
const BYTES_A_FILE = 5_600;
const INSTRUMENTED = 200;
/** Two a file, and one in the last. */
export const REGIONS = 2 * INSTRUMENTED - 1;
/** Lines of a function, and where in it a probe stands. */
const FUNCTION_LINES = 4;

/** Writes a project of code: 20,000 files, 112 MB. */
export function writeTree(root: string): void {
  for (let file = 0; file < FILES; file += 1) {
    const path = join(root, pathOf(file));
    if (file % FILES_A_FOLDER === 0) mkdirSync(dirname(path), { recursive: true });
    let text = "";
    for (let number = 0; text.length < BYTES_A_FILE; number += 1) text += functionText(file, number);
    writeFileSync(path, text);
  }
}

/** Puts probes into 200 of the files, and answers how to take them out again. */
export function instrument(root: string, session: string): () => void {
  const before = new Map<string, string>();
  for (let index = 0; index < INSTRUMENTED; index += 1) {
    const file = index * (FILES / INSTRUMENTED);
    const path = join(root, pathOf(file));
    const text = readFileSync(path, "utf8");
    before.set(path, text);
    const lines = text.split("\n");
    const regions = index === INSTRUMENTED - 1 ? 1 : 2;
    for (let number = regions - 1; number >= 0; number -= 1)
      lines.splice(number * FUNCTION_LINES + 1, 0, ...regionText(session, index, number));
    writeFileSync(path, lines.join("\n"));
  }
  return () => {
    for (const [path, text] of before) writeFileSync(path, text);
  };
}

/** Commits all of it. */
export function commit(root: string): void {
  const git = (...words: readonly string[]): void =>
    void execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@example.org", ...words], {
      cwd: root,
      stdio: "ignore",
    });
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "commit.gpgSign=false", "commit", "--quiet", "--message", "first");
}

/** Milliseconds that ripgrep takes to find them in the whole tree. @throws Error when it finds others. */
export function ripgrepFinds(root: string): number {
  const start = performance.now();
  const { stdout } = spawnSync("rg", ["--count", "#region debug-point", "."], {
    cwd: root,
    encoding: "utf8",
  });
  const took = performance.now() - start;
  const counts = stdout
    .trim()
    .split("\n")
    .map((line) => Number(line.split(":").at(-1)));
  if (counts.length !== INSTRUMENTED || counts.reduce((sum, count) => sum + count) !== REGIONS)
    throw new Error(`ripgrep gave a wrong answer: ${stdout.slice(0, 500)}`);
  return took;
}

function pathOf(file: number): string {
  const folder = Math.floor(file / FILES_A_FOLDER);
  return join(`part${folder % 20}`, `module${folder}`, `file${file % FILES_A_FOLDER}.js`);
}

function functionText(file: number, number: number): string {
  return `export function step${file}_${number}(a, b) {\n  const r = a * ${number} + b;\n  return r > ${file} ? r : [a, b];\n}\n`;
}

function regionText(session: string, file: number, number: number): readonly string[] {
  const region = probeRegion({
    language: "javascript",
    session,
    hypothesis: number === 0 ? "A" : "B",
    point: `point-${file}-${number}`,
    data: [{ name: "b", expression: "b" }],
    location: `file${file}.js:${number}`,
    fallbackUrl: "http://127.0.0.1:7777/event",
  });
  return region.map((line) => `  ${line}`);
}
