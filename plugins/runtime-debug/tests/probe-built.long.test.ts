/** A probe as the built program prints it is the one of the source, letter for letter. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { probeRegion } from "../probes/probe-text.ts";
import { BUILT, sayInProcessOfItsOwn } from "../../../contract-tests/command-line.ts";
import { HYPOTHESES } from "./session-harness.ts";

interface Answered {
  readonly region: readonly string[];
  readonly regions: number;
}

test("the letters of a probe in JavaScript and TypeScript come out of the build as they are", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-probe-built-"));
  const run = async (...words: readonly string[]): Promise<Answered> => {
    const { status, out, err } = await sayInProcessOfItsOwn(
      ["run", "runtime-debug", ...words, "--json"],
      folder,
      { start: BUILT },
    );
    assert.equal(status, 0, `${words[0]}: ${out}${err}`);
    return (JSON.parse(out) as { readonly output: Answered }).output;
  };
  await writeFile(join(folder, "total.js"), "export function total(größe) {\n  return größe;\n}\n");
  await run("start", "The sum is wrong", "--session", "sum-is-wrong");
  t.after(async () => {
    try {
      // The server of the session ends with it.
      await run("answer", "D");
      await run("cleanup");
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });
  await run("hypothesize", "--hypotheses", JSON.stringify(HYPOTHESES));
  for (const language of ["javascript", "typescript"] as const) {
    const words = ["--hypothesis", "A", "--point", "sum", "--data", "sum=größe"];
    const { region } = await run("probe", ...words, "--lang", language);
    const fallbackUrl = /https?:\/\/[^"]+\/event/.exec(region.join("\n"))?.[0];
    assert.ok(fallbackUrl !== undefined, region.join("\n"));
    const wish = {
      language,
      session: "sum-is-wrong",
      hypothesis: "A",
      point: "sum",
      location: "sum",
      fallbackUrl,
    };
    assert.deepEqual(region, probeRegion({ ...wish, data: [{ name: "sum", expression: "größe" }] }));
  }
  for (const hypothesis of ["A", "B", "C"])
    await run(
      "probe",
      "--hypothesis",
      hypothesis,
      "--point",
      "put",
      "--data",
      "sum=größe",
      "--apply",
      "total.js:2",
    );
  const { regions } = await run("check");
  assert.equal(regions, 3);
});
