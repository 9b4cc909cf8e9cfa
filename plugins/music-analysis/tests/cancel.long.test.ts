/** Ctrl-C: the real program ends at once, says one sentence, and closes the connection. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { program, type ProgramResult } from "../../../contract-tests/command-line.ts";
import { FakeService, answered, type FakeReply } from "../../../contract-tests/fake-service.ts";
import { TOKEN, withMusic } from "./host.ts";

const SONGS = answered("| 歌曲名 | songId |\n|---|---|\n| 海盐 | 7 |\n| 风筝 | 8 |\n");
const TWO_SONGS = "比较《海盐》和《风筝》";

interface Interruption {
  readonly question?: string;
  /** How many requests the service has read before the signal comes. */
  readonly after?: number;
  readonly signal?: NodeJS.Signals;
}

/** Asks with the real program and sends it a signal once the service has read that many requests. */
async function interrupted(
  t: TestContext,
  script: readonly FakeReply[],
  { question = "我的播放量", after = 1, signal = "SIGINT" }: Interruption = {},
): Promise<ProgramResult & { readonly service: FakeService }> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-"));
  const service = await FakeService.start(...script);
  t.after(async () => {
    child.kill("SIGKILL");
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });
  const variables = { SVC_BASE_URL: service.url, SVC_HEADER_TOKEN: TOKEN };
  const child = program(["run", "music-analysis", question], folder, { variables });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1)));
  await service.until(({ seen }) => seen.length === after);
  child.kill(signal);
  const status = await ended;
  // The other side notices it when the connection is closed.
  await service.until(({ left }) => left === 1);
  return { status, out, err, service };
}

const PROGRESS = "📊 正在分析中，请稍候...";
const ENDED = "error: 提问已中断，本次提问可能已计入今日次数。";

for (const signal of ["SIGINT", "SIGTERM"] as const)
  test(`${signal} while the service works ends the connection, and the program with 130 and one sentence`, async (t) => {
    const { status, out, err, service } = await interrupted(t, ["silent"], { signal });
    assert.deepEqual([status, out], [130, ""]);
    assert.deepEqual(err.trimEnd().split("\n"), [PROGRESS, ENDED]);
    assert.equal(service.seen.length, 1);
  });

test("a signal during the second song of a question shows nothing of the first, and no further request is sent", async (t) => {
  const script = [SONGS, answered("the first song"), "silent", answered("never asked for")] as const;
  const { status, out, err, service } = await interrupted(t, script, { question: TWO_SONGS, after: 3 });
  assert.deepEqual([status, out], [130, ""]);
  assert.deepEqual(err.trimEnd().split("\n"), [PROGRESS, ENDED]);
  assert.deepEqual(
    service.bodies.map((body) => (body as { songId?: number }).songId),
    [undefined, 7, 8],
  );
});

test("a client that disconnects from the HTTP host ends the request to the service", () =>
  withMusic(["silent"], async ({ host, service }) => {
    const { url } = await host.serve();
    const gone = new AbortController();
    const asked = fetch(`${url}/v1/skills/music-analysis/commands/ask`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ question: "我的播放量" }),
      signal: gone.signal,
    });
    const failed = assert.rejects(asked, { name: "AbortError" });
    await service.until(({ seen }) => seen.length === 1);
    gone.abort();
    await failed;
    await service.until(({ left }) => left === 1);
    // The outcome of the question is noted last. The folder of the test cannot be removed before that.
    const noted = async (): Promise<boolean> =>
      (await readdir(host.environment.stateFolder, { recursive: true })).some((name) =>
        name.includes("outcomes"),
      );
    while (!(await noted())) await new Promise((resolve) => setTimeout(resolve, 20));
  }));
