/**
 * The tools of a host for the loops of agents: their definitions, and the results of their calls. The SDKs themselves
 * run in contract-tests/embedding.long.test.ts.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test, type TestContext } from "node:test";
import { aiTools, anthropicTools, openaiTools, type ToolOptions } from "skillctl/ai";
import type { Approval } from "skillctl/host";
import { hostOf } from "../../../../contract-tests/doors-harness.ts";

const COMMAND = { summary: "Does it.", input: "sample/any", output: "sample/text-output", display: "text" };
const LONG = "x".repeat(60);
const MANIFEST = {
  commands: {
    speak: COMMAND,
    wait: COMMAND,
    erase: COMMAND,
    fail: COMMAND,
    strict: { ...COMMAND, input: "sample/strict" },
    advise: { ...COMMAND, output: "sample/advice", display: "advice" },
    whole: { ...COMMAND, display: undefined },
    [LONG]: COMMAND,
    local: { ...COMMAND, surfaces: ["cli"] },
  },
  rules: {
    careful: {
      tell: "Ask before erasing.",
      on: ["command.pre"],
      when: { properties: { name: { const: "erase" } } },
      decision: "ask",
      message: "This erases everything.",
    },
  },
};
const SCHEMAS = {
  any: { type: "object", additionalProperties: true },
  strict: {
    type: "object",
    properties: { word: { type: "string", minLength: 2 } },
    additionalProperties: false,
  },
  advice: {
    type: "object",
    required: ["advice"],
    properties: { advice: { type: "string", format: "instructions" } },
  },
};
const CODE = `
const does = (run) => class { run = async (input, call) => ({ text: await run(input, call) }); };
export default { commands: {
  speak: does((input, { surface, session, progress }) => { progress("Speaking."); return [surface, session, JSON.stringify(input)].join(" "); }),
  wait: does((_, { signal, progress }) => new Promise((_, reject) => {
    const end = () => reject(Object.assign(new Error("Given up."), { name: "AbortError" }));
    if (signal.aborted) end();
    signal.addEventListener("abort", end);
    progress("Waiting.");
  })),
  erase: does(() => "erased"),
  fail: does(() => { throw new Error("the password is hunter2"); }),
  strict: does(() => "strict"),
  advise: class { run = async () => ({ advice: "Call \`skillctl run sample strict --word Ada\`." }); },
  whole: does(() => "whole"),
  "${LONG}": does(() => ""),
  local: does(() => ""),
} };
`;

/** The ways in which the SDKs call a tool. Each returns the text for the model, of an error too. */
type Call = (name: string, input?: object, signal?: AbortSignal) => Promise<string>;

async function loops(t: TestContext, options: ToolOptions = {}) {
  const { host, log } = await hostOf(t, "sample", { manifest: MANIFEST, schemas: SCHEMAS, code: CODE });
  const messageOf = ({ message }: Error): string => message;
  const tools = {
    ai: await aiTools(host, options),
    anthropic: await anthropicTools(host, options),
    openai: await openaiTools(host, options),
  };
  const calls: Readonly<Record<keyof typeof tools, Call>> = {
    ai: async (name, input = {}, abortSignal) => {
      const tool = tools.ai[`sample_${name}`];
      assert.ok(tool, name);
      return tool
        .execute(input, { abortSignal })
        .then((output) => tool.toModelOutput({ output }).value, messageOf);
    },
    anthropic: async (name, input = {}, signal) => {
      const tool = tools.anthropic.find((one) => one.name === `sample_${name}`);
      assert.ok(tool, name);
      return tool.run(tool.parse(input), { signal }).catch(messageOf);
    },
    openai: async (name, input = {}, signal = new AbortController().signal) => {
      const tool = tools.openai.find((one) => one.function.name === `sample_${name}`)?.function;
      assert.ok(tool, name);
      return tool.function(tool.parse(JSON.stringify(input)), { controller: { signal } });
    },
  };
  return { host, log, tools, calls: Object.entries(calls) };
}

describe("the tools of a host for agent loops", () => {
  test("are the commands that MCP offers, with names that all providers accept", async (t) => {
    const { tools, log } = await loops(t);
    const names = Object.keys(tools.ai);
    assert.deepEqual(names, [
      "sample_speak",
      "sample_wait",
      "sample_erase",
      "sample_fail",
      "sample_strict",
      "sample_advise",
      "sample_whole",
    ]);
    assert.deepEqual(
      tools.anthropic.map(({ name }) => name),
      names,
    );
    assert.deepEqual(
      tools.openai.map((tool) => tool.function.name),
      names,
    );
    assert.match(log.notices.join("\n"), /sample_x{60} is not a valid tool name/);
    const schema = tools.ai["sample_strict"]?.inputSchema["~standard"].jsonSchema.input();
    assert.deepEqual(schema, tools.anthropic[4]?.input_schema);
    assert.deepEqual(schema, tools.openai[4]?.function.parameters);
    assert.deepEqual(schema?.["properties"], { word: { type: "string" } });
  });

  test("return the text of an output, in the terms of tools, or the whole output if it has no text", async (t) => {
    const { calls, tools } = await loops(t, { session: "tour" });
    for (const [sdk, call] of calls) {
      assert.equal(await call("speak", { a: 1 }), 'mcp tour {"a":1}', sdk);
      assert.equal(await call("advise"), 'Call `sample_strict {"word":"Ada"}`.', sdk);
      assert.equal(await call("whole"), '{"text":"whole"}', sdk);
    }
    assert.deepEqual(await tools.ai["sample_whole"]?.execute({}), { text: "whole" });
    assert.deepEqual(tools.openai[0]?.function.parse(""), {});
  });

  test("return an error as code, sentence and hint, and hide the text of an unexpected one", async (t) => {
    const { calls } = await loops(t);
    for (const [sdk, call] of calls) {
      assert.match(
        await call("strict", { word: "a" }),
        /^INPUT_INVALID: .*\/word.*\nHint: The input schema of the tool/,
        sdk,
      );
      const failed = await call("fail");
      assert.match(failed, /^INTERNAL: /, sdk);
      assert.doesNotMatch(failed, /hunter2/, sdk);
    }
  });

  test("ask `approve` where a rule asks, and refuse without it", async (t) => {
    const asked: Approval[] = [];
    let isApproved = false;
    const approve = async (question: Approval): Promise<boolean> => {
      asked.push(question);
      return isApproved;
    };
    for (const [sdk, call] of (await loops(t)).calls)
      assert.match(await call("erase"), /^GUARD_ASKS: .*\nHint: .*only a person can answer/, sdk);
    for (const [sdk, call] of (await loops(t, { approve })).calls) {
      isApproved = false;
      assert.match(await call("erase"), /^GUARD_DENIED: Not approved: /, sdk);
      isApproved = true;
      assert.equal(await call("erase"), "erased", sdk);
    }
    assert.equal(asked.length, 6);
    assert.deepEqual([asked[0]?.command, asked[0]?.rule], ["erase", "sample/careful"]);
  });

  test("abort the call when the loop is aborted, and report progress", async (t) => {
    const said = new EventTarget();
    const { calls } = await loops(t, { progress: (sentence) => said.dispatchEvent(new Event(sentence)) });
    for (const [sdk, call] of calls) {
      const ending = new AbortController();
      const waiting = call("wait", {}, ending.signal);
      await once(said, "Waiting.");
      ending.abort();
      assert.match(await waiting, /^CANCELLED: /, sdk);
      assert.match(await call("speak", {}, AbortSignal.abort()), /^CANCELLED: /, sdk);
    }
  });

  test("are those of the chosen skills", async (t) => {
    const { host } = await loops(t);
    assert.deepEqual(await aiTools(host, { skills: { without: ["sample"] } }), {});
    await assert.rejects(() => openaiTools(host, { skills: { only: ["sampel"] } }), /sampel/);
  });
});
