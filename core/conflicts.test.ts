import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { conflictsOf } from "./conflicts.ts";
import type { HostedSkill } from "./skill.ts";
import { fixtureSkill } from "./testing/fixture-skills.ts";

function skill(
  name: string,
  provides: readonly string[],
  requires: readonly string[] = [],
  folder?: string,
): HostedSkill {
  return fixtureSkill(name, {
    provides: [...provides],
    requires: Object.fromEntries(requires.map((port) => [port, "required" as const])),
    ...(folder !== undefined && { folder }),
  });
}

const namesOf = (skills: readonly HostedSkill[]): readonly string[] =>
  skills.map(({ manifest }) => manifest.name);

test("of two skills with one name the first stays, and the fault of the second names the folder of the first", () => {
  const { kept, faults } = conflictsOf([
    skill("a", [], [], "/one/a"),
    skill("a", [], [], "/two/a"),
    skill("b", []),
  ]);
  assert.deepEqual(
    kept.map(({ folder }) => folder),
    ["/one/a", "/skills/b"],
  );
  assert.deepEqual(faults, [
    {
      code: "SKILL_CONFLICT",
      skill: "a",
      file: join("/two/a", "skill.json"),
      pointer: "/name",
      sentence: "a is already the name of the skill in /one/a.",
    },
  ]);
});

test("of two providers of one port the first stays, and the fault of the second points at the port", () => {
  const { kept, faults } = conflictsOf([skill("a", ["x"]), skill("b", ["y", "x"]), skill("c", ["y"])]);
  assert.deepEqual(namesOf(kept), ["a", "c"]);
  assert.deepEqual(faults, [
    {
      code: "PORT_CONFLICT",
      skill: "b",
      file: join("/skills/b", "skill.json"),
      pointer: "/provides/1",
      sentence: "b provides x, and so does a.",
    },
  ]);
});

test("a skill that was refused for its name does not block a port", () => {
  const { kept } = conflictsOf([skill("a", []), skill("a", ["x"], [], "/two/a"), skill("b", ["x"])]);
  assert.deepEqual(namesOf(kept), ["a", "b"]);
});

test("cycles of one, two and three skills are refused as a whole, each with its own path", () => {
  const circles: readonly (readonly [readonly HostedSkill[], readonly string[]])[] = [
    [[skill("a", ["x"], ["x"])], ["a provides x itself: remove it from requires."]],
    [
      [skill("a", ["x"], ["y"]), skill("b", ["y"], ["x"])],
      ["a needs itself: a -> b -> a.", "b needs itself: b -> a -> b."],
    ],
    [
      [skill("a", ["x"], ["y"]), skill("b", ["y"], ["z"]), skill("c", ["z"], ["x"])],
      [
        "a needs itself: a -> b -> c -> a.",
        "b needs itself: b -> c -> a -> b.",
        "c needs itself: c -> a -> b -> c.",
      ],
    ],
  ];
  for (const [skills, sentences] of circles) {
    const { kept, faults } = conflictsOf([...skills, skill("bystander", ["free"])]);
    assert.deepEqual(namesOf(kept), ["bystander"]);
    assert.deepEqual(
      faults.map(({ sentence }) => sentence),
      sentences,
    );
    assert.deepEqual([...new Set(faults.map(({ code }) => code))], ["PORT_CYCLE"]);
  }
});

test("the fault of a cycle points at the port that leads into it", () => {
  const { faults } = conflictsOf([
    skill("a", ["x"], ["free", "y"]),
    skill("b", ["y"], ["x"]),
    skill("c", ["free"]),
  ]);
  assert.deepEqual(
    faults.map(({ pointer }) => pointer),
    ["/requires/y", "/requires/x"],
  );
});

test("two paths to one provider are not a cycle", () => {
  const skills = [
    skill("a", [], ["x", "y"]),
    skill("b", ["x"], ["z"]),
    skill("c", ["y"], ["z"]),
    skill("d", ["z"]),
  ];
  assert.deepEqual(conflictsOf(skills), { kept: skills, faults: [] });
});
