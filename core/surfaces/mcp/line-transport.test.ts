import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { LineTransport } from "./line-transport.ts";
import { effort } from "../../../contract-tests/harness.ts";
import { ANY_CHARACTER } from "../../../contract-tests/any-character.ts";

const message = (id: number, text = ""): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: text },
});

async function opened(write: (text: string, done: (error?: Error) => void) => void = (_, done) => done()) {
  const input = new PassThrough();
  const heard: JSONRPCMessage[] = [];
  const transport = new LineTransport({ input, write: (text, done) => setImmediate(write, text, done) });
  Object.assign(transport, { onmessage: (one: JSONRPCMessage) => void heard.push(one) });
  await transport.start();
  return { input, heard, transport };
}

/** What a transport makes of an input that comes in these pieces and ends. */
async function heardOf(pieces: readonly Buffer[]): Promise<readonly JSONRPCMessage[]> {
  const { input, heard, transport } = await opened();
  for (const piece of pieces) input.write(piece);
  input.end();
  await transport.closed;
  return heard;
}

describe("messages in lines", () => {
  test("are the same however the bytes are cut", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: ANY_CHARACTER, maxLength: 12 }), { maxLength: 5 }),
        fc.array(fc.nat(600), { maxLength: 8 }),
        fc.constantFrom("\n", "\r\n"),
        async (texts, cuts, end) => {
          const messages = texts.map((text, id) => message(id, text));
          const bytes = Buffer.from(messages.map((one) => JSON.stringify(one) + end).join(""));
          const places = [
            0,
            ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
            bytes.length,
          ];
          const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
          assert.deepEqual(await heardOf(pieces), messages);
        },
      ),
      { numRuns: effort(10, 180) },
    ));

  test("end with the input: a line without its end is not read, and later bytes are nobody's", async () => {
    const whole = JSON.stringify(message(1));
    assert.deepEqual(await heardOf([Buffer.from(`${whole}\n${whole}`)]), [message(1)]);
  });

  test("go out in their order, and are out when `sent` settles", async () => {
    const out: string[] = [];
    const { transport } = await opened((text, done) => {
      out.push(text);
      setImmediate(done);
    });
    const sends = [transport.send(message(1)), transport.send(message(2))];
    await transport.close();
    await transport.sent();
    assert.deepEqual(
      out,
      [1, 2].map((id) => `${JSON.stringify(message(id))}\n`),
    );
    await Promise.all(sends);
  });

  test("that nobody reads any more close the connection, and who sends is told", async () => {
    const { transport } = await opened((_, done) => done(new Error("write EPIPE")));
    let closings = 0;
    Object.assign(transport, { onclose: () => (closings += 1) });
    await assert.rejects(transport.send(message(1)), /EPIPE/);
    await transport.closed;
    await transport.close();
    assert.equal(closings, 1);
  });
});
