import assert from "node:assert/strict";
import { test } from "node:test";
import { Catalog, surfacesOf } from "./catalog.ts";
import { CODES } from "./errors/codes.ts";
import type { SkillFault } from "./skill.ts";
import { fixtureCommand, fixtureSkill } from "./testing/fixture-skills.ts";

const TEAPOT = { exit: 2, http: 418, fault: "user", summary: "It is a teapot." } as const;
const KETTLE = { exit: 3, http: 503, fault: "system", summary: "The kettle is empty." } as const;

const kitchen = fixtureSkill("kitchen", {
  commands: {
    brew: fixtureCommand("kitchen", { default: true }),
    pour: fixtureCommand("kitchen", { surfaces: ["cli", "host"] }),
  },
  routes: { cups: { summary: "Cups.", method: "GET", path: "/cups", replies: { 200: "kitchen/output" } } },
  errors: { KITCHEN_TEAPOT: TEAPOT },
  provides: ["access-tokens"],
});
const garden = fixtureSkill("garden", {
  commands: { water: fixtureCommand("garden") },
  errors: { GARDEN_KETTLE: KETTLE },
});
const bare = fixtureSkill("bare");

test("names of properties that every object inherits are neither skills nor commands", () => {
  const catalog = new Catalog([kitchen]);
  for (const name of ["constructor", "toString", "__proto__", ""]) {
    assert.throws(() => catalog.skill(name), { code: "UNKNOWN_SKILL" });
    assert.throws(() => catalog.command("kitchen", name), { code: "UNKNOWN_COMMAND" });
    assert.equal(catalog.provider(name), undefined);
    assert.equal(catalog.codeEntry(name, "kitchen"), CODES.INTERNAL, name);
  }
});

test("a request for a skill that was left out names the reason, a fault or a conflict", () => {
  const found: SkillFault = {
    code: "MANIFEST_INVALID",
    skill: "cellar",
    file: "/skills/cellar/skill.json",
    pointer: "/version",
    sentence: "/version is missing.",
  };
  const twin = fixtureSkill("cupboard", { provides: ["access-tokens"] });
  const catalog = new Catalog([kitchen, twin], [found]);
  assert.deepEqual(
    catalog.faults.map(({ skill }) => skill),
    ["cellar", "cupboard"],
  );
  assert.throws(() => catalog.skill("cellar"), {
    code: "MANIFEST_INVALID",
    message: "The skill cellar was left out: /version is missing.",
    file: "/skills/cellar/skill.json",
    pointer: "/version",
    hint: undefined,
  });
  assert.throws(() => catalog.command("cupboard"), {
    code: "PORT_CONFLICT",
    message: "The skill cupboard was left out: cupboard provides access-tokens, and so does kitchen.",
  });
});

test("a hosted skill is found although another skill of its name was left out", () => {
  const catalog = new Catalog([kitchen, fixtureSkill("kitchen", { folder: "/elsewhere/kitchen" })]);
  assert.equal(catalog.skill("kitchen"), kitchen);
  assert.equal(catalog.faults.length, 1);
});

test("an unknown command is reported with the nearest name, or with all existing names", () => {
  const catalog = new Catalog([kitchen, garden, bare]);
  const refused: readonly (readonly [string, string | undefined, string, string])[] = [
    ["kitchen", "bru", 'kitchen has no command "bru".', "Its commands: brew, pour."],
    ["kitchen", "brw", 'kitchen has no command "brw".', "Did you mean brew?"],
    ["garden", undefined, "garden has no default command.", "Its commands: water."],
    ["bare", undefined, "bare has no default command.", "Its commands: none."],
    ["bare", "brew", 'bare has no command "brew".', "Its commands: none."],
  ];
  for (const [skill, name, message, hint] of refused) {
    assert.throws(() => catalog.command(skill, name), { code: "UNKNOWN_COMMAND", message, hint });
  }
  assert.throws(() => catalog.command("gardn", "water"), {
    code: "UNKNOWN_SKILL",
    hint: "Did you mean garden?",
  });
});

test("a surface offers the commands that name it and those that name no surface, in the order of the manifests", () => {
  const catalog = new Catalog([garden, kitchen]);
  const offered = (surface: "cli" | "http" | "mcp" | "host") =>
    catalog.commands(surface).map(({ skill, name }) => `${skill} ${name}`);
  assert.deepEqual(offered("cli"), ["garden water", "kitchen brew", "kitchen pour"]);
  assert.deepEqual(offered("host"), ["garden water", "kitchen brew", "kitchen pour"]);
  assert.deepEqual(offered("http"), ["garden water", "kitchen brew"]);
  assert.deepEqual(offered("mcp"), ["garden water", "kitchen brew"]);
  assert.deepEqual(surfacesOf(fixtureCommand("garden", { surfaces: ["mcp"] })), ["mcp"]);
  assert.deepEqual(surfacesOf(fixtureCommand("garden", { keepsRunning: true })), ["cli", "host"]);
});

test("the row of a code comes from the core, else from the skill, else from another skill, else from INTERNAL", () => {
  const impostor = fixtureSkill("impostor", { errors: { TOKEN_MISSING: KETTLE, KITCHEN_TEAPOT: KETTLE } });
  const catalog = new Catalog([impostor, kitchen, garden]);
  assert.equal(catalog.codeEntry("TOKEN_MISSING", "impostor"), CODES.TOKEN_MISSING);
  assert.equal(catalog.codeEntry("KITCHEN_TEAPOT", "kitchen"), TEAPOT);
  assert.equal(catalog.codeEntry("KITCHEN_TEAPOT", "impostor"), KETTLE);
  assert.equal(catalog.codeEntry("GARDEN_KETTLE", "kitchen"), KETTLE);
  assert.equal(catalog.codeEntry("GARDEN_KETTLE"), KETTLE);
  assert.equal(catalog.codeEntry("CELLAR_FLOOD", "kitchen"), CODES.INTERNAL);
});
