/** Sessions on a small Python program with a bug, from `start` to a clean tree, by the built program's command line only. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { BUILT, sayInProcessOfItsOwn } from "../../../contract-tests/command-line.ts";
import { recordFile } from "../server/server-files.ts";
import { needs } from "./faults/needs.ts";
import { ran } from "./program-run.ts";
import { lastly, scratch } from "./server-harness.ts";
import { excludedIn, gitIn } from "./worktree-harness.ts";

const ISSUE = "The report leaves out the last day";
const ID = "report-leaves-out";
const REPORT = `ROWS = [("mon", 12.5), ("tue", 8.0), ("wed", 15.25), ("thu", 9.75)]


def pages_of(rows, size):
    count = len(rows) // size
    return [rows[at * size : (at + 1) * size] for at in range(count)]


def total(rows):
    amount = 0.0
    for _, price in rows:
        amount += price
    return round(amount, 2)


for page in pages_of(ROWS, 3):
    print(" ".join(day for day, _ in page), total(page))
`.replaceAll("\n", "\r\n");
const BUG = "len(rows) // size";
const FIX = "-(-len(rows) // size)";
const [WRONG, RIGHT] = ["mon tue wed 35.75\n", "mon tue wed 35.75\nthu 9.75\n"];
const HYPOTHESES = `
A page that is not full is not counted | refuted by: count is 2 for 4 rows of 3 | at report.py:6
The sum drops prices | refuted by: amount is the sum of the rows shown | at report.py:13
The size of a page is misread | refuted by: size is 3 | at report.py:6`;
const BY_HAND = `# #region debug-point C:size
try:
    __import__("urllib.request").request.urlopen("ADDRESS", data=__import__("json").dumps({"sessionId": "${ID}", "hypothesisId": "C", "location": "report.py:pages", "msg": "[DEBUG] size", "data": {"size": size}}).encode(), timeout=5)
except Exception:
    pass
# #endregion`;

/** A session of an agent and its user, command by command. */
async function session(t: TestContext, isGit: boolean) {
  const place = await scratch(t);
  const [folder, home] = [join(place, "project"), join(place, "home")];
  for (const one of [folder, home]) await mkdir(one);
  const file = join(folder, "report.py");
  await writeFile(file, REPORT);
  const git = (...words: readonly string[]): string => gitIn(folder, home, ...words);
  if (isGit)
    for (const words of [
      ["init", "-q"],
      ["add", "-A"],
      ["commit", "-qm", "one"],
    ])
      git(...words);
  const excluded = await excludedIn(folder);
  const variables = { HOME: home, USERPROFILE: home, SKILLCTL_STATE: join(home, "state") };
  const say = (words: readonly string[]) =>
    sayInProcessOfItsOwn(["run", "runtime-debug", ...words], folder, { start: BUILT, variables });
  const text = (): Promise<string> => readFile(file, "utf8");
  lastly(t, () => endServerIn(folder));
  return {
    folder,
    text,
    /** Takes a step that must be accepted, and checks the state of the session then. */
    to: async (state: string, ...words: readonly string[]) => {
      const { status, out, err } = await say([...words, "--json"]);
      assert.equal(status, 0, `${words.join(" ")}: ${err}${out}`);
      const { output } = JSON.parse(out) as { readonly output: Readonly<Record<string, unknown>> };
      assert.deepEqual([output["session"], output["state"]], [ID, state]);
      return output;
    },
    /** A step that is not possible now, and its message. */
    notYet: async (told: RegExp, ...words: readonly string[]) => {
      const { status, err } = await say(words);
      assert.notEqual(status, 0, words.join(" "));
      assert.match(err, /^error: .+\nhint: .+/s);
      assert.match(err, told);
    },
    replace: async (from: string, to: string) => {
      const now = await text();
      assert.ok(now.includes(from), from);
      await writeFile(
        file,
        now.replace(from, () => to),
      );
    },
    /** Reproduces the bug. Probes of Python wait for the answer. */
    run: async (): Promise<string> => {
      const { out, err } = await ran(["python3", "report.py"], folder, home);
      assert.equal(err, "");
      return out;
    },
    /** Everything is unchanged except for the fix. */
    assertClean: async (isFixed: boolean) => {
      assert.equal(await text(), isFixed ? REPORT.replace(BUG, FIX) : REPORT);
      const names = (await readdir(folder)).filter((name) => name !== ".git");
      assert.deepEqual(names, ["report.py"]);
      assert.equal(await excludedIn(folder), excluded);
      if (isGit) assert.equal(git("status", "--porcelain", "--ignored"), isFixed ? " M report.py\n" : "");
      assert.equal(await endServerIn(folder), false, "the server is gone");
      assert.match((await say(["status"])).out, /^No session is running/);
    },
  };
}

type Session = Awaited<ReturnType<typeof session>>;

const notes = new Map<string, { readonly url: string; readonly pid: number; readonly instance: string }>();

const noteOf = (folder: string): string =>
  recordFile({ stateFolder: join(folder, "..", "home", "state") }, { folder: join(folder, ".dbg") }, ID);

/** Ends the server that a failing test has left running, if it still is that server; returns whether it was. */
async function endServerIn(folder: string): Promise<boolean> {
  const note = noteOf(folder);
  if (existsSync(note)) notes.set(folder, JSON.parse(await readFile(note, "utf8")));
  const known = notes.get(folder);
  const alive =
    known &&
    (await fetch(`${known.url}/health`)
      .then((one) => one.json())
      .catch(() => undefined));
  if (!known || (alive as { readonly instance?: string } | undefined)?.instance !== known.instance)
    return false;
  process.kill(known.pid, "SIGKILL");
  return true;
}

/** From the start to the judgement: two probes by the command, one by hand. */
async function toJudging({ to, notYet, replace, run, text, folder }: Session): Promise<void> {
  await to("instrumenting", "start", ISSUE, "--session", ID, "--hypotheses", HYPOTHESES);
  const probe = ["probe", "--hypothesis", "A", "--point", "count", "--data", "count"];
  await to("instrumenting", ...probe, "--apply", "report.py:6");
  const line = 1 + (await text()).split("\n").findIndex((one) => one.includes("return round"));
  const sum = ["probe", "--hypothesis", "B", "--point", "sum", "--data", "amount"];
  await to("instrumenting", ...sum, "--apply", `report.py:${line}`);
  await notYet(/C has no probe/, "check");
  const { url } = JSON.parse(await readFile(noteOf(folder), "utf8")) as {
    readonly url: string;
  };
  const region = BY_HAND.replace("ADDRESS", `${url}/event`).split("\n");
  await replace("    return [rows", `${region.map((one) => `    ${one}\r\n`).join("")}    return [rows`);
  assert.match(String((await to("reproducing", "check"))["text"]), /D\) Abort debugging/);
  await notYet(/no event has been collected/, "answer", "A");
  assert.equal(await run(), WRONG);
  await to("judging", "answer", "A");
}

const judge = (a: string, b: string, c: string) => [
  "judge",
  "--verdicts",
  `A confirmed ${a}: it is one less\nB rejected ${b}: it adds up\nC rejected ${c}: it is 3`,
];

describe("a session", { skip: needs("linux", "python3", "git") }, () => {
  test("in git whose first fix does not help ends with the second, and with nothing else changed [debug.phases.order] [debug.cleanup.all] [debug.verify.answers]", async (t) => {
    const walk = await session(t, true);
    const { to, notYet, replace, run, assertClean, folder } = walk;
    await toJudging(walk);
    await notYet(/error: "fix" is not possible now/, "fix", "A guess");
    await notYet(/#9999/, ...judge("#9999", "#3", "#2"));
    await to("fixing", ...judge("#1", "#3", "#2"));
    await notYet(/nothing but probes has changed/, "fix", "Nothing");
    await replace("amount = 0.0", "amount = float(0)");
    assert.equal((await to("verifying", "fix", "Another zero"))["run"], "post-fix");
    await notYet(/no event has been collected/, "verify");
    assert.equal(await run(), WRONG);
    await to("confirming", "verify");
    await notYet(/error: "cleanup" is not possible now/, "cleanup");
    await to("judging", "answer", "B", "--note", "The last day is still missing");
    await to("fixing", ...judge("#4", "#6", "#5"));
    await replace("amount = float(0)", "amount = 0.0");
    await replace(BUG, FIX);
    assert.equal((await to("verifying", "fix", "Pages are rounded up"))["run"], "post-fix-2");
    assert.equal(await run(), RIGHT);
    const { text } = await to("confirming", "verify");
    const told =
      /before post-fix: 3 events\nafter {2}post-fix-2: 4 events[^]*count: 1 → 2[^]*Is the bug gone\?/;
    assert.match(String(text), told, "[debug.verify.presented]");
    await to("cleaning", "answer", "A");
    const report = join(folder, "..", "page.md");
    assert.deepEqual((await to("closed", "cleanup", "--report", report))["fixed"], ["report.py"]);
    assert.match(await readFile(report, "utf8"), /A page that is not full is not counted/);
    await assertClean(true);
  });

  test("without git allows no code change before there is evidence, and leaves all unchanged if aborted [debug.gate.evidence] [debug.gate.abort]", async (t) => {
    const walk = await session(t, false);
    const { to, notYet, replace, assertClean } = walk;
    await toJudging(walk);
    await replace(BUG, FIX);
    await notYet(/report\.py:5: /, ...judge("#1", "#3", "#2"));
    await to("judging", "undo");
    await to("cleaning", "answer", "D");
    assert.match(String((await to("closed", "cleanup"))["summary"]), /abort/i);
    await assertClean(false);
  });
});
