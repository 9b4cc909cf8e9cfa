import assert from "node:assert/strict";
import { test } from "node:test";
import { SkillError } from "skillctl";
import { LOOPBACK_RECORD } from "../server/fixture-record.ts";
import { unansweredHint, unansweredSentence, type Known } from "./known.ts";

const KNOWN: Known = { session: "a-b", record: LOOPBACK_RECORD, isAlive: false, inContainer: false };

function failure(code: string, reason: string): SkillError {
  return new SkillError(code, "It failed.", { cause: Object.assign(new Error(), { code: reason }) });
}

const REFUSED = failure("NETWORK_UNREACHED", "ECONNREFUSED");
const LOCAL = new URL("http://127.0.0.1:7777/event");

test("in a container whose server has died the new start comes first, then the address of a server outside", () => {
  const hint = unansweredHint(REFUSED, LOCAL, { ...KNOWN, inContainer: true });
  assert.match(hint, /^Start the server again.*serve a-b --detach\. /);
  assert.match(hint, /outside this container.*--remote.*http:\/\/host\.docker\.internal:7777\/event/);
  const alive = unansweredHint(REFUSED, LOCAL, { ...KNOWN, inContainer: true, isAlive: true });
  assert.match(alive, /answers at http:\/\/127\.0\.0\.1:7777/);
  const ended = { ...KNOWN, inContainer: true, record: { ...LOOPBACK_RECORD, ended: "stopped" } };
  assert.match(unansweredHint(REFUSED, LOCAL, ended), /has ended \(stopped\)/);
});

test("an address in the network is one of a server that listens there, of one that does not, or behind a firewall", () => {
  const lan = new URL("http://192.168.1.20:7777/event");
  assert.match(unansweredHint(REFUSED, lan, { ...KNOWN, isAlive: true }), /this machine only.*--remote/);
  const remote = { ...KNOWN, isAlive: true, record: { ...LOOPBACK_RECORD, host: "0.0.0.0" } };
  assert.match(unansweredHint(REFUSED, lan, remote), /firewall.*answers at/);
  assert.match(unansweredHint(REFUSED, lan, { ...KNOWN, record: undefined }), /firewall.*serve a-b --detach/);
  const silent = failure("NETWORK_TIMEOUT", "");
  assert.equal(unansweredSentence(silent, lan), "It failed.");
  assert.match(unansweredSentence(silent, LOCAL), /something that hangs holds the port/);
});
