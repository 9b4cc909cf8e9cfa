/** docs/reference.md: every export with its docstring, up to date; its samples run. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { createTestHost, scriptedHttp, type TestHost, type TestHostOptions } from "skillctl/testing";
import { temporaryFolder, writeSkill, type SkillFixture } from "../core/surfaces/cli/fixture-command-line.ts";
import { withReference } from "../scripts/reference.ts";
import { ROOT } from "./harness.ts";

const PAGE = readFileSync(join(ROOT, "docs", "reference.md"), "utf8");

test("the reference matches the types of the package", () => {
  const { page, faults } = withReference(PAGE);
  assert.deepEqual(
    faults,
    [],
    "Each export has a docstring and a place in docs/reference.md, and names public types only.",
  );
  assert.equal(page, PAGE, "Run: npm run contracts");
});

describe("the samples of the reference", () => {
  const samples = [...PAGE.matchAll(/^```js\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  const sample = (name: string): string =>
    samples.find((text) => text.includes(`class ${name}`)) ?? assert.fail(name);

  test("a command reports its progress as server-sent events", async (t) => {
    const host = await hostOf(t, {
      code: `${sample("GreetCommand")}export default { commands: { greet: GreetCommand } };`,
    });
    const response = await fetch(`${(await host.serve()).url}/v1/skills/greeting/commands/greet`, {
      method: "POST",
      headers: { accept: "text/event-stream", "content-type": "application/json" },
      body: JSON.stringify({ name: "Ada" }),
    });
    const [, shown] = /^```text\n(event: progress.*?)^```$/ms.exec(PAGE) ?? [];
    assert.equal((await response.text()).trim(), shown?.trim());
  });

  test("a route streams its reply", async (t) => {
    const reply = { type: "string", contentMediaType: "text/plain", maxLength: 100 };
    const route = { summary: "Counts.", method: "GET", path: "/count", replies: { "200": "greeting/count" } };
    const host = await hostOf(t, {
      manifest: { routes: { count: route } },
      schemas: { count: reply },
      code: `${sample("CountRoute")}export default { commands: { greet: class {} }, routes: { count: CountRoute } };`,
    });
    const response = await fetch(`${(await host.serve()).url}/greeting/count`);
    assert.equal(await response.text(), "1\n2\n3\n");
  });

  test("a secret of the settings is sent, and stays out of the error", async (t) => {
    const key = "correct-horse-7";
    const http = scriptedHttp(({ url, headers }) => ({
      status: url.endsWith("/Ada") ? 200 : 401,
      body: `Not ${headers?.["authorization"]}`,
    }));
    const failed = { exit: 69, http: 502, fault: "system", summary: "The service failed." };
    const config = { type: "object", additionalProperties: false, properties: { key: { type: "string" } } };
    const host = await hostOf(
      t,
      {
        manifest: { config: "greeting/config", errors: { WEATHER_FAILED: failed } },
        schemas: { config },
        code: `${sample("WeatherCommand")}export default { commands: { greet: WeatherCommand } };`,
      },
      { ports: { http }, ownConfig: { greeting: { key } } },
    );
    const run = (name: string) => host.run({ skill: "greeting", input: { name } });
    assert.deepEqual(await run("Ada"), { text: `Not Bearer ${key}` });
    await assert.rejects(run("Bo"), {
      code: "WEATHER_FAILED",
      message: "The service answered 401: Not Bearer [key]",
    });
  });
});

async function hostOf(t: TestContext, parts: SkillFixture, options: TestHostOptions = {}): Promise<TestHost> {
  const folder = await temporaryFolder();
  const host = await createTestHost({
    plugins: [await writeSkill(folder.path, "greeting", parts)],
    ...options,
  });
  t.after(async () => {
    await host.close();
    await folder.close();
  });
  return host;
}
