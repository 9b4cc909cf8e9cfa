/** The questions of a debug session are put to the person behind an MCP client. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CallToolResult, ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/client";
import { temporaryFolder } from "../../cli/fixture-command-line.ts";
import { ERAS, connect, textOf } from "./mcp-harness.ts";

type Answer = (form: ElicitRequestFormParams) => ElicitResult;

/** Begins a session and answers its first question once for each input. Without `answer` the client shows no forms. */
async function answered(
  era: (typeof ERAS)[number],
  answer: Answer | undefined,
  ...inputs: readonly Record<string, unknown>[]
): Promise<readonly CallToolResult[]> {
  const { path: folder, close } = await temporaryFolder();
  try {
    await using opened = await connect({ era, folder, ...(answer && { answer }) });
    const call = (name: string, given: Record<string, unknown>) =>
      opened.client.callTool({ name: `runtime-debug_${name}`, arguments: given });
    const begun = await call("start", { issue: "The login times out", session: "login-timeout" });
    assert.equal(begun.isError, undefined, textOf(begun));
    const results: CallToolResult[] = [];
    for (const input of inputs) results.push(await call("answer", input));
    return results;
  } finally {
    await close();
  }
}

const outputOf = (result: CallToolResult | undefined) =>
  (result?.structuredContent ?? {}) as {
    readonly answer?: string;
    readonly question?: { readonly options: object };
  };

for (const era of ERAS) {
  describe(`runtime-debug answer in MCP ${era} [debug.gate.question]`, () => {
    test("shows a form with the four options, and the chosen letter is the answer", async () => {
      const forms: ElicitRequestFormParams[] = [];
      const accept: Answer = (form) => {
        forms.push(form);
        return { action: "accept", content: { choice: "A" } };
      };
      const [result] = await answered(era, accept, {});
      assert.equal(outputOf(result).answer, "A");
      const options = /"const":"A".*"const":"B".*"const":"C".*"const":"D","title":"Abort debugging"/;
      assert.match(JSON.stringify(forms), options);
      assert.equal(forms.length, 1);
    });

    test("ends when the person declines, and the question stays open", async () => {
      let declined = false;
      const declineOnce: Answer = () => {
        if (declined) return { action: "accept", content: { choice: "A" } };
        declined = true;
        return { action: "decline" };
      };
      const [first, second] = await answered(era, declineOnce, {}, {});
      assert.match(textOf(first ?? { content: [] }), /^CANCELLED: Nothing was chosen\./);
      assert.equal(outputOf(second).answer, "A");
    });

    test("returns the question to a client without forms, and takes the letter as an argument", async () => {
      const [asked, told] = await answered(era, undefined, {}, { answer: "A" });
      assert.deepEqual(Object.keys(outputOf(asked).question?.options ?? {}), ["A", "B", "C", "D"]);
      assert.equal(outputOf(asked).answer, undefined);
      assert.equal(outputOf(told).answer, "A");
    });
  });
}
