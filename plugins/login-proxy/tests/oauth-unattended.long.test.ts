/** The login program in the box where nobody sits: an agent host shows the code, a later process goes on with it. */
import assert from "node:assert/strict";
import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { OAuthHarness } from "./oauth-harness.ts";
import { OAuthProvider } from "./oauth-provider.ts";

const provider = await OAuthProvider.start();
after(() => provider.close());

const onPosix = { skip: process.platform === "win32" };
const issued = () => provider.seen.filter(({ path }) => path === "/device/auth").length;

/** A harness in which nobody was there to log in, some time ago. */
async function left(seconds = 30): Promise<OAuthHarness> {
  const harness = await OAuthHarness.at(provider);
  await assert.rejects(harness.login.interactive(harness.wait({ interactive: false })), {
    code: "LOGIN_REQUIRED",
  });
  harness.clock.advance(seconds * 1000);
  return harness;
}

describe("without somebody to ask", () => {
  test("a login fails at once with one line that a program can read", async () => {
    await using harness = await left();
    const url = `${provider.url}/device?user_code=${harness.userCode}`;
    assert.equal(harness.log.notices.length, 1);
    const [word, line = ""] = (harness.log.notices[0] ?? "").split(/ (.*)/);
    assert.equal(word, "LOGIN_REQUIRED");
    assert.deepEqual(JSON.parse(line), {
      url,
      code: harness.userCode,
      verificationUri: `${provider.url}/device`,
      expiresAt: "2026-07-01T12:10:00Z",
    });
    await assert.rejects(harness.login.interactive(harness.wait({ interactive: false })), {
      message: `Log in at ${url} with the code ${harness.userCode} until 2026-07-01T12:10:00Z.`,
      hint: "Confirm the code there, then run the same command again: it goes on with this code.",
    });
    assert.deepEqual(harness.waits, []);
  });

  test("the code is kept for the user alone, and goes when it has been used", async () => {
    await using harness = await left();
    assert.deepEqual(await harness.names(), ["device.json"]);
    if (process.platform !== "win32")
      assert.equal((await stat(harness.path("device.json"))).mode & 0o777, 0o600);
    await provider.approve(harness.userCode);
    assert.ok((await harness.login.interactive(harness.wait({ interactive: false }))).value);
    assert.deepEqual(await harness.names(), ["refresh.json"]);
  });

  test("a second process shows the same code again", async () => {
    await using harness = await left();
    const before = issued();
    await assert.rejects(harness.login.interactive(harness.wait({ interactive: false })), {
      code: "LOGIN_REQUIRED",
    });
    assert.equal(issued(), before);
    assert.equal(harness.log.notices[0], harness.log.notices[1]);
  });

  test("what asks nobody does not ask the server before its interval is over, and does not wait for that", async () => {
    await using harness = await left(4);
    const asked = provider.grants("device").length;
    assert.equal(await harness.login.quiet(harness.wait({ interactive: false })), undefined);
    assert.deepEqual([provider.grants("device").length, harness.waits], [asked, []]);
    harness.clock.advance(1_000);
    assert.equal(await harness.login.quiet(harness.wait({ interactive: false })), undefined);
    assert.equal(provider.grants("device").length, asked + 1);
  });

  test("a login right after the code was confirmed waits out the interval and succeeds", async () => {
    await using harness = await left(4);
    await provider.approve(harness.userCode);
    const asked = provider.grants("device").length;
    assert.ok((await harness.login.interactive(harness.wait({ interactive: false }))).value);
    assert.deepEqual([provider.grants("device").length, harness.waits], [asked + 1, [1]]);
  });

  test("a login within the interval of a code that nobody has confirmed asks once and ends", async () => {
    await using harness = await left(4);
    const asked = provider.grants("device").length;
    await assert.rejects(harness.login.interactive(harness.wait({ interactive: false })), {
      code: "LOGIN_REQUIRED",
    });
    assert.deepEqual([provider.grants("device").length, harness.waits], [asked + 1, [1]]);
  });

  test("a clock that was put back does not keep anybody from asking", async () => {
    await using harness = await left();
    harness.clock.set("2026-06-30T12:00:00Z");
    await provider.approve(harness.userCode);
    assert.ok((await harness.login.interactive(harness.wait({ interactive: false }))).value);
  });

  test("slow_down is remembered for the next process", async () => {
    await using harness = await left();
    using _ = provider.play(({ path }) =>
      path === "/token" ? { status: 400, body: { error: "slow_down" } } : undefined,
    );
    assert.equal(await harness.login.quiet(harness.wait()), undefined);
    const { code } = await harness.kept("device.json");
    assert.equal((code as { intervalSeconds: number }).intervalSeconds, 10);
  });

  test("what asks nobody takes the token as soon as the code is confirmed", async () => {
    await using harness = await left();
    assert.equal(await harness.login.quiet(harness.wait({ interactive: false })), undefined);
    await provider.approve(harness.userCode);
    harness.clock.advance(5_000);
    assert.ok((await harness.login.quiet(harness.wait({ interactive: false })))?.value);
  });

  test("somebody at a terminal goes on with the code that the agent host has shown", async () => {
    await using harness = await left();
    const before = issued();
    await provider.approve(harness.userCode);
    assert.ok((await harness.login.interactive(harness.wait())).value);
    assert.equal(issued(), before);
    assert.deepEqual(await harness.names(), ["refresh.json"]);
  });

  test("somebody at a terminal gets a new code when the shown one is about to end", async () => {
    const harness = await OAuthHarness.at(provider, {
      meanwhile: (_, { userCode }) => provider.approve(userCode),
    });
    await using _ = harness;
    await assert.rejects(harness.login.interactive(harness.wait({ interactive: false })));
    harness.clock.advance(580_000);
    const before = issued();
    assert.ok((await harness.login.interactive(harness.wait())).value);
    assert.equal(issued(), before + 1);
  });

  test("a refusal is said once; then there is a new code", async () => {
    await using harness = await left();
    const { userCode } = harness;
    await provider.deny(userCode);
    await assert.rejects(harness.login.interactive(harness.wait({ interactive: false })), {
      code: "LOGIN_REFUSED",
    });
    await assert.rejects(harness.login.interactive(harness.wait({ interactive: false })), {
      code: "LOGIN_REQUIRED",
    });
    assert.notEqual(harness.userCode, userCode);
  });

  for (const [what, ending] of [
    ["the server has let run out", (harness: OAuthHarness) => provider.expire(harness.userCode)],
    ["is over by the clock", async (harness: OAuthHarness) => harness.clock.advance(600_000)],
  ] as const) {
    test(`a code that ${what} is followed by a new one`, async () => {
      await using harness = await left();
      const { userCode } = harness;
      await ending(harness);
      await assert.rejects(harness.login.interactive(harness.wait({ interactive: false })), {
        code: "LOGIN_REQUIRED",
      });
      assert.notEqual(harness.userCode, userCode);
    });
  }

  test("a code that another process has used meanwhile is followed by a new one", async () => {
    await using harness = await left();
    const { userCode } = harness;
    const kept = await readFile(harness.path("device.json"));
    await provider.approve(userCode);
    assert.ok(await harness.login.quiet(harness.wait()));
    await writeFile(harness.path("device.json"), kept);
    await assert.rejects(harness.login.interactive(harness.wait({ interactive: false })), {
      code: "LOGIN_REQUIRED",
    });
    assert.notEqual(harness.userCode, userCode);
  });

  test("the code can be had as a picture", async () => {
    await using harness = await OAuthHarness.at(provider);
    const qrFile = join(harness.folder, "code.svg");
    await assert.rejects(harness.login.interactive(harness.wait({ interactive: false, qrFile })));
    assert.match(await readFile(qrFile, "utf8"), /^<svg /);
  });

  test("a code of another server or client is left alone", async () => {
    await using harness = await left();
    const kept = await harness.kept("device.json");
    await writeFile(harness.path("device.json"), JSON.stringify({ ...kept, issuer: "https://id.example/" }));
    const asked = provider.grants("device").length;
    assert.equal(await harness.login.quiet(harness.wait()), undefined);
    assert.equal(provider.grants("device").length, asked);
  });

  test("a link in the place of the file is neither read nor written through", onPosix, async () => {
    await using harness = await left();
    const { userCode } = harness;
    const elsewhere = join(harness.folder, "elsewhere.json");
    await writeFile(elsewhere, await readFile(harness.path("device.json")));
    await harness.login.forget(new AbortController().signal);
    await symlink(elsewhere, harness.path("device.json"));
    await provider.approve(userCode);
    assert.equal(await harness.login.quiet(harness.wait()), undefined);
    await assert.rejects(harness.login.interactive(harness.wait({ interactive: false })), {
      code: "FILE_UNWRITABLE",
    });
    assert.match(await readFile(elsewhere, "utf8"), new RegExp(userCode));
  });

  test("a folder that cannot be made is an error: nobody could go on with the code", async () => {
    await using harness = await OAuthHarness.at(provider);
    await mkdir(join(harness.folder, "home"));
    await writeFile(harness.path(), "no folder");
    await assert.rejects(harness.login.interactive(harness.wait({ interactive: false })), {
      code: "FILE_UNWRITABLE",
    });
  });

  for (const [what, text] of [
    ["half a file", '{"issuer":'],
    ["no object", "[1]"],
    ["nothing", ""],
  ] as const) {
    test(`${what} counts as no code`, async () => {
      await using harness = await left();
      await writeFile(harness.path("device.json"), text);
      await assert.rejects(harness.login.interactive(harness.wait({ interactive: false })), {
        code: "LOGIN_REQUIRED",
      });
    });
  }
});
