/** The shipped program, started by a client, which negotiates the revision and ends the process. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Client, type Progress } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { temporaryFolder, ownFolder } from "../../cli/fixture-command-line.ts";
import { PROGRAM, sayInProcessOfItsOwn, variablesOf } from "../../../../contract-tests/command-line.ts";
import { WAYS, connect, probeWords, textOf } from "./mcp-harness.ts";

describe("a client that starts the built program", () => {
  let folder = "";
  let close = async (): Promise<void> => undefined;
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  before(async () => {
    ({ path: folder, close } = await temporaryFolder());
    const server = {
      command: process.execPath,
      args: [...PROGRAM, "mcp"],
      cwd: folder,
      env: variablesOf(folder),
    };
    await client.connect(new StdioClientTransport(server));
  });
  after(async () => {
    await client.close();
    await close();
  });

  test("agrees with it on the newest revision", () => {
    assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
    assert.equal(client.getServerVersion()?.name, "skillctl");
  });

  test("gets the answer of music-analysis byte for byte as the command line shows it, and its progress", async () => {
    const question = "Top songs, last 90 days";
    const sentences: (string | undefined)[] = [];
    await client.listTools();
    const result = await client.callTool(
      { name: "music-analysis_ask", arguments: { question } },
      { onprogress: ({ message }) => sentences.push(message) },
    );
    assert.equal(result.isError, undefined, textOf(result));
    const { out } = await sayInProcessOfItsOwn(["run", "music-analysis", "ask", question], folder, {
      start: PROGRAM,
    });
    assert.equal(`${textOf(result)}\n`, out);
    assert.equal((result.structuredContent as { readonly text: string }).text, textOf(result));
    assert.match(sentences.join("\n"), /Analysing your data/);
  });

  test("gets an error of a skill as a result, with a code of the skill", async () => {
    const result = await client.callTool({
      name: "runtime-debug_logs",
      arguments: { session: "no-such-log" },
    });
    assert.equal(result.isError, true);
    assert.match(textOf(result), /^DEBUG_NO_LOG: .*no-such-log/);
  });
});

describe("a call that reports no further progress", { concurrency: 2 }, () => {
  for (const over of WAYS)
    test(`repeats its last progress over ${over}, before a client gives up`, async (t) => {
      const path = await ownFolder(t);
      await using opened = await connect({ over, folder: path, words: await probeWords(path) });
      const enough = new AbortController();
      const sentences: (string | undefined)[] = [];
      const onprogress = ({ message }: Progress): void => {
        if (sentences.push(message) === 2) enough.abort("enough");
      };
      const options = { signal: enough.signal, onprogress, timeout: 30_000 };
      await assert.rejects(opened.client.callTool({ name: "probe_wait" }, options));
      assert.deepEqual(sentences, ["Waiting.", "Waiting."]);
    });
});
