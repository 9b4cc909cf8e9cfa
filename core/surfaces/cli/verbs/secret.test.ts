import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { PROGRAM } from "../../../../contract-tests/command-line.ts";
import { createTestHost } from "../../../testing/test-host.ts";
import { memoryKeyRing } from "../fixture-key-ring.ts";
import { ownFolder, runCli, writeSkill, type Shown } from "../fixture-command-line.ts";
import { put } from "../skeleton/fixture-skeleton.ts";

const SECRET = "canary-9f8e7d6c";
const VARIABLE = "SKILLCTL_WEATHER_API_KEY";

const CONFIG: Readonly<Record<string, unknown>> & {
  readonly properties: { readonly apiKey: Readonly<Record<string, unknown>>; readonly unit: object };
} = {
  title: "Config",
  description: "The settings.",
  type: "object",
  required: ["apiKey"],
  additionalProperties: false,
  properties: {
    apiKey: {
      description: "The key.",
      type: "string",
      secret: true,
      minLength: 8,
      maxLength: 40,
      pattern: "^canary",
    },
    unit: { description: "The unit.", type: "string", default: "C" },
  },
  examples: [{ apiKey: "canary-12345678" }],
};

/** Ends as the name says, with the secret in every text. */
const CODE = `import { SkillError, config } from "skillctl";
class Greet {
  static inject = [config()];
  constructor(settings) { this.settings = settings; }
  async run({ name }, { progress }) {
    const { apiKey, unit } = this.settings;
    progress("asking with " + apiKey);
    if (name === "error") throw new SkillError("USAGE", "No " + apiKey, { hint: "Not " + apiKey, cause: new Error(apiKey) });
    if (name === "crash") throw new TypeError(encodeURIComponent(apiKey));
    return { text: [apiKey.length, unit, apiKey].join(" ") };
  }
}
export default { commands: { greet: Greet }, routes: {}, rules: {} };
`;

async function weather(
  t: TestContext,
  { config = CONFIG, variables = {}, keyRing = memoryKeyRing() } = {},
): Promise<{
  readonly folder: string;
  readonly skill: string;
  readonly say: (...words: readonly string[]) => Promise<Shown>;
}> {
  const folder = await ownFolder(t);
  const skill = await writeSkill(folder, "weather", {
    manifest: { config: "weather/config" },
    schemas: { config },
    code: CODE,
  });
  const all = { HOME: folder, SKILLCTL_STATE: join(folder, "state"), ...variables };
  const say = (...words: readonly string[]) =>
    runCli(folder, [...words, "--plugin", skill], { variables: all, keyRing });
  return { folder, skill, say };
}

test("a secret setting comes from its variable before the key ring, and reaches the code of the skill", async (t) => {
  const stored = memoryKeyRing(new Map([["weather/apiKey", "canary-in-the-key-ring"]]));
  const given = await weather(t, { variables: { [VARIABLE]: SECRET }, keyRing: stored });
  assert.equal((await given.say("run", "weather", "Ada")).out, "15 C [secret]\n");
  const kept = await weather(t, { keyRing: stored });
  assert.equal((await kept.say("run", "weather", "Ada")).out, "22 C [secret]\n");
});

test("no result, sentence of progress, error, cause or record contains a secret", async (t) => {
  const { folder, say } = await weather(t, { variables: { [VARIABLE]: SECRET } });
  for (const name of ["Ada", "error", "crash"])
    for (const flags of [[], ["--json"], ["--verbose"]]) {
      const { out, err } = await say("run", "weather", name, ...flags);
      assert.ok(!(out + err).includes(SECRET), out + err);
      assert.match(out + err, /\[secret\]/);
    }
  const words = [["info", "weather"], ["list"], ["secret", "weather"], ["why"], ["doctor"]];
  for (const each of words) {
    const { out, err } = await say(...each);
    assert.ok(!(out + err).includes(SECRET), each.join(" "));
  }
  const records = spawnSync("grep", ["-rl", SECRET, join(folder, "state")], { encoding: "utf8" });
  assert.equal(records.stdout, "");
});

test("a secret in skillctl.json is refused, and validate names its place", async (t) => {
  const { folder, say } = await weather(t, { variables: { [VARIABLE]: SECRET } });
  await put(folder, "skillctl.json", { config: { weather: { apiKey: SECRET } } });
  await say("trust");
  const run = await say("run", "weather", "Ada");
  const told = /apiKey of weather is a secret, which skillctl\.json must not hold\./;
  assert.match(run.err, told);
  assert.match(
    run.err,
    /hint: Remove it there\. Set SKILLCTL_WEATHER_API_KEY, or .*skillctl secret weather\s+apiKey/,
  );
  const checked = await say("validate");
  assert.equal(checked.status, 1);
  assert.match(checked.out, /^skillctl\.json#\/config\/weather\/apiKey: apiKey of weather is a secret/m);
  assert.ok(!(run.err + checked.out).includes(SECRET));
});

test("a missing or wrong secret is reported with its variable and without its value; other settings need no secret", async (t) => {
  const { folder, say } = await weather(t);
  const missing = await say("run", "weather", "Ada");
  assert.match(missing.err, /^error: weather needs the secret apiKey, which is not set\.$/m);
  assert.match(missing.err, /SKILLCTL_WEATHER_API_KEY/);
  await put(folder, "skillctl.json", { config: { weather: { unit: "F" } } });
  assert.doesNotMatch((await say("validate")).out, /CONFIG_INVALID/);
  const wrong = await weather(t, { variables: { [VARIABLE]: "wrong-9f8e7d6c" } });
  const { err } = await wrong.say("run", "weather", "Ada", "--verbose");
  assert.match(err, /The secret apiKey of weather does not fit weather\/config \(pattern\)\./);
  assert.doesNotMatch(err, /9f8e7d6c/);
});

test("the derived tests of a skill that needs a secret run with a made-up one", async (t) => {
  const { say } = await weather(t, { keyRing: memoryKeyRing(new Map([["weather/apiKey", SECRET]])) });
  const { out } = await say("test", "weather");
  assert.match(out, /^  ok +command/m);
  assert.doesNotMatch(out, /FAIL +command|CONFIG_INVALID/);
});

test("secret lists where each secret comes from, and removes one from the key ring", async (t) => {
  const entries = new Map([["weather/apiKey", SECRET]]);
  const { say } = await weather(t, { keyRing: memoryKeyRing(entries) });
  assert.match((await say("secret", "weather")).out, /apiKey +from the key ring/);
  assert.equal((await say("secret", "weather", "apiKey", "--remove")).status, 0);
  assert.equal(entries.size, 0);
  assert.match((await say("secret", "weather")).out, /apiKey +not set: SKILLCTL_WEATHER_API_KEY, or/);
  const { status, err } = await say("secret", "weather", "unit");
  assert.deepEqual([status, /weather has no secret setting unit/.test(err)], [64, true]);
});

test("the value is read from standard input; without a key ring the variable is named", async (t) => {
  const { folder, skill } = await weather(t);
  const say = (input: string) => {
    const words = [...PROGRAM, "secret", "weather", "apiKey", "--plugin", skill];
    const env = {
      PATH: process.env["PATH"],
      HOME: folder,
      DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
    };
    return spawnSync(process.execPath, words, { cwd: folder, input, encoding: "utf8", env });
  };
  const { status, stdout, stderr } = say(`${SECRET}\n`);
  if (status === 0) assert.match(stdout, /apiKey of weather is stored in the key ring/);
  else {
    assert.match(
      stderr,
      /The key ring cannot be used for apiKey of weather: .+\.\nhint: Set the environment variable SKILLCTL_WEATHER_API_KEY instead\./,
    );
    assert.ok(!stderr.includes(SECRET));
  }
  assert.match(say("short").stderr, /A secret needs at least 8 characters/);
});

test("a secret must be a text of at least 8 characters without a default, in the settings", async (t) => {
  const { apiKey } = CONFIG.properties;
  const { minLength: _, ...unbounded } = apiKey;
  for (const [property, told] of [
    [{ ...unbounded }, /properties\/apiKey: A secret needs "type": "string" and a minLength of at least 8/],
    [{ ...apiKey, default: "canary-12345678" }, /properties\/apiKey\/default: A secret has no default/],
    [{ ...apiKey, secret: false }, /properties\/apiKey\/secret: secret must be true, without quotes/],
  ] as const) {
    const config = { ...CONFIG, properties: { ...CONFIG.properties, apiKey: property } };
    const { say } = await weather(t, { config });
    assert.match((await say("validate", "weather")).out, told);
  }
  const { skill, say } = await weather(t);
  const input = JSON.parse(await readFile(join(skill, "schemas", "greet-input.json"), "utf8")) as {
    properties: { name: object };
  };
  Object.assign(input.properties.name, { secret: true, minLength: 8 });
  await put(skill, "schemas/greet-input.json", input);
  assert.match(
    (await say("validate", "weather")).out,
    /properties\/name\/secret: Only a property at the top of the settings/,
  );
});

test("a test host takes secrets from its variables, and an embedder reads them itself", async (t) => {
  const { skill } = await weather(t);
  await using host = await createTestHost({ plugins: [skill], variables: { [VARIABLE]: SECRET } });
  assert.deepEqual(await host.run({ skill: "weather", input: { name: "Ada" } }), { text: "15 C [secret]" });
});
