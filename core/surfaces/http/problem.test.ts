import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { SkillError } from "../../errors/skill-error.ts";
import { fixtureHost, type Fixture } from "./fixture-host.ts";
import { Problems } from "./problem.ts";

describe("a problem", () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await fixtureHost();
  });
  after(() => fixture.close());

  /** The problem of what was caught, and the first line of each entry in the log. */
  function told(caught: unknown, place = "GET /x") {
    const lines: string[] = [];
    const detail = (text: string): void => {
      // A log that never ends is a server that hangs.
      assert.ok(lines.push(text.split("\n")[0] ?? "") < 100);
    };
    const problem = new Problems(fixture.host.catalog, { detail, notice: assert.fail }).of(caught, place);
    return { problem, lines };
  }

  it("a circle of causes is told once", () => {
    const [a, b] = [new Error("a"), new Error("b")];
    a.cause = b;
    b.cause = a;
    const { problem, lines } = told(a);
    assert.equal(problem.code, "INTERNAL");
    assert.deepEqual(lines, ["GET /x: Error: a", "GET /x: caused by Error: b"]);
  });

  it("the parts of an AggregateError are told in the log", () => {
    const { lines } = told(new AggregateError([new Error("one"), "two"], "both"));
    assert.deepEqual(lines, [
      "GET /x: AggregateError: both",
      "GET /x: caused by Error: one",
      "GET /x: caused by two",
    ]);
  });

  it("the cause of an error with a code reaches the log and not the caller", () => {
    const cause = new Error("the password is hunter2");
    const { problem, lines } = told(new SkillError("TOKEN_MISSING", "No token.", { cause }));
    assert.deepEqual(lines, [
      "GET /x: SkillError: No token.",
      "GET /x: caused by Error: the password is hunter2",
    ]);
    assert.equal(problem.detail, "No token.");
    assert.doesNotMatch(JSON.stringify(problem), /hunter2/);
  });

  it("a fault of the system is logged without a cause too, a slip of the caller's is not", () => {
    assert.deepEqual(told(new SkillError("OUTPUT_INVALID", "Odd.")).lines, ["GET /x: SkillError: Odd."]);
    assert.deepEqual(told(new SkillError("INPUT_INVALID", "/name is missing.")).lines, []);
  });
});
