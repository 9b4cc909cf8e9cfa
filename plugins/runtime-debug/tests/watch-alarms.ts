import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { watchedProject, type WatchedProject } from "./watch-harness.ts";

/** As many are run before somebody looks. */
const AT_ONCE = 25;

async function shop(t: TestContext): Promise<WatchedProject> {
  const project = await watchedProject(t);
  await project.write({
    ".gitignore": "node_modules/\ndist/\nbuild/\n__pycache__/\n",
    "package.json": JSON.stringify({
      name: "shop",
      type: "module",
      scripts: { test: "node --test test/", build: "mkdir -p dist && cp total.js dist/" },
    }),
    "total.js": "export const total = (items) => items.length;\nconsole.log(total([1]));\n",
    "src/cart.js": "export function cart() {\n  return [];\n}\n",
    "src/price.py": "def price():\n    return 1\n\nprint(price())\n",
    "test/total.test.js": "import '../total.js';\n",
    "README.md": "# Shop\n\nReturns a total.\n",
    Makefile: "all: build\nbuild:\n\tmkdir -p dist && cp total.js dist/total.js\n",
  });
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", "first");
  await project.write({ "README.md": "# Shop\n\nReturns the total.\n" });
  project.git("commit", "--quiet", "--all", "--message", "second");
  project.git("clone", "--quiet", "--bare", ".", join(project.folder, "remote.git"));
  project.git("remote", "add", "origin", join(project.folder, "remote.git"));
  return project;
}

/** What came of commands that change no code. */
interface Alarms {
  /** What was taken for a change. */
  readonly alarms: readonly string[];
  /** Commands of which no program was missing, and that have ended in time. */
  readonly run: number;
}

/** Ends as a shell does that has not found a program, or may not run it. */
const MISSING: ReadonlySet<string> = new Set(["126", "127"]);

/** Runs the commands in a project before the evidence. */
export async function falseAlarms(t: TestContext, all: readonly string[]): Promise<Alarms> {
  const project = await shop(t);
  await project.begin();
  await mkdir(join(project.folder, "elsewhere"));
  const env = {
    PATH: process.env["PATH"],
    HOME: join(project.folder, "home"),
    T: join(project.folder, "elsewhere"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "T",
    GIT_AUTHOR_EMAIL: "t@example.org",
    GIT_COMMITTER_NAME: "T",
    GIT_COMMITTER_EMAIL: "t@example.org",
    LC_ALL: "C",
  };
  const alarms: string[] = [];
  let run = 0;
  for (let first = 0; first < all.length; first += AT_ONCE) {
    const some = all.slice(first, first + AT_ONCE);
    const script = some.map((text) => `(${text}\n) < /dev/null > /dev/null 2>&1; echo $?`).join("\n");
    const { stdout } = spawnSync("bash", ["-c", script], {
      cwd: project.root,
      env,
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
      timeout: 120_000,
    });
    run += stdout.split("\n").filter((status) => status !== "" && !MISSING.has(status)).length;
    const { reverted, stuck } = await project.look();
    alarms.push(
      ...reverted.map(({ path, kind }) => `${kind} ${path}, after one of: ${some.join(" | ")}`),
      ...stuck,
    );
  }
  return { alarms, run };
}
