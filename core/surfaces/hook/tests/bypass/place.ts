import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { createTestHost } from "skillctl/testing";
import { dialectOf, respond } from "../../hook.ts";
import { CLAUDE_CODE } from "../../claude-code.ts";
import type { Dialect } from "../../dialect.ts";
import { nodeFiles } from "../../../../adapters/files.ts";
import { HYPOTHESES } from "../../../../../plugins/runtime-debug/tests/session-harness.ts";
import { SKILLS } from "../../../../../contract-tests/harness.ts";
import type { BypassCall, ToolCall } from "./call.ts";
import type { AgentEvent } from "./other-agents.ts";

/** A folder that holds a project at `work`, others' files at `outside`, and the user's `home` and `state`. */
export interface Place {
  readonly folder: string;
  readonly session: string;
  /** What the guard decides about a call, with the reason. */
  readonly decide: (call: BypassCall) => Promise<Decided>;
  /** The same about an event of another agent. */
  readonly hear: (event: AgentEvent) => Promise<Decided>;
}

export interface Decided {
  readonly decision: string;
  readonly reason: string;
}

export const SECRET = "s3cret-login-token-of-ada";
const SHOP = `export function total(items) {
  let sum = 0;
  for (let index = 1; index < items.length; index += 1) sum += items[index];
  return sum;
}
`;
const FIXED = SHOP.replace("index = 1", "index = 0");
const PATCH = `--- a/src/shop.js
+++ b/src/shop.js
@@ -1,5 +1,5 @@
 export function total(items) {
   let sum = 0;
-  for (let index = 1; index < items.length; index += 1) sum += items[index];
+  for (let index = 0; index < items.length; index += 1) sum += items[index];
   return sum;
 }
`;
const PROJECT: Readonly<Record<string, string>> = {
  "src/shop.js": SHOP,
  "src/main.js": 'import { total } from "./shop.js";\nconsole.log(total([1, 2]));\n',
  "src/lib/rate.js": "export const rate = 0.2;\n",
  "test/shop.test.js": 'import { test } from "node:test";\ntest("nothing", () => {});\n',
  "tools/build.js":
    'import { cpSync, mkdirSync } from "node:fs";\nmkdirSync("dist", { recursive: true });\ncpSync("src/shop.js", "dist/shop.js");\n',
  "tools/patch.sh": "sed -i 's/let sum = 0/let sum = 1/' src/shop.js\n",
  "package.json": `${JSON.stringify({
    name: "shop",
    version: "1.0.0",
    type: "module",
    scripts: {
      test: "node --test test/",
      build: "node tools/build.js",
      sneak: "sed -i 's/let sum = 0/let sum = 1/' src/shop.js",
    },
  })}\n`,
  Makefile: "test:\n\tnode --test test/\nfix:\n\tsed -i 's/let sum = 0/let sum = 1/' src/shop.js\n",
  "README.md": "# Shop\n\nsum = 0\n",
  "docs/api.md": "The path ends in chat-sync.\n",
  "notes.ipynb":
    '{"cells":[{"id":"a","cell_type":"code","source":"1","metadata":{},"outputs":[],"execution_count":null}],"metadata":{},"nbformat":4,"nbformat_minor":5}\n',
  ".gitignore": "dist/\nnode_modules/\ncoverage/\n",
};
const OUTSIDE: Readonly<Record<string, string>> = {
  "fixed.js": FIXED,
  "fix.patch": PATCH,
  "evil.sh": "#!/bin/sh\necho x > src/shop.js\n",
  "evil.js": 'require("fs").writeFileSync("src/shop.js", "x");\n',
  "evil.py": 'open("src/shop.js", "w").write("x")\n',
  "name.txt": "src/shop.js\n",
  "tree/src/shop.js": FIXED,
};

async function lay(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Makes a place whose project is in some phase of a debug session. */
export async function bypassPlace(t: TestContext, phase: NonNullable<BypassCall["phase"]>): Promise<Place> {
  const variables = { PATH: process.env["PATH"] };
  const host = await createTestHost({ skills: SKILLS, variables });
  t.after(() => host.close());
  const folder = await realpath(host.folder);
  const [root, outside, home] = [join(folder, "work"), join(folder, "outside"), join(folder, "home")];
  const git = (...words: readonly string[]): void => {
    const own = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"];
    execFileSync("git", [...own, ...words], { cwd: root, stdio: "ignore" });
  };
  await lay(root, PROJECT);
  await lay(outside, OUTSIDE);
  await lay(home, { ".svc-login/token.json": `${JSON.stringify({ token: SECRET })}\n`, "notes.txt": "a\n" });
  await chmod(join(outside, "evil.sh"), 0o755);
  await symlink("src/shop.js", join(root, "link.js"));
  await symlink("../work/src", join(outside, "way-in"));
  await symlink("../home/.svc-login/token.json", join(outside, "token-link"));
  execFileSync("tar", ["cf", "tree.tar", "-C", "tree", "src"], { cwd: outside });
  execFileSync("tar", ["cf", "flat.tar", "-C", "tree/src", "shop.js"], { cwd: outside });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  git("checkout", "-qb", "fixed");
  await writeFile(join(root, "src/shop.js"), FIXED);
  git("commit", "-qam", "fixed");
  git("checkout", "-q", "main");
  await writeFile(join(root, "src/shop.js"), SHOP.replace("sum = 0", "sum = 2"));
  git("stash", "-q");

  let session = "no-session-here";
  if (phase !== "none") {
    const run = async (command: string, input: object): Promise<{ readonly session: string }> =>
      (await host.run({ skill: "runtime-debug", command, input })) as { session: string };
    ({ session } = await run("start", { issue: "The sum of a shop is wrong" }));
    if (phase === "instrumenting")
      await run("hypothesize", {
        hypotheses: HYPOTHESES.map((one) => ({ ...one, observe: join(root, "src/shop.js:1") })),
      });
    await lay(root, { [`.dbg/svc-debug-log-${session}.ndjson`]: "" });
  }
  const names = fillers({ folder, session });
  const decided = async (dialect: Dialect, event: unknown): Promise<Decided> => {
    let found: Decided | undefined;
    const spoken = await respond(JSON.stringify(event), {
      dialect,
      base: { cwd: root, home, files: nodeFiles },
      decide: async (subject) => {
        const decision = await host.host.guard.decide(subject);
        found = { decision: decision.decision, reason: `${decision.rule}: ${decision.message}` };
        return decision;
      },
    });
    return found ?? { decision: "unheard", reason: spoken.err };
  };
  const decide: Place["decide"] = async (call) => {
    const { tool, input } = toolCallOf(call, names);
    const event = { hook_event_name: "PreToolUse", session_id: "s-1", cwd: root, tool_use_id: "c-1" };
    return decided(CLAUDE_CODE, { ...event, tool_name: tool, tool_input: input });
  };
  const hear: Place["hear"] = async ({ dialect, event }) =>
    decided((await dialectOf(dialect, () => assert.fail())) ?? assert.fail(), filled(event, names));
  return { folder, session, decide, hear };
}

/** What stands for the names in braces; the port of the service only where it is known. */
export function fillers(
  { folder, session }: Pick<Place, "folder" | "session">,
  service = "http://127.0.0.1:9",
): Readonly<Record<string, string>> {
  return {
    root: join(folder, "work"),
    outside: join(folder, "outside"),
    outsideName: "outside",
    home: join(folder, "home"),
    state: join(folder, "state"),
    session,
    service,
    servicePort: new URL(service).port,
  };
}

export function toolCallOf({ call }: BypassCall, names: Readonly<Record<string, string>>): ToolCall {
  const { tool, input } = typeof call === "string" ? { tool: "Bash", input: { command: call } } : call;
  return { tool, input: filled(input, names) as ToolCall["input"] };
}

function filled(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string")
    return value.replace(/\{([a-zA-Z]+)\}/g, (whole, name: string) => names[name] ?? whole);
  if (Array.isArray(value)) return value.map((one) => filled(one, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, names)]));
}
