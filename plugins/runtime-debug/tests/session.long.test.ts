/** A session from start to the confirmed fix through its commands, in process and over HTTP. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { HYPOTHESES, debugProject, placed, type Answered, type DebugProject } from "./session-harness.ts";
import { noGit } from "./worktree-harness.ts";

const ISSUE = "The sum is wrong";
const ID = "sum-wrong";

const record = ({ root }: DebugProject): Promise<string> => readFile(join(root, `debug-${ID}.md`), "utf8");

async function replaced({ root }: DebugProject, from: string, to: string): Promise<void> {
  const path = join(root, "total.js");
  const text = await readFile(path, "utf8");
  assert.ok(text.includes(from));
  await writeFile(path, text.replace(from, to));
}

/** A session whose probe is set and whose server runs. */
async function instrumented(
  t: TestContext,
): Promise<DebugProject & { post: (...events: object[]) => Promise<void> }> {
  const project = await debugProject(t);
  await project.run("start", { issue: ISSUE });
  await project.run("hypothesize", { hypotheses: HYPOTHESES });
  const { post } = await project.collect(ID);
  for (const hypothesis of ["A", "B", "C"])
    await project.run("probe", { hypothesis, point: "loop", data: ["sum"], apply: "total.js:4" });
  return { ...project, post };
}

const event = (hypothesisId: string, sum: number): object => ({
  hypothesisId,
  msg: "[DEBUG] loop",
  location: "total.js:3",
  data: { sum },
});

function verdict(hypothesis: string, said: string, lines: string): object {
  return { hypothesis, verdict: said, lines, because: "see there" };
}

describe("a session", () => {
  test("takes three to five hypotheses, each with what would refute it and its place [debug.hypotheses.three-to-five]", async (t) => {
    const project = await debugProject(t);
    await project.run("start", { issue: ISSUE });
    const six = [...HYPOTHESES, ...HYPOTHESES.map((one) => ({ ...one, text: `${one.text} twice` }))];
    const bare = HYPOTHESES.map((one) => ({ ...one, refutedBy: undefined }));
    for (const hypotheses of [six.slice(0, 2), six, bare])
      assert.equal((await project.fails("hypothesize", { hypotheses })).code, "INPUT_INVALID");
    assert.equal((await project.run("hypothesize", { hypotheses: six.slice(0, 5) })).state, "instrumenting");
  });

  test("goes from the symptom to the confirmed fix, each step saying what is next [debug.instrumentation.guidance]", async (t) => {
    const project = await instrumented(t);
    const { run, post } = project;
    const next = (answered: Answered): string => `${answered.step} ${answered.state}`;

    const check = await run("check");
    assert.equal(next(check), "6 reproducing");
    assert.match(check.text, /What the user does now:\n {2}1\. Start the program again[^\n]*probes/);
    assert.match((await run("answer")).text, /Did the bug show[^]*A\) Reproduced[^]*D\) Abort/);
    await post(event("A", 0), event("B", 1), event("C", 2));
    assert.equal(next(await run("answer", { answer: "a" })), "7 judging");

    const early = await project.fails("judge", { verdicts: [verdict("A", "confirmed", "#4")] });
    assert.equal(early.code, "DEBUG_CITATION");
    assert.match(early.message, /cited for A, this is no event of pre-fix: #4\./);
    const some = await run("judge", { verdicts: [verdict("A", "confirmed", "#1")] });
    assert.equal(next(some), "7 judging");
    const rest = [verdict("B", "rejected", "#2"), verdict("C", "inconclusive", "#3")];
    const judged = await run("judge", { verdicts: rest });
    assert.equal(next(judged), "8 fixing");
    assert.match(await record(project), /\| A \|.*Confirmed #1 \|[^]*- A confirmed: see there\n- #1 /);

    assert.equal((await project.fails("fix", { summary: "x" })).code, "DEBUG_STEP");
    await replaced(project, "index = 1", "index = 0");
    const fix = await run("fix", { summary: "The loop begins at 0." });
    assert.deepEqual([next(fix), fix["run"], fix["files"]], ["9 verifying", "post-fix", ["total.js"]]);
    assert.match(
      fix.text,
      /total\.js\n[^]*What the user does now:\n {2}1\. Start the program again[^\n]*fix/,
    );
    await post(event("A", 5));
    const verified = await run("verify");
    assert.equal(next(verified), "10 confirming");
    assert.match(verified.text, /Is the bug gone\?[^]*A\) Fixed/);

    const done = await run("answer", { answer: "A" });
    assert.equal(next(done), "11 cleaning");
    assert.match(await record(project), /\*\*Status\*\*: \[FIXED\]/);
    if (!noGit) assert.doesNotMatch(project.git("status", "--short"), /debug-/);
  });

  test("that is still there is judged by the run with the fix, and the next fix is another run", async (t) => {
    const project = await instrumented(t);
    const { run, post } = project;
    await run("check");
    await post(event("A", 0), event("B", 1), event("C", 2));
    await run("answer", { answer: "A" });
    const all = ["A", "B", "C"].map((letter, index) =>
      verdict(letter, letter === "A" ? "confirmed" : "rejected", `#${index + 1}`),
    );
    await run("judge", { verdicts: all });
    await replaced(project, "index = 1", "index = 2");
    await run("fix", { summary: "Another beginning." });
    await post(event("A", 7));
    await run("verify");
    const again = await run("answer", { answer: "B", note: "now two are missing" });
    assert.equal(again.state, "judging");
    assert.match(await record(project), /## Iterations\n\n1\. B\) Still reproducible: now two are missing/);

    const stale = await project.fails("judge", { verdicts: [verdict("A", "confirmed", "#1")] });
    assert.equal(stale.code, "DEBUG_CITATION");
    assert.match(stale.message, /post-fix/);
    assert.equal((await run("judge", { verdicts: [verdict("A", "confirmed", "#4")] })).state, "fixing");
    const same = await project.fails("fix", { summary: "Nothing." });
    assert.match(same.message, /no code has been changed beside the probes/);
    await replaced(project, "index = 2", "index = 0");
    const second = await run("fix", { summary: "The loop begins at 0.", cause: "It began at 1." });
    assert.deepEqual([second["run"], second["files"]], ["post-fix-2", ["total.js"]]);
    assert.equal((await project.fails("verify")).code, "DEBUG_STEP");
    await post(event("A", 9));
    const verified = await run("verify");
    assert.match(verified.text, /post-fix-2/);
    assert.equal((await run("answer", { answer: "C" })).state, "observing");
    const { sessions } = (await run("status")) as unknown as { sessions: readonly { run: string }[] };
    assert.equal(sessions[0]?.run, "pre-fix-2");
  });

  test("that needs further probes is reproduced again: what was collected before opens no judgement", async (t) => {
    const project = await instrumented(t);
    await project.run("check");
    await project.post(event("A", 0));
    await project.run("answer", { answer: "A" });
    const judged = await project.run("judge", { verdicts: [verdict("A", "inconclusive", "#1")] });
    assert.equal(judged.state, "judging");
    await project.run("hypothesize", { hypotheses: HYPOTHESES });
    const checked = await project.run("check");
    assert.match(checked.text, /Events of the run pre-fix-2/);
    assert.match((await project.fails("answer", { answer: "A" })).message, /no event has been collected/);
    await project.post(event("A", 1));
    assert.equal((await project.run("answer", { answer: "B" })).state, "instrumenting");
    await project.run("check");
    assert.match((await project.fails("answer", { answer: "A" })).message, /no event has been collected/);
    await project.post(event("A", 2));
    assert.equal((await project.run("answer", { answer: "A" })).state, "judging");
    assert.match(await record(project), /1\. B\) Cannot reproduce it/);
  });

  test("does not take a fix that has taken the probes away, and names what of it hides in one", async (t) => {
    const project = await instrumented(t);
    await project.run("check");
    await project.post(event("A", 0));
    await project.run("answer", { answer: "A" });
    const all = ["A", "B", "C"].map((letter) =>
      verdict(letter, letter === "A" ? "confirmed" : "inconclusive", letter === "A" ? "#1" : "none"),
    );
    await project.run("judge", { verdicts: all });
    const whole = await readFile(join(project.root, "total.js"), "utf8");
    const bare = whole.replaceAll(/^.*#region[^]*?#endregion.*\n/gm, "").replace("index = 1", "index = 0");
    await project.write("total.js", bare);
    const gone = await project.fails("fix", { summary: "x" });
    assert.equal(gone.code, "DEBUG_CHECK_FAILED");
    await project.write(
      "total.js",
      whole.replace(/(#region.*\n)/, "$1  sum = 3;\n").replace("index = 1", "index = 0"),
    );
    const { text } = await project.run("fix", { summary: "x" });
    assert.match(text, /To be looked at: total\.js:\d+: This sets sum, .*It goes at the cleanup/);
  });

  test("is not verified with code that was changed after the fix was accepted, and tells it at the answer", async (t) => {
    const project = await instrumented(t);
    const { run, post } = project;
    await run("check");
    await post(event("A", 0));
    await run("answer", { answer: "A" });
    await run("judge", { verdicts: ["A confirmed #1", "B inconclusive none", "C inconclusive none"] });
    await replaced(project, "index = 1", "index = 0");
    await run("fix", { summary: "The loop begins at 0" });
    await post(event("A", 1));
    await project.write("more.js", "export const more = 1;\n");
    const { code, message } = await project.fails("verify");
    assert.equal(code, "DEBUG_DRIFT");
    assert.match(message, /since `fix` accepted it by more than probes\. more\.js: This file is new/);
    await run("undo");
    await post(event("A", 1));
    await run("verify");
    await replaced(project, "return sum", "return sum + 0");
    const { text } = await run("answer", { answer: "A" });
    assert.match(text, /Beside probes, the code has changed:\ntotal\.js:\d+: /);
  });

  test("that the person at the surface answers takes what is chosen, and a question nobody answers changes nothing", async (t) => {
    const project = await debugProject(t, { git: false });
    await placed(project, "confirming", { id: ID, runs: { before: "pre-fix", after: "post-fix" } });
    const asked: unknown[] = [];
    const person = {
      columns: 80,
      secret: async () => "",
      choose: async (question: unknown) => {
        asked.push(question);
        return "A";
      },
    };
    const nobody = await project.run("answer");
    assert.equal(nobody.state, "confirming");
    assert.deepEqual(Object.keys((nobody["question"] as { readonly options: object }).options), [
      "A",
      "B",
      "C",
      "D",
    ]);
    const request = {
      skill: "runtime-debug",
      command: "answer",
      input: {},
      surface: "host",
      person,
    } as const;
    const answered = (await project.host.run(request)) as Answered;
    assert.deepEqual([answered.state, answered["answer"]], ["cleaning", "A"]);
    assert.equal((asked[0] as { readonly text: string }).text, "Is the bug gone?");
  });

  test("is taken through its steps over HTTP as well", async (t) => {
    const project = await debugProject(t, { git: false });
    const { url } = await project.host.serve();
    const post = async (
      command: string,
      input: object,
    ): Promise<{ readonly status: number; readonly body: Answered }> => {
      const reply = await fetch(`${url}/v1/skills/runtime-debug/commands/${command}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(input),
      });
      return { status: reply.status, body: (await reply.json()) as Answered };
    };
    const started = await post("start", { issue: ISSUE });
    assert.deepEqual([started.status, started.body.session, started.body.state], [200, ID, "observing"]);
    const early = await post("fix", { summary: "x" });
    assert.deepEqual([early.status, early.body["code"]], [409, "DEBUG_STEP"]);
    assert.equal((await post("hypothesize", { hypotheses: HYPOTHESES })).body.state, "instrumenting");
    assert.equal((await post("status", {})).status, 200);
    const open = await post("serve", { session: ID });
    assert.deepEqual([open.status, open.body["code"]], [400, "USAGE"]);
    const far = await post("doctor", { session: ID, url: "http://192.0.2.1:7777/event" });
    assert.deepEqual([far.status, far.body["code"]], [400, "USAGE"]);
    const near = await post("doctor", { session: ID, url: "http://127.0.0.1:9/event" });
    assert.equal(near.body["code"], "DEBUG_LINK_BROKEN");
    assert.equal((await post("answer", { answer: "D" })).body.state, "cleaning");
    assert.match(await record(project), /\[ABORTED\]/);
  });
});
