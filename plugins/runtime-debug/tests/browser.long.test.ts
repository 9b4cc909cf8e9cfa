/** Attempts of pages in a real browser against the debug server, by their origin. */
import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import type { Frame, Page } from "playwright-core";
import type { ServeInput } from "../contract.ts";
import { chromium, CHROMIUM_MISSING, type Chromium, type Open } from "../../../contract-tests/browser.ts";
import { pages, PAGE, PAGE_SCRIPT } from "./browser-harness.ts";
import { ask, health, until } from "./client.ts";
import { debugHost, serving } from "./serving.ts";

/** A request that was answered. */
interface Answer {
  readonly method: string;
  readonly url: string;
  readonly origin: string | undefined;
  /** 0 without an answer. */
  readonly status: number;
}

const CHANNEL = "http.server.request.start";

/** Records the answers of the servers of this process: a page does not learn the outcome of a beacon or a form. */
class Witness {
  readonly #seen: Answer[] = [];
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
    subscribe(CHANNEL, this.#note);
  }

  /** The response to the request whose address contains the text, once it exists. */
  answered(text: string): Promise<readonly Answer[]> {
    return until(
      () => Promise.resolve(this.#seen.filter(({ url }) => url.includes(text))),
      (seen) => seen.length > 0,
    );
  }

  end(): void {
    unsubscribe(CHANNEL, this.#note);
  }

  readonly #note = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.socket.localPort !== this.#port) return;
    const { method = "", url = "", headers } = request;
    // Not "finish": a client that disconnects closes the response before that.
    response.once("close", () => {
      const status = response.headersSent ? response.statusCode : 0;
      this.#seen.push({ method, url, origin: headers.origin, status });
    });
  };
}

/** The result of an attempt: the part that the page saw, and the response to its address. */
interface Outcome {
  readonly name: string;
  readonly saw: string;
  readonly answered: readonly Answer[];
}

/** The paths of the attempts by name: to write, to read, to change the log. */
const WRITES: Readonly<Record<string, string>> = {
  "fetch-text": "/event",
  "fetch-json": "/event",
  "fetch-cursor": "/ingest/0a1b2c3d-0000-4000-8000-0123456789ab",
  "fetch-opaque": "/log",
  "fetch-redirected": "/event",
  "beacon-text": "/event",
  "beacon-json": "/event",
  form: "/event",
  "form-anonymous": "/",
  "violation-report": "/event",
};
const READS: Readonly<Record<string, string>> = {
  read: "/logs",
  "read-opaque": "/event/logs",
  "read-script": "/logs",
  "read-frame": "/logs",
  "read-socket": "/logs",
};
const CHANGES: Readonly<Record<string, string>> = { run: "/run", "run-opaque": "/run", delete: "/logs" };

let count = 0;

/**
 * Makes some attempts one after the other, and waits until each was answered. Servers without keys do not look at `k`,
 * so that it can name the attempt.
 */
async function attempted(
  place: Page | Frame,
  witness: Witness,
  base: string,
  attempts: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const [name, path] of Object.entries(attempts)) {
    const mark = `${path.includes("?") ? "&" : "?"}k=${name}-${++count}.`;
    const saw = await place.evaluate<string>(`attempt(${JSON.stringify([name, base + path + mark])})`);
    outcomes.set(name, { name, saw, answered: await witness.answered(mark) });
  }
  return outcomes;
}

/** The names of the attempts whose answer the page could read. */
function readable(outcomes: ReadonlyMap<string, Outcome>): readonly string[] {
  return [...outcomes.values()].filter(({ saw }) => /^read: ./.test(saw)).map(({ name }) => name);
}

/** The names of the attempts that reached the server, as more than a preflight, and were not refused. */
function admitted(outcomes: ReadonlyMap<string, Outcome>): readonly string[] {
  const passed = ({ method, status }: Answer): boolean => method !== "OPTIONS" && status < 400;
  return [...outcomes.values()].filter(({ answered }) => answered.some(passed)).map(({ name }) => name);
}

const EVERYTHING = { ...WRITES, ...READS, ...CHANGES };
/**
 * Requests without an origin that are accepted: a browser does not send the origin, in one case after a redirect by
 * another server, in the other since the page forbids it.
 */
const NEVER = ["fetch-redirected", "form-anonymous"];
const GETS_IN = Object.keys(WRITES).filter((name) => !NEVER.includes(name));
/** Attempts of a page that need no site with redirects or policies. */
const { "fetch-redirected": _, "violation-report": __, ...ALONE } = EVERYTHING;
const SECRET = '{"msg":"a secret of the program"}';

/** A server whose log contains one event of a program. */
async function served(t: TestContext, input: Partial<ServeInput> = {}) {
  const host = await debugHost(t);
  const { info } = await serving(host, input);
  await ask(info.base_url, { body: SECRET });
  const witness = watched(t, info.base_url);
  const log = (): Promise<string> => readFile(info.log_file, "utf8");
  return { host, info, base: info.base_url, witness, log, before: await log() };
}
type Served = Awaited<ReturnType<typeof served>>;

function watched(t: TestContext, base: string): Witness {
  const witness = new Witness(Number(new URL(base).port));
  t.after(() => witness.end());
  return witness;
}

async function assertUntouched({ base, log, before }: Served): Promise<void> {
  assert.equal(await log(), before);
  const { seq, rejected, segment, run } = (await health(base)) as Awaited<ReturnType<typeof health>> & {
    readonly run: string;
  };
  assert.deepEqual([seq, rejected, segment, run], [1, 0, 1, "pre-fix"]);
}

/** The server admits only a read of the log without an origin, whose answer the browser withholds from the page. */
function assertRefused(outcomes: ReadonlyMap<string, Outcome>): void {
  for (const { name, saw, answered } of outcomes.values()) {
    assert.ok(["failed", "opaque", "sent"].includes(saw), `${name}: ${saw}`);
    for (const { method, origin, status } of answered)
      assert.equal(status, 403, `${name}: ${method} of ${origin}`);
  }
}

const messages = (log: string): readonly string[] =>
  log
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Record<string, string>)
    .map((event) => event["msg"] ?? ("csp-report" in event ? "violation-report" : "?"));

describe("a real browser", () => {
  // Set on each test: the tests of a skipped group are not counted.
  const inChromium = { skip: CHROMIUM_MISSING };
  let { browser, close }: Partial<Chromium> = {};
  let site: Open | undefined;
  before(async () => {
    if (CHROMIUM_MISSING !== false) return;
    ({ browser, close } = await chromium());
    site = await pages();
  });
  after(async () => {
    await close?.();
    await site?.close();
  });

  /** A page at an address; a bare name means the site under that name. */
  async function pageAt(t: TestContext, place: string): Promise<Page> {
    assert.ok(browser && site);
    const page = await browser.newPage();
    t.after(() => page.close());
    await page.goto(place.includes(":") ? place : `http://${place}:${site.port}/`);
    return page;
  }

  it("lets no page of a foreign origin write, change or read anything", inChromium, async (t) => {
    const server = await served(t);
    const page = await pageAt(t, "evil.example");
    const outcomes = await attempted(page, server.witness, server.base, EVERYTHING);
    assertRefused(outcomes);
    assert.deepEqual([readable(outcomes), outcomes.size], [[], 18]);
    await assertUntouched(server);
  });

  it("lets a page of this machine write by fetch, beacon and form, read and clear", inChromium, async (t) => {
    for (const name of ["localhost", "127.0.0.1"]) {
      const { witness, base, log } = await served(t);
      const page = await pageAt(t, name);
      const writes = await attempted(page, witness, base, WRITES);
      assert.deepEqual(admitted(writes), GETS_IN);
      assert.deepEqual(messages(await log()), ["a secret of the program", ...GETS_IN]);
      const asked = ["fetch-json", "fetch-cursor", "beacon-json"];
      for (const one of asked) assert.equal(writes.get(one)?.answered[0]?.method, "OPTIONS", one);
      assert.match(await log(), /"msg":"fetch-cursor","sessionId":"4f2a91".*"_src":"ingest"/);
      const rest = await attempted(page, witness, base, { ...READS, ...CHANGES });
      assert.deepEqual(readable(rest), ["read", "run", "delete"]);
      assert.match(rest.get("read")?.saw ?? "", /a secret/);
      assert.equal(await log(), "");
    }
  });

  it("lets a page of an allowed origin write, marked as such, and nothing else", inChromium, async (t) => {
    const origin = `http://app.example:${site?.port}`;
    const { witness, base, log } = await served(t, { allowOrigin: [origin] });
    const page = await pageAt(t, "app.example");
    const writes = await attempted(page, witness, base, WRITES);
    assert.deepEqual(admitted(writes), GETS_IN);
    const written = await log();
    assert.deepEqual(messages(written), ["a secret of the program", ...GETS_IN]);
    for (const line of written.trim().split("\n").slice(1))
      assert.match(line, /"_flags":\["foreign-origin"\]\}$/);
    assertRefused(await attempted(page, witness, base, { ...READS, ...CHANGES }));
    assert.equal(await log(), written);
    const other = await pageAt(t, "evil.example");
    assertRefused(await attempted(other, witness, base, WRITES));
    assert.equal(await log(), written);
  });

  it(
    "refuses a page whose host name was rebound to the server, although it requests its own origin",
    inChromium,
    async (t) => {
      const server = await served(t);
      const base = server.base.replace("127.0.0.1", "rebound.example");
      const page = await pageAt(t, `${base}/`);
      await page.evaluate(PAGE_SCRIPT);
      const outcomes = await attempted(page, server.witness, base, ALONE);
      for (const { name, saw, answered } of outcomes.values()) {
        assert.doesNotMatch(saw, /a secret/, name);
        for (const { method, status } of answered) assert.equal(status, 403, `${name}: ${method}`);
      }
      assert.match(outcomes.get("read")?.saw ?? "", /"forbidden_host"/);
      await assertUntouched(server);
    },
  );

  /** A page of this machine in a frame that has no origin. */
  async function sandbox(t: TestContext): Promise<Frame> {
    const page = await pageAt(t, "localhost");
    await page.setContent('<iframe sandbox="allow-scripts allow-forms" src="/"></iframe>');
    const frame = page.frames()[1];
    assert.ok(frame);
    await frame.waitForLoadState();
    return frame;
  }

  it("refuses pages without an origin: in a sandbox, from a file", inChromium, async (t) => {
    const server = await served(t);
    const file = join(server.host.folder, "page.html");
    await writeFile(file, PAGE);
    for (const place of [await sandbox(t), await pageAt(t, `file://${file}`)]) {
      const outcomes = await attempted(place, server.witness, server.base, ALONE);
      assertRefused(outcomes);
      assert.equal(outcomes.get("fetch-text")?.answered[0]?.origin, "null");
    }
    await assertUntouched(server);
  });
});
