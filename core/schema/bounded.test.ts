import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { within } from "./bounded.ts";

test("a call that never ends is stopped at its limit", () => {
  const hangs = (): void => void /^(a+)+$/.test(`${"a".repeat(60)}b`);
  assert.equal(within(50, hangs), false);
});

const SCRIPT = `
import { writeSync } from "node:fs";
const { within } = await import(${JSON.stringify(import.meta.resolve("./bounded.ts"))});
let attempts = 0;
const isDone = within(300, () => {
  attempts += 1;
  if (attempts === 1) writeSync(1, "begun\\n");
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < 60_000);
});
writeSync(1, JSON.stringify({ isDone, attempts }) + "\\n");
`;

test("a call is not stopped because its process had to wait for the processor", async (t) => {
  const words = ["--conditions=@skillctl/source", "--import", import.meta.resolve("tsx")];
  const child = spawn(process.execPath, [...words, "--input-type=module", "--eval", SCRIPT], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  child.stdout.setEncoding("utf8");
  await once(child.stdout, "data");
  child.kill("SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, 500));
  child.kill("SIGCONT");
  const [said] = (await once(child.stdout, "data")) as [string];
  const { isDone, attempts } = JSON.parse(said) as { readonly isDone: boolean; readonly attempts: number };
  assert.ok(isDone && attempts > 1, said);
});
