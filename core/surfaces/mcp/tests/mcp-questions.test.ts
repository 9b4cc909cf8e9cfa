/** A command that asks: the client's person is shown a form, in the way of each revision of the protocol. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/client";
import { ERAS, WAYS, connect, connectOnce, probeWords, textOf } from "./mcp-harness.ts";

for (const [era, over] of ERAS.flatMap((one) => WAYS.map((way) => [one, way] as const))) {
  describe(`a question in MCP ${era} over ${over}`, () => {
    let forms: ElicitRequestFormParams[] = [];
    let answer: (form: ElicitRequestFormParams) => ElicitResult;
    const opened = connectOnce(async (folder) => ({
      era,
      over,
      words: await probeWords(folder),
      answer: (form) => (forms.push(form), answer(form)),
    }));
    const call = async (name: string, answered: (form: ElicitRequestFormParams) => ElicitResult) => {
      forms = [];
      answer = answered;
      return opened.client.callTool({ name: `probe_${name}` });
    };
    const accept = (choice: unknown) => () =>
      ({ action: "accept", content: choice === undefined ? {} : { choice } }) as ElicitResult;

    test("is a form with one list, and the option that was chosen is the answer", async () => {
      assert.deepEqual((await call("once", accept("B"))).structuredContent, { text: "B" });
      assert.equal(forms.length, 1);
      assert.equal(forms[0]?.message, "Is it fixed?");
      assert.deepEqual(forms[0]?.requestedSchema, {
        type: "object",
        properties: {
          choice: {
            type: "string",
            title: "Your choice",
            oneOf: [
              { const: "A", title: "It is fixed" },
              { const: "B", title: "It is not" },
            ],
          },
        },
        required: ["choice"],
      });
    });

    test("can be one of two, and each gets its own answer", async () => {
      const result = await call("twice", ({ message }) => accept(message === "First?" ? "A" : "B")());
      assert.equal(textOf(result), "AB in run 3");
      assert.deepEqual(
        forms.map(({ message }) => message),
        ["First?", "Second?"],
      );
    });

    test("is asked even if the command catches the missing answer", async () => {
      assert.equal(textOf(await call("swallow", accept("A"))), "A");
    });

    for (const action of ["decline", "cancel"] as const) {
      test(`that the person answers with ${action} ends the call, and is not asked again`, async () => {
        const result = await call("once", () => ({ action }));
        assert.equal(result.isError, true);
        assert.match(textOf(result), /^CANCELLED: Nothing was chosen\./);
        assert.equal(forms.length, 1);
      });
    }

    test("with an answer that is not one of the options is an error that names the options", async () => {
      for (const choice of ["C", "a", 1, undefined]) {
        const result = await call("once", accept(choice));
        assert.match(
          textOf(result),
          /^INPUT_INVALID: The answer is not one of the options\.\nHint: The options: A, B\.$/,
          String(choice),
        );
        assert.equal(forms.length, 1, String(choice));
      }
    });

    test("is not sent to a client without forms: the command learns that it cannot ask", async () => {
      const { folder } = opened;
      await using plain = await connect({ era, over, folder, words: ["--plugin", `${folder}/skills/probe`] });
      assert.equal(textOf(await plain.client.callTool({ name: "probe_once" })), "A. It is fixed");
    });
  });
}
