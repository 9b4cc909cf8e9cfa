/** The promises of `skillctl mcp` and of `/mcp` of `skillctl serve`, each seen by one client at one process. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TOKEN } from "../../../../contract-tests/agent-calls.ts";
import { WAYS, connectOnce, probeWords, textOf } from "./mcp-harness.ts";

for (const over of WAYS)
  describe(`a client of MCP over ${over}`, () => {
    const opened = connectOnce(async (folder) => ({ over, words: await probeWords(folder) }));
    const call = (name: string, given: Record<string, unknown> = {}) =>
      opened.client.callTool({ name, arguments: given });

    test("sees the offered commands with their schemas and the sentences of their rules", async () => {
      const { tools } = await opened.client.listTools();
      const names = tools.map(({ name }) => name);
      for (const name of ["probe_talk", "music-analysis_ask"]) assert.ok(names.includes(name), name);
      // Over HTTP a tool is a command that HTTP offers too.
      for (const name of ["probe_keep-here", "runtime-debug_reproduce"])
        assert.equal(names.includes(name), over === "stdio", name);
      for (const name of ["probe_keep", "probe_not-here"]) assert.ok(!names.includes(name), name);
      const greet = tools.find(({ name }) => name === "probe_greet");
      assert.deepEqual(greet?.inputSchema.required, ["name"]);
      assert.deepEqual(greet.outputSchema, undefined, "an object is what a client assumes");
      assert.equal(greet.description, "Greets.");
      assert.match(
        opened.client.getInstructions() ?? "",
        /^music-analysis: .*\n- Ask the analysis service through /m,
      );
      assert.deepEqual(tools.find(({ name }) => name === "music-analysis_ask")?.annotations, {
        destructiveHint: false,
      });
      // A command that states no effects has those that a client assumes.
      assert.equal(greet.annotations, undefined);
    });

    test("gets the output, as data and as text for a person", async () => {
      const { content, structuredContent, isError } = await call("probe_talk", { name: "Ada" });
      assert.deepEqual(structuredContent, { text: "I am Ada" });
      assert.deepEqual([content, isError], [[{ type: "text", text: "I am Ada" }], undefined]);
    });

    test("gets an error of a command as a result, with code, hint and place", async () => {
      const wrong = await call("probe_greet", { name: 5 });
      assert.equal(wrong.isError, true);
      assert.match(
        textOf(wrong),
        /^INPUT_INVALID: \/name must be a string\.\nHint: The input schema of the tool says which arguments it takes\.$/,
      );
      const error = wrong._meta?.["skillctl/error"] as Readonly<Record<string, unknown>>;
      assert.deepEqual([error["code"], error["pointer"]], ["INPUT_INVALID", "/name"]);
      const denied = await call("probe_talk", { name: TOKEN });
      assert.equal(denied.isError, true);
      assert.match(textOf(denied), /^GUARD_DENIED: [^\n]*\nHint: Rule: login-proxy\/no-token-argument\./);
      assert.match(textOf(denied), / Evaluation: g-\S+\.$/);
    });

    test("does not see the causes of a failure, and gets its result although a skill prints", async () => {
      const fault = await call("probe_fail");
      assert.match(textOf(fault), /^INTERNAL: /);
      assert.ok(!JSON.stringify(fault).includes("hunter2"));
      assert.equal(textOf(await call("probe_print")), "printed");
    });

    test("gets an error of the protocol for an unknown tool", async () => {
      for (const name of ["probe_tolk", "probe_not-here", "probe_keep"])
        await assert.rejects(call(name), { code: -32_602 });
      await assert.rejects(call("probe_tolk"), /Did you mean probe_talk\?/);
    });

    test("has one session for the calls of a connection, and is never asked for a secret", async () => {
      const said = await call("probe_speak");
      assert.match(textOf(said), over === "stdio" ? /^mcp mcp-[0-9a-f-]{36}$/ : /^http undefined$/);
      assert.equal(textOf(await call("probe_speak")), textOf(said));
      assert.match(textOf(await call("probe_hide")), /^USAGE: A secret cannot be requested over MCP\./);
    });
  });
