/** The warm host and the dispatcher: the same answers as the program itself, and never a rule of yesterday. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { chmod, mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { readAudit } from "../../../adapters/audit-file.ts";
import { runCli, writeSkill } from "../../cli/fixture.ts";
import { DIALECTS, eventOf, steady, warmPlace } from "./warm-harness.ts";

/** Past the time in which a file that changes counts as changing still. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 120));
const RULE = {
  on: ["tool.pre"],
  decision: "deny",
  message: "Not here.",
  when: { type: "object", required: ["tool"], properties: { tool: { const: "shell" } } },
};
const isCold = ({ out, err, status }: { out: string; err: string; status: number }): boolean =>
  out.startsWith("cold: ") && err === "said\n" && status === 77;

describe("the answers", () => {
  test("are byte for byte those of the program, in every dialect", async (t) => {
    const { host, plain, ask } = await warmPlace(t, `a 'quoted" $place`);
    await host();
    const events = (dialect: string): readonly (string | Buffer)[] => [
      ...["allow", "warn", "ask", "deny"].map((what) => eventOf(dialect, what)),
      "{",
      "[]",
      "",
      "{}",
      Buffer.from([0x7b, 0xff, 0x7d]),
      Buffer.from([0x7b, 0x00, 0x7d]),
    ];
    for (const dialect of DIALECTS)
      for (const event of events(dialect)) {
        const right = steady(await plain(dialect, event));
        assert.deepEqual(steady(await ask(dialect, event)), right, `${dialect}: ${String(event)}`);
      }
  });

  test("come from a plugin that is opened once", async (t) => {
    const { host, ask } = await warmPlace(t);
    await host();
    for (const times of [1, 2, 3]) {
      const { out } = await ask("skillctl", eventOf("skillctl", "count"));
      assert.match(out, new RegExp(`Asked ${times} times`));
    }
  });

  test("are given for an event of 8 MiB; a longer one goes to the program with all its bytes", async (t) => {
    const { host, plain, ask } = await warmPlace(t);
    await host();
    const most = 8 * 1024 * 1024;
    const event = eventOf("claude-code", "deny");
    const long = event + " ".repeat(most - event.length);
    assert.deepEqual(steady(await ask("claude-code", long)), steady(await plain("claude-code", event)));
    assert.match((await ask("claude-code", `${long} `)).out, new RegExp(`^cold: .* ${most + 1}\n$`));
  });

  test("do not wait for the end of standard input", async (t) => {
    const { host, plain, ask } = await warmPlace(t);
    const event = eventOf("codex", "deny");
    await host();
    assert.deepEqual(steady(await ask("codex", event, { open: true })), steady(await plain("codex", event)));
  });

  test("are given when the audit log cannot be written, and the notice goes to whom it concerns", async (t) => {
    const { host, plain, ask, state } = await warmPlace(t);
    await mkdir(join(state, "guard", "audit.ndjson"));
    await host();
    const event = eventOf("gemini", "deny");
    const { err, ...right } = steady(await plain("gemini", event));
    assert.match(err, /could not be recorded/);
    const { err: noticed, ...answer } = steady(await ask("gemini", event));
    assert.deepEqual(answer, right);
    assert.match(noticed, /could not be recorded/);
    assert.deepEqual((await ask("gemini", eventOf("gemini", "allow"))).err, "");
  });

  test("are given to two hundred dispatchers at once", async (t) => {
    const { host, ask, state } = await warmPlace(t);
    await host();
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        ask("skillctl", eventOf("skillctl", index % 2 === 0 ? "deny" : "allow")),
      ),
    );
    const wrong = all.filter(
      (one, index) => !isCold(one) && (one.status !== (index % 2 === 0 ? 77 : 0) || one.err !== ""),
    );
    assert.deepEqual(wrong, []);
    const warm = all.filter((one) => one.status === 77 && !isCold(one)).length;
    // Where the machine is busy some are answered late, and then by the program itself.
    t.diagnostic(`${warm} of 100 denials were warm.`);
    assert.ok(readAudit(state).length >= warm);
  });
});

describe("the rules", () => {
  test("of the working folder count from the next event on, and no longer than they stand", async (t) => {
    const { host, ask, folder, variables } = await warmPlace(t);
    await host();
    const file = join(folder, "skillctl.json");
    const said = async (): Promise<string> => (await ask("skillctl", eventOf("skillctl", "allow"))).out;
    assert.equal(await said(), '{"decision":"allow"}\n');
    for (const message of ["Not here.", "Nor there."]) {
      await writeFile(file, JSON.stringify({ rules: { none: { ...RULE, message } } }));
      await settled();
      assert.match(await said(), /its own words wait for `skillctl trust`/);
      await runCli(folder, ["trust"], { variables });
      await settled();
      assert.match(await said(), new RegExp(`"message":"${message}"`));
    }
    await writeFile(file, "{");
    await settled();
    assert.match(await said(), /cannot be judged: .*is no JSON/);
    await rm(file);
    assert.equal(await said(), '{"decision":"allow"}\n');
  });

  test("that were changed this very moment are read by the program itself", async (t) => {
    const { host, ask, folder } = await warmPlace(t);
    await host();
    const file = join(folder, "skillctl.json");
    await writeFile(file, JSON.stringify({ rules: { none: RULE } }));
    await utimes(file, new Date(Date.now() + 3_600_000), new Date(Date.now() + 3_600_000));
    const shown = await ask("skillctl", eventOf("skillctl", "allow"));
    assert.ok(isCold(shown) || shown.out.includes("The rule none"), shown.out);
  });

  test("are those of the folder and of the person that the event comes from", async (t) => {
    const { host, ask, folder } = await warmPlace(t);
    await host();
    const [cwd, settings] = [join(folder, "project"), join(folder, "others")];
    await mkdir(cwd);
    await mkdir(join(settings, "skillctl"), { recursive: true });
    await writeFile(join(cwd, "skillctl.json"), JSON.stringify({ rules: { none: RULE } }));
    await writeFile(
      join(settings, "skillctl", "skillctl.json"),
      JSON.stringify({ rules: { none: { ...RULE, message: "Not for you." } } }),
    );
    await settled();
    const event = eventOf("skillctl", "allow");
    assert.equal((await ask("skillctl", event)).status, 0);
    assert.match((await ask("skillctl", event, { cwd })).out, /"rule":"workspace\/none"/);
    const variables = { XDG_CONFIG_HOME: settings };
    assert.match((await ask("skillctl", event, { variables })).out, /Not for you/);
    assert.equal((await ask("skillctl", event)).status, 0);
  });

  test("of skills from outside are read by the program itself", async (t) => {
    const { host, ask, folder, variables } = await warmPlace(t);
    await host();
    await writeSkill(folder, "other");
    await writeFile(join(folder, "skillctl.json"), JSON.stringify({ plugins: ["./other"] }));
    await runCli(folder, ["trust"], { variables });
    await settled();
    assert.ok(isCold(await ask("skillctl", eventOf("skillctl", "allow"))));
  });

  test("that fail are put to the program itself, which has the last word", async (t) => {
    const { host, ask } = await warmPlace(t);
    await host();
    assert.ok(isCold(await ask("skillctl", eventOf("skillctl", "crash"))));
    assert.equal((await ask("skillctl", eventOf("skillctl", "allow"))).status, 0);
  });
});

describe("the host", () => {
  test("ends when the program on the disk is another, and answers nothing before", async (t) => {
    const { host, ask, folder, socket } = await warmPlace(t);
    const { ended } = await host();
    assert.equal((await ask("skillctl", eventOf("skillctl", "allow"))).status, 0);
    await writeFile(join(folder, "program", "new"), "");
    assert.ok(isCold(await ask("skillctl", eventOf("skillctl", "allow"))));
    assert.equal(await ended, 0);
    assert.ok(!existsSync(socket));
  });

  test("ends when the dispatcher would start another program", async (t) => {
    const { host, ask, folder, dispatcher } = await warmPlace(t);
    const { ended } = await host();
    const other = join(folder, "other.sh");
    const text = readFileSync(dispatcher, "utf8").replaceAll(dispatcher, other);
    await writeFile(other, text.replaceAll("'/bin/sh'", "'/bin/dash'"));
    await ask("skillctl", eventOf("skillctl", "allow"), { dispatcher: other });
    assert.equal(await ended, 0);
  });

  test("is one for a state folder: a second ends at once", async (t) => {
    const { host, ask, socket } = await warmPlace(t);
    await host();
    const { ino } = statSync(socket);
    assert.equal(await (await host()).ended, 0);
    assert.equal(statSync(socket).ino, ino);
    assert.equal((await ask("skillctl", eventOf("skillctl", "allow"))).status, 0);
  });

  test("listens under /tmp when the state folder has a long name", async (t) => {
    const { host, ask, socket } = await warmPlace(t, "long".repeat(30));
    t.after(() => rm(join(socket, ".."), { recursive: true, force: true }));
    assert.ok(Buffer.byteLength(socket) < 92);
    await host();
    assert.equal((await ask("skillctl", eventOf("skillctl", "allow"))).status, 0);
  });

  test("takes its socket with it, and leaves another's alone", async (t) => {
    const { host, socket } = await warmPlace(t);
    const { end } = await host();
    await rm(socket);
    await writeFile(socket, "another's");
    assert.equal(await end(), 0);
    assert.equal(readFileSync(socket, "utf8"), "another's");
  });

  test("is not asked in a folder that others can enter", async (t) => {
    const { host, ask, socket } = await warmPlace(t);
    await host();
    await chmod(join(socket, ".."), 0o755);
    assert.ok(isCold(await ask("skillctl", eventOf("skillctl", "allow"))));
    await chmod(join(socket, ".."), 0o700);
    assert.equal((await ask("skillctl", eventOf("skillctl", "allow"))).status, 0);
  });
});

test("a client that does not finish stops nobody else", async (t) => {
  const { host, ask, socket } = await warmPlace(t);
  await host();
  const slow = connect(socket);
  t.after(() => slow.destroy());
  slow.write("skillctl-guard/1\0skillctl\0/\0");
  const wild = connect(socket);
  t.after(() => wild.destroy());
  const closed = new Promise((resolve) => wild.once("close", resolve).resume());
  wild.on("error", () => undefined).write("GET / HTTP/1.1\r\n\r\n\0\0");
  await closed;
  assert.equal((await ask("skillctl", eventOf("skillctl", "allow"))).status, 0);
  let said = "";
  slow.setEncoding("utf8").on("data", (text: string) => (said += text));
  await new Promise((resolve) => slow.once("close", resolve));
  assert.match(said, /^\.*no\n$/);
});
