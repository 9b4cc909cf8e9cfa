/** Every command that a hint names works in the state in which the hint is shown. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { writeSkill } from "../core/surfaces/cli/fixture-command-line.ts";
import { box, foreignHarness } from "./doors-harness.ts";

interface Shown {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}
type Say = (words: readonly string[]) => Promise<Shown>;

interface Row {
  readonly title: string;
  /** The source file and the command it names; a dash where the command is put together at run time. */
  readonly place: string;
  /** The text that a person is shown in the state, and the command line in that state. */
  readonly shown: (t: TestContext) => Promise<readonly [text: string, say: Say]>;
  /** The start of the command that the hint names. */
  readonly command: string;
  /** The exit status of the command and a part of its output. */
  readonly ends: readonly [status: number, output: RegExp];
}

const denying = {
  manifest: {
    rules: {
      no: {
        tell: "Never.",
        on: ["command.pre"],
        when: { type: "object" },
        decision: "deny",
        message: "It is refused.",
      },
    },
  },
};

const ROWS: readonly Row[] = [
  {
    title: "a skill that was left out for a fault",
    place: "core/surfaces/cli/failure.ts: skillctl validate",
    shown: async (t) => {
      const { path, say } = await foreignHarness(t);
      const bad = await writeSkill(path, "bad", { manifest: { version: "one" } });
      return [(await say(["run", "bad", "--plugin", bad])).err, say];
    },
    command: "skillctl validate /",
    ends: [1, /bad\/skill\.json#\/version: \/version does not fit/],
  },
  {
    title: "an input that does not fit",
    place: "-",
    shown: async (t) => {
      const { say } = await foreignHarness(t);
      return [(await say(["run", "sample", "--input", "[]"])).err, say];
    },
    command: "skillctl run sample ",
    ends: [0, /Usage: skillctl run sample|skillctl run sample /],
  },
  {
    title: "a command that a rule denies",
    place: "core/surfaces/cli/failure.ts: skillctl why",
    shown: async (t) => {
      const { say } = await foreignHarness(t, denying);
      return [(await say(["run", "sample", "Ada"])).err, say];
    },
    command: "skillctl why g-",
    ends: [0, /sample\/no/],
  },
  {
    title: "a run without a skill",
    place: "core/surfaces/cli/verbs/run.ts: skillctl list",
    shown: async (t) => {
      const { say } = await foreignHarness(t);
      return [(await say(["run"])).err, say];
    },
    command: "skillctl list",
    ends: [0, /^sample /],
  },
  {
    title: "an unknown flag",
    place: "-",
    shown: async (t) => {
      const { say } = await foreignHarness(t);
      return [(await say(["--quite-unknown"])).err, say];
    },
    command: "skillctl --help",
    ends: [0, /skillctl list/],
  },
  {
    title: "a file that the gateway does not have",
    place: "plugins/music-gateway/remove-command.ts: skillctl run music-gateway files",
    shown: async (t) => {
      const { say } = await box(t, "music-gateway");
      return [(await say(["run", "music-gateway", "remove", "quite-unknown"])).err, say];
    },
    command: "skillctl run music-gateway files",
    ends: [0, /./],
  },
];

/** The first command of a text that begins with `start`: up to a backtick, a full stop before a space or the end, or a semicolon. */
function commandIn(text: string, start: string): readonly string[] {
  const from = text.indexOf(start);
  assert.notEqual(from, -1, `${start} is not in: ${text}`);
  const [line = ""] = text.slice(from).split(/[`\n;]|\.(?=\s|$)/u);
  return line.trim().split(" ").slice(1);
}

describe("the command that a hint names works after", () => {
  for (const { title, shown, command, ends } of ROWS) {
    test(title, async (t) => {
      const [text, say] = await shown(t);
      const { status, out, err } = await say(commandIn(text, command));
      assert.equal(status, ends[0], err);
      assert.match(out, ends[1]);
    });
  }
});

/** Commands that texts of the program name, beside help and rules' instructions. */
const NAMED =
  /skillctl (?:run [a-z]+-[a-z]+(?: [a-z]+)?|(?:why|validate|info|list|trust|untrust|doctor|hooks|mcp|serve)\b)/g;

async function namedCommands(folder: string): Promise<readonly string[]> {
  const root = join(import.meta.dirname, "..");
  const found: string[] = [];
  for (const entry of await readdir(join(root, folder), { recursive: true })) {
    const file = join(folder, entry);
    const isSource =
      entry.endsWith(".ts") && !/\.test\.ts$|(^|\/)(tests|testing|fixture[^/]*)(\/|\.ts$)/.test(entry);
    if (!isSource && !/^[^/]+\/skill\.json$/.test(entry)) continue;
    for (const line of (await readFile(join(root, file), "utf8")).split("\n")) {
      if (/^\s*(\/?\*|\/\/|Usage:)|^\s*"tell"/.test(line)) continue;
      for (const [command] of line.matchAll(NAMED)) found.push(`${file}: ${command}`);
    }
  }
  return found;
}

test("no place names a command that is not counted here: a new hint needs a row", async () => {
  const places = [
    ...(await namedCommands("core")),
    ...(await namedCommands("plugins")),
    ...(await namedCommands("skills")),
  ];
  const list = join(import.meta.dirname, "hints-without-row.json");
  const known = JSON.parse(await readFile(list, "utf8")) as readonly string[];
  const covered = new Set(ROWS.map(({ place }) => place));
  for (const place of covered)
    assert.ok(place === "-" || places.includes(place), `${place} names no command`);
  assert.deepEqual([...new Set(places)].filter((place) => !covered.has(place)).sort(), known);
});
