/** The record of a session, from the outside: it states the session's progress, keeps what people write, and holds no key. */
import assert from "node:assert/strict";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { HYPOTHESES, debugProject, type DebugProject } from "./session-harness.ts";
import { serving } from "./serving.ts";
import { ID, RECORD, verdicts, walkedTo } from "./doors-walk.ts";

async function started(t: TestContext): Promise<DebugProject & { readonly record: string }> {
  const project = await debugProject(t, { git: "none" });
  await project.run("start", { issue: "The sum is wrong", session: ID });
  return { ...project, record: join(project.root, RECORD) };
}

describe("the record of a session", () => {
  test("exists after the start with the status open, and has the status aborted after an abort", async (t) => {
    const { run, record } = await started(t);
    assert.match(
      await readFile(record, "utf8"),
      /^- \*\*Status\*\*: \[OPEN\]\n- \*\*Issue\*\*: The sum is wrong$/m,
    );
    assert.equal((await run("answer", { answer: "D" })).state, "cleaning");
    assert.match(await readFile(record, "utf8"), /^- \*\*Status\*\*: \[ABORTED\]$/m);
  });

  test("contains the known facts, and the start asks for the others [debug.resource.record]", async (t) => {
    const { run, root } = await debugProject(t, { git: "none" });
    const known = { expected: "6", actual: "5", steps: ["Run it"] };
    const { text, record } = await run("start", { issue: "The sum is wrong", session: ID, ...known });
    assert.match(text, /Not known yet: environment; affected users[^]*B\) Unable to obtain it/);
    assert.equal(record, join(root, RECORD));
    assert.match(await readFile(record, "utf8"), /\[OPEN\][^]*- Expected: 6\n- Actual: 5\n[^]*1\. Run it/);
    assert.equal((await run("answer", { answer: "A", note: "Node 24" })).state, "observing");
    assert.match(await readFile(record, "utf8"), /- Note: A\) Provided: Node 24/);
  });

  test("takes steps, logs, stacks and failing tests at any step, with a letter and without", async (t) => {
    const stack = "TypeError: x is undefined\n# at total.js:3";
    for (const step of ["observing", "reproducing", "fixing", "confirming", "cleaning"] as const) {
      const { run, read } = await walkedTo(t, step);
      const { state, text } = await run("answer", { steps: ["Open it", "Press it"], material: [stack] });
      assert.equal(state, step);
      assert.match(text, /^The information is in the record\.\n/);
      await run("answer", { actual: "5", material: ["screenshot: cart.png"] });
      const record = await read(RECORD);
      assert.match(record, /## Reproduction Steps\n\n1\. Open it\n2\. Press it\n/);
      assert.match(
        record,
        /## Material\n\n {4}TypeError[^\n]*\n {4}# at total\.js:3\n\n {4}screenshot: cart\.png\n/,
      );
      assert.match(record, /- Actual: 5\n/);
    }
    const { run } = await walkedTo(t, "reproducing");
    const { state, text } = await run("answer", { answer: "B", steps: ["Press it twice"] });
    assert.equal(state, "instrumenting", text);
    assert.match((await run("check")).text, /2\. Press it twice/);
  });

  test("keeps text written by people, with its line ends", async (t) => {
    const { run, record } = await started(t);
    const text = await readFile(record, "utf8");
    const noted = text
      .replace("## Symptoms", "Seen by Ada.\n\n## Symptoms")
      .replace("- **Issue**: The sum is wrong", "- **Issue**: The sum is wrong on Mondays");
    const theirs = `\uFEFF${noted}\n## My notes\n\nSeen on Mondays.\n`.replaceAll("\n", "\r\n");
    await writeFile(record, theirs);
    await run("hypothesize", { hypotheses: HYPOTHESES });
    const now = await readFile(record, "utf8");
    assert.match(now, /^\uFEFF# Debug Session/);
    assert.match(now, /Seen by Ada\.\r\n\r\n## Symptoms/);
    assert.match(now, /: The sum is wrong on Mondays\r\n/);
    assert.match(now, /\r\n## My notes\r\n\r\nSeen on Mondays\.\r\n/);
    assert.match(now, /\| A \| The loop skips the first item \|/);
    assert.doesNotMatch(now, /[^\r]\n/);
  });

  test("opens no gate if its text is edited [debug.resource.status]", async (t) => {
    const { fails, run, record } = await started(t);
    await writeFile(record, (await readFile(record, "utf8")).replace("[OPEN]", "[FIXED]"));
    assert.equal((await fails("cleanup")).code, "DEBUG_STEP");
    assert.match((await run("status")).text, /lacks \[OPEN\], but the session is open/);
    await run("hypothesize", { hypotheses: HYPOTHESES });
    assert.match(await readFile(record, "utf8"), /^- \*\*Status\*\*: \[OPEN\]$/m);
  });

  test("without some of its lines does not change the session, and gets back the lines that tools write", async (t) => {
    const walk = await walkedTo(t, "judging");
    const { run, read, write, stop } = walk;
    const gone = /^(?:- \*\*(?:Status|Issue|Log File)\*\*:|\| [AB] \||## Log Evidence).*\n/gm;
    const text = await read(RECORD);
    assert.equal(text.match(gone)?.length, 6);
    await write(RECORD, text.replaceAll(gone, ""));
    const { text: told } = await run("status");
    assert.match(told, /^sum-is-wrong: The sum is wrong\n {2}Step 7 of 11:/);
    for (const { text } of HYPOTHESES) assert.ok(told.includes(text), told);
    assert.match(told, /The record lacks \[OPEN\], but the session is open/);
    await run("judge", { verdicts: verdicts("#1", "#2", "#3") });
    const now = await read(RECORD);
    assert.match(now, /^- \*\*Status\*\*: \[OPEN\]\n- \*\*Debug Server\*\*: .*\n- \*\*Log File\*\*: /m);
    assert.match(now, /^\| A \| .* \| Confirmed #1 \|\n\| B \| .* \| Rejected #2 \|\n\| C \| /m);
    assert.doesNotMatch(now, /^- \*\*Issue|^## Log Evidence/m);
    await run("answer", { answer: "D" });
    await stop();
    const { summary } = await run("cleanup");
    assert.match(String(summary), /The sum is wrong/);
    for (const { text } of HYPOTHESES) assert.ok(String(summary).includes(text), String(summary));
  });

  test("names the server without its key", async (t) => {
    const { host, root, run, record } = await started(t);
    const { info } = await serving(host, { session: ID, outdir: join(root, ".dbg"), requireKey: true });
    const [, key = ""] = /\?(.+)$/.exec(info.api_url) ?? [];
    assert.ok(key.length > 40);
    await run("hypothesize", { hypotheses: HYPOTHESES });
    const text = await readFile(record, "utf8");
    assert.match(text, new RegExp(`^- \\*\\*Debug Server\\*\\*: ${info.base_url}/event$`, "m"));
    assert.ok(!text.includes(key));
  });

  test("that is missing is written again, with a notice", async (t) => {
    const { host, run, record } = await started(t);
    await rm(record);
    assert.match((await run("status")).text, /The record is missing/);
    await run("hypothesize", { hypotheses: HYPOTHESES });
    assert.match(await readFile(record, "utf8"), /\| A \| The loop skips/);
    assert.ok(host.log.notices.some((line) => /was missing and is written again/.test(line)));
  });

  test("that is over 1 MiB, not UTF-8 or binary is refused, and nothing changes", async (t) => {
    const { run, fails, record } = await started(t);
    for (const bytes of ["x".repeat(1024 * 1024 + 1), new Uint8Array([0xff, 0xfe, 0x41]), "a\0b"]) {
      await writeFile(record, bytes);
      const error = await fails("hypothesize", { hypotheses: HYPOTHESES });
      assert.deepEqual([error.code, error.file], ["FILE_UNREADABLE", record]);
      assert.match((await run("status")).text, /Step 2 of 11/);
      assert.deepEqual(await readFile(record), Buffer.from(bytes as string));
    }
  });

  test("that is a link or a folder is refused, and nothing is written through it", async (t) => {
    const { host, fails, record } = await started(t);
    const elsewhere = join(host.folder, "elsewhere.md");
    await writeFile(elsewhere, "theirs\n");
    await rm(record);
    await symlink(elsewhere, record);
    assert.equal((await fails("hypothesize", { hypotheses: HYPOTHESES })).code, "STORAGE_UNSAFE");
    assert.equal(await readFile(elsewhere, "utf8"), "theirs\n");
    await rm(record);
    await mkdir(record);
    assert.equal((await fails("hypothesize", { hypotheses: HYPOTHESES })).code, "STORAGE_UNSAFE");
  });
});

test("a session does not begin over the log of another one with the same name", async (t) => {
  const event = '{"hypothesisId":"A","_seq":1,"_run":"pre-fix"}\n';
  for (const [path, text, told] of [
    [`.dbg/svc-debug-log-${ID}.ndjson`, event, /would count as evidence/],
    [`.dbg/svc-debug-log-${ID}.1.ndjson`, event, /would count as evidence/],
    [RECORD, `# Debug Session: ${ID}\n- **Status**: [OPEN]\n`, /belongs to no running session/],
  ] as const) {
    const { root, run, write, fails } = await debugProject(t, { git: "none" });
    await write(path, text);
    const error = await fails("start", { issue: "The sum is wrong", session: ID });
    assert.equal(error.code, "DEBUG_SESSION_TAKEN");
    assert.match(error.message, told);
    assert.match(error.hint ?? "", /--session/);
    assert.equal(await readFile(join(root, path), "utf8"), text);
    assert.match((await run("status")).text, /^No session is running/);
  }
});
