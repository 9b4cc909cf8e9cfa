/** Connections that are never made: given up after 10 s, long before the time-out of the request. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { kyHttp } from "../../http.ts";
import { bareSide } from "../../../testing/fixture-other-side.ts";
import {
  fullListener,
  noFullListener,
} from "../../../../plugins/runtime-debug/tests/faults/full-listener.ts";

/** The outcome of a request that may take a minute, and its duration in seconds. */
async function ended(
  url: string,
): Promise<{ readonly code: string; readonly message: string; readonly seconds: number }> {
  const started = performance.now();
  const request = { method: "POST", url, body: "x", timeoutMs: 60_000, maxBytes: 10 } as const;
  const caught: unknown = await kyHttp.send(request).catch((error: unknown) => error);
  const { code, message } = caught as { readonly code: string; readonly message: string };
  return { code, message, seconds: (performance.now() - started) / 1000 };
}

describe("a connection that is not made within 10 s", { concurrency: true }, () => {
  test("counts as not reached when the other side sends no packet", { skip: noFullListener }, async (t) => {
    const url = `http://127.0.0.1:${await fullListener(t)}`;
    const { code, message, seconds } = await ended(url);
    assert.deepEqual(
      [code, message],
      ["NETWORK_UNREACHED", `${url} cannot be reached (UND_ERR_CONNECT_TIMEOUT).`],
    );
    assert.ok(seconds > 9 && seconds < 20, `${seconds} s`);
  });

  test("counts as not reached when the TLS handshake never ends", async (t) => {
    let taken = 0;
    const url = (await bareSide(t, () => void (taken += 1))).replace("http:", "https:");
    const { code, message, seconds } = await ended(url);
    assert.deepEqual(
      [code, message, taken],
      ["NETWORK_UNREACHED", `${url} cannot be reached (UND_ERR_CONNECT_TIMEOUT).`, 1],
    );
    assert.ok(seconds > 9 && seconds < 20, `${seconds} s`);
  });
});
