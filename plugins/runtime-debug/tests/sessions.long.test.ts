/** Sessions on real small programs with a bug, from `start` to a clean tree, through the command line only. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { needs } from "./faults/needs.ts";
import { PROGRAMS, REPORT, SERVICE, type Program } from "./sessions/programs.ts";
import { Walk } from "./sessions/walk.ts";

function missing({ tools }: Program, isGit = true): string | false {
  if (process.platform === "win32") return "needs signals";
  return needs(...tools, ...(isGit ? ["git"] : []));
}

describe("a session", { concurrency: 2 }, () => {
  for (const program of PROGRAMS) {
    // One of them is in no repository.
    const isGit = program !== SERVICE;
    test(
      `on ${program.name} ends with the fix, and with nothing else changed [debug.phases.order] [debug.cleanup.all]`,
      { skip: missing(program, isGit) },
      async (t) => {
        const walk = await Walk.of(t, program, isGit);
        const { project } = walk;
        await walk.begin();
        await walk.instrument();
        await walk.notYet([["answer", "A"], /no event has been collected/]);

        assert.equal(await walk.run(), program.wrong);
        await walk.to("judging", "answer", "A");
        const cited = await walk.citations("pre-fix");
        await walk.notYet(
          [["fix", "A guess"], /error: "fix" is not possible now/],
          [["judge", "--verdicts", verdictOn("#9999")], /#9999/],
        );
        await walk.judge("fixing", cited);

        await walk.notYet(
          [["fix", "Nothing"], /no code has been changed beside the probes/],
          [["cleanup"], /error: "cleanup" is not possible now/],
        );
        await walk.fix();
        const { files, run } = await walk.to("verifying", "fix", "The cause is gone");
        assert.deepEqual([files, run], [[program.fix.file], "post-fix"]);
        await walk.notYet([["verify"], /no event has been collected/]);

        assert.equal(await walk.run(), program.right);
        const { events, probes } = await project.ask("compare");
        const wanted = program.hits.reduce((sum, count) => sum + count, 0);
        for (const count of Object.values(events as Record<string, number>)) assert.ok(count >= wanted);
        const rows = probes as { hypothesis: string; hit: string }[];
        assert.deepEqual(
          new Set(rows.map(({ hypothesis, hit }) => `${hypothesis} ${hit}`)),
          new Set(["A both", "B both", "C both"]),
        );
        const { text } = await walk.to("confirming", "verify");
        assert.match(String(text), /after {2}post-fix: .*Is the bug gone\?/s, "[debug.verify.presented]");
        await walk.notYet([["cleanup"], /error: "cleanup" is not possible now/]);

        await walk.to("cleaning", "answer", "A");
        const report = join(project.home, "report.md");
        const cleaned = await walk.to("closed", "cleanup", "--report", report);
        assert.deepEqual(cleaned["fixed"], [program.fix.file]);
        await walk.assertClean(true);
        assert.match(await readFile(report, "utf8"), new RegExp(program.suspects[0].text));
      },
    );
  }

  test(
    "whose first fix does not help goes on with a second one [debug.verify.answers]",
    { skip: missing(REPORT) },
    async (t) => {
      const walk = await Walk.of(t, REPORT, true);
      const guess = ["    amount = 0.0\n", "    amount = float(0)\n"] as const;
      await walk.begin();
      await walk.instrument();
      assert.equal(await walk.run(), REPORT.wrong);
      await walk.to("judging", "answer", "A");
      await walk.judge("fixing", await walk.citations("pre-fix"));
      await walk.edit("report.py", (text) => text.replace(...guess));
      await walk.to("verifying", "fix", "The sum begins with another zero");
      assert.equal(await walk.run(), REPORT.wrong);
      await walk.to("confirming", "verify");
      await walk.to("judging", "answer", "B", "--note", "The last day is still missing");

      await walk.notYet(
        [["cleanup"], /error: "cleanup" is not possible now/],
        [["fix", "Another guess"], /error: "fix" is not possible now/],
      );
      await walk.judge("fixing", await walk.citations("post-fix"));
      await walk.edit("report.py", (text) => text.replace(guess[1], guess[0]));
      await walk.fix();
      assert.equal((await walk.to("verifying", "fix", "Pages are rounded up"))["run"], "post-fix-2");
      assert.equal(await walk.run(), REPORT.right);
      const { before, after } = await walk.project.ask("compare");
      assert.deepEqual([before, after], ["pre-fix", "post-fix-2"]);
      await walk.to("confirming", "verify");
      await walk.to("cleaning", "answer", "A");
      await walk.to("closed", "cleanup");
      await walk.assertClean(true);
    },
  );

  test(
    "lets no code be changed before there is evidence, and aborted leaves all as it was [debug.gate.evidence] [debug.gate.abort]",
    { skip: missing(REPORT) },
    async (t) => {
      const walk = await Walk.of(t, REPORT, true);
      await walk.begin();
      await walk.fix();
      await walk.notYet([["check"], /report\.py/]);
      await walk.edit("report.py", () => walk.original("report.py"));
      await walk.instrument();
      assert.equal(await walk.run(), REPORT.wrong);
      await walk.to("judging", "answer", "A");
      await walk.to("cleaning", "answer", "D");
      const { summary } = await walk.to("closed", "cleanup");
      assert.match(String(summary), /abort/i);
      await walk.assertClean(false);
    },
  );
});

function verdictOn(lines: string): string {
  return JSON.stringify([{ hypothesis: "A", verdict: "confirmed", lines }]);
}
