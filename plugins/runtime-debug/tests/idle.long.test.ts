import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { SkillError } from "skillctl";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { ask, eventually, until } from "./client.ts";
import { debugHost, serving } from "./serving.ts";

const JSON_TYPE = { "content-type": "application/json" };

describe("an idle server", () => {
  test("[debug.endpoint.idle] ends, and says why; the time counts from the end of any request, also a refused one", async (t) => {
    const time = { ms: 0, looks: 0 };
    const clock = {
      now: () => 1_800_000_000_000,
      monotonicMs: () => {
        time.looks += 1;
        return time.ms;
      },
    };
    const host = await debugHost(t, { ports: { clock } });
    const { info, ended } = await serving(host, { idle: 60 });
    let over = false;
    void ended.then(() => (over = true));
    const refused = [
      { path: "/nothing" },
      { body: "no json" },
      { headers: { origin: "https://evil.example" } },
    ];
    for (const asked of refused) {
      const { status } = await ask(info.base_url, asked);
      assert.ok(status >= 400, String(status));
      time.ms += 59_000;
      const { looks } = time;
      await eventually(() => time.looks > looks + 2);
      assert.equal(over, false);
    }
    time.ms += 60_000;
    assert.equal((await ended).ended, "no request for 60 s");
  });

  test("[debug.limits.stays] stays while the record cannot be read", async (t) => {
    let looks = 0;
    const files: typeof nodeFiles = {
      ...nodeFiles,
      readText: (path) => {
        if (!path.endsWith("debug-login-timeout.md")) return nodeFiles.readText(path);
        looks += 1;
        throw new SkillError("FILE_UNREADABLE", `${path} cannot be read (EACCES).`, { file: path });
      },
    };
    const host = await debugHost(t, { ports: { files } });
    const { info, ended, stop } = await serving(host, { idle: 60 });
    const record = join(host.environment.workingFolder, "debug-login-timeout.md");
    await writeFile(record, "# Debug Session: login-timeout\n- **Status**: [FIXED]\n");
    await ask(info.base_url, { path: "/run", body: '{"runId":"post-fix"}', headers: JSON_TYPE });
    for (let round = 1; round <= 3; round += 1) {
      host.clock.advance(120_000);
      await Promise.race([
        ended,
        until(
          async () => looks,
          (seen) => seen >= round,
        ),
      ]);
    }
    assert.equal((await ask(info.base_url, { body: "{}" })).status, 200);
    await stop();
  });
});
