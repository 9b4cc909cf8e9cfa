import assert from "node:assert/strict";
import { appendFile, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { health, until } from "./client.ts";
import { debugHost, serving } from "./serving.ts";

const onPosix = { skip: process.platform === "win32" };

interface Stored {
  readonly msg: unknown;
  readonly _src: unknown;
}

/** A server that follows a file, and after it another one beside it, and what of them has arrived. */
async function following(t: TestContext, before?: string) {
  const host = await debugHost(t);
  const path = join(host.environment.workingFolder, ".cursor", "debug.log");
  await mkdir(join(path, ".."));
  if (before !== undefined) await writeFile(path, before);
  const { info, stop } = await serving(host, { tail: [".cursor/debug.log", ".cursor/beside.log"] });
  const stored = async (): Promise<readonly Stored[]> => {
    const lines = (await readFile(info.log_file, "utf8")).split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as Stored);
  };
  const arrived = (messages: readonly unknown[]): Promise<unknown> =>
    until(
      async () => (await stored()).map(({ msg }) => msg),
      (seen) => JSON.stringify(seen) === JSON.stringify(messages),
    );
  return { host, info, path, beside: join(path, "..", "beside.log"), stop, stored, arrived };
}

const line = (msg: unknown): string => `${JSON.stringify({ message: msg, timestamp: 1 })}\n`;

describe("a file that is followed", () => {
  test("is read from its end on, whole lines only, each marked with where it comes from", async (t) => {
    const { path, arrived, stored } = await following(t, line("old"));
    await appendFile(path, line("1") + line("2") + `{"message":`);
    await arrived(["1", "2"]);
    await appendFile(path, '"3"}\n\n');
    await arrived(["1", "2", "3"]);
    assert.deepEqual(new Set((await stored()).map(({ _src }) => _src)), new Set(["file"]));
  });

  test("may come later", async (t) => {
    const { path, arrived } = await following(t);
    await writeFile(path, line("first"));
    await arrived(["first"]);
  });

  test("that was in the middle of a line gives the next one first", async (t) => {
    const { path, arrived } = await following(t, '{"message":"hal');
    await appendFile(path, `f"}\n${line("whole")}`);
    await arrived(["whole"]);
  });

  test("is read from its start when it is cut, or another one takes its place, longer or shorter", async (t) => {
    const { path, arrived } = await following(t, "");
    await appendFile(path, line("a"));
    await arrived(["a"]);
    await truncate(path, 0);
    await appendFile(path, line("b"));
    await arrived(["a", "b"]);
    await rename(path, `${path}.1`);
    await writeFile(path, line("c") + line("d") + line("e"));
    await arrived(["a", "b", "c", "d", "e"]);
    await rm(path);
    await writeFile(path, line("f"));
    await arrived(["a", "b", "c", "d", "e", "f"]);
  });

  test("gives its good lines when others are none, and those are counted and kept", async (t) => {
    const { info, path, arrived } = await following(t, "");
    await appendFile(path, `${line("1")}no json\n42\n${line("2")}`);
    await arrived(["1", "2"]);
    await until(
      () => health(info.base_url),
      ({ rejected }) => rejected === 2,
    );
  });

  test("is brought in to its end when the server stops", async (t) => {
    const { path, stop, stored } = await following(t, "");
    await appendFile(path, line("last"));
    await stop();
    assert.deepEqual(
      (await stored()).map(({ msg }) => msg),
      ["last"],
    );
  });

  test("that is a folder or a link at the start ends it with what to name", onPosix, async (t) => {
    const host = await debugHost(t);
    const { workingFolder } = host.environment;
    await mkdir(join(workingFolder, "folder"));
    await symlink("/etc/hostname", join(workingFolder, "link"));
    for (const tail of ["folder", "link"]) {
      await assert.rejects(
        serving(host, { tail: [tail] }),
        (error: Error & { code?: string; hint?: string }) => {
          assert.equal(error.code, "FILE_UNREADABLE");
          assert.ok(error.message.includes(join(workingFolder, tail)), error.message);
          assert.match(error.hint ?? "", /the file itself/);
          return true;
        },
      );
    }
    await serving(host);
  });

  test(
    "that the server itself writes ends the start, however it is spelt: it would be followed for ever",
    onPosix,
    async (t) => {
      const host = await debugHost(t);
      const { workingFolder } = host.environment;
      await symlink(workingFolder, join(workingFolder, "round"));
      for (const path of [
        ".dbg/svc-debug-log-login-timeout.ndjson",
        "round/.dbg/svc-debug-rejected-login-timeout.ndjson",
        ".dbg/../.dbg/svc-debug-log-cart-total.ndjson",
      ]) {
        await assert.rejects(
          serving(host, { tail: [path] }),
          (error: Error & { code?: string; hint?: string }) => {
            assert.equal(error.code, "USAGE");
            assert.match(error.message, /svc-debug-.* is a file that a debug server writes/);
            assert.match(error.hint ?? "", /skillctl run runtime-debug logs/);
            return true;
          },
        );
      }
      await serving(host, { tail: ["svc-debug-log-login-timeout.ndjson"] });
    },
  );

  test("in whose place a link lies is told of once and not followed", onPosix, async (t) => {
    const { host, path, beside, arrived } = await following(t);
    await writeFile(`${path}.real`, line("secret"));
    await symlink(`${path}.real`, path);
    await until(
      async () => host.log.notices.filter((notice) => notice.includes("is not followed")),
      (notices) => notices.length > 0,
    );
    // The files are looked at one after the other: who has come to this one twice has looked at the link again.
    await appendFile(beside, line("1"));
    await arrived(["1"]);
    await appendFile(beside, line("2"));
    await arrived(["1", "2"]);
    assert.equal(host.log.notices.filter((notice) => notice.includes("is not followed")).length, 1);
  });
});
