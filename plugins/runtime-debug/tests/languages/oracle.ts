import assert from "node:assert/strict";
import type { Sent } from "./table.ts";

/** What the server that stored the lines was told. */
export interface Stage {
  readonly session: string;
  /** What its clock says, in milliseconds. */
  readonly now: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** That the lines of a log are the events as they were sent, each with what the server promises to add and no more. */
export function assertStored(log: string, sent: readonly Sent[], stage: Stage): void {
  const lines = log.split("\n");
  assert.equal(lines.pop(), "");
  assert.equal(lines.length, sent.length, log);
  for (const [index, one] of sent.entries()) {
    const line = lines[index] as string;
    const stored = JSON.parse(line) as Fields;
    assert.deepEqual(stored, { ...one.event, ...added(one, index + 1, stage) }, line);
    const keys = Object.keys(one.event);
    assert.deepEqual(Object.keys(stored).slice(0, keys.length), keys, line);
    assert.ok(line.includes(one.text ?? ""), line);
  }
}

function added(
  { event, run = "pre-fix", session, source = "event" }: Sent,
  seq: number,
  stage: Stage,
): Fields {
  const missing: Fields = {
    sessionId: session ?? stage.session,
    ts: event["timestamp"] ?? stage.now,
    runId: "pre-fix",
    ...("message" in event && { msg: event["message"] }),
  };
  return {
    ...Object.fromEntries(Object.entries(missing).filter(([name]) => !(name in event))),
    _seq: seq,
    _at: stage.now,
    _run: run,
    _src: source,
  };
}
