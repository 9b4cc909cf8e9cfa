import assert from "node:assert/strict";
import { test } from "node:test";
import { contractCases, type CaseKind } from "../contract-tests.ts";
import { greetingFiles, greetingManifest, writeSkill, type SkillFiles } from "../fixture-greeting.ts";
import { createTestHost, type TestHost } from "../test-host.ts";

/** What became of each case of the command or the route of a skill, as `passed`, the reason of a skip, or the error. */
async function outcomes(
  files: SkillFiles,
  kind: CaseKind = "commands",
  prepare?: (host: TestHost) => Promise<void>,
): Promise<readonly string[]> {
  await using place = await createTestHost();
  const lender = await writeSkill(place.folder, "lender", greetingFiles("lender"));
  const folder = await writeSkill(place.folder, "greeting", { ...greetingFiles(), ...files });
  const cases = await contractCases({
    plugins: [lender, folder],
    only: ["greeting"],
    kinds: [kind],
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

/** The fixture, with another schema as input of its command. */
function taking(input: string): SkillFiles {
  const manifest = greetingManifest();
  const greet = { ...manifest.commands.greet, input, positional: [] };
  return { "skill.json": { ...manifest, commands: { greet }, rules: {} } };
}

const schema = (part: object): SkillFiles => ({
  "schemas/input.json": { ...(greetingFiles()["schemas/input.json"] as object), ...part },
});

for (const input of ["core/problem", "lender/input"]) {
  test(`a command whose input is ${input} is tried with its example and with wrong inputs`, async () => {
    const [example = "", wrong = "", ...more] = await outcomes(taking(input));
    assert.deepEqual(more, []);
    assert.match(example, /^command greet: example 1 of its input ends in its output .*: passed$/);
    assert.match(wrong, /^command greet: the [1-9]\d* derived wrong inputs end in INPUT_INVALID .*: passed$/);
  });
}

test("a command whose schema has no example and refuses nothing is counted as skipped", async () => {
  const any = {
    type: undefined,
    additionalProperties: undefined,
    required: undefined,
    properties: undefined,
  };
  const told = await outcomes({ ...taking("greeting/input"), ...schema({ ...any, examples: undefined }) });
  assert.deepEqual(
    told.map((line) => line.slice(line.indexOf(": skipped"))),
    [": skipped, the schema greeting/input has no example", ": skipped, its schema refuses nothing"],
  );
});

for (const kind of ["commands", "routes"] as const) {
  test(`among ${kind}, an input schema that cannot be read is a case that fails with the reason`, async () => {
    const told = await outcomes({ "schemas/input.json": "{" }, kind);
    assert.ok(
      told.some((line) => /tests can be made of it: SkillError: .*input\.json is no JSON/.test(line)),
      told.join("\n"),
    );
  });
}

test("an answer of a route with a code that its manifest names is documented; another one is not", async () => {
  const code = `
const lost = Object.assign(new Error("Lost."), { code: "GREETING_LOST", [Symbol.for("skillctl.error")]: true });
class Echo { async handle() { throw lost; } }
export default { commands: { greet: class {} }, routes: { echo: Echo }, rules: {} };
`;
  const manifest = greetingManifest();
  const errors = { GREETING_LOST: { exit: 65, http: 404, fault: "user", summary: "It is lost." } };
  const answers = async (named: readonly string[]): Promise<string> => {
    const routes = { echo: { ...manifest.routes.echo, errors: named } };
    const files = { "skill.json": { ...manifest, errors, routes }, "plugin.js": code };
    return (await outcomes(files, "routes"))[0] ?? "";
  };
  assert.match(await answers(["GREETING_LOST"]), /example 1 gets a documented reply: passed$/);
  assert.match(await answers([]), /gets the undocumented status 404/);
});

test("tables of a rule that are no JSON are told with their file", async () => {
  const [told = ""] = await outcomes({ "rules/no-shouting.json": "{" }, "rules");
  assert.match(told, /rules\/no-shouting\.json is no JSON: /);
});

test("a skill that is called to lay out what the examples need is not taken for code that a wrong input loads", async () => {
  const told = await outcomes({}, "commands", async ({ run }) => {
    await run({ skill: "lender", command: "greet", input: { name: "Ada" } });
  });
  assert.ok(
    told.every((line) => line.endsWith(": passed")),
    told.join("\n"),
  );
});
