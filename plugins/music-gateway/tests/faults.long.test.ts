/** Every fault that the gateway can rehearse, over a socket, and what the command line makes of it. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { FAULTS } from "../faults.ts";
import { PATH, asked, post, serving, type Gateway } from "./rehearsal.ts";

/** What stands in answers, the made-up ones included, and must not be shown when there is none. */
const WITHHELD = /演练：|播放表现/;

const folder = await mkdtemp(join(tmpdir(), "skillctl-faults-"));
after(() => rm(folder, { recursive: true, force: true }));

/** A gateway with these faults that counts the questions of a day. */
const rehearsing = (faults: readonly string[]): Promise<Gateway> =>
  serving(folder, faults, ["--quota", "10"]);

interface Row {
  readonly faults: string;
  /** The code of the error; none is an answer. */
  readonly code?: string;
  readonly status: number;
  /** Default 1. */
  readonly requests?: number;
  /** Questions of the day that are used. */
  readonly counted?: 1;
}

const answer = { status: 0, counted: 1 } as const;
const timeout = { code: "MUSIC_TIMEOUT", status: 75 };
const busy = { code: "MUSIC_BUSY", status: 75, requests: 2 };
const safety = { code: "MUSIC_SAFETY_REVOKED", status: 69 };
const login = { code: "MUSIC_LOGIN_NEEDED", status: 77 };
const broken = { code: "MUSIC_REPLY_BROKEN", status: 69 };
const unknown = { code: "MUSIC_OUTCOME_UNKNOWN", status: 76 };

/** Every fault, as music-analysis is to take it (docs/music-analysis.md, Rehearsing). */
const ROWS: readonly Row[] = [
  { faults: "timeout", ...timeout },
  { faults: "safety", ...safety },
  { faults: "safety-complete", ...safety, counted: 1 },
  { faults: "upstream-error", ...busy },
  { faults: "upstream-error:1", ...answer, requests: 2 },
  { faults: "upstream-error:2", ...busy },
  { faults: "upstream-error:1 timeout", ...timeout, requests: 2 },
  { faults: "unknown-finish", ...broken },
  { faults: "quota", code: "MUSIC_QUOTA_REACHED", status: 75 },
  { faults: "song", code: "MUSIC_SONG_BLOCKED", status: 69 },
  { faults: "unauthorized", ...login },
  { faults: "unauthorized-401", ...login },
  { faults: "unknown-user", ...login },
  { faults: "parameter", code: "MUSIC_PARAMETER", status: 65 },
  { faults: "wrong-field", code: "MUSIC_FIELD_REFUSED", status: 70 },
  { faults: "unknown-code", code: "MUSIC_REFUSED", status: 69 },
  { faults: "string-zero", ...answer },
  { faults: "missing-code", ...broken, counted: 1 },
  { faults: "no-data", ...broken },
  { faults: "empty-content", ...broken, counted: 1 },
  { faults: "wrong-type", ...broken },
  { faults: "not-object", ...broken },
  { faults: "bad-json", ...unknown },
  { faults: "html", ...broken },
  { faults: "redirect", ...broken },
  { faults: "status-404", ...broken },
  { faults: "status-500", ...unknown },
  { faults: "status-502", ...unknown },
  { faults: "truncate", ...unknown, counted: 1 },
  { faults: "drop", ...unknown, counted: 1 },
  { faults: "huge", ...unknown, counted: 1 },
  { faults: "gzip-bomb", ...unknown, counted: 1 },
  { faults: "slow:0.05", ...answer },
  { faults: "slow:0.05 timeout", ...timeout },
];

test("every fault has a row", () => {
  const rehearsed = new Set(
    ROWS.flatMap(({ faults }) => faults.split(" ").map((word) => word.split(":")[0])),
  );
  assert.deepEqual(rehearsed, new Set([...Object.keys(FAULTS), "slow"]));
});

describe("what music-analysis makes of a service with a fault", () => {
  for (const [index, row] of ROWS.entries()) {
    const { faults, code, status, requests = 1, counted: questions = 0 } = row;
    const ending = `${code ?? "an answer"}, exit status ${status}, after ${requests} request${requests > 1 ? "s" : ""}`;
    test(`row ${index + 1}: ${ending}`, async () => {
      const gateway = await rehearsing(faults.split(" "));
      const said = await asked(folder, gateway);
      await gateway.stop();
      assert.deepEqual([said.code, said.status], [code, status], `${faults}: ${said.out}${said.err}`);
      assert.deepEqual(
        gateway.seen(),
        Array.from({ length: requests }, () => `POST ${PATH}`),
        faults,
      );
      assert.equal(gateway.counted(), questions, faults);
      // A refusal for an unknown reason is told in the words of the service.
      if (status !== 0 && code !== "MUSIC_REFUSED")
        assert.doesNotMatch(said.out + said.err, WITHHELD, faults);
      assert.ok(!(said.out + said.err).includes(gateway.token), faults);
    });
  }
});

describe("a service with faults", () => {
  test("asks for its token first, unless the fault is about that", async () => {
    const gateway = await rehearsing(["drop:1", "unauthorized-401:1", "timeout"]);
    const ask = async (token: string): Promise<readonly unknown[]> => {
      const response = await post(gateway, { token });
      return [response.status, ((await response.json()) as { readonly code: unknown }).code];
    };
    try {
      assert.deepEqual(await ask("wrong"), [200, "UNAUTHORIZED"]);
      await assert.rejects(ask(gateway.token));
      assert.deepEqual(await ask("wrong"), [401, "UNAUTHORIZED"]);
      assert.deepEqual(await ask("wrong"), [200, "UNAUTHORIZED"]);
      assert.deepEqual(await ask(gateway.token), [200, 0]);
    } finally {
      const { err } = await gateway.stop();
      assert.match(err, /^Request 1: refused, since its token is not the right one\.\nRequest 2: drop\.\n/);
    }
  });

  test("that is slow stops at once when it is told to", async () => {
    const gateway = await rehearsing(["slow:600"]);
    const response = post(gateway);
    while (gateway.taken() === 0) await new Promise(setImmediate);
    const { status } = await gateway.stop();
    assert.equal(status, 0);
    assert.equal(((await (await response).json()) as { readonly code: unknown }).code, 0);
  });

  test("that is slow counts a question whose asker has gone", async () => {
    const gateway = await rehearsing(["slow:600"]);
    const leaving = new AbortController();
    const response = post(gateway, { signal: leaving.signal });
    while (gateway.taken() === 0) await new Promise(setImmediate);
    leaving.abort();
    await assert.rejects(response);
    while (gateway.counted() === 0) await new Promise((settle) => setTimeout(settle, 10));
    await gateway.stop();
  });
});
