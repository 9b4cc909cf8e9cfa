/** A session by the command line: how few words a plain round takes. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { sayInProcess, type ProgramResult } from "../../../contract-tests/command-line.ts";
import { debugProject, type DebugProject } from "./session-harness.ts";
import { ID, walkedTo } from "./doors-walk.ts";

const LINES = `
The loop skips the first item | refuted by: the first item is logged | at total.js:3
An item is no number | refuted by: the type of each is number | at total.js:3 | likelihood: low
The sum is cut | refuted by: the sum grows by each item | at total.js:4
`;
const PROBES = [
  { hypothesis: "A", point: "first", data: ["index"], apply: "total.js:3", inside: true },
  { hypothesis: "B", point: "types", data: ["type=typeof items[0]"], apply: "total.js:2" },
  { hypothesis: "C", point: "sum", data: ["sum"], apply: "total.js:4" },
];

interface Typed extends DebugProject {
  readonly say: (...words: readonly string[]) => Promise<ProgramResult>;
  /** How many commands were typed. */
  readonly count: () => number;
}

async function typed(project: DebugProject): Promise<Typed> {
  const { host, root } = project;
  const { stateFolder } = host.environment;
  const variables = { PATH: process.env["PATH"] ?? "", HOME: host.folder, SKILLCTL_STATE: stateFolder };
  let commands = 0;
  const say: Typed["say"] = (...words) => {
    commands += 1;
    return sayInProcess(["run", "runtime-debug", ...words], root, { variables });
  };
  return { ...project, say, count: () => commands };
}

const project = async (t: TestContext): Promise<Typed> => typed(await debugProject(t, { git: "none" }));

test("an answer without a letter shows its question where no person can choose, at each step that has one", async (t) => {
  for (const [step, question] of [
    ["observing", "Can you provide the information that is missing?"],
    ["reproducing", "Did the bug show while you followed the steps?"],
    ["confirming", "Is the bug gone?"],
  ] as const) {
    const { say } = await typed(await walkedTo(t, step));
    const { status, out } = await say("answer");
    assert.equal(status, 0);
    assert.ok(out.includes(`${question}\n  A) `) && out.includes("  D) Abort debugging"), out);
  }
});

describe("a plain round", () => {
  test("takes eight commands from the symptom to a clean tree", async (t) => {
    const { say, root, write, collect, count } = await project(t);
    const ok = async (...words: readonly string[]): Promise<string> => {
      const { status, out, err } = await say(...words);
      assert.equal(status, 0, `${words.join(" ")}\n${out}${err}`);
      return out;
    };
    const program = join(root, "..", `run-${ID}.mjs`);
    await writeFile(
      program,
      `const { total } = await import(${JSON.stringify(join(root, "total.js"))});\nconsole.log(total([1, 2, 3]));\n`,
    );
    await write("package.json", '{"type":"module"}\n');
    await writeFile(join(root, "..", "probes.json"), JSON.stringify(PROBES));

    const started = await ok("start", "The sum is wrong", "--session", ID, "--hypotheses", LINES);
    assert.match(started, /A {2}The loop skips the first item \(pending; seen at total\.js:3\)/);
    const server = await collect(ID);
    const probed = await ok("probe", "--from", join("..", "probes.json"), "--check");
    assert.match(
      probed,
      /the probe A:first, [^]*the probe B:types, [^]*the probe C:sum, [^]*Steps for the user:/,
    );
    const reproduce = async (): Promise<string> =>
      (await promisify(execFile)(process.execPath, [program], { cwd: root })).stdout.trim();
    assert.equal(await reproduce(), "5");
    const answered = await ok("answer", "A");
    const lines = [...answered.matchAll(/^#(\d+) \S+ ([ABC]) \S+(?: "\[DEBUG\] \w+")? (\{.*\})$/gm)];
    const seen = lines.map(([, , letter, data]) => `${letter} ${data}`).sort();
    assert.deepEqual(seen, ['A {"index":1}', 'A {"index":2}', 'B {"type":"number"}', 'C {"sum":5}']);
    const of = (letter: string): string =>
      lines.flatMap(([, seq, own]) => (own === letter ? [`#${seq}`] : [])).join(", ");
    const judged = await ok(
      "judge",
      "--verdicts",
      `A confirmed ${of("A")}: the first index is 1\nB rejected ${of("B")}\nC rejected ${of("C")}`,
    );
    assert.match(judged, /Step 8 of 11/);
    const probedText = await readFile(join(root, "total.js"), "utf8");
    await write("total.js", probedText.replaceAll("index = 1", "index = 0"));
    assert.match(await ok("fix", "The loop begins at 0."), /New events belong to the run post-fix/);
    assert.equal(await reproduce(), "6");
    assert.match(
      await ok("verify"),
      /before pre-fix: 4 events[^]*after {2}post-fix: 5 events[^]*Is the bug gone\?/,
    );
    await ok("answer", "A");
    await server.stop();
    assert.match(await ok("cleanup"), /The session sum-is-wrong is closed/);
    assert.equal(count(), 8);
  });

  test("shows a hint once: neither probes nor answers repeat how to abort", async (t) => {
    const walk = await walkedTo(t, "instrumenting");
    const { say, post } = { ...(await typed(walk)), post: walk.post };
    const texts: string[] = [];
    const missing = ["No probe yet for B, C.", "No probe yet for C.", `check ${ID}`];
    for (const [index, { hypothesis, point }] of PROBES.entries()) {
      const words = `probe --hypothesis ${hypothesis} --point ${point} --data items --apply total.js:4`;
      const { out } = await say(...words.split(" "));
      texts.push(out);
      assert.ok(out.trimEnd().endsWith(missing[index] ?? ""), out);
    }
    texts.push((await say("check")).out);
    await post({ hypothesisId: "A,B,C", msg: "[DEBUG] first" });
    texts.push((await say("answer", "A")).out);
    texts.push((await say("judge", "--verdicts", "A confirmed #1\nB rejected #1\nC rejected #1")).out);
    for (const text of texts) assert.doesNotMatch(text, /To abort at any time/);
    assert.match((await say("status")).out, /To abort at any time: skillctl run runtime-debug answer D/);
  });

  test("reads the probes from standard input, and inserts all of them or none", async (t) => {
    const walk = await walkedTo(t, "instrumenting");
    const before = await walk.read("total.js");
    const wrong = await walk.fails("probe", { from: [...PROBES, { ...PROBES[2], hypothesis: "D" }] });
    assert.equal(wrong.code, "DEBUG_PROBE_INVALID");
    assert.match(wrong.message, /^Probe 4 of 4: The session has no hypothesis D\.$/);
    const misplaced = await walk.fails("probe", {
      from: [PROBES[1], { ...PROBES[2], apply: "total.js:99" }],
    });
    assert.match(misplaced.message, /^Probe 2 of 2: total\.js has 5 lines\.$/);
    assert.equal(await walk.read("total.js"), before);
    await walk.write("early.js", "let early = 1;\n");
    const checked = await walk.fails("probe", { from: PROBES, check: true });
    assert.equal(checked.code, "DEBUG_CHECK_FAILED");
    assert.match(checked.message, /^The probes are in place\. early\.js: This file is new/);
    const text = await walk.read("total.js");
    const [types = -1, first = -1, sum = -1] = ["B:types", "A:first", "C:sum"].map((name) =>
      text.indexOf(`#region debug-point ${name}`),
    );
    assert.ok(types > 0 && types < first && first < sum, text);
  });
});
