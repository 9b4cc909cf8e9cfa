/** The words that the build finds for rules: every request that a rule matches contains them. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import type { Predicate, SkillManifest } from "../contract.ts";
import type { GuardEvent, Subject } from "../plugin.ts";
import { compiledCondition } from "../schema/ajv.ts";
import { withShell } from "./fixture-facts.ts";
import { necessaryWords } from "./necessary-words.ts";
import { OWN_RULES, ownRules } from "./own/own-rules.ts";
import { mayAllSpeak, type Places, type Screen } from "./screen.ts";

const PLACES: Places = {
  state: ["/home/ada/.local/state/skillctl"],
  home: ["/home/ada"],
  program: ["/opt/skillctl"],
};

function screenOf(event: GuardEvent, when: Predicate): Screen {
  return { rules: { [event]: [["one", necessaryWords(when)]] }, phases: [], places: [] };
}

function maySpeak(when: Predicate, subject: Partial<Subject>, open?: readonly (keyof Subject)[]): boolean {
  const whole = { event: "tool.pre", surface: "hook", ...subject } as Subject;
  return mayAllSpeak(screenOf("tool.pre", when), whole, PLACES, open).has("one");
}

const of = (key: string, schema: Predicate): Predicate => ({
  required: [key],
  properties: { [key]: schema },
});
const command = (pattern: string): Predicate => of("command", { type: "string", pattern });

const CONDITIONS: readonly (readonly [what: string, when: Predicate, condition: unknown])[] = [
  ["a constant", of("tool", { const: "shell" }), ["has", "tool", '"shell"']],
  ["one of several", of("tool", { enum: ["read", "fetch"] }), ["has", "tool", '"read"', '"fetch"']],
  ["a property that may be missing", { properties: { tool: { const: "shell" } } }, ["all"]],
  ["a pattern in any letter case", command("/[sS]kill[cC]tl$"), ["has", "command", "/skillctl"]],
  ["a pattern of which the longest part counts", command("a.*token.*b"), ["has", "command", "token"]],
  ["a pattern with alternatives", command("^(push|pull) "), ["has", "command", "push", "pull"]],
  ["a pattern with a part that may be missing", command("(push)?"), ["all"]],
  ["a pattern that looks ahead", command("(?=secret)x"), ["has", "command", "x"]],
  ["a pattern for no text in particular", of("command", { pattern: "x" }), ["all"]],
  ["an input of any shape", of("input", { const: "x" }), ["all"]],
  ["a value that differs from another", { properties: { tool: { not: { const: "shell" } } } }, ["all"]],
  ["a negation", { not: command("x") }, ["all"]],
  [
    "one of several alternatives",
    { anyOf: [command("git"), of("tool", { const: "read" })] },
    ["any", ["has", "command", "git"], ["has", "tool", '"read"']],
  ],
  [
    "a list of facts with an item",
    of("shell", of("writes", { type: "array", minItems: 1 })),
    ["has", "shell", '"writes":["', '"writes":[{', '"writes":[['],
  ],
  [
    "a folder of the machine",
    of("paths", { contains: { type: "string", pattern: "^{state}(/|$)" } }),
    ["has", "paths", "{state}"],
  ],
];

test("the necessary words of a predicate follow from its keywords", () => {
  for (const [what, when, condition] of CONDITIONS) assert.deepEqual(necessaryWords(when), condition, what);
});

test("a rule is skipped for a request only when a necessary word is missing", () => {
  assert.equal(maySpeak(command("secret"), { command: "cat SECRET" }), true);
  assert.equal(maySpeak(command("secret"), { command: "cat x" }), false);
  assert.equal(maySpeak(of("tool", { const: "shell" }), { tool: "read" }), false);
  const inState = of("paths", { contains: { type: "string", pattern: "^{state}/" } });
  assert.equal(maySpeak(inState, { paths: ["/home/ada/.local/state/skillctl/x"] }), true);
  assert.equal(maySpeak(inState, { paths: ["/home/ada/x"] }), false);
  const writes = of("shell", of("writes", { contains: { type: "string", pattern: "x" } }));
  assert.equal(
    maySpeak(writes, { command: "touch y" }, ["shell"]),
    true,
    "a fact that is not known yet may hold any word",
  );
});

/** Built-in rules as a machine has them: the predicate with the places of that machine, and the condition of the build. */
const RULES = [
  ...Object.entries(ownRules(PLACES)).map(([name, { on, when }]) => ({
    id: `core/${name}`,
    on,
    when,
    condition: necessaryWords(OWN_RULES[name]?.when),
  })),
  ...readdirSync("skills").flatMap((skill) => {
    const { rules = {} } = JSON.parse(readFileSync(`skills/${skill}/skill.json`, "utf8")) as SkillManifest;
    return Object.entries(rules).map(([name, { on, when }]) => ({
      id: `${skill}/${name}`,
      on,
      when,
      condition: necessaryWords(when),
    }));
  }),
].flatMap(({ id, on, when, condition }) => {
  if (!on || !when) return [];
  return [{ id, on, condition, test: compiledCondition(when).test as (subject: unknown) => boolean }];
});

/** Requests similar to those of the rules: built from the strings in the rules and their cases. */
function caseSubjects(): Promise<readonly Subject[]> {
  const folders = [...readdirSync("skills").map((skill) => `skills/${skill}/rules`), "core/guard/own/rules"];
  const subjects = folders.flatMap((folder) => {
    let names: readonly string[] = [];
    try {
      names = readdirSync(folder);
    } catch {
      return [];
    }
    return names.flatMap((name) => {
      const { passes = [], stops = [] } = JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as {
        readonly passes?: readonly Readonly<Record<string, unknown>>[];
        readonly stops?: readonly Readonly<Record<string, unknown>>[];
      };
      return [...passes, ...stops].map((one) => (one["subject"] ?? one["request"] ?? one) as Subject);
    });
  });
  return Promise.all(subjects.map(withShell));
}

function missed(subject: Subject): readonly string[] {
  return RULES.filter(({ on, condition, id, test: speaks }) => {
    if (!on.some((event) => event === subject.event) || !speaks(subject)) return false;
    const screen: Screen = { rules: { [subject.event]: [[id, condition]] }, phases: [], places: [] };
    return !mayAllSpeak(screen, subject, PLACES).has(id);
  }).map(({ id }) => id);
}

test("no built-in rule is skipped for a request of its tables that it matches", async () => {
  const subjects = await caseSubjects();
  assert.ok(subjects.length > 300, String(subjects.length));
  let spoken = 0;
  for (const subject of subjects) {
    spoken += RULES.filter(
      ({ on, test: speaks }) => on.includes(subject.event as never) && speaks(subject),
    ).length;
    assert.deepEqual(missed(subject), [], JSON.stringify(subject).slice(0, 400));
  }
  assert.ok(spoken > 150, `rules spoke ${spoken} times`);
});

test("no built-in rule is skipped for a request composed of parts of such requests", async () => {
  const subjects = (await caseSubjects()).filter(({ event }) => event.startsWith("tool."));
  const parts = ["tool", "name", "command", "paths", "urls", "content", "shell", "phases", "input"] as const;
  const one = fc.nat({ max: subjects.length - 1 }).map((index) => subjects[index] as Subject);
  const mixed = fc
    .tuple(one, fc.array(fc.tuple(fc.constantFrom(...parts), one), { maxLength: 5 }))
    .map(
      ([first, changes]) =>
        Object.assign(
          { ...first },
          ...changes.map(([key, from]) => (from[key] === undefined ? {} : { [key]: from[key] })),
        ) as Subject,
    );
  const check = fc.property(mixed, (subject) => assert.deepEqual(missed(subject), []));
  fc.assert(check, { numRuns: 3_000, seed: 32 });
});
