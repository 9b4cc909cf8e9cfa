/** Commands that are offered as prompts and resources, or whose results are content blocks: a client sees them in both revisions. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { writeConformanceSkill } from "./conformance-skill.ts";
import { ERAS, connectOnce } from "./mcp-harness.ts";

for (const era of ERAS) {
  describe(`the commands of a skill in MCP ${era}`, () => {
    const opened = connectOnce(async (folder) => ({
      era,
      over: "http",
      words: ["--plugin", await writeConformanceSkill(join(folder, "skills"))],
    }));

    test("are prompts with arguments instead of tools if their manifest says so", async () => {
      const { prompts } = await opened.client.listPrompts();
      const own = prompts.find(({ name }) => name === "test_prompt_with_arguments");
      assert.deepEqual(own?.arguments, [
        { name: "arg1", description: "The first.", required: true },
        { name: "arg2", description: "The second.", required: true },
      ]);
      const { tools } = await opened.client.listTools();
      assert.ok(!tools.some(({ name }) => name === own.name));
      const given = { name: own.name, arguments: { arg1: "park", arg2: "x" } };
      const { messages } = await opened.client.getPrompt(given);
      assert.deepEqual(messages, [
        { role: "user", content: { type: "text", text: "Prompt with arguments: arg1='park', arg2='x'" } },
      ]);
      await assert.rejects(opened.client.getPrompt({ ...given, arguments: { arg1: "park" } }), {
        code: -32_602,
        message: /INPUT_INVALID/,
      });
    });

    test("complete an argument from the values of its schema", async () => {
      const ref = { type: "ref/prompt", name: "test_prompt_with_arguments" } as const;
      const values = async (name: string, value: string): Promise<readonly string[]> =>
        (await opened.client.complete({ ref, argument: { name, value } })).completion.values;
      assert.deepEqual(await values("arg1", "par"), ["paris", "park"]);
      assert.deepEqual(await values("arg1", "x"), []);
      assert.deepEqual(await values("arg2", ""), []);
    });

    test("are resources and templates, whose variables are the input", async () => {
      const { resources } = await opened.client.listResources();
      assert.ok(resources.some(({ uri }) => uri === "test://static-text"));
      const { resourceTemplates } = await opened.client.listResourceTemplates();
      assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === "test://template/{id}/data"));
      const read = async (uri: string) => (await opened.client.readResource({ uri })).contents;
      assert.deepEqual(await read("test://template/7/data"), [
        {
          uri: "test://template/7/data",
          mimeType: "application/json",
          text: '{"id":"7","templateTest":true,"data":"Data for ID: 7"}',
        },
      ]);
      const [picture] = await read("test://static-binary");
      assert.deepEqual([picture?.mimeType, picture && "blob" in picture], ["image/png", true]);
    });

    test("return a list of content blocks unchanged, without data", async () => {
      const { content, structuredContent } = await opened.client.callTool({
        name: "test_multiple_content_types",
      });
      assert.deepEqual(
        content.map(({ type }) => type),
        ["text", "image", "resource"],
      );
      assert.equal(structuredContent, undefined);
    });
  });
}
