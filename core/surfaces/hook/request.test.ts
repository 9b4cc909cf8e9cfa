import assert from "node:assert/strict";
import { test } from "node:test";
import type { GuardRequest } from "../../contract.ts";
import { completed } from "./request.ts";

const pre = (more: Partial<GuardRequest>): GuardRequest => ({ event: "tool.pre", surface: "hook", ...more });

/** Some agents write the input as a text. */
const asText = (input: unknown) => ({ input: JSON.stringify(input) }) as object;

test("a shell call tells its command only in its input", () => {
  const command = "cat ~/.svc-login/token.json";
  for (const request of [
    pre({ tool: "shell", name: "Bash", input: { command } }),
    pre({ name: "Bash", input: { command } }),
    pre({ tool: "shell", input: { command } }),
    pre({ event: "tool.post", name: "Bash", ...asText({ command }) }),
  ]) {
    const { tool, command: found } = completed(request);
    assert.deepEqual([tool, found], ["shell", command], JSON.stringify(request));
  }
});

test("a file is named only in the input", () => {
  const input = { file_path: "~/.svc-login/token.json", content: "x" };
  const { paths, content } = completed(pre({ tool: "write", input, paths: [] }));
  assert.deepEqual([paths, content], [["~/.svc-login/token.json"], "x"]);
  const both = completed(pre({ tool: "write", input, paths: ["/a"], content: "mine" }));
  assert.deepEqual([both.paths, both.content], [["/a", "~/.svc-login/token.json"], "mine"]);
  assert.deepEqual(completed(pre({ tool: "fetch", input: { url: "http://a.test/b" } })).urls, [
    "http://a.test/b",
  ]);
});

test("a call of a tool names no tool, or a shell is given nothing", () => {
  for (const request of [
    pre({}),
    pre({ input: { command: "ls" } }),
    pre({ name: "" }),
    pre({ event: "tool.post", paths: ["/a"] }),
    pre({ tool: "shell" }),
    pre({ name: "Bash", ...asText("ls") }),
    pre({ name: "Bash", input: {} }),
    pre({ name: "Bash", input: { command: 5 } }),
    pre({ tool: "shell", command: "ls", cwd: "." }),
  ])
    assert.throws(() => completed(request), { code: "REQUEST_UNREADABLE" }, JSON.stringify(request));
});

test("what is said already stays, and other events are left as they are", () => {
  const shell = pre({ tool: "shell", command: "ls", input: { command: "other" } });
  assert.equal(completed(shell).command, "ls");
  const stop: GuardRequest = { event: "turn.stop", surface: "hook" };
  assert.equal(completed(stop), stop);
  const bare = pre({ tool: "read", paths: ["/a"] });
  assert.deepEqual(completed(bare), bare);
});
