/** Requests for data alone load no code of a skill. The code of this skill leaves a mark and throws. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { describe, test } from "node:test";
import { builtinSkills } from "skillctl/skills";
import { createTestHost, type TestHost } from "skillctl/testing";
import { greetingFiles, writeSkill } from "../core/testing/fixture-greeting.ts";
import { program, sayInProcessOfItsOwn } from "./command-line.ts";

async function withTrap(
  action: (folder: string, trap: string, mark: string, place: TestHost) => Promise<void>,
): Promise<void> {
  await using place = await createTestHost();
  const mark = join(place.folder, "loaded");
  const code = `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(mark)}, "");
const snap = () => { throw new Error("this code must not be loaded"); };
export default snap();`;
  const trap = await writeSkill(place.folder, "greeting", { ...greetingFiles(), "plugin.js": code });
  await action(place.environment.workingFolder, trap, mark, place);
}

describe("no code of a skill is loaded", () => {
  const verbs: readonly (readonly [string, readonly string[]])[] = [
    ["list", ["list"]],
    ["info", ["info", "greeting"]],
    ["validate", ["validate"]],
    ["prompt", ["prompt"]],
    ["export", ["export", "--client", "codex", "--out", "out"]],
    ["run --help", ["run", "greeting", "greet", "--help"]],
    ["a refused input of `run`", ["run", "greeting", "greet", "--name", ""]],
  ];
  for (const [what, words] of verbs) {
    test(`by ${what}, in a separate process`, () =>
      withTrap(async (folder, trap, mark) => {
        const { status, out, err } = await sayInProcessOfItsOwn([...words, "--plugin", trap], folder);
        const refused = what.startsWith("a refused");
        assert.equal(status, refused ? 65 : 0, `${out}${err}`);
        if (!refused && what !== "validate") assert.match(out, refused ? /./ : /greet/i);
        assert.ok(!existsSync(mark));
      }));
  }

  test("by a server that is asked for /openapi.json and /health, in a separate process", () =>
    withTrap(async (folder, trap, mark) => {
      const server = program(["serve", "--port", "0", "--no-key", "--plugin", trap], folder);
      try {
        const [first] = (await once(server.stdout, "data")) as [Buffer];
        const [url = ""] = /http:\/\/\S+/.exec(first.toString("utf8")) ?? [];
        const document = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly paths: object };
        assert.ok("/v1/skills/greeting/commands/greet" in document.paths);
        assert.equal((await fetch(`${url}/health`)).status, 200);
        assert.ok(!existsSync(mark));
      } finally {
        server.kill("SIGTERM");
        if (server.exitCode === null) await once(server, "close");
      }
    }));

  test("control: running the command loads the code, which leaves its mark and fails with PLUGIN_BROKEN", () =>
    withTrap(async (folder, trap, mark) => {
      const { status, err } = await sayInProcessOfItsOwn(
        ["run", "greeting", "greet", "Ada", "--plugin", trap],
        folder,
      );
      assert.equal(status, 70);
      assert.match(err, /The code of greeting fails while it is loaded: this code must not be loaded/);
      assert.ok(existsSync(mark));
    }));
});

describe("the code of an optional provider is loaded only when it is used", () => {
  const commands: readonly (readonly [string, string, object, readonly string[]])[] = [
    [
      "music-analysis",
      "ask",
      { question: "How many plays did I have in the last 30 days?" },
      ["music-gateway"],
    ],
    ["runtime-debug", "status", {}, []],
  ];
  for (const [skill, command, input, opened] of commands)
    test(`${skill} ${command} runs beside a login-proxy whose code fails`, async () => {
      const skills = builtinSkills().map((one) =>
        one.manifest.name === "login-proxy"
          ? { ...one, load: () => Promise.reject(new Error("out of order")) }
          : one,
      );
      await using place = await createTestHost({ skills });
      await place.run({ skill, command, input });
      assert.deepEqual([...place.host.activator.loaded].toSorted(), [skill, ...opened].toSorted());
    });
});
