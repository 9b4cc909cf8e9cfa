/** Any bytes as a body, however they are framed, are stored as they came, or refused, counted and kept. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { debugHost, serving } from "./serving.ts";
import { objectsOf, tokensOf } from "./http-tokens.ts";
import { told } from "./http-wire.ts";
import { effort } from "../../../contract-tests/effort.ts";
import { ANY_CHARACTER } from "../../../contract-tests/any-character.ts";

const RUNS = effort(67, 1_200);
const HEAD_BYTES = 4_096;

const json = fc.json({ maxDepth: 4 });
const numbers = fc.constantFrom("0", "-0.0", "1e400", "12345678901234567890", "1E-7", "01", "+1", "NaN");
const object = fc.oneof(
  fc
    .dictionary(fc.string({ unit: ANY_CHARACTER, maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }))
    .map((value) => JSON.stringify(value)),
  numbers.map((number) => `{ "n" :\t${number} }`),
  fc.constantFrom(
    "{}",
    '{"a":1,"a":2}',
    '{"_seq":7,"msg":"x"}',
    '{"sessionId":"../x"}',
    '{"ts":null,"runId":5}',
  ),
);
const text = fc.oneof(
  json,
  object,
  fc.array(object, { maxLength: 4 }).map((list) => `[${list.join(", ")}]`),
  fc
    .array(fc.oneof(object, json, fc.string({ unit: ANY_CHARACTER })), { maxLength: 4 })
    .map((list) => list.join("\n")),
  object.map((one) => `\uFEFF${one}\r\n`),
);
const bytes = fc.oneof(
  { weight: 4, arbitrary: text.map((one) => Buffer.from(one)) },
  fc.uint8Array({ maxLength: 400 }).map((one) => Buffer.from(one)),
  fc.tuple(text, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([one, at, byte]) => {
    const flipped = Buffer.from(one);
    if (flipped.length > 0) flipped[at % flipped.length] = byte;
    return flipped;
  }),
);

/** Where a body is cut into chunks; none means a length. */
const cuts = fc.option(fc.array(fc.nat({ max: 400 }), { maxLength: 5 }), { nil: undefined });

function framed(body: Buffer, places: readonly number[] | undefined): readonly Buffer[] {
  if (!places) return [Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body];
  const ends = [...places.map((at) => at % (body.length + 1)), body.length].toSorted((a, b) => a - b);
  const parts: Buffer[] = [Buffer.from("Transfer-Encoding: chunked\r\n\r\n")];
  let start = 0;
  for (const end of ends) {
    if (end === start) continue;
    parts.push(
      Buffer.from(`${(end - start).toString(16)}\r\n`),
      body.subarray(start, end),
      Buffer.from("\r\n"),
    );
    start = end;
  }
  return [...parts, Buffer.from("0\r\n\r\n")];
}

const lines = async (path: string): Promise<readonly string[]> =>
  (await readFile(path, "utf8").catch(() => "")).split("\n").filter(Boolean);

/** What is kept of a refused body is part of it, but for what looks like a secret. */
function assertKept(line: string, body: Buffer): void {
  const kept = JSON.parse(line) as { readonly text?: string; readonly bytes_base64?: string };
  const part =
    kept.text === undefined ? Buffer.from(kept.bytes_base64 ?? "", "base64") : Buffer.from(kept.text);
  let from = 0;
  for (const piece of part.subarray(0, HEAD_BYTES).toString("latin1").split("[redacted]")) {
    const at = body.indexOf(piece, from, "latin1");
    assert.notEqual(at, -1, line);
    from = at + piece.length;
  }
}

/** A stored line begins with all that was sent, or its flags say that it does not. */
function assertStored(line: string, sent: readonly string[]): void {
  const { _flags: flags } = JSON.parse(line) as { readonly _flags?: readonly string[] };
  const changed = flags?.some((flag) => /^(renamed|cut|redacted)\b/.test(flag));
  if (!changed) assert.deepEqual(tokensOf(line).slice(0, sent.length - 1), sent.slice(0, -1), line);
}

test("any bytes as a body end in stored events or in a refusal that is counted and kept", async (t) => {
  const { info } = await serving(await debugHost(t));
  const port = Number(new URL(info.base_url).port);
  const rejectedFile = join(info.log_dir, `svc-debug-rejected-${info.session_id}.ndjson`);
  const head = `POST /event HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: application/json\r\nConnection: close\r\n`;
  const seen = { stored: 0, rejected: 0 };
  const property = fc.asyncProperty(bytes, cuts, async (body, places) => {
    const [heard, ...more] = await told(port, Buffer.concat([Buffer.from(head), ...framed(body, places)]));
    assert.deepEqual(more, []);
    const { accepted, rejected = 0 } = JSON.parse(heard?.text ?? "") as {
      readonly accepted: number;
      readonly rejected?: number;
    };
    const status = heard?.status ?? 0;
    assert.ok(rejected > 0 ? status >= 400 && status < 500 : status === 200 && accepted > 0, heard?.text);
    const stored = (await lines(info.log_file)).slice(seen.stored);
    const kept = (await lines(rejectedFile)).slice(seen.rejected);
    assert.deepEqual([stored.length, kept.length], [accepted, rejected]);
    seen.stored += accepted;
    seen.rejected += rejected;
    for (const line of kept) assertKept(line, body);
    if (rejected > 0) return;
    const sent = objectsOf(body.toString());
    assert.equal(sent.length, accepted);
    for (const [index, line] of stored.entries()) assertStored(line, sent[index] ?? []);
  });
  await fc.assert(property, { numRuns: RUNS });
  const health = (await (await fetch(`${info.base_url}/health`)).json()) as Readonly<Record<string, number>>;
  assert.deepEqual([health["seq"], health["rejected"]], [seen.stored, seen.rejected]);
  assert.ok(seen.stored > 0 && seen.rejected > 0);
});
