/** Attempts to bypass the rules in a project with a debug session, and the decision of the guard about each. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { createTestHost } from "skillctl/testing";
import { dialectOf, respond } from "../hook.ts";
import { HYPOTHESES } from "../../../../plugins/runtime-debug/tests/session-harness.ts";
import { ROOT, SKILLS } from "../../../../contract-tests/harness.ts";

/**
 * `ask`: the guard may also be stricter. `told`: the effect of the call is unknown before it; its changes are reported
 * after it, and it may be stopped before.
 */
type Expected = "deny" | "ask" | "told" | "allow";

/** A string is a command of Claude Code's tool Bash. Names in braces stand for folders, see `harness`. */
interface Call {
  readonly call: string | { readonly tool: string; readonly input: object };
  readonly expected: Expected;
  readonly why: string;
  /** The phase of the project's debug session. Default: instrumenting. */
  readonly phase?: "none" | "observing";
}

/** One event as another agent writes it. */
interface AgentEvent {
  readonly dialect: string;
  readonly event: object;
  readonly expected: Expected;
  readonly why: string;
}

const { "other agents": agents, ...classes } = JSON.parse(
  await readFile(`${ROOT}/core/surfaces/hook/tests/hostile-calls.json`, "utf8"),
) as Readonly<Record<string, readonly Call[]>>;
const OTHER_AGENTS = agents as unknown as readonly AgentEvent[];
const ALL = Object.values(classes).flat();

const SHOP = `export function total(items) {
  let sum = 0;
  for (let index = 1; index < items.length; index += 1) sum += items[index];
  return sum;
}
`;
const FILES: Readonly<Record<string, string>> = {
  "work/src/shop.js": SHOP,
  "work/src/main.js": 'import { total } from "./shop.js";\nconsole.log(total([1, 2]));\n',
  "work/src/lib/rate.js": "export const rate = 0.2;\n",
  "work/test/shop.test.js": 'import { test } from "node:test";\ntest("nothing", () => {});\n',
  "work/tools/build.js": 'import { cpSync } from "node:fs";\ncpSync("src/shop.js", "dist/shop.js");\n',
  "work/tools/patch.sh": "sed -i 's/let sum = 0/let sum = 1/' src/shop.js\n",
  "work/package.json": '{ "name": "shop", "version": "1.0.0", "type": "module" }\n',
  "work/Makefile": "test:\n\tnode --test test/\n",
  "work/README.md": "# Shop\n\nsum = 0\n",
  "work/docs/api.md": "The path ends in chat-sync.\n",
  "work/notes.ipynb": '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}\n',
  "work/.gitignore": "dist/\nnode_modules/\ncoverage/\n",
  "outside/fixed.js": SHOP.replace("index = 1", "index = 0"),
  "outside/fix.patch": "--- a/src/shop.js\n+++ b/src/shop.js\n@@ -1 +1 @@\n-a\n+b\n",
  "outside/evil.sh": "#!/bin/sh\necho x > src/shop.js\n",
  "outside/name.txt": "src/shop.js\n",
  "outside/tree/src/shop.js": SHOP,
  "home/.svc-login/token.json": '{"token":"s3cret"}\n',
  "home/notes.txt": "a\n",
};

/** The decisions of the guard about events in a project whose debug session is in some phase. */
async function harness(t: TestContext, phase: string) {
  const host = await createTestHost({ skills: SKILLS, variables: { PATH: process.env["PATH"] } });
  t.after(() => host.close());
  const folder = await realpath(host.folder);
  const lay = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(FILES)) await lay(path, text);
  const [root, home] = [join(folder, "work"), join(folder, "home")];
  await symlink("src/shop.js", join(root, "link.js"));
  await symlink("../work/src", join(folder, "outside", "way-in"));
  await symlink("../home/.svc-login/token.json", join(folder, "outside", "token-link"));
  const own = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  for (const words of [
    ["init", "-q"],
    ["add", "-A"],
    [...own, "commit", "-qm", "first"],
  ])
    execFileSync("git", words, { cwd: root, stdio: "ignore" });
  let session = "no-session-here";
  if (phase !== "none") {
    const run = async (command: string, input: object) =>
      (await host.run({ skill: "runtime-debug", command, input })) as { readonly session: string };
    ({ session } = await run("start", { issue: "The sum of a shop is wrong" }));
    const observe = join(root, "src/shop.js:1");
    const hypotheses = HYPOTHESES.map((one) => ({ ...one, observe }));
    if (phase === "instrumenting") await run("hypothesize", { hypotheses });
    await lay(`work/.dbg/svc-debug-log-${session}.ndjson`, "");
  }
  const service = "http://127.0.0.1:9";
  const names: Readonly<Record<string, string>> = {
    root,
    home,
    session,
    service,
    servicePort: "9",
    outsideName: "outside",
    outside: join(folder, "outside"),
    state: join(folder, "state"),
  };
  return async (dialect: string, event: object): Promise<{ decision: string; reason: string }> => {
    let found: { decision: string; reason: string } | undefined;
    const text = JSON.stringify({ cwd: root, ...event }).replaceAll(
      /\{([a-zA-Z]+)\}/g,
      (whole, name: string) => names[name] ?? whole,
    );
    const { err } = await respond(text, {
      dialect: (await dialectOf(dialect, () => assert.fail())) ?? assert.fail(dialect),
      base: { cwd: root, home, files: host.host.ports.files },
      decide: async (subject) => {
        const decision = await host.host.guard.decide(subject);
        // Commands of a tool of a server are judged as those of a shell too.
        if (!found || found.decision === "allow")
          found = { decision: decision.decision, reason: `${decision.rule}: ${decision.message}` };
        return decision;
      },
    });
    return found ?? { decision: "unread", reason: err };
  };
}

const isRight = (decision: string, expected: Expected): boolean =>
  decision === expected || expected === "told" || (expected === "ask" && decision === "deny");

describe("the table", { skip: process.platform === "win32" && "there is no bash" }, () => {
  test("is large, and has no duplicates", () => {
    assert.ok(ALL.length >= 150);
    assert.equal(new Set(ALL.map((one) => JSON.stringify([one.phase, one.call]))).size, ALL.length);
  });

  for (const phase of ["none", "observing", "instrumenting"])
    test(`is decided ${phase === "none" ? "without a session" : `while ${phase}`}`, async (t) => {
      const decided = await harness(t, phase);
      const wrong: string[] = [];
      for (const [name, calls] of Object.entries(classes)) {
        for (const { call, expected, why } of calls.filter(
          (one) => (one.phase ?? "instrumenting") === phase,
        )) {
          const { tool, input } =
            typeof call === "string" ? { tool: "Bash", input: { command: call } } : call;
          const event = { hook_event_name: "PreToolUse", session_id: "s-1", tool_use_id: "c-1" };
          const { decision, reason } = await decided("claude-code", {
            ...event,
            tool_name: tool,
            tool_input: input,
          });
          if (!isRight(decision, expected))
            wrong.push(`${name}: ${decision}, not ${expected}: ${JSON.stringify(call)}\n  ${why}. ${reason}`);
        }
      }
      assert.deepEqual(wrong, []);
    });

  test("is decided for other agents in their formats", async (t) => {
    const decided = await harness(t, "instrumenting");
    const wrong: string[] = [];
    for (const { dialect, event, expected, why } of OTHER_AGENTS) {
      const { decision, reason } = await decided(dialect, event);
      if (!isRight(decision, expected))
        wrong.push(`${dialect}: ${decision}, not ${expected}: ${JSON.stringify(event)}\n  ${why}. ${reason}`);
    }
    assert.deepEqual(wrong, []);
  });
});
