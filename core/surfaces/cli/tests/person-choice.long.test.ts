import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { temporaryFolder, writeSkill } from "../fixture.ts";
import { atTerminal, noTerminal } from "./terminal-harness.ts";

/** A command that asks which way to go, twice where it is told so. */
const CHOOSING = {
  manifest: {
    commands: {
      way: {
        summary: "Asks.",
        input: "choosing/any",
        output: "choosing/text",
        display: "text",
        positional: ["times"],
      },
    },
  },
  schemas: {
    any: { type: "object", additionalProperties: false, properties: { times: { type: "integer" } } },
    text: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  },
  code: `import { execFileSync } from "node:child_process";
const modes = () => String(execFileSync("stty", ["-a"], { stdio: ["inherit", "pipe", "inherit"] })).match(/-?\\b(icanon|echo)\\b/g).join(" ");
const options = [["A", "To the left"], ["B", "To the right " + "and on ".repeat(30)], ["C", "Back\\u001b[2J"]].map(([value, label]) => ({ value, label }));
export default { commands: { way: class {
  run = async ({ times = 1 }, { person, progress, signal }) => {
    if (!person.choose) return { text: "nobody to choose" };
    progress("Looking around.");
    try {
      const chosen = [];
      for (let time = 0; time < times; time += 1) chosen.push(await person.choose({ text: "Which way?", options }));
      return { text: "chosen " + chosen.join(" ") + " " + modes() };
    } catch ({ code }) { return { text: [code, signal.aborted, modes()].join(" ") }; }
  };
} } };
`,
};

/** What a question begins with, and the end of what is drawn: first and after each key, Enter too. */
const QUESTION = "Which way?";
const READY = "Enter takes it.";
const DOWN = "\u001B[B";

describe("a choice at the command line", { skip: process.platform === "win32" }, () => {
  let folder = "";
  let close = async (): Promise<void> => undefined;
  before(async () => {
    ({ path: folder, close } = await temporaryFolder());
    await writeSkill(join(folder, "skills"), "choosing", CHOOSING);
  });
  after(() => close());

  /** Runs the command at a terminal of 60 columns and types the keys of each question, the next ones each time its list was drawn. */
  async function choosing(
    words: string,
    keys: readonly (readonly string[])[],
    variables: Readonly<Record<string, string>> = {},
  ) {
    const left = keys.map((ofOne) => [...ofOne]);
    const drawn = keys.map(() => 0);
    return atTerminal(`run choosing ${words}`, {
      folder,
      columns: 60,
      variables,
      person: (all, type) => {
        for (const [index, shown] of all.split(QUESTION).slice(1).entries()) {
          const times = shown.split(READY).length - 1;
          const next = left[index]?.splice(0, times - (drawn[index] ?? 0)) ?? [];
          drawn[index] = times;
          if (next.length > 0) type(next.join(""), 100);
        }
      },
    });
  }

  test("is made with arrow keys or a letter, and Enter", { skip: noTerminal }, async () => {
    const runs = await Promise.all([
      choosing("way", [["\r"]]),
      choosing("way", [[DOWN, "\r"]]),
      choosing("way", [["c", "\r"]], { NO_COLOR: "1" }),
      choosing("way 2", [["2\r"], ["\u001B[A\r"]]),
    ]);
    for (const { status, restored } of runs) assert.deepEqual([status, restored], [0, true]);
    for (const [index, chosen] of ["A", "B", "C", "B C"].entries())
      assert.match(runs[index]?.shown ?? "", new RegExp(`2004lchosen ${chosen} icanon echo\\r\\n`));
  });

  test(
    "is drawn in one place, a row an option, and nothing in a label acts",
    { skip: noTerminal },
    async () => {
      const { shown } = await choosing("way", [[DOWN, "\r"]]);
      assert.match(
        shown,
        /Which way\?\r\n> A\) To the left\r\n {2}B\) To the right and on [^\r\n]{1,40}\r\n {2}C\) Back\\u001b\[2J\r\n/,
      );
      assert.match(shown, /\r\u001B\[3A\u001B\[J {2}A\) To the left\r\n> B\) /);
      for (const row of shown.split(/\r\n/)) assert.ok(!/^[> ] B\)/.test(row) || row.length < 60, row);
    },
  );

  test("is left with Ctrl-C, and the terminal is as it was", { skip: noTerminal }, async () => {
    const { status, shown, restored } = await choosing("way", [["b\u0003"]]);
    assert.deepEqual([status, restored], [130, true]);
    assert.match(shown, /CANCELLED true icanon echo\r\n/);
  });

  test("is not offered where nobody may be there to make it", { skip: noTerminal }, async () => {
    const runs = await Promise.all([
      choosing("way --no-progress", []),
      choosing("way", [], { CI: "true" }),
      choosing("way </dev/null", []),
      choosing("way 2>/dev/null", []),
    ]);
    for (const { status, shown } of runs) {
      assert.equal(status, 0);
      assert.match(shown, /nobody to choose\r\n/);
    }
  });
});
