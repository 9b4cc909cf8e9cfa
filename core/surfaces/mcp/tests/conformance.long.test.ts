/** The official conformance suite against `/mcp`, both revisions, without expected failures. It needs Node 22 and is fetched from the registry. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { before, describe, test, after } from "node:test";
import { promisify } from "node:util";
import { program } from "../../../../contract-tests/command-line.ts";
import { temporaryFolder } from "../../cli/fixture-command-line.ts";
import { writeConformanceSkill } from "./conformance-skill.ts";
import { ERAS } from "./mcp-harness.ts";

const PACKAGES = [
  `node-${process.platform}-${process.arch}@22`,
  "@modelcontextprotocol/conformance@0.2.0-alpha.12",
];
/** Scenarios of extensions, which the suite runs and does not score. */
const EXTENSIONS = /^(?:tasks-|sep-2640-)/;
/** The suite has no released requirement for them yet: tools are listed without `$schema` and `$anchor`. */
const PENDING = ["json-schema-2020-12"];

let url = "";
let folder = "";
let stop = async (): Promise<void> => undefined;
before(async () => {
  const place = await temporaryFolder();
  folder = place.path;
  const skill = await writeConformanceSkill(join(folder, "skills"));
  const child = program(["serve", "--port", "0", "--no-key", "--plugin", skill], folder);
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  while (!out.includes("\n")) await once(child.stdout, "data");
  url = `http://localhost:${new URL(out.trim()).port}/mcp`;
  stop = async () => {
    const ended = once(child, "close");
    child.kill("SIGTERM");
    await ended;
    await place.close();
  };
});
after(() => stop());

/** The summary of a run: passed and failed checks of each scenario. Fails if the suite does. */
async function conformance(...words: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const named = PACKAGES.map((name) => `--package=${name}`);
  const suite = ["--", "conformance", "server", "--url", url, ...words, "-o", join(folder, "results")];
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, shell: process.platform === "win32" };
  const { stdout } = await promisify(execFile)("npx", ["--yes", ...named, ...suite], options).catch(
    (caught: { readonly stdout?: string; readonly message: string }) => {
      throw new Error(`${caught.message}\n${(caught.stdout ?? "").slice(-4_000)}`);
    },
  );
  const lines = [...stdout.matchAll(/^[✓✗] ([\w-]+): \d+ passed, (\d+) failed$/gm)];
  return new Map(lines.map(([, name = "", failed]) => [name, Number(failed)]));
}

describe("the conformance suite of MCP over HTTP", { timeout: 300_000 }, () => {
  for (const era of ERAS) {
    test(`finds no failure in ${era}, tasks included`, async () => {
      const scenarios = await conformance("--requirements", era);
      assert.ok(scenarios.size > 30, `${scenarios.size} scenarios`);
      const failing = [...scenarios].filter(([name, failed]) => failed > 0 && !PENDING.includes(name));
      assert.deepEqual(failing, []);
      const extensions = [...scenarios.keys()].filter((name) => EXTENSIONS.test(name));
      assert.equal(extensions.length, era === "2026-07-28" ? 10 : 0);
    });
  }

  for (const part of ["enumeration", "directory", "manifest"]) {
    test(`finds no failure in the skills that are served: ${part}`, async () => {
      const scenario = ["--scenario", `sep-2640-skills-${part}`, "--spec-version", "2026-07-28", "--force"];
      await conformance(...scenario);
    });
  }
});
