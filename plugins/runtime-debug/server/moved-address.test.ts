import assert from "node:assert/strict";
import { test } from "node:test";
import { LOOPBACK_RECORD } from "./fixture-record.ts";
import { movedAddress } from "./moved-address.ts";
import type { ServerRecord } from "./server-record.ts";

const KEY = "c".repeat(43);
const KEY_FILE = "/home/mira/.local/state/skillctl/debug-keys/1.json";
const KEYED: ServerRecord = {
  ...LOOPBACK_RECORD,
  eventUrl: `${LOOPBACK_RECORD.eventUrl}?${KEY}`,
  keyFile: KEY_FILE,
};
const ELSEWHERE = { eventUrl: `http://127.0.0.1:7778/event?${KEY}`, keyFile: KEY_FILE };

test("an address whose key is no longer asked for still works, so nothing is said of it", () => {
  assert.equal(movedAddress(KEYED, LOOPBACK_RECORD), undefined);
  assert.equal(movedAddress(undefined, LOOPBACK_RECORD), undefined);
  assert.equal(movedAddress(KEYED, KEYED), undefined);
});

test("an address that needs a key now, or is another one, is told of without the key", () => {
  const keyed = movedAddress(LOOPBACK_RECORD, KEYED) ?? "";
  assert.match(
    keyed,
    /asks for a key now: .*http:\/\/127\.0\.0\.1:7777\/event without it.* no longer arrives/,
  );
  const moved = movedAddress(KEYED, ELSEWHERE) ?? "";
  assert.match(moved, /changed to http:\/\/127\.0\.0\.1:7778\/event, with its key in the environment file: /);
  assert.match(moved, /what names http:\/\/127\.0\.0\.1:7777\/event in instrumented code no longer arrives/);
  for (const notice of [keyed, moved]) assert.ok(!notice.includes(KEY), notice);
});
