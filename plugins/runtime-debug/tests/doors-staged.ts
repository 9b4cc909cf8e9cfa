import assert from "node:assert/strict";
import { SkillError } from "skillctl";
import type { CheckOutput } from "../contract.ts";
import type { DebugProject } from "./session-harness.ts";

/** What `check --staged` refuses: `a.js:3 staged-marker`, `:0` for a whole file; nothing when the commit is fine. */
export async function stagedFindings({ run }: DebugProject): Promise<readonly string[]> {
  try {
    assert.equal((await run("check", { staged: true }))["ok"], true);
    return [];
  } catch (caught) {
    if (!(caught instanceof SkillError && caught.code === "DEBUG_CHECK_FAILED")) throw caught;
    const { findings } = caught.result as CheckOutput;
    return findings.map(({ file = "", line = 0, code }) => `${file}:${line} ${code}`);
  }
}
