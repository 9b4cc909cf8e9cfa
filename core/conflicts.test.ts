import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
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

test("of two skills of one name the first stays, and the fault of the second says where the first lives", () => {
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

test("a skill that was refused for its name takes no port from others", () => {
  const { kept } = conflictsOf([skill("a", []), skill("a", ["x"], [], "/two/a"), skill("b", ["x"])]);
  assert.deepEqual(namesOf(kept), ["a", "b"]);
});

test("circles of one, two and three skills are refused as a whole, each with its own way round", () => {
  const circles: readonly (readonly [readonly HostedSkill[], readonly string[]])[] = [
    [[skill("a", ["x"], ["x"])], ["a needs itself: a -> a."]],
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

test("the fault of a circle points at the port that leads into it", () => {
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

test("a skill that needs a port of a circle is not blamed for the circle", () => {
  const bystander = skill("bystander", [], ["x"]);
  const circle = [skill("a", ["x"], ["y"]), skill("b", ["y"], ["x"])];
  for (const skills of [
    [bystander, ...circle],
    [...circle, bystander],
  ]) {
    const { kept, faults } = conflictsOf(skills);
    assert.deepEqual(namesOf(kept), ["bystander"]);
    assert.deepEqual(faults.map(({ skill }) => skill).sort(), ["a", "b"]);
  }
});

test("two roads to one provider are no circle", () => {
  const skills = [
    skill("a", [], ["x", "y"]),
    skill("b", ["x"], ["z"]),
    skill("c", ["y"], ["z"]),
    skill("d", ["z"]),
  ];
  assert.deepEqual(conflictsOf(skills), { kept: skills, faults: [] });
});

const PORTS = ["u", "v", "w", "x", "y"];
const some = fc.subarray(PORTS, { maxLength: 3 });
const anySkill = fc.tuple(fc.constantFrom("a", "b", "c", "d", "e", "f"), some, some);
const anySkills = fc
  .array(anySkill, { maxLength: 9 })
  .map((drafts) =>
    drafts.map(([name, provides, requires], index) =>
      skill(name, provides, requires, join(`/${index}`, name)),
    ),
  );

/** Skills with one name each and one provider a port, so that only circles are left to refuse. */
const peacefulSkills = fc.array(fc.tuple(some, some), { maxLength: 6 }).map((drafts) =>
  drafts.map(([provides, requires], index) => {
    const taken = drafts.slice(0, index).flatMap(([earlier]) => earlier);
    return skill(
      `s${index}`,
      provides.filter((port) => !taken.includes(port)),
      requires,
    );
  }),
);

/** The skills that reach themselves, found by another way than the code under test: by closing the relation. */
function onCircles(skills: readonly HostedSkill[]): readonly string[] {
  const needs = (from: HostedSkill, to: HostedSkill): boolean =>
    Object.keys(from.manifest.requires ?? {}).some((port) => to.manifest.provides?.includes(port));
  const reach = skills.map((from) => skills.map((to) => needs(from, to)));
  for (const [middle] of skills.entries()) {
    for (const [from] of skills.entries()) {
      for (const [to] of skills.entries()) {
        const row = reach[from];
        if (row?.[middle] && reach[middle]?.[to]) row[to] = true;
      }
    }
  }
  return namesOf(skills.filter((_, index) => reach[index]?.[index]));
}

test("what is kept never conflicts: names and ports are there once, nobody needs itself, and nothing more is refused", () => {
  fc.assert(
    fc.property(anySkills, (handed) => {
      const { kept } = conflictsOf(handed);
      const ports = kept.flatMap(({ manifest }) => manifest.provides ?? []);
      assert.equal(new Set(namesOf(kept)).size, kept.length);
      assert.equal(new Set(ports).size, ports.length);
      assert.deepEqual(onCircles(kept), []);
      assert.deepEqual(conflictsOf(kept), { kept, faults: [] });
    }),
  );
});

test("nothing is lost: each skill that is handed over is kept or has one fault, and the kept ones stay in order", () => {
  fc.assert(
    fc.property(anySkills, (handed) => {
      const { kept, faults } = conflictsOf(handed);
      const refused = faults.map(({ file }) => dirname(file));
      assert.deepEqual(
        [...kept.map(({ folder }) => folder), ...refused].sort(),
        handed.map(({ folder }) => folder).sort(),
      );
      assert.deepEqual(
        handed.filter((one) => kept.includes(one)),
        kept,
      );
    }),
  );
});

test("who is on a circle is refused, whoever is not stays, and the order of the skills makes no difference", () => {
  const shuffled = peacefulSkills.chain((skills) =>
    fc.tuple(
      fc.constant(skills),
      fc.shuffledSubarray(skills, { minLength: skills.length, maxLength: skills.length }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([skills, others]) => {
      const expected = [...onCircles(skills)].sort();
      for (const handed of [skills, others]) {
        assert.deepEqual(
          conflictsOf(handed)
            .faults.map(({ skill }) => skill)
            .sort(),
          expected,
        );
      }
    }),
  );
});
