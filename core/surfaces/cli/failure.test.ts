import assert from "node:assert/strict";
import { test } from "node:test";
import { SkillError } from "../../errors/skill-error.ts";
import { showFailure } from "./failure.ts";
import type { Terminal } from "./verb.ts";

/** What a failure shows; `full` is a standard output that takes nothing. */
function shown(caught: unknown, options: { json?: boolean; verbose?: boolean; full?: boolean } = {}) {
  let [out, err] = ["", ""];
  const { json = false, verbose = false, full = false } = options;
  const terminal: Terminal = {
    out: (text) => {
      if (full) throw new Error("ENOSPC: no space left on device, write");
      out += text;
    },
    err: (text) => void (err += text),
    lively: false,
    colour: false,
    columns: 80,
    signal: new AbortController().signal,
  };
  const status = showFailure(caught, terminal, { json, verbose, exitOf: () => 70 });
  return { status, out, err };
}

test("a circle of causes is told once", () => {
  const [a, b] = [new Error("a"), new Error("b")];
  a.cause = b;
  b.cause = a;
  const { err } = shown(a, { verbose: true });
  assert.deepEqual(err.match(/^caused by: .*$/gm), ["caused by: Error: a", "caused by: Error: b"]);
});

test("a cause that JSON cannot hold is shown, and an object that was thrown is not printed whole", () => {
  const circle: Record<string, unknown> = { password: "hunter2" };
  circle["self"] = circle;
  for (const [cause, told] of [
    [circle, "[object Object]"],
    [10n, "10"],
  ] as const) {
    const { err } = shown(new SkillError("USAGE", "No.", { cause }), { verbose: true });
    assert.equal(err, `error: No.\ncode: USAGE\ncaused by: ${told}\n`);
  }
});

test("the JSON document names the file to blame", () => {
  const { out } = shown(new SkillError("CONFIG_INVALID", "No.", { file: "/a.json", pointer: "/b" }), {
    json: true,
  });
  const error = { code: "CONFIG_INVALID", message: "No.", file: "/a.json", pointer: "/b", exit: 70 };
  assert.deepEqual(JSON.parse(out), { ok: false, error });
});

test("an error whose JSON document cannot be written is shown as to a person", () => {
  const error = new SkillError("USAGE", "No.", { hint: "Ask." });
  const plain = { status: 70, out: "", err: "error: No.\nhint: Ask.\n" };
  assert.deepEqual(shown(error, { json: true, full: true }), plain);
  const unspeakable = new SkillError("USAGE", "No.", { hint: "Ask.", result: 10n });
  assert.deepEqual(shown(unspeakable, { json: true }), plain);
  assert.match(
    shown(error, { json: true, full: true, verbose: true }).err,
    /code: USAGE\nno JSON document: ENOSPC: no space left on device, write\n$/,
  );
});
