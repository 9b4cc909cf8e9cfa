import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { temporaryFolder, writeSkill } from "../fixture-command-line.ts";
import { atTerminal, noTerminal } from "./terminal-harness.ts";

/** A command that asks for a direction, twice if its input says so. */
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
    if (!person.choose) return { text: "no person can choose" };
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

interface TypingOptions {
  readonly variables?: Readonly<Record<string, string>>;
  readonly slowly?: boolean;
  readonly columns?: number;
}

const QUESTION = "◆";
const DOWN = "\u001B[B";

describe("a choice at the command line", { skip: process.platform === "win32" }, () => {
  let folder = "";
  let close = async (): Promise<void> => undefined;
  before(async () => {
    ({ path: folder, close } = await temporaryFolder());
    await writeSkill(join(folder, "skills"), "choosing", CHOOSING);
  });
  after(() => close());

  /** Runs the command at a terminal of 60 columns and types the keys of each question, `slowly` one by one. */
  async function choosing(
    words: string,
    keys: readonly string[],
    { variables = {}, slowly = false, columns = 60 }: TypingOptions = {},
  ) {
    let asked = 0;
    return atTerminal(`run choosing ${words}`, {
      folder,
      columns,
      variables,
      person: (shown, type) => {
        for (; asked < shown.split(QUESTION).length - 1; asked += 1) {
          const typed = keys[asked] ?? "";
          for (const [index, part] of (slowly ? [...typed] : [typed]).entries())
            type(part, 200 + index * 150);
        }
      },
    });
  }

  test(
    "is made with arrow keys and Enter, and control characters in a label have no effect",
    { skip: noTerminal },
    async () => {
      const runs = await Promise.all([
        choosing("way", ["\r"]),
        choosing("way", [`${DOWN}\r`], { variables: { NO_COLOR: "1" } }),
        choosing("way 2", [`${DOWN}${DOWN}\r`, "\u001B[A\r"]),
      ]);
      for (const [index, chosen] of ["A", "B", "C C"].entries()) {
        const { status, restored, shown = "" } = runs[index] ?? {};
        assert.deepEqual([status, restored], [0, true]);
        assert.match(shown, new RegExp(`chosen ${chosen} icanon echo\\r\\n`));
        assert.match(shown, /C\) Back\\u001b\[2J/);
      }
    },
  );

  test("is made with the letter of an option and Enter", { skip: noTerminal }, async () => {
    const rows: readonly (readonly [letters: string, keys: readonly string[], typing?: TypingOptions])[] = [
      ["B", ["B\r"]],
      ["C", ["c\r"]],
      ["C", ["c)\r"]],
      ["B", ["xB\r"]],
      ["A", ["bca\r"]],
      ["C", ["C\r"], { slowly: true }],
      ["B", ["b\r"], { columns: 24 }],
      ["C A", ["C\r", "a\r"]],
    ];
    const runs = await Promise.all(
      rows.map(([, keys, typing]) => choosing(keys[1] ? "way 2" : "way", keys, typing)),
    );
    for (const [index, { status, shown }] of runs.entries()) {
      assert.equal(status, 0, shown);
      assert.match(shown, new RegExp(`chosen ${rows[index]?.[0]} icanon echo\\r\\n`));
    }
  });

  test("asks again for a letter that no option has", { skip: noTerminal }, async () => {
    const { status, shown } = await choosing("way", ["x\rB\r"], { slowly: true });
    assert.equal(status, 0, shown);
    assert.match(shown, /Type one of A, B, C, or clear the text to see all\./);
    assert.match(shown, /chosen B icanon echo\r\n/);
  });

  test("is cancelled with Ctrl-C, and the terminal is restored", { skip: noTerminal }, async () => {
    const { status, shown, restored } = await choosing("way", ["\u0003"]);
    assert.deepEqual([status, restored], [130, true]);
    assert.match(shown, /CANCELLED true icanon echo\r\n/);
  });

  test("is not offered without a terminal, in CI and with --no-progress", { skip: noTerminal }, async () => {
    const runs = await Promise.all([
      choosing("way --no-progress", []),
      choosing("way", [], { variables: { CI: "true" } }),
      choosing("way </dev/null", []),
      choosing("way 2>/dev/null", []),
    ]);
    for (const { status, shown } of runs) {
      assert.equal(status, 0);
      assert.match(shown, /no person can choose\r\n/);
    }
  });
});
