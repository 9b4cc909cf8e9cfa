import assert from "node:assert/strict";
import { test } from "node:test";
import { contractCases, type CaseKind } from "./contract-tests.ts";
import { greetingFiles, greetingManifest, writeSkill, type SkillFiles } from "./fixture-greeting.ts";
import { createTestHost, type TestHost } from "./test-host.ts";

const sound = greetingFiles();
const manifest = greetingManifest();
const code = sound["plugin.js"] as string;

/** The outcome of each case of a skill that differs from a sound one: `passed`, the reason of a skip, or the error. */
async function outcomes(
  files: SkillFiles,
  kind?: CaseKind,
  prepare?: (host: TestHost) => Promise<void>,
): Promise<readonly string[]> {
  await using place = await createTestHost();
  const lender = await writeSkill(place.folder, "lender", greetingFiles("lender"));
  const folder = await writeSkill(place.folder, "greeting", { ...sound, ...files });
  const cases = await contractCases({
    plugins: [lender, folder],
    only: ["greeting"],
    ...(kind && { kinds: [kind] }),
    ...(prepare && { prepare }),
  });
  const tried = cases.map(async ({ title, skip, run }) => {
    if (skip !== undefined) return `${title}: skipped, ${skip}`;
    const fault = await run().then(
      () => "passed",
      (caught: unknown) => String(caught),
    );
    return `${title}: ${fault}`;
  });
  return await Promise.all(tried);
}

const tables = sound["rules/no-shouting.json"] as { passes: object[]; stops: { subject: object }[] };
const loud = tables.stops[0]?.subject;

/** A fault put into a valid skill, and its expected report. */
const FAULTS: readonly (readonly [CaseKind, string, SkillFiles, RegExp])[] = [
  [
    "schemas",
    "a schema whose example does not fit",
    { "schemas/input.json": { ...(sound["schemas/input.json"] as object), examples: [{}] } },
    /schema greeting\/input: has examples.*The host refuses the example \{\}/s,
  ],
  [
    "manifests",
    "a handler that the manifest does not name",
    { "plugin.js": code.replace("greet: Greet", "greet: Greet, wave: Greet") },
    /every name has a handler.*commands has "wave"/s,
  ],
  [
    "commands",
    "an error code that the command does not declare",
    { "plugin.js": code.replace("return { text: `Hello", "throw new Error('no'); return { text: `Hello") },
    /command greet: example 1.*INTERNAL: no \(plugin\.js:\d+\)/s,
  ],
  [
    "commands",
    "an output that does not fit",
    { "plugin.js": code.replace("return { text:", "return { txt:") },
    /OUTPUT_INVALID|a value that its schema does not allow/,
  ],
  [
    "manifests",
    "a command without a handler",
    { "plugin.js": "export default { commands: {}, routes: {}, rules: {} };" },
    /commands lacks a class for "greet"/,
  ],
  [
    "routes",
    "a route that throws",
    { "plugin.js": code.replace("return { status: 200", "throw new Error('no'); return { status: 200") },
    /route echo: example 1.*status 500: INTERNAL, .*: Error: no at .*plugin\.js:\d+/s,
  ],
  [
    "commands",
    "a required setting that the tests do not give",
    {
      "skill.json": { ...manifest, config: "greeting/settings" },
      "schemas/settings.json": {
        ...(sound["schemas/input.json"] as object),
        $id: "greeting/settings",
        properties: { city: { type: "string" } },
        required: ["city"],
        examples: [{ city: "Bonn" }],
      },
    },
    /CONFIG_INVALID, .*: \/city is missing\. Tests read no skillctl\.json: give the setting a default/,
  ],
  [
    "commands",
    "an example that fails and whose host cannot be closed",
    {
      "plugin.js": code
        .replace("return { text: `Hello", "throw new Error('no'); return { text: `Hello")
        .replace("class Greet {", "class Greet { close() { throw 'gone'; }"),
    },
    /command greet: example 1.*: no \(plugin\.js:\d+\)\nGreet of greeting failed to close: its code threw "gone"/s,
  ],
  [
    "routes",
    "a route that throws a text",
    { "plugin.js": code.replace("return { status: 200", "throw 'no stock'; return { status: 200") },
    /route echo: example 1.*status 500: INTERNAL, .*: no stock/s,
  ],
  [
    "routes",
    "a route whose stream fails",
    {
      "plugin.js": code.replace(
        "return { status: 200",
        "return { status: 200, body: (async function* () { yield 'a'; throw new Error('torn'); })() }; return { status: 200",
      ),
    },
    /route echo: example 1.*the stream was aborted: Error: torn at .*plugin\.js:\d+/s,
  ],
  [
    "routes",
    "a route whose reply has no status",
    { "plugin.js": code.replace("status: 200, ", "") },
    /route echo: example 1.*it has no status; return \{ status, body \} with one of the replies: 200\./s,
  ],
  [
    "routes",
    "a route whose reply has an undocumented status",
    { "plugin.js": code.replace("status: 200", "status: 201") },
    /route echo: example 1 gets a documented reply.*undocumented status 500/s,
  ],
  [
    "rules",
    "a rule without tables",
    { "rules/no-shouting.json": undefined },
    /rule no-shouting.*has no tables/s,
  ],
  [
    "rules",
    "a rule with an empty table",
    { "rules/no-shouting.json": { passes: [], stops: tables.stops } },
    /no-shouting\.json#\/passes: \/passes must not be empty/,
  ],
  [
    "rules",
    "a table under another name",
    { "rules/no-shouting.json": { ...tables, stop: tables.stops } },
    /no-shouting\.json#\/stop: \/stop is not a known property; did you mean stops\?/,
  ],
  [
    "rules",
    "a rule that does not decide what its tables say",
    { "rules/no-shouting.json": { passes: tables.passes, stops: [{ subject: loud, decision: "ask" }] } },
    /rules\/no-shouting\.json#\/stops\/0\/subject: .* gets deny instead of ask/,
  ],
  [
    "rules",
    "a case whose input is no input of the command",
    {
      "rules/no-shouting.json": {
        passes: tables.passes,
        stops: [{ subject: { ...loud, input: "ADA" }, decision: "deny" }],
      },
    },
    /gets allow instead of deny\. Its input does not fit greeting\/input: The value must be an object\./,
  ],
  [
    "rules",
    "a table of no rule",
    { "rules/no-rule.json": {} },
    /rules: every table belongs to a rule.*no-rule\.json/s,
  ],
  [
    "manifests",
    "a manifest that cannot be hosted",
    { "skill.json": { ...manifest, version: "one" } },
    /can be hosted: .*skill\.json#\/version/,
  ],
  [
    "manifests",
    "a description over the limit",
    { "SKILL.md": `---\nname: greeting\ndescription: ${"a".repeat(1025)}\n---\n` },
    /SKILL\.md:3: /,
  ],
];

test("all cases of a valid skill pass", async () => {
  for (const outcome of await outcomes({})) assert.match(outcome, /: passed$/);
});

test("a fault in a skill makes the cases of its kind fail", async () => {
  for (const [kind, what, change, pattern] of FAULTS)
    assert.match((await outcomes(change, kind)).join("\n"), pattern, what);
});

test("query values just outside of their bounds are tried", async () => {
  const bounds = { type: "integer", minimum: 1, maximum: 3 };
  const counts: number[] = [];
  for (const times of [{ ...bounds, minimum: undefined, maximum: undefined }, bounds]) {
    const query = { ...(sound["schemas/query.json"] as object), properties: { times } };
    const told = await outcomes({ "schemas/query.json": query }, "routes");
    counts.push(Number(/the (\d+) derived/.exec(told.join())?.[1]));
  }
  assert.equal(counts[1], (counts[0] ?? 0) + 2);
});

test("an unknown skill is refused", async () => {
  await assert.rejects(contractCases({ only: ["greting"] }), { code: "UNKNOWN_SKILL" });
});

/** The fixture, with another schema as input of its command. */
function taking(input: string): SkillFiles {
  const greet = { ...manifest.commands.greet, input, positional: [] };
  return { "skill.json": { ...manifest, commands: { greet }, rules: {} } };
}

const schema = (part: object): SkillFiles => ({
  "schemas/input.json": { ...(sound["schemas/input.json"] as object), ...part },
});

test("a command whose input is a schema of the core or of another skill is tried with its example and with wrong inputs", async () => {
  for (const input of ["core/problem", "lender/input"]) {
    const [example = "", wrong = "", ...more] = await outcomes(taking(input), "commands");
    assert.deepEqual(more, []);
    assert.match(example, /^command greet: example 1 of its input ends in its output .*: passed$/);
    assert.match(wrong, /^command greet: the [1-9]\d* derived wrong inputs end in INPUT_INVALID .*: passed$/);
  }
});

test("a command whose schema has no example and accepts everything is counted as skipped", async () => {
  const any = {
    type: undefined,
    additionalProperties: undefined,
    required: undefined,
    properties: undefined,
  };
  const told = await outcomes(
    { ...taking("greeting/input"), ...schema({ ...any, examples: undefined }) },
    "commands",
  );
  assert.deepEqual(
    told.map((line) => line.slice(line.indexOf(": skipped"))),
    [": skipped, the schema greeting/input has no example", ": skipped, its schema refuses nothing"],
  );
});

test("an input schema that cannot be read is a case that fails with the reason", async () => {
  for (const kind of ["commands", "routes"] as const) {
    const told = (await outcomes({ "schemas/input.json": "{" }, kind)).join("\n");
    assert.match(told, /tests can be derived from it: SkillError: .*input\.json is not JSON/, kind);
  }
});

test("a reply of a route with a code in its manifest is documented; another one is not", async () => {
  const losing = `
const lost = Object.assign(new Error("Lost."), { code: "GREETING_LOST", [Symbol.for("skillctl.error")]: true });
class Echo { async handle() { throw lost; } }
export default { commands: { greet: class {} }, routes: { echo: Echo }, rules: {} };
`;
  const errors = { GREETING_LOST: { exit: 65, http: 404, fault: "user", summary: "It is lost." } };
  const answers = async (named: readonly string[]): Promise<string> => {
    const routes = { echo: { ...manifest.routes.echo, errors: named } };
    const files = { "skill.json": { ...manifest, errors, routes }, "plugin.js": losing };
    return (await outcomes(files, "routes"))[0] ?? "";
  };
  assert.match(await answers(["GREETING_LOST"]), /example 1 gets a documented reply: passed$/);
  assert.match(await answers([]), /gets the undocumented status 404/);
});

test("tables of a rule that are not JSON are reported with their file", async () => {
  const [told = ""] = await outcomes({ "rules/no-shouting.json": "{" }, "rules");
  assert.match(told, /rules\/no-shouting\.json is not JSON: /);
});

test("a skill that prepares the files of the examples does not count as code that an invalid input loads", async () => {
  const told = await outcomes({}, "commands", async ({ run }) => {
    await run({ skill: "lender", command: "greet", input: { name: "Ada" } });
  });
  assert.ok(
    told.every((line) => line.endsWith(": passed")),
    told.join("\n"),
  );
});
