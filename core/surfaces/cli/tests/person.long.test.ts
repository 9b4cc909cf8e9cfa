import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { temporaryFolder, writeSkill } from "../fixture-command-line.ts";
import { PROGRAM } from "../../../../contract-tests/command-line.ts";
import { atTerminal, noTerminal, start } from "./terminal-harness.ts";

/** Commands that ask. They return the typed text reversed, which differs from the echo of the terminal. */
const ASKING = {
  manifest: {
    commands: Object.fromEntries(
      ["once", "twice", "insist", "wide", "watched"].map((name) => [
        name,
        { summary: `Does ${name}.`, input: "asking/any", output: "asking/text", display: "text" },
      ]),
    ),
  },
  schemas: {
    any: { type: "object", additionalProperties: false, properties: { a: { type: "string" } } },
    text: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  },
  code: `import { execFileSync } from "node:child_process";
const modes = () => !process.stdin.isTTY ? "" : String(execFileSync("stty", ["-a"], { stdio: ["inherit", "pipe", "inherit"] })).match(/-?\\b(icanon|echo)\\b/g).join(" ");
const turned = (text) => [...text].reverse().join("");
const does = (run) => class { run = async (_, call) => ({ text: await run(call) }); };
export default { commands: {
  once: does(async ({ person }) => turned(await person.secret("Key"))),
  twice: does(async ({ person }) => turned(await person.secret("Key") + await person.secret("Key"))),
  insist: does(async ({ person, signal, announce }) => {
    announce("ready");
    try { return await person.secret("Key"); } catch ({ code }) { return [code, signal.aborted, modes()].join(" ").trim(); }
  }),
  wide: does(async ({ person }) => "width " + person.columns),
  watched: does(async ({ person, progress }) => {
    progress("Working.");
    const key = await person.secret("Key");
    progress("Going on.");
    return turned(key) + " " + modes();
  }),
} };
`,
};

describe("the person at the command line", { skip: process.platform === "win32" }, () => {
  let folder = "";
  let close = async (): Promise<void> => undefined;
  before(async () => {
    ({ path: folder, close } = await temporaryFolder());
    await writeSkill(join(folder, "skills"), "asking", ASKING);
  });
  after(() => close());

  /** Runs `skillctl run asking ...` at a terminal and types an answer each time it is asked. */
  async function answering(words: string, ...answers: readonly string[]) {
    let asked = 0;
    return atTerminal(`run asking ${words}`, {
      folder,
      columns: 57,
      person: (shown, type) => {
        // Long enough for a spinner to draw again.
        for (; asked < shown.split("◆").length - 1; asked += 1) type(answers[asked] ?? "\r", 250);
      },
    });
  }

  async function piped(words: readonly string[], input: string) {
    const child = start(process.execPath, [...PROGRAM, "run", "asking", ...words], { folder });
    let [out, err] = ["", ""];
    child.stdout?.setEncoding("utf8").on("data", (more: string) => (out += more));
    child.stderr?.setEncoding("utf8").on("data", (more: string) => (err += more));
    child.stdin?.on("error", () => undefined).end(input);
    const [status] = (await once(child, "close")) as [number];
    return { status, out, err };
  }

  test("typed characters are hidden, and Enter ends the input", { skip: noTerminal }, async () => {
    const runs = await Promise.all([
      answering("once", "s3cret\r"),
      answering("once", "s3x\u007Fcret\r"),
      answering("twice", "s3\r", "cret\r"),
    ]);
    for (const { status, shown, restored } of runs) {
      assert.doesNotMatch(shown, /s3c/);
      assert.match(shown, /terc3s\r\n/);
      assert.deepEqual([status, restored], [0, true]);
    }
  });

  test(
    "Ctrl-C ends the question and the command, and the terminal is restored",
    { skip: noTerminal },
    async () => {
      const [left, insisting] = await Promise.all([
        answering("once", "s3c\u0003"),
        answering("insist", "\u0003"),
      ]);
      assert.deepEqual([left.status, left.restored], [130, true]);
      assert.match(left.shown, /error:.* The command was cancelled\.\r\n/);
      assert.deepEqual([insisting.status, insisting.restored], [130, true]);
      assert.match(insisting.shown, /CANCELLED true icanon echo\r\n/);
    },
  );

  test("a spinner does not draw over the question", { skip: noTerminal }, async () => {
    const { shown, status } = await answering("watched", "abc\r");
    assert.equal(status, 0);
    const [, question = ""] = shown.split("◆");
    assert.match(shown, /Working\. [^]*\r\u001B\[2K/);
    assert.doesNotMatch(question.slice(0, question.indexOf("◇")), /Working/);
    assert.match(question, /Going on\. [^]*cba icanon echo\r\n/);
  });

  test(
    "the width is that of the terminal on standard error, if there is one",
    { skip: noTerminal },
    async () => {
      const [on, off, neither] = await Promise.all([
        answering("wide"),
        answering("wide 2>/dev/null"),
        piped(["wide"], ""),
      ]);
      assert.match(on.shown, /width 57\r\n/);
      assert.match(off.shown, /width undefined\r\n/);
      assert.equal(neither.out, "width undefined\n");
    },
  );

  test("without a terminal all of standard input is the answer, without a question", async () => {
    const [whole, empty, most, long] = await Promise.all([
      piped(["once"], "ab\ncd\n"),
      piped(["once"], ""),
      piped(["once"], "x".repeat(65_536)),
      piped(["once"], "x".repeat(65_537)),
    ]);
    assert.deepEqual(whole, { status: 0, out: "\ndc\nba\n", err: "" });
    assert.deepEqual(empty, { status: 0, out: "\n", err: "" });
    assert.equal(most.out.length, 65_537);
    const err = "error: Standard input is over 65536 bytes.\nhint: See: skillctl run asking once --help\n";
    assert.deepEqual(long, { status: 64, out: "", err });
  });

  test("two options that read standard input are refused", async () => {
    const runs = await Promise.all([piped(["once", "--input", "-"], "{}"), piped(["twice"], "abc")]);
    for (const { status, out, err } of runs) {
      assert.deepEqual([status, out], [64, ""]);
      assert.match(err, /^error: Two options read standard input; only one can\.\nhint: /);
    }
  });

  test("Ctrl-C ends the wait for standard input that stays open", async () => {
    const child = start(process.execPath, [...PROGRAM, "run", "asking", "insist"], { folder });
    let out = "";
    child.stdout?.setEncoding("utf8").on("data", (more: string) => {
      if (!out.includes("ready") && (out + more).includes("ready")) child.kill("SIGINT");
      out += more;
    });
    const [status] = (await once(child, "close")) as [number];
    assert.deepEqual([status, out], [130, "ready\nCANCELLED true\n"]);
  });
});
