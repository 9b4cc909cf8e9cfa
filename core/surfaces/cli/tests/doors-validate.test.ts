/** Faults as an author sees them: `skillctl validate`. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { greetingFiles, greetingManifest, type SkillFiles } from "../../../testing/fixture-greeting.ts";
import { greetingHarness } from "../../../../contract-tests/doors-harness.ts";

type Json = Readonly<Record<string, unknown>>;

const manifest = (more: Json): SkillFiles => ({ "skill.json": { ...greetingManifest(), ...more } });

describe("validate", () => {
  test("a sound skill has no fault; a warning is shown and is not a fault", async (t) => {
    const { say } = await greetingHarness(t);
    const sound = await say("validate", "greeting");
    assert.deepEqual([sound.status, sound.out], [0, "1 skill checked, no faults.\n"]);
    const never = {
      ...greetingManifest().rules["no-shouting"],
      when: { type: "object", required: ["nothing"] },
    };
    const { say: warned } = await greetingHarness(t, manifest({ rules: { "no-shouting": never } }));
    const said = await warned("validate", "greeting");
    assert.deepEqual([said.status, /skill\.json#\/rules\/no-shouting: warning: /.test(said.out)], [0, true]);
  });

  test("each fault is named with file, place and sentence, and ends with 1", async (t) => {
    const { commands, routes } = greetingManifest();
    const query = greetingFiles()["schemas/query.json"] as Json;
    const shape = { type: "integer", minimum: 1 };
    const many: SkillFiles = {
      ...manifest({
        engines: { skillctl: "^99.0.0" },
        commands: {
          greet: { ...commands.greet, display: "txt", errors: ["TOKEN_MISING"] },
          wave: { ...commands.greet, input: "greeting/inputs" },
        },
        routes: { ...routes, again: routes.echo },
        texts: { bye: { text: "Bye {NAME}.", placeholders: [] } },
      }),
      "schemas/query.json": { ...query, $id: "greeting/other", properties: { times: shape } },
      "plugin.js": undefined,
      "SKILL.md": undefined,
    };
    const { say } = await greetingHarness(t, many);
    const { status, out } = await say("validate", "greeting");
    assert.equal(status, 1);
    for (const line of [
      /#\/engines\/skillctl: The skill asks for skillctl \^99/,
      /#\/commands\/wave\/input: There is no schema greeting\/inputs/,
      /#\/commands\/wave\/default: greet is already the default command/,
      /#\/commands\/greet\/display: greeting\/output has no property "txt"; did you mean text\?/,
      /#\/commands\/greet\/errors\/0: TOKEN_MISING is neither .* did you mean TOKEN_MISSING\?/,
      /#\/routes\/again\/path: POST \/echo is already the address of the route echo/,
      /#\/texts\/bye\/placeholders: The text has the placeholder \{NAME\}, which is not in placeholders/,
      /The code of the skill is missing: there is no \.\/plugin\.js/,
      /SKILL\.md#: SKILL\.md, with the instructions for the agent, is missing/,
      /query\.json#\/properties\/times: A number needs an upper bound/,
      /query\.json#\/\$id: \$id must be "greeting\/query"/,
    ])
      assert.match(out, line);
    const { say: other } = await greetingHarness(t, manifest({ name: "hello" }));
    const said = await other("validate", "greeting", "--json");
    const { ok, output } = JSON.parse(said.out) as { ok: boolean; output: { faults: Json[] } };
    assert.deepEqual([said.status, ok, output.faults.length], [1, false, 1]);
    assert.equal(output.faults[0]?.["pointer"], "/name");
    const { say: twice } = await greetingHarness(t, {
      "skill.json": '{ "name": "greeting",\n "name": "a" }',
    });
    assert.match((await twice("validate", "greeting")).out, /\/name occurs twice/);
  });

  test("a missing handler is found without running the code, and a broken reference is reported with its place", async (t) => {
    const code = greetingFiles()["plugin.js"] as string;
    const input = greetingFiles()["schemas/input.json"] as Json;
    const { say } = await greetingHarness(t, {
      "plugin.js": code.replace("greet: Greet", "gret: Greet").replace("echo: Echo", "...[]"),
      "schemas/input.json": {
        ...input,
        properties: { name: { $ref: "#/$defs/nam" } },
        $defs: { name: { type: "string" } },
      },
    });
    const { status, out } = await say("validate", "greeting");
    assert.deepEqual(
      [status, out.split("\n")],
      [
        1,
        [
          'greeting/skill.json#/commands/greet: ./plugin.js has no handler for "greet". (PLUGIN_BROKEN)',
          "greeting/schemas/input.json#/properties/name/$ref: #/$defs/nam refers to nothing; did you mean #/$defs/name? (SCHEMA_INVALID)",
          "1 skill checked, 2 faults.",
          "",
        ],
      ],
    );
  });

  test("a command line in SKILL.md that names no command is reported with file and line", async (t) => {
    const lines = [
      "---",
      "name: greeting",
      "description: Greets a person by name. Use it to greet.",
      "---",
      "",
      'Run `skillctl run greeting gret Ada`, or `skillctl run greeting "ada"`, or `skillctl run greeting greet Ada`.',
      "To skillctl run greeting and other skills is prose.",
      "```sh",
      "skillctl run greeting farewell",
      "skillctl run other farewell",
      "```",
      "",
    ];
    const { say } = await greetingHarness(t, { "SKILL.md": lines.join("\n") });
    const { status, out } = await say("validate", "greeting");
    assert.deepEqual(
      [status, out.split("\n")],
      [
        0,
        [
          'greeting/SKILL.md:6: warning: The skill has no command "gret"; did you mean greet? (UNKNOWN_COMMAND)',
          'greeting/SKILL.md:9: warning: The skill has no command "farewell"; its commands: greet. Put text in quotes. (UNKNOWN_COMMAND)',
          "1 skill checked, no faults, 2 warnings.",
          "",
        ],
      ],
    );
  });

  test("a code that no manifest declares is a warning of validate, of test and of the run, and the caller gets the error", async (t) => {
    const code = `class SkillError extends Error { code; [Symbol.for("skillctl.error")] = true;
  constructor(code, message) { super(message); this.code = code; } }
class Greet { async run() { throw new SkillError("GREETING_SHUT", "It is shut."); } }
${(greetingFiles()["plugin.js"] as string).replace(/^class Greet .*\n/m, "").trimStart()}`;
    const { say, hosted } = await greetingHarness(t, { "plugin.js": code });
    const warning =
      "plugin.js:3: warning: The code GREETING_SHUT is not in errors of skill.json; add it there";
    const [checked, tested] = [await say("validate", "greeting"), await say("test", "./greeting")];
    assert.deepEqual([checked.status, checked.out.includes(`greeting/${warning}`)], [0, true], checked.out);
    assert.match(tested.out, /\n {7}warning: \S+plugin\.js:3: The code GREETING_SHUT is not in errors/);
    const ran = await hosted("run", "greeting", "greet", "Ada");
    assert.deepEqual(
      [ran.status, ran.err],
      [
        70,
        "warning: greeting ended with the error code GREETING_SHUT, which its skill.json does not declare. Add it to /errors and to /commands/greet/errors there.\nerror: It is shut.\n",
      ],
    );
    const declared = { GREETING_SHUT: { exit: 65, http: 403, fault: "user", summary: "It is shut." } };
    const mended = { "plugin.js": code, ...manifest({ errors: declared }) };
    const { say: again, hosted: sound } = await greetingHarness(t, mended);
    assert.equal((await again("validate", "greeting")).out, "1 skill checked, no faults.\n");
    assert.equal((await sound("run", "greeting", "greet", "Ada")).err, "error: It is shut.\n");
  });

  test("paths and withheld properties that are not properties of the input are reported", async (t) => {
    const { commands } = greetingManifest();
    const { say } = await greetingHarness(
      t,
      manifest({ commands: { greet: { ...commands.greet, paths: ["nam"], withheld: { mcp: ["nam"] } } } }),
    );
    const { status, out } = await say("validate", "greeting");
    assert.equal(status, 1);
    for (const place of ["paths/0", "withheld/mcp/0"])
      assert.ok(
        out.includes(
          `skill.json#/commands/greet/${place}: greeting/input has no property "nam"; did you mean name?`,
        ),
        out,
      );
  });

  test("every broken reference is reported with its place and the nearest valid one", async (t) => {
    const rows: readonly (readonly [reference: string, nearest: string])[] = [
      ["#/$defs/nam", "#/$defs/name"],
      ["#nickname", "#nick-name"],
      ["#/properties/nme", "#/properties/name"],
      ["#/$def/name", "#/$defs/name"],
      ["#/$defs/100%", "#/$defs/100"],
    ];
    const input = greetingFiles()["schemas/input.json"] as Json;
    const { name } = input["properties"] as Json;
    for (const [reference, nearest] of rows) {
      const { say } = await greetingHarness(t, {
        "schemas/input.json": {
          ...input,
          properties: { name, other: { $ref: reference } },
          $defs: { name: { type: "string" }, nick: { $anchor: "nick-name", type: "string" }, 100: true },
        },
      });
      const { status, out } = await say("validate", "greeting");
      const line = `greeting/schemas/input.json#/properties/other/$ref: ${reference} refers to nothing; did you mean ${nearest}? (SCHEMA_INVALID)`;
      assert.deepEqual([status, out], [1, `${line}\n1 skill checked, 1 fault.\n`]);
    }
    for (const inherited of ["#/$defs/constructor", "#/$defs/toString"]) {
      const { say } = await greetingHarness(t, {
        "schemas/input.json": { ...input, properties: { name, other: { $ref: inherited } } },
      });
      assert.match(
        (await say("validate", "greeting")).out,
        /#\/properties\/other\/\$ref: #\/\$defs\/\w+ refers to nothing/,
      );
    }
    const when = { type: "object", properties: { input: { $ref: "#/$defs/inpt" } }, $defs: { input: true } };
    const rule = { ...greetingManifest().rules["no-shouting"], when };
    const { say } = await greetingHarness(t, manifest({ rules: { "no-shouting": rule } }));
    assert.match(
      (await say("validate", "greeting")).out,
      /skill\.json#\/rules\/no-shouting\/when\/properties\/input\/\$ref: #\/\$defs\/inpt refers to nothing; did you mean #\/\$defs\/input\?/,
    );
  });
});
