/** What the embedded service takes in and whom it answers: the command line of its import, and HTTP. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { PATH, say, serving } from "./rehearsal.ts";

/** A folder that is home, state and working folder, removed afterwards. */
async function home(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-net-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("an import names each file it refuses, and each row it leaves out, and takes in the others", async (t) => {
  const folder = await home(t);
  await writeFile(
    join(folder, "海盐-timeline.csv"),
    "date,streams\n2026-05-01,10\n2026-05-32,10\n2026-05-03,5\n",
  );
  await writeFile(join(folder, "list.csv"), "fruit,price\nplum,1\n");
  const words = ["run", "music-gateway", "import", "海盐-timeline.csv", "list.csv", "gone.csv"];
  const said = await say(words, { home: folder });
  assert.equal(said.status, 65, said.err);
  const told = `${said.out}${said.err}`;
  assert.match(
    told,
    /海盐-timeline\.csv: imported\. .*, 2 rows, 2026-05-01 to 2026-05-03, 1 row refused \(line 3: the date is no day\)/,
  );
  assert.match(told, /list\.csv: refused\. Its columns belong to no kind/);
  assert.match(told, /gone\.csv: refused\. There is no such file\./);
  assert.match(told, /2 of 3 files cannot be imported/);
  const accounts = await say(["run", "music-gateway", "accounts"], { home: folder });
  assert.match(accounts.out, /your imported files \(1\)/);
  assert.match(accounts.out, /《海盐》/);
});

test("a dry run says what it would do and changes nothing", async (t) => {
  const folder = await home(t);
  await writeFile(join(folder, "海盐-timeline.csv"), "date,streams\n2026-05-01,10\n");
  const words = ["run", "music-gateway", "import", "--dry-run", "海盐-timeline.csv"];
  const said = await say(words, { home: folder });
  assert.equal(said.status, 0, said.err);
  assert.match(said.out, /would be imported[^]*Nothing was changed\./);
  const accounts = await say(["run", "music-gateway", "accounts"], { home: folder });
  assert.match(accounts.out, /answering from sample data/);
});

test("who has not its token gets no figure, and a body out of contract is refused", async (t) => {
  const gateway = await serving(await home(t), []);
  t.after(gateway.stop);
  const code = async (body: object, token = gateway.token): Promise<unknown> => {
    const reply = await fetch(gateway.url + PATH, {
      method: "POST",
      headers: { "content-type": "application/json", "svc-header-token": token },
      body: JSON.stringify(body),
    });
    const { code: answered, data } = (await reply.json()) as {
      readonly code: unknown;
      readonly data: unknown;
    };
    assert.equal(data === null, answered !== 0);
    return answered;
  };
  const question = { userMessage: "最近7天的播放量" };
  assert.equal(await code(question), 0);
  assert.equal(await code(question, `${gateway.token.slice(0, -1)}!`), "UNAUTHORIZED");
  assert.equal(await code({ ...question, accountId: "20000001" }), "100010");
  assert.equal(await code({ ...question, songId: 987_654 }), "SONG_NOT_SUPPORTED");
  assert.equal(await code({ userMessage: "  " }), "INVALID_PARAM");
});
