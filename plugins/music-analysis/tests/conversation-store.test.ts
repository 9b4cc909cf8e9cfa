import assert from "node:assert/strict";
import { test } from "node:test";
import type { State } from "skillctl";
import { createTestHost } from "skillctl/testing";
import { catalogue } from "./asking-service.ts";
import { visitor, withHarness } from "./conversation-harness.ts";
import { SKILLS } from "../../../contract-tests/harness.ts";

const BROKEN: State = {
  read: () => Promise.resolve(undefined),
  update: () => Promise.reject(new Error("ECONNREFUSED 127.0.0.1:6379")),
};

test("an answer is shown although the store that an embedder hands in fails with its own kind of error", () =>
  withHarness(catalogue({ overall: [["海盐", 7]] }), async ({ service }) => {
    const variables = { SVC_BASE_URL: service.url, SVC_HEADER_TOKEN: "canary-token-5f2b9c" };
    const host = await createTestHost({ skills: SKILLS, variables, ports: { state: BROKEN } });
    try {
      const shown = await visitor(host).ask("分析《海盐》", "talk");
      assert.deepEqual([shown.kind, shown.requests], ["song", 2]);
      assert.deepEqual(host.log.notices, ["The conversation cannot be kept: ECONNREFUSED 127.0.0.1:6379"]);
    } finally {
      await host.close();
    }
  }));
