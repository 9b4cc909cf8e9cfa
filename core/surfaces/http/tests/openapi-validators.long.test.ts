/** The OpenAPI document as validators of other projects read it, from the registry. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createHost, serveHttp } from "skillctl/host";
import { SKILLS } from "../../../../contract-tests/harness.ts";
import { install } from "../../../../contract-tests/registry.ts";

const PACKAGES = ["@redocly/cli@2.77.0", "@readme/openapi-parser@9", "@seriousme/openapi-schema-validator@2"];
const PARSERS = `import { readFileSync } from "node:fs";
import { validate } from "@readme/openapi-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
const document = () => JSON.parse(readFileSync("openapi.json", "utf8"));
console.log(JSON.stringify([await validate(document()), await new Validator().validate(document())]));
`;
const QUIET = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
const KEY = "a-key-of-a-test-server";

test("three validators find no fault in the OpenAPI document", { timeout: 120_000 }, async (t) => {
  const installed = await install(t, PACKAGES);
  if (!installed) return;
  const { folder, run } = installed;
  await writeFile(join(folder, "parsers.js"), PARSERS);
  const host = await createHost({ skills: SKILLS });
  t.after(() => host.close());

  for (const [title, options] of [
    ["of a server with a key", { key: KEY }],
    ["of a server without one", {}],
  ] as const) {
    await t.test(title, async () => {
      const { url, close } = await serveHttp(host, options);
      const headers = { authorization: `Bearer ${KEY}` };
      const response = await fetch(new URL("/openapi.json", url), { headers });
      await writeFile(join(folder, "openapi.json"), await response.text());
      await close();
      const parsed = await run("node", ["parsers.js"]);
      const sound = [{ valid: true, warnings: [], specification: "OpenAPI" }, { valid: true }];
      assert.deepEqual(JSON.parse(parsed.out || "null"), sound, parsed.err);
      const linted = await run("redocly", ["lint", "openapi.json", "--format=json"], QUIET);
      const { problems } = JSON.parse(linted.out) as { readonly problems: readonly object[] };
      assert.deepEqual(problems, [], linted.err);
    });
  }
});
