import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder, writeSkill, type Shown } from "./fixture-command-line.ts";

const PROGRAM = fileURLToPath(new URL("../../../bin/skillctl.ts", import.meta.url));
const LOADER = import.meta.resolve("tsx");
const TEXT = { type: "object", required: ["text"], properties: { text: { type: "string" } } };
const ANY = { type: "object", properties: { words: { type: "array", items: { type: "string" } } } };
const command = (name: string, more: object = {}) => ({
  summary: `Does ${name}.`,
  input: "endless/any",
  output: "endless/text",
  display: "text",
  ...more,
});

/** A skill that runs until it is stopped, in three ways, and one with much output. */
const ENDLESS = {
  manifest: {
    commands: {
      polite: command("polite"),
      deaf: command("deaf"),
      stuck: command("stuck"),
      keep: command("keep", { keepsRunning: true }),
      much: command("much"),
    },
  },
  schemas: {
    any: ANY,
    text: TEXT,
  },
  code: `const until = (signal) => new Promise((resolve) => signal.addEventListener("abort", resolve));
const ends = (run) => class { run = run; };
export default { commands: {
  polite: ends(async (_, { signal, announce }) => { const t = setInterval(() => {}, 1000); announce("ready"); await until(signal); clearInterval(t); throw signal.reason; }),
  deaf: ends(async (_, { announce }) => { announce("ready"); setInterval(() => {}, 1000); await new Promise(() => {}); }),
  stuck: ends(() => new Promise(() => {})),
  keep: ends(async (_, { signal, announce }) => { announce("ready"); await until(signal); return { text: "kept until the end" }; }),
  much: ends(async () => ({ text: "x".repeat(300000) + "end" })),
} };
`,
};

describe(
  "the program as a process",
  { skip: process.platform === "win32" && "signals differ on Windows" },
  () => {
    let folder = "";
    let close = async (): Promise<void> => undefined;
    before(async () => {
      ({ path: folder, close } = await temporaryFolder());
      await writeSkill(join(folder, "skills"), "greeting");
      await writeSkill(join(folder, "skills"), "endless", ENDLESS);
    });
    after(() => close());

    const start = (...words: readonly string[]): ChildProcess => startOn("pipe", "pipe", words);

    function startOn(out: "pipe" | number, err: "pipe" | number, words: readonly string[]): ChildProcess {
      const env = {
        PATH: process.env["PATH"],
        HOME: folder,
        SKILLCTL_STATE: join(folder, "state"),
        SKILLCTL_PLUGINS: join(folder, "skills"),
      };
      const node = ["--conditions=@skillctl/source", "--import", LOADER, PROGRAM];
      return spawn(process.execPath, [...node, ...words], { cwd: folder, env, stdio: ["pipe", out, err] });
    }

    async function ended(child: ChildProcess): Promise<Shown> {
      let [out, err] = ["", ""];
      child.stdout?.setEncoding("utf8").on("data", (text: string) => (out += text));
      child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text));
      const [status, signal] = (await once(child, "close")) as [number | null, string | null];
      assert.equal(signal, null);
      return { status: status ?? -1, out, err };
    }

    /** Waits until the command says that it runs. */
    async function ready(child: ChildProcess): Promise<void> {
      const [chunk] = (await once(child.stdout ?? assert.fail(), "data")) as [Buffer];
      assert.equal(String(chunk), "ready\n");
    }

    test("runs a third-party skill and lists it next to the built-in ones", async () => {
      const [run, list] = await Promise.all([ended(start("run", "greeting", "王")), ended(start("list"))]);
      assert.deepEqual(run, { status: 0, out: "Hello 王\n", err: "" });
      assert.equal(list.status, 0);
      assert.match(list.out, /^music-analysis +\S[^]*^greeting +The skill greeting\.$/m);
    });

    test("reads the whole input from standard input", async () => {
      const child = start("run", "greeting", "--input", "-", "--json");
      child.stdin?.end('{"name":"--json"}');
      assert.deepEqual(await ended(child), {
        status: 0,
        out: '{"ok":true,"output":{"text":"Hello --json"}}\n',
        err: "",
      });
    });

    test("writes a long result completely, and survives a reader that closes the pipe", async () => {
      const whole = start("run", "endless", "much");
      const gone = start("run", "endless", "much");
      gone.stdout?.destroy();
      const [{ out, status }, early] = await Promise.all([ended(whole), ended(gone)]);
      assert.deepEqual([out.length, out.slice(-4), status], [300_004, "end\n", 0]);
      assert.deepEqual([early.status, early.err], [0, ""]);
    });

    test(
      "a full disk at standard output is reported in one sentence; at both streams, by the exit status",
      { skip: !existsSync("/dev/full") && "there is no /dev/full" },
      async () => {
        const full = openSync("/dev/full", "w");
        const ends = [
          startOn(full, "pipe", ["list", "--json"]),
          startOn(full, "pipe", ["lst", "--json"]),
          startOn(full, full, ["list", "--json"]),
        ].map(ended);
        closeSync(full);
        const [list, slip, both] = await Promise.all(ends);
        assert.equal(list?.status, 70);
        assert.match(list?.err ?? "", /^error: Unexpected failure: ENOSPC[^\n]*\nhint: [^\n]*\n$/);
        assert.deepEqual([slip?.status, slip?.err.split("\n")[0]], [64, 'error: There is no verb "lst".']);
        assert.deepEqual(both, { status: 70, out: "", err: "" });
      },
    );

    test("Ctrl-C ends a command with 130 and a command that keeps running with 0", async () => {
      const [polite, keep] = [start("run", "endless", "polite"), start("run", "endless", "keep")];
      await Promise.all([ready(polite), ready(keep)]);
      polite.kill("SIGINT");
      keep.kill("SIGTERM");
      const shown = await Promise.all([ended(polite), ended(keep)]);
      assert.deepEqual(shown, [
        { status: 130, out: "", err: "error: The command was cancelled.\n" },
        { status: 0, out: "kept until the end\n", err: "" },
      ]);
    });

    test("a second Ctrl-C ends a command that ignores the first, after a message that says so", async () => {
      const child = start("run", "endless", "deaf");
      const done = ended(child);
      await once(child.stdout ?? assert.fail(), "data");
      child.kill("SIGINT");
      await once(child.stderr ?? assert.fail(), "data");
      child.kill("SIGINT");
      const { status, err } = await done;
      assert.deepEqual([status, err], [130, "Still stopping. Press Ctrl-C again to end at once.\n"]);
    });

    test("one signal ends a command that ignores it within a bounded time", async () => {
      const children = (["SIGTERM", "SIGINT"] as const).map(async (signal) => {
        const child = start("run", "endless", "deaf");
        const done = ended(child);
        await once(child.stdout ?? assert.fail(), "data");
        const sent = performance.now();
        child.kill(signal);
        const { status, err } = await done;
        assert.deepEqual(
          [status, err.split("\n").slice(1)],
          [130, ["It did not stop within 10 s and is ended.", ""]],
        );
        assert.ok(performance.now() - sent < 30_000);
      });
      await Promise.all(children);
    });

    test("a contract test that blocks the process for 30 s ends it and names the skill", async () => {
      const loop = await writeSkill(join(folder, "loops"), "spinning", {
        schemas: { "greet-input": { ...ANY, examples: [{}] } },
        code: "export default { commands: { greet: class { run() { for (;;); } } } };\n",
      });
      const child = start("test", loop);
      let err = "";
      child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text));
      const [, signal] = (await once(child, "close")) as [null, string];
      assert.equal(signal, "SIGKILL");
      assert.match(
        err,
        /error: The test ".+" of spinning has blocked the process for 30 s and was ended\.\nhint: /,
      );
    });

    test("a command with a promise that never settles ends with an error", async () => {
      const { status, err } = await ended(start("run", "endless", "stuck"));
      assert.equal(status, 70);
      assert.match(err, /^error: endless stuck waits for something that can no longer happen\./);
    });
  },
);
