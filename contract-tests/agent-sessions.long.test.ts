/** Whole conversations of a scripted client at /mcp of the built program: a debug session, and a question about a song that must be chosen. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import type { CallToolResult, ElicitResult } from "@modelcontextprotocol/client";
import { temporaryFolder } from "../core/surfaces/cli/fixture-command-line.ts";
import { ERAS, connect, textOf, type ClientWishes } from "../core/surfaces/mcp/tests/mcp-harness.ts";
import { AskingService, OVERALL, catalogue } from "../plugins/music-analysis/tests/asking-service.ts";
import { about } from "../plugins/music-analysis/tests/conversation-harness.ts";
import { CART, HYPOTHESES } from "../plugins/runtime-debug/tests/short-path.ts";
import { PROGRAM } from "./command-line.ts";

async function client(t: TestContext, skill: string, wishes: Omit<ClientWishes, "folder">) {
  const { path: folder, close } = await temporaryFolder();
  const opened = await connect({ over: "http", start: PROGRAM, folder, ...wishes });
  t.after(async () => {
    await opened[Symbol.asyncDispose]();
    await close();
  });
  const ask = (command: string, given: object = {}): Promise<CallToolResult> =>
    opened.client.callTool({ name: `${skill}_${command}`, arguments: { ...given } });
  const call = async (command: string, given: object = {}) => {
    const result = await ask(command, given);
    assert.equal(result.isError, undefined, `${command}: ${textOf(result)}`);
    return result.structuredContent as Readonly<Record<string, unknown>>;
  };
  return { folder, ask, call };
}

describe("a debug session at /mcp", () => {
  for (const [era, hasForms] of ERAS.flatMap((one) => [[one, true] as const, [one, false] as const]))
    test(`in MCP ${era} goes from start to cleanup ${hasForms ? "with forms" : "without forms"} [debug.gate.question]`, async (t) => {
      const forms: string[] = [];
      const answer = ({ message }: { readonly message: string }): ElicitResult => {
        forms.push(message);
        return { action: "accept", content: { choice: "A" } };
      };
      const { folder, call, ask } = await client(t, "runtime-debug", { era, ...(hasForms && { answer }) });
      const cart = join(folder, "cart.js");
      const shown = (): string => execFileSync(process.execPath, [cart], { encoding: "utf8" });
      /** The person answers A: in a form, or with the letter after the question has been shown. */
      const answered = async (command: string): Promise<unknown> => {
        const asked = await call(command);
        if (hasForms) return asked["state"];
        const { options } = asked["question"] as { readonly options: object };
        assert.deepEqual(Object.keys(options), ["A", "B", "C", "D"]);
        return (await call("answer", { answer: "A" }))["state"];
      };
      await writeFile(cart, CART);
      const begun = await call("start", { issue: "The total of the cart is wrong", hypotheses: HYPOTHESES });
      assert.equal(begun["state"], "reproducing", String(begun["text"]));
      const session = String(begun["session"]);
      assert.match(shown(), /^23$/m);
      assert.equal(await answered("answer"), "judging");
      const verdicts = [
        "A confirmed #1, #4: it grows by the sum",
        "B rejected #2, #5: once",
        "C rejected #3, #6: numbers",
      ];
      assert.equal((await call("judge", { verdicts }))["state"], "fixing");
      const early = await ask("verify");
      assert.match(textOf(early), /^DEBUG_STEP: /);
      const probed = await readFile(cart, "utf8");
      await writeFile(cart, probed.replace("item.price + item.quantity;", "item.price * item.quantity;"));
      assert.equal(
        (await call("fix", { summary: "The quantity multiplies the price." }))["state"],
        "verifying",
      );
      assert.match(shown(), /^30$/m);
      await call("verify");
      assert.equal(await answered("answer"), "cleaning");
      const cleaned = await call("cleanup");
      assert.match(String(cleaned["text"]), /^# Fixed: /m);
      const fixed = CART.replace("item.price + item.quantity;", "item.price * item.quantity;");
      assert.equal(await readFile(cart, "utf8"), fixed);
      await assert.rejects(access(join(folder, `debug-${session}.md`)));
      assert.equal(forms.length, hasForms ? 2 : 0);
    });
});

describe("a question about a song at /mcp", () => {
  for (const era of ERAS)
    test(`in MCP ${era} becomes a choice, and the number answers it [music.tier-b]`, async (t) => {
      const service = await AskingService.start(
        catalogue({
          overall: [
            ["海盐", 7],
            ["海盐 (Live)", 8],
            ["晚安", 10],
          ],
        }),
      );
      t.after(() => service.close());
      const variables = { SVC_BASE_URL: service.url, SVC_HEADER_TOKEN: "canary-token-5f2b9c" };
      const { call } = await client(t, "music-analysis", { era, variables });
      // An MCP session of 2025 is one conversation; a client of 2026 names the conversation.
      const named = era === "2025-11-25" ? {} : { conversation: "talk" };
      const say = (question: string) => call("ask", { question, ...named });
      const question = "分析《海盐！》的表现";
      const asked = await say(question);
      assert.deepEqual([asked["kind"], asked["candidates"]], ["choice", ["海盐", "海盐 (Live)"]]);
      assert.match(String(asked["text"]), /1\. 《海盐》\n2\. 《海盐 \(Live\)》/);
      assert.deepEqual(service.bodies, [OVERALL]);
      const told = await say("2");
      assert.deepEqual([told["kind"], told["text"]], ["song", "answer about song 8"]);
      assert.deepEqual(service.bodies, [OVERALL, about(question, 8)]);
      const none = await say("分析《海盐！》的收入");
      assert.equal(none["kind"], "choice");
      assert.equal((await say("都不是"))["kind"], "unsupported");
      assert.equal(service.bodies.length, 2);
    });
});
