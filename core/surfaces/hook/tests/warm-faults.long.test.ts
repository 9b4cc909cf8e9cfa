/** The dispatcher when the warm host fails: the cold program answers, with the same bytes; else the event is denied. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { nodeFiles } from "../../../adapters/files.ts";
import { dispatcherFile } from "../warm/dispatcher.ts";
import { SOURCE, variablesOf } from "../../../../contract-tests/command-line.ts";
import { eventOf, warmPlace, type WarmPlace } from "./warm-harness.ts";

const WAY_OUT = /skillctl hooks install or skillctl hooks remove, typed by a person\.\n$/;
const EVENT = eventOf("skillctl", "allow");
const MARK = "skillctl-0123456789abcdef";

/** A host that is none. */
async function listens(t: TestContext, { socket }: WarmPlace, serve: (peer: Socket) => void): Promise<void> {
  await mkdir(dirname(socket), { recursive: true, mode: 0o700 });
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (peer) => {
    open.add(peer.on("error", () => undefined).resume());
    serve(peer);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  t.after(() => {
    for (const peer of open) peer.destroy();
    server.close();
  });
}

async function isColdAnswered({ ask }: WarmPlace, flags = " --warm", event: string | Buffer = EVENT) {
  const { out, err, status } = await ask("skillctl", event);
  assert.match(
    out,
    new RegExp(`^cold: guard --dialect skillctl${flags}; \\d+ ${Buffer.byteLength(event)}\n$`),
  );
  assert.deepEqual([err, status], ["said\n", 77]);
}

describe("the cold program answers", () => {
  test("when nobody listens, or a dead host has left its socket behind", async (t) => {
    const place = await warmPlace(t);
    await isColdAnswered(place);
    assert.ok(!existsSync(place.socket));
    await mkdir(dirname(place.socket), { mode: 0o700, recursive: true });
    const dead = spawn(process.execPath, [
      "-e",
      `require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`,
      place.socket,
    ]);
    await new Promise((resolve) => dead.once("close", resolve));
    assert.ok(existsSync(place.socket));
    await isColdAnswered(place);
  });

  const answers: readonly (readonly [string, string])[] = [
    ["nothing", ""],
    ["garbage", "\0garbage\n"],
    ["something like an answer", '0\n{"decision":"allow"}\n'],
    ["half an answer", `${MARK} 0\n{"decision":"al`],
    ["an answer without its end", `..${MARK} 0\n{"decision":"allow"}\n${MARK}`],
    ["an answer with more behind it", `${MARK} 0\n{"decision":"allow"}\n${MARK}${MARK}x`],
  ];
  for (const [what, answer] of answers)
    test(`when the host says ${what}`, async (t) => {
      const place = await warmPlace(t);
      await listens(t, place, (peer) => peer.end(answer));
      await isColdAnswered(place);
    });

  test("and not when the answer is whole", async (t) => {
    const place = await warmPlace(t);
    await listens(t, place, (peer) => peer.end(`..${MARK} 3\nout${MARK}err${MARK}`));
    assert.deepEqual(await place.ask("skillctl", EVENT), { status: 3, out: "out", err: "err" });
  });

  test("without another host when the host says no", async (t) => {
    const place = await warmPlace(t);
    await listens(t, place, (peer) => peer.end("no\n"));
    await isColdAnswered(place, "");
  });

  test("when the host is silent, which is then not asked again", async (t) => {
    const place = await warmPlace(t);
    let asked = 0;
    await listens(t, place, () => void (asked += 1));
    await isColdAnswered(place);
    assert.ok(!existsSync(place.socket));
    await isColdAnswered(place);
    assert.equal(asked, 1);
  });

  test("with every byte of a long event that the host has begun to take", async (t) => {
    const place = await warmPlace(t);
    await listens(t, place, (peer) => void peer.once("data", () => peer.destroy()));
    await isColdAnswered(place, " --warm", Buffer.alloc(5_000_000, "é\0"));
  });

  test("without a host when SKILLCTL_GUARD_HOST is off", async (t) => {
    const place = await warmPlace(t);
    await listens(t, place, () => assert.fail("It was asked."));
    const shown = await place.ask("skillctl", EVENT, { variables: { SKILLCTL_GUARD_HOST: "off" } });
    assert.match(shown.out, /^cold: guard --dialect skillctl; /);
  });

  test("the dispatcher does the same in every shell, and without perl", async (t) => {
    const place = await warmPlace(t);
    const bare = join(place.folder, "bare.sh");
    await writeFile(bare, (await readFile(place.dispatcher, "utf8")).replaceAll(/\/bin\/perl/g, "/bin/none"));
    for (const shell of [
      ["sh"],
      ["dash"],
      ["bash"],
      ["bash", "--posix"],
      ["busybox", "sh"],
      ["zsh"],
      ["ksh"],
    ]) {
      const found = await place
        .ask("skillctl", EVENT, { shell: [...shell, "-c", "exit 5", "--"] })
        .catch(() => undefined);
      if (found?.status !== 5) continue;
      const shown = await place.ask("skillctl", EVENT, { shell });
      assert.match(shown.out, /^cold: guard --dialect skillctl --warm; /, shell.join(" "));
      const slow = await place.ask("skillctl", EVENT, { shell, dispatcher: bare });
      assert.match(slow.out, /^cold: guard --dialect skillctl; /, shell.join(" "));
      assert.deepEqual([slow.err, slow.status], ["said\n", 77]);
    }
  });
});

describe("the event is denied", () => {
  const programs: readonly (readonly [string, readonly string[], RegExp])[] = [
    ["is gone, node with it", ["/no/such/node"], /such\/node is missing;/],
    ["is gone", [process.execPath, "/no/such/skillctl.cjs"], /such\/skillctl\.cjs is missing;/],
    ["cannot be started", ["/"], /\/ cannot be started \(.*\);/],
    ["fails", ["/bin/sh", "-c", "exit 1"], /failed with exit status 1;/],
    ["is killed", ["/bin/sh", "-c", "kill -9 $$"], /ended by signal 9;/],
  ];
  for (const [what, own, reason] of programs)
    test(`when the program ${what}`, async (t) => {
      const place = await warmPlace(t);
      const dispatcher = await dispatcherFile(place.state, { own, files: nodeFiles });
      const bare = join(place.folder, "bare.sh");
      await writeFile(bare, (await readFile(dispatcher, "utf8")).replaceAll(/\/bin\/perl/g, "/bin/none"));
      for (const kind of ["alone", "beside a host", "without perl"]) {
        if (kind === "beside a host") await listens(t, place, (peer) => peer.end("garbage"));
        const options = kind === "without perl" ? { dispatcher: bare } : {};
        const { out, err, status } = await place.ask("claude-code", EVENT, options);
        assert.deepEqual([out, status], ["", 2]);
        assert.match(err, /skillctl guard denies this, because it cannot be judged: /);
        assert.match(err, WAY_OUT);
        if (kind !== "without perl") assert.match(err, reason);
        if (what.startsWith("is gone")) {
          assert.match(err, reason);
          assert.equal(err.trim().split("\n").length, 1, err);
        }
      }
    });
});

describe("a host in a process of its own", () => {
  async function started(
    t: TestContext,
  ): Promise<WarmPlace & { readonly child: ChildProcess; readonly closed: Promise<number | null> }> {
    const place = await warmPlace(t);
    const program = join(place.folder, "program", "cold.mjs");
    // The program itself as the host, and the stand-in as what the dispatcher would start: both under one name.
    await writeFile(
      program,
      `import { main } from ${JSON.stringify(new URL("../../cli/main.ts", import.meta.url).href)};
import { readFileSync } from "node:fs";
const folder = ${JSON.stringify(join(place.folder, "greeting"))};
const skill = { manifest: JSON.parse(readFileSync(folder + "/skill.json", "utf8")), folder, schemas: folder + "/schemas", builtin: true, load: () => import(folder + "/plugin.js") };
const terminal = { out: () => {}, err: () => {}, lively: false, colour: false, columns: 80, signal: new AbortController().signal };
await main(["guard", "--host"], { version: "0.0.0-test", builtin: [skill], precompiled: undefined, variables: process.env, workingFolder: "/", ownProgram: ${JSON.stringify(place.cold)}, terminal: () => terminal });`,
    );
    const child = spawn(process.execPath, [...SOURCE.slice(0, -1), program], {
      env: { ...variablesOf(place.folder), ...place.variables },
      stdio: ["ignore", "inherit", "inherit"],
    });
    t.after(() => child.kill("SIGKILL"));
    const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
    while (!existsSync(place.socket) && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
    return { ...place, child, closed };
  }

  test("that is killed in the middle of an answer", async (t) => {
    const place = await started(t);
    assert.equal((await place.ask("claude-code", eventOf("claude-code", "allow"))).status, 0);
    const asked = place.ask("skillctl", eventOf("skillctl", "slow"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    place.child.kill("SIGKILL");
    assert.match((await asked).out, /^cold: guard --dialect skillctl --warm; /);
  });

  test("that is stopped is not waited for; one that only takes long is", async (t) => {
    const place = await started(t);
    const slow = await place.ask("claude-code", eventOf("claude-code", "slow"));
    assert.match(slow.out, /At last\./);
    place.child.kill("SIGSTOP");
    await isColdAnswered(place);
    assert.ok(!existsSync(place.socket));
    place.child.kill("SIGCONT");
    assert.equal(await place.closed, 0);
  });
});
