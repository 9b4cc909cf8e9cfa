/** The official conformance suite against `/mcp`, both revisions, without expected failures. It needs Node 22 and is fetched from the registry. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { program } from "../../../../contract-tests/command-line.ts";
import { install, nodeOf } from "../../../../contract-tests/registry.ts";
import { temporaryFolder } from "../../cli/fixture-command-line.ts";
import { writeConformanceSkill } from "./conformance-skill.ts";
import { ERAS } from "./mcp-harness.ts";

const PACKAGES = [nodeOf(22), "@modelcontextprotocol/conformance@0.2.0-alpha.12"];
/** Scenarios of extensions, which the suite runs and does not score. */
const EXTENSIONS = /^(?:tasks-|sep-2640-)/;
/** The suite has no released requirement for them yet: tools are listed without `$schema` and `$anchor`. */
const PENDING = ["json-schema-2020-12"];

test("the conformance suite of MCP over HTTP", { timeout: 300_000 }, async (t) => {
  const installed = await install(t, PACKAGES);
  if (!installed) return;
  const { run } = installed;
  const { path, close } = await temporaryFolder();
  const skill = await writeConformanceSkill(join(path, "skills"));
  const child = program(["serve", "--port", "0", "--no-key", "--plugin", skill], path);
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  while (!out.includes("\n")) await once(child.stdout, "data");
  const url = `http://localhost:${new URL(out.trim()).port}/mcp`;
  t.after(async () => {
    const ended = once(child, "close");
    child.kill("SIGTERM");
    await ended;
    await close();
  });

  /** The summary of a run: failed checks of each scenario. Fails if the suite does. */
  async function conformance(...words: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const suite = ["server", "--url", url, ...words, "-o", join(path, "results")];
    const said = await run("conformance", suite);
    assert.equal(said.status, 0, `${said.err}\n${said.out.slice(-4_000)}`);
    const lines = [...said.out.matchAll(/^[✓✗] ([\w-]+): \d+ passed, (\d+) failed$/gm)];
    return new Map(lines.map(([, name = "", failed]) => [name, Number(failed)]));
  }

  for (const era of ERAS) {
    await t.test(`finds no failure in ${era}, tasks included`, async () => {
      const scenarios = await conformance("--requirements", era);
      assert.ok(scenarios.size > 30, `${scenarios.size} scenarios`);
      const failing = [...scenarios].filter(([name, failed]) => failed > 0 && !PENDING.includes(name));
      assert.deepEqual(failing, []);
      const extensions = [...scenarios.keys()].filter((name) => EXTENSIONS.test(name));
      assert.equal(extensions.length, era === "2026-07-28" ? 10 : 0);
    });
  }

  for (const part of ["enumeration", "directory", "manifest"]) {
    await t.test(`finds no failure in the skills that are served: ${part}`, async () => {
      const scenario = ["--scenario", `sep-2640-skills-${part}`, "--spec-version", "2026-07-28", "--force"];
      await conformance(...scenario);
    });
  }
});
