/** Every fault that the gateway can rehearse, over a socket, and what the command line makes of it. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { FAULTS } from "../faults.ts";
import { PATH, QUESTION, asked, bytesOf, counted, post, say, serving, type Gateway } from "./rehearsal.ts";

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
      assert.equal(await counted(gateway), questions, faults);
      if (status !== 0) assert.doesNotMatch(said.out + said.err, WITHHELD, faults);
      assert.ok(!(said.out + said.err).includes(gateway.token), faults);
    });
  }
});

describe("a service with faults", () => {
  test("goes from one fault to the next and ends with real answers, and tells each request", async () => {
    const gateway = await rehearsing(["quota:2", "html:1"]);
    const codes = [];
    for (let number = 0; number < 5; number += 1) codes.push((await asked(folder, gateway)).code);
    const { status, out, err } = await gateway.stop();
    const quota = "MUSIC_QUOTA_REACHED";
    assert.deepEqual(codes, [quota, quota, "MUSIC_REPLY_BROKEN", undefined, undefined]);
    assert.equal(
      err,
      "Request 1: quota.\nRequest 2: quota.\nRequest 3: html.\nRequest 4: the real answer.\nRequest 5: the real answer.\n",
    );
    assert.equal(status, 0);
    assert.deepEqual((JSON.parse(out.split("\n}")[0] + "}") as { faults: unknown }).faults, [
      "quota:2",
      "html:1",
    ]);
  });

  test("asks for its token first, unless the fault is about that", async () => {
    const gateway = await rehearsing(["drop:1", "unauthorized-401:1", "timeout"]);
    const ask = async (token: string): Promise<readonly unknown[]> => {
      const response = await post(gateway, { "svc-header-token": token });
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

  test("refuses what the contract refuses where a fault would have spoilt the answer", async () => {
    const gateway = await rehearsing(["truncate"]);
    const codes = [];
    for (let number = 0; number < 11; number += 1) codes.push((await asked(folder, gateway)).code);
    await gateway.stop();
    assert.deepEqual(codes.slice(9), ["MUSIC_OUTCOME_UNKNOWN", "MUSIC_QUOTA_REACHED"]);
    assert.equal(await counted(gateway), 10);
  });

  test("sends elsewhere on this machine, to another origin", async () => {
    const gateway = await rehearsing(["redirect"]);
    const response = await post(gateway);
    const target = new URL(response.headers.get("location") ?? "");
    await gateway.stop();
    assert.deepEqual(
      [response.status, target.hostname, target.port],
      [302, "localhost", new URL(gateway.url).port],
    );
    assert.notEqual(target.origin, gateway.url);
  });

  test("stops half-way through the body, or before a byte of the answer", async () => {
    const gateway = await rehearsing(["truncate:1", "drop:1"]);
    const { port } = new URL(gateway.url);
    const body = JSON.stringify({ userMessage: QUESTION });
    const head = [
      `POST ${PATH} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `svc-header-token: ${gateway.token}`,
    ];
    const request = `${head.join("\r\n")}\r\n\r\n${body}`;
    const half = await bytesOf(Number(port), request);
    const nothing = await bytesOf(Number(port), request);
    await gateway.stop();
    assert.match(half, /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n[0-9a-f]+\r\n\{"code":0,[^]*[^}]\r\n$/);
    assert.equal(nothing, "");
  });

  test("packs more than 8 MiB into little, or sends them as they are", async () => {
    const gateway = await rehearsing(["gzip-bomb:1", "huge:1"]);
    const wire = await post(gateway, { "accept-encoding": "identity" });
    assert.equal(wire.headers.get("content-encoding"), "gzip");
    const sizes = [
      (await wire.arrayBuffer()).byteLength,
      (await (await post(gateway)).arrayBuffer()).byteLength,
    ];
    await gateway.stop();
    for (const size of sizes) assert.ok(size > 8 * 1024 * 1024 && size < 10 * 1024 * 1024, String(size));
  });

  test("that is slow stops at once when it is told to", async () => {
    const gateway = await rehearsing(["slow:600"]);
    const response = post(gateway);
    while (gateway.seen().length === 0) await new Promise(setImmediate);
    const { status } = await gateway.stop();
    assert.equal(status, 0);
    assert.equal(((await (await response).json()) as { readonly code: unknown }).code, 0);
  });

  test("that is slow counts a question whose asker has gone", async () => {
    const gateway = await rehearsing(["slow:600"]);
    const leaving = new AbortController();
    const response = fetch(gateway.url + PATH, {
      method: "POST",
      signal: leaving.signal,
      body: JSON.stringify({ userMessage: QUESTION }),
      headers: { "content-type": "application/json", "svc-header-token": gateway.token },
    });
    while (gateway.seen().length === 0) await new Promise(setImmediate);
    leaving.abort();
    await assert.rejects(response);
    while ((await counted(gateway)) === 0) await new Promise((settle) => setTimeout(settle, 10));
    await gateway.stop();
  });
});

describe("serve --fault", () => {
  test("refuses a fault that there is not, and names those that there are", async () => {
    const home = await mkdtemp(join(folder, "refused-"));
    const words = ["run", "music-gateway", "serve", "--fault", "quota:1", "--fault", "time-out"];
    const { status, out, err } = await say(words, { home });
    assert.deepEqual([status, out], [65, ""]);
    assert.match(err, /^error: "time-out" is no fault\.\n/);
    const words2 = err.replaceAll(/\s+/g, " ");
    assert.match(words2, /Did you mean timeout\?/);
    for (const name of Object.keys(FAULTS)) assert.ok(words2.includes(`${name},`), name);
  });

  test("is explained by the help, with every name", async () => {
    const { out } = await say(["run", "music-gateway", "serve", "--help"], { home: folder });
    const words = out.replaceAll(/\s+/g, " ");
    for (const name of [...Object.keys(FAULTS), "slow:SECONDS"]) assert.ok(words.includes(name), name);
  });
});
