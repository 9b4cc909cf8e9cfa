import assert from "node:assert/strict";
import { readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, test } from "node:test";
import type { SkillManifest } from "../../../contract.ts";
import type { HostedSkill } from "../../../skill.ts";
import { VERSION } from "../../../version.ts";
import { ownFolder } from "../fixture-command-line.ts";
import { edit, greetingFolder, put, say } from "../skeleton/fixture-skeleton.ts";

type Json = Record<string, unknown>;

test("a file that is not JSON is reported with line and column, and faults of other files are reported too", async (t) => {
  const { root, skill } = await greetingFolder(t);
  await put(skill, "skill.json", '{\n  "name": "greeting"\n  "version": 1\n}');
  await put(skill, "schemas/greet-input.json", "[]");
  await put(skill, "SKILL.md", "# Greeting\n");
  const { out } = await say(["validate", "greeting"], root);
  assert.equal(
    out,
    [
      "greeting/skill.json#: The file is not valid JSON: a comma is missing (line 3, column 3). (MANIFEST_INVALID)",
      "greeting/schemas/greet-input.json#: The file must hold one JSON object. (SCHEMA_INVALID)",
      "greeting/SKILL.md:1: The first line must be ---, the start of the front matter. (FRONT_MATTER_MISSING)",
      "1 skill checked, 3 faults.\n",
    ].join("\n"),
  );
});

test("a duplicate command is one fault, not one for each of its properties", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const text = await readFile(join(skill, "skill.json"), "utf8");
  const { commands } = JSON.parse(text) as { readonly commands: Json };
  const twice = `"commands": { "greet": ${JSON.stringify(commands["greet"])},`;
  await put(skill, "skill.json", text.replace(/"commands": \{/, twice));
  const { out } = await say(["validate", "greeting"], root);
  assert.equal(
    out,
    "greeting/skill.json#/commands/greet: /commands/greet occurs twice; only the last one would be used. (MANIFEST_INVALID)\n1 skill checked, 1 fault.\n",
  );
});

test("an undefined error code of a route is a fault, like that of a command", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const routes = {
    hello: {
      summary: "Hello.",
      method: "GET",
      path: "/hello",
      replies: { 200: "greeting/greet-output" },
      errors: ["GREETING_LOSTT"],
    },
  };
  const lost = { exit: 65, http: 404, fault: "user", summary: "It is lost." };
  await edit(skill, ["skill.json", "/routes", routes]);
  await edit(skill, ["skill.json", "/errors", { GREETING_LOST: lost }]);
  const { out } = await say(["validate", "greeting"], root);
  assert.match(
    out,
    /^greeting\/skill\.json#\/routes\/hello\/errors\/0: GREETING_LOSTT is neither .*; did you mean GREETING_LOST\? \(MANIFEST_INVALID\)$/m,
  );
});

test("a module without a default export is a fault, and one with `export { x as default }` is not", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const text = await readFile(join(skill, "plugin.js"), "utf8");
  const ends = (end: string): string => text.replace("export default definePlugin(plugin);", end);
  const lacks = /plugin\.js has no default export\. \(PLUGIN_BROKEN\)\n1 skill/;
  const rows: readonly (readonly [code: string, out: RegExp])[] = [
    [ends("export const made = plugin;"), lacks],
    [ends(""), lacks],
    ["", lacks],
    [ends("export { plugin as default };"), /no faults/],
  ];
  for (const [code, expected] of rows) {
    await put(skill, "plugin.js", code);
    assert.match((await say(["validate", "greeting"], root)).out, expected);
  }
});

describe("code whose kind of module does not suit its file name is a fault with its line and the remedy", () => {
  const HANDLERS = "{ commands: { greet: class { run = async ({ name }) => ({ text: name }); } } }";
  const COMMON = `// A comment.\nmodule.exports = ${HANDLERS};\n`;
  const MODULE = `// A comment.\nexport default ${HANDLERS};\n`;
  const toModule = (line: number, cause: string) =>
    `is CommonJS code (line ${line}), but ${cause} makes it an ES module: use import and export default, or rename it to .cjs and name the file as "plugin" in skill.json. (PLUGIN_BROKEN)`;
  const toCommon = (line: number, cause: string) =>
    `is an ES module (line ${line}), but ${cause} makes it CommonJS: use require and module.exports, or rename it to .mjs and name the file as "plugin" in skill.json. (PLUGIN_BROKEN)`;
  /** `type` of package.json: null removes the key, undefined the file. */
  const rows: readonly (readonly [
    title: string,
    file: string,
    type: "module" | "commonjs" | null | undefined,
    code: string,
    fault: ((folder: string) => string) | undefined,
  ])[] = [
    [
      "CommonJS in a package of modules",
      "plugin.js",
      "module",
      COMMON,
      (at) => toModule(2, `"type": "module" in ${at}/package.json`),
    ],
    [
      "exports by name",
      "plugin.js",
      "module",
      `exports.default = ${HANDLERS};`,
      (at) => toModule(1, `"type": "module" in ${at}/package.json`),
    ],
    [
      "require in a module",
      "plugin.js",
      "module",
      `const { sep } = require("node:path");\n${MODULE}`,
      () => "calls require (line 1), which an ES module does not have: use import. (PLUGIN_BROKEN)",
    ],
    ["CommonJS called .mjs", "plugin.mjs", null, COMMON, () => toModule(2, "its name")],
    [
      "require beside export without a type",
      "plugin.js",
      null,
      `const { sep } = require("node:path");\n${MODULE}`,
      () => "calls require (line 1), which an ES module does not have: use import. (PLUGIN_BROKEN)",
    ],
    [
      "a module in a package of CommonJS",
      "plugin.js",
      "commonjs",
      MODULE,
      (at) => toCommon(2, `"type": "commonjs" in ${at}/package.json`),
    ],
    ["a module called .cjs", "plugin.cjs", "module", MODULE, () => toCommon(2, "its name")],
    [
      "a handler that CommonJS code lacks",
      "plugin.cjs",
      "module",
      "module.exports = { commands: {} };",
      () => 'has no handler for "greet". (PLUGIN_BROKEN)',
    ],
    [
      "a module that creates its own require",
      "plugin.js",
      "module",
      `import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\nconst { sep } = require("node:path");\n${MODULE}`,
      undefined,
    ],
    ["CommonJS called .cjs", "plugin.cjs", "module", COMMON, undefined],
    ["CommonJS in a package of CommonJS", "plugin.js", "commonjs", COMMON, undefined],
    ["CommonJS without a type", "plugin.js", null, COMMON, undefined],
    ["a module without a type", "plugin.js", null, MODULE, undefined],
    ["a module without a package.json", "plugin.js", undefined, MODULE, undefined],
    ["CommonJS without a package.json", "plugin.js", undefined, COMMON, undefined],
    ["a module called .mjs", "plugin.mjs", "commonjs", MODULE, undefined],
    ["code that returns early", "plugin.cjs", "module", `if (!process) return;\n${COMMON}`, undefined],
  ];
  for (const [title, file, type, code, fault] of rows)
    test(title, async (t) => {
      const { root, skill } = await greetingFolder(t);
      await rm(join(skill, "plugin.js"));
      await put(skill, file, code);
      if (type === undefined) await rm(join(skill, "package.json"));
      else await edit(skill, ["package.json", "/type", type ?? undefined]);
      if (file !== "plugin.js") await edit(skill, ["skill.json", "/plugin", `./${file}`]);
      const { out } = await say(["validate", "greeting"], root);
      if (fault !== undefined) return assert.ok(out.includes(`: ./${file} ${fault(skill)}`), out);
      assert.match(out, /no faults/);
      assert.equal((await say(["run", "greeting", "Ada"], root, { plugins: ["greeting"] })).out, "Ada\n");
    });

  test("a package.json that Node cannot read is a fault", async (t) => {
    const { root, skill } = await greetingFolder(t);
    await put(skill, "package.json", "{,}");
    const { status, out } = await say(["validate", "greeting"], root);
    assert.deepEqual(
      [status, /package\.json: The file is not valid JSON: .* \(PLUGIN_BROKEN\)/.test(out)],
      [1, true],
    );
  });
});

test("for missing code or handlers the hint names tsc if the skill is in TypeScript", async (t) => {
  const { root, skill } = await greetingFolder(t);
  await put(skill, "plugin.ts", "");
  await put(skill, "plugin.js", "export default {};");
  const run = `It is compiled from plugin.ts: run \`npx tsc\` in ${skill}.`;
  assert.ok(
    (await say(["validate", "greeting"], root)).out.includes(
      `has no handler for "greet". ${run} (PLUGIN_BROKEN)`,
    ),
  );
  await rm(join(skill, "plugin.js"));
  assert.ok(
    (await say(["validate", "greeting"], root)).out.includes(
      `there is no ./plugin.js. ${run} (PLUGIN_MISSING)`,
    ),
  );
});

test("for TypeScript the remedy is in tsconfig.json if it writes the code elsewhere, or as CommonJS", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const text = await readFile(join(skill, "plugin.js"), "utf8");
  await put(skill, "plugin.ts", "");
  await put(skill, "tsconfig.json", '{ "compilerOptions": { // "outDir": "./dist"');
  await rm(join(skill, "plugin.js"));
  assert.match(
    (await say(["validate", "greeting"], root)).out,
    /It is compiled from plugin\.ts: run `npx tsc` in/,
  );
  await put(skill, "plugin.js", text);
  await put(skill, "tsconfig.json", '{ /* one */ "compilerOptions": { "outDir": "./dist" } }');
  await rm(join(skill, "plugin.js"));
  await put(skill, "dist/plugin.js", text);
  const remedy =
    'remove outDir from tsconfig.json, which writes it to dist/plugin.js, or set "plugin" in skill.json to ./dist/plugin.js.';
  const { out } = await say(["validate", "greeting"], root);
  assert.ok(out.includes(`It is compiled from plugin.ts: ${remedy} (PLUGIN_MISSING)`), out);
  const ran = await say(["run", "greeting", "Ada"], root, { plugins: ["greeting"] });
  assert.ok(ran.err.replaceAll(/\s+/g, " ").includes(remedy), ran.err);
  await put(skill, "plugin.js", '"use strict";\nexports.default = {};\n');
  assert.match(
    (await say(["validate", "greeting"], root)).out,
    /is CommonJS code \(line 2\), but .* makes it an ES module: compile it to a module \("module": "nodenext" in tsconfig\.json\)\. It is compiled/,
  );
});

test("without paths, wrong settings in skillctl.json are a fault, and those of unknown skills a warning", async (t) => {
  const { root } = await greetingFolder(t);
  const options = { plugins: ["./greeting"] };
  await put(root, "skillctl.json", { ...options, config: { greeting: { loud: true } } });
  const { status, out } = await say(["validate"], root, options);
  assert.match(
    out,
    /^skillctl\.json#\/config\/greeting: There are settings for greeting in skillctl\.json, but it takes none\. \(CONFIG_INVALID\)$/m,
  );
  assert.equal(status, 1);
  await put(root, "skillctl.json", { ...options, config: { greetin: {} } });
  const other = await say(["validate"], root, options);
  assert.match(other.out, /^skillctl\.json#\/config\/greetin: warning: .*no skill of that name is hosted/m);
  assert.equal(other.status, 0);
});

test("a file that is nested too deeply is a fault, and other files are still checked", async (t) => {
  const { root, skill } = await greetingFolder(t);
  await put(skill, "skill.json", "[".repeat(100_000) + "]".repeat(100_000));
  await put(skill, "schemas/query.json", "{}");
  const { status, out } = await say(["validate", "greeting"], root);
  assert.match(out, /^greeting\/skill\.json#: The file is nested too deep\. \(MANIFEST_INVALID\)$/m);
  assert.match(out, /^greeting\/schemas\/query\.json#/m);
  assert.equal(status, 1);
});

test("patterns that backtrack without end on an example are reported within seconds", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const text = await readFile(join(skill, "schemas/greet-input.json"), "utf8");
  const schema = JSON.parse(text) as { properties: Json; examples: Json[] };
  const [name = ""] = Object.keys(schema.properties);
  const slow = `${"a".repeat(50)}!`;
  const forms: Readonly<Record<string, Json>> = {
    pattern: { type: "string", description: "A name.", pattern: "^(\\w+\\s?)*$" },
    key: {
      type: "object",
      description: "Names.",
      additionalProperties: false,
      patternProperties: { "^(a|a)*$": { type: "string", description: "One." } },
    },
  };
  for (const [form, property] of Object.entries(forms)) {
    const example = { [name]: form === "key" ? { [slow]: "x" } : slow };
    const examples = Array.from({ length: 20 }, () => example);
    await put(
      skill,
      "schemas/greet-input.json",
      JSON.stringify({ ...schema, properties: { [name]: property }, examples }),
    );
    const begun = Date.now();
    const { status, out } = await say(["validate", "greeting"], root);
    assert.equal(status, 1);
    assert.match(
      out,
      /^greeting\/schemas\/greet-input\.json#\/examples\/0: .*cannot be checked, because the pattern "?\^\((?:a|\\+w).*\(\/properties\/\w+\/pattern.*takes too long\. \(SCHEMA_INVALID\)$/m,
    );
    assert.ok(Date.now() - begun < 15_000, form);
  }
});

test("a missing path, a file and a folder without skills are each reported", async (t) => {
  const root = await ownFolder(t);
  await put(root, "notes/a.txt", "a");
  const { status, out } = await say(["validate", "nowhere", "notes", "notes/a.txt"], root);
  assert.deepEqual(out.split("\n"), [
    `nowhere#: There is no ${join(root, "nowhere")}. (FILE_UNREADABLE)`,
    `notes/skill.json#: There is no skill.json in ${join(root, "notes")} or in one of its folders. (MANIFEST_INVALID)`,
    `notes/a.txt#: ${join(root, "notes", "a.txt")} is neither a skill.json nor the folder of one. (FILE_UNREADABLE)`,
    "3 skills checked, 3 faults.",
    "",
  ]);
  assert.equal(status, 1);
});

test("settings in the person's own file are checked, and the file is named", async (t) => {
  const { root } = await greetingFolder(t);
  await put(root, "own.json", { config: { greeting: { loud: true }, greetin: {} } });
  const own = { ruleFiles: { user: join(root, "own.json") }, plugins: ["greeting"] };
  const { status, out } = await say(["validate"], root, own);
  assert.equal(status, 1);
  assert.match(
    out,
    /^own\.json#\/config\/greeting: There are settings for greeting in your own skillctl\.json, but it takes none\./m,
  );
  assert.match(
    out,
    /^own\.json#\/config\/greetin: warning: There are settings for greetin in your own skillctl\.json, but no skill of that name is hosted; did you mean greeting\?/m,
  );
});

test("a byte-order mark in skill.json or a table is ignored; a table that is not JSON is reported", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const manifest = join(skill, "skill.json");
  await put(skill, "skill.json", `\uFEFF${await readFile(manifest, "utf8")}`);
  const marked = await say(["validate", "greeting"], root);
  assert.deepEqual([marked.status, marked.out], [0, "1 skill checked, no faults.\n"], marked.err);
  assert.equal((await say(["types", "greeting"], root)).status, 0);
  const { rules = {} } = JSON.parse((await readFile(manifest, "utf8")).slice(1)) as { rules?: object };
  const [rule = ""] = Object.keys(rules);
  await put(skill, `rules/${rule}.json`, '{ "passes": [');
  const { status, out } = await say(["validate", "greeting"], root);
  assert.equal(status, 1);
  assert.match(out, new RegExp(`^greeting/rules/${rule}\\.json#: The file is not valid JSON: `, "m"));
});

test("a folder of skills, a skill.json or a linked folder names the skills in it", async (t) => {
  const { root, skill } = await greetingFolder(t);
  await symlink(skill, join(root, "linked"), "dir");
  assert.equal(
    (await say(["validate", "greeting/skill.json", "linked", "."], root)).out,
    "1 skill checked, no faults.\n",
  );
});

test("without paths the built-in skills and the configured ones are checked, together", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const manifest = JSON.parse(await readFile(join(skill, "skill.json"), "utf8")) as SkillManifest;
  const box: HostedSkill = {
    manifest,
    folder: skill,
    schemas: join(skill, "schemas"),
    builtin: true,
    load: () => Promise.resolve({}),
  };
  await rm(join(skill, "plugin.js"));
  assert.equal((await say(["validate"], root, { builtin: [box] })).out, "1 skill checked, no faults.\n");
  await put(join(root, "b", "greeting"), "skill.json", manifest);
  const { out } = await say(["validate"], root, { builtin: [box], plugins: ["b"] });
  assert.match(
    out,
    /^b\/greeting\/skill\.json#\/name: greeting is already the name of the skill in .* \(SKILL_CONFLICT\)$/m,
  );
  assert.match(out, /^2 skills checked/m);
  assert.match((await say(["validate", "b"], root, { builtin: [box] })).out, /SKILL_CONFLICT/);
});

test("an unusable configuration is a fault in addition to the others", async (t) => {
  const { root } = await greetingFolder(t);
  await put(root, "skillctl.json", { plugin: [] });
  const { status, out } = await say(["validate"], root);
  assert.match(
    out,
    /^skillctl\.json#\/plugin: .*\/plugin is not a known property; did you mean plugins\? \(CONFIG_INVALID\)\n0 skills checked, 1 fault\.\n$/,
  );
  assert.equal(status, 1);
});

test("--json has absolute paths, and control characters of a manifest never reach the terminal", async (t) => {
  const { root, skill } = await greetingFolder(t);
  await edit(skill, ["skill.json", "/\u001b[2J", 1]);
  const { out } = await say(["validate", "greeting"], root, { json: true });
  const { ok, output } = JSON.parse(out) as {
    ok: boolean;
    output: { readonly skills: number; readonly faults: readonly Json[] };
  };
  const { skills, faults } = output;
  assert.deepEqual([ok, skills], [false, 1]);
  assert.deepEqual(
    faults.map(({ file, code, severity }) => [file, code, severity]),
    [[join(skill, "skill.json"), "MANIFEST_INVALID", "error"]],
  );
  for (const json of [true, false])
    assert.ok(!(await say(["validate", "greeting"], root, { json })).out.includes("\u001b"));
});

test("no code of a skill is loaded", async (t) => {
  const { root, skill } = await greetingFolder(t);
  await put(skill, "plugin.js", '(() => { throw new Error("loaded"); })();\nexport default made();');
  assert.equal((await say(["validate"], root, { plugins: ["greeting"] })).status, 0);
});

test("a skill that is data only needs no code", async (t) => {
  const { root, skill } = await greetingFolder(t);
  await rm(join(skill, "plugin.js"));
  assert.match(
    (await say(["validate", "greeting"], root)).out,
    /^greeting\/skill\.json#: The code of the skill is missing: .* \(PLUGIN_MISSING\)$/m,
  );
  await edit(skill, ["skill.json", "/commands", undefined]);
  assert.equal(
    (await say(["validate", "greeting"], root)).out,
    'greeting/SKILL.md:9: warning: The skill has no command "greet". (UNKNOWN_COMMAND)\n1 skill checked, no faults, 1 warning.\n',
  );
});

test("a rule that no request can match is a warning with the reason, without loading code", async (t) => {
  const { root, skill } = await greetingFolder(t);
  await put(skill, "plugin.js", 'export default (() => { throw new Error("loaded"); })();\n');
  const rule = { tell: "Told.", on: ["tool.pre"], message: "Said.", decision: "deny" };
  const when = (properties: object): object => ({ type: "object", properties });
  const paths = (pattern: string): object => ({
    paths: { type: "array", contains: { type: "string", pattern } },
  });
  const rules = {
    never: { ...rule, when: when({ tool: { const: "hammer" } }) },
    relative: { ...rule, when: when(paths("^src/")) },
    anywhere: { ...rule, when: when(paths("/src/")) },
    shell: { ...rule, when: when({ tool: { enum: ["shell", "hammer"] } }) },
  };
  await edit(skill, ["skill.json", "/rules", rules]);
  const cases = { passes: [{}], stops: [{ subject: {}, decision: "deny" }] };
  for (const name of Object.keys(rules)) await put(skill, `rules/${name}.json`, cases);
  const { status, out } = await say(["validate", "greeting"], root);
  const at = "greeting/skill.json#/rules";
  assert.deepEqual(out.split("\n").slice(1), [
    `${at}/never: warning: greeting/never never applies: tool is never "hammer", but one of shell, write, edit, read, fetch, mcp, search, agent, plan, other. (RULE_UNREACHABLE)`,
    `${at}/relative: warning: greeting/relative never applies: paths are absolute, and ^src/ fits relative ones only. (RULE_UNREACHABLE)`,
    "1 skill checked, no faults, 3 warnings.",
    "",
  ]);
  assert.equal(status, 0);
});

test("a block of rules in SKILL.md that differs from skill.json is a warning, and --fix rewrites it", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const kind = { tell: "Be kind.", enforced: false, why: "Kindness has no measure." };
  await edit(skill, ["skill.json", "/rules", { kind }]);
  const { status, out } = await say(["validate", "greeting"], root);
  assert.match(
    out,
    /^greeting\/SKILL\.md:12: warning: The rules here differ from those of skill\.json; .* \(RULES_STALE\)\n/,
  );
  assert.equal(status, 0);
  assert.equal((await say(["validate", "greeting", "--fix"], root)).out, "1 skill checked, no faults.\n");
  const text = await readFile(join(skill, "SKILL.md"), "utf8");
  assert.match(text, /- Be kind\. \(Kindness has no measure\.\)/);
  assert.equal((await say(["validate", "--fix"], root)).status, 64);
  await put(skill, "SKILL.md", text.slice(0, text.indexOf("<!-- rules:begin -->")));
  assert.equal((await say(["validate", "greeting"], root)).out, "1 skill checked, no faults.\n");
});

test("a rule without a table of cases is a warning with its place", async (t) => {
  const { root, skill } = await greetingFolder(t);
  await rm(join(skill, "rules"), { recursive: true });
  const { status, out } = await say(["validate", "greeting"], root);
  assert.equal(status, 0);
  assert.match(
    out,
    /^greeting\/skill\.json#\/rules\/no-shouting: warning: The rule has no cases, .*rules\/no-shouting\.json.* \(RULE_UNTESTED\)$/m,
  );
});

test("a renamed folder, or a file in place of a folder, is one fault with the remedy", async (t) => {
  const { root, skill } = await greetingFolder(t);
  await rename(skill, join(root, "greetings"));
  assert.equal(
    (await say(["validate", "greetings"], root)).out,
    "greetings/skill.json#/name: The name greeting is not the name of the folder, greetings: rename one of them. (MANIFEST_INVALID)\n1 skill checked, 1 fault.\n",
  );
  await rename(join(root, "greetings"), skill);
  await rm(join(skill, "schemas"), { recursive: true });
  await put(skill, "schemas", "");
  assert.equal(
    (await say(["validate", "greeting"], root)).out,
    "greeting/skill.json#: schemas cannot be used: schemas is not a folder. (MANIFEST_INVALID)\n1 skill checked, 1 fault.\n",
  );
});

test("a fault of a manifest causes no false fault in its sequences or in the schema of its settings", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const apiKey = { description: "The key.", type: "string", secret: true, minLength: 8, maxLength: 40 };
  const config = { $id: "greeting/config", title: "Config", description: "Settings.", type: "object" };
  await put(skill, "schemas/config.json", {
    ...config,
    additionalProperties: false,
    properties: { apiKey },
    examples: [{}],
  });
  await edit(skill, ["skill.json", "/config", "greeting/config"]);
  await edit(skill, ["skill.json", "/sequences", { once: [{ command: "greet", input: { name: "Ada" } }] }]);
  const sound = JSON.parse(await readFile(join(skill, "skill.json"), "utf8"));
  const { greet } = sound.commands;
  for (const [change, line] of [
    [
      { commands: { greet: { ...greet, summary: 5 } } },
      '/commands/greet/summary must be a string, such as "Greets."',
    ],
    [
      { commands: { greet, Greet: { ...greet, default: false } } },
      "/commands/Greet is not an allowed name: Lowercase letters, digits and single hyphens.",
    ],
    [
      { engines: { skillctl: "newest" } },
      `asks for skillctl newest, but this is version ${VERSION}: write a range that includes it, such as ^${VERSION}.`,
    ],
    ["{", "The file is not valid JSON: "],
  ] as const) {
    await put(skill, "skill.json", change === "{" ? change : { ...sound, ...change });
    const { out } = await say(["validate", "greeting"], root);
    assert.deepEqual([out.includes(line), out.endsWith(", 1 fault.\n")], [true, true], out);
  }
});

test("faults in schemas are named with their place and the remedy", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const text = { description: "Text.", type: "string" };
  const rows: readonly (readonly [property: Json, line: string, more?: Json])[] = [
    [
      { ...text, pattern: "[a-z" },
      "/properties/a/pattern: The pattern [a-z is not a regular expression of JavaScript: ",
    ],
    [{ ...text, format: "phone" }, "/properties/a/format: There is no format phone; use a pattern instead."],
    [{ ...text, nullable: true }, "/properties/a/nullable: There is no keyword nullable; write "],
    [
      { ...text, minLength: 9, maxLength: 2 },
      "/properties/a/minLength: minLength is above maxLength, so no value fits.",
    ],
    [
      { enum: ["en"], default: "de" },
      '/properties/a/default: The default does not fit: The value must be one of "en".',
    ],
    [
      { $ref: "#/$defs/one" },
      "/properties/a/$ref: #/$defs/one refers to itself and states nothing.",
      { $defs: { one: { $ref: "#/$defs/two" }, two: { $ref: "#/$defs/one" } } },
    ],
    [
      text,
      "/required/0: aa is required, but properties does not define it; did you mean a?",
      { required: ["aa"], examples: [{}] },
    ],
  ];
  for (const [index, [a, , more]] of rows.entries())
    await put(skill, `schemas/s${index}.json`, {
      $id: `greeting/s${index}`,
      title: "A shape",
      description: "A shape.",
      type: "object",
      additionalProperties: false,
      properties: { a },
      examples: [{}],
      ...more,
    });
  await put(
    skill,
    "schemas/proto.json",
    '{ "$id": "greeting/proto", "title": "A", "description": "A.", "type": "object", "additionalProperties": false, "properties": { "__proto__": { "type": "string" } }, "examples": [{}] }',
  );
  await rename(join(skill, "schemas", "greet-output.json"), join(skill, "schemas", "Greet-Output.json"));
  const { out } = await say(["validate", "greeting"], root);
  for (const [index, [, line]] of rows.entries())
    assert.ok(out.includes(`greeting/schemas/s${index}.json#${line}`), `${line}\n${out}`);
  assert.match(
    out,
    /proto\.json#\/properties\/__proto__: A property cannot have the name __proto__; choose another\./,
  );
  assert.match(
    out,
    /#\/commands\/greet\/output: There is no schema .* is missing; rename Greet-Output\.json\./,
  );
});

test("a file that is not in UTF-8 is a fault, even if it can be read", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const sound = await readFile(join(skill, "skill.json"), "utf8");
  for (const bytes of [
    Buffer.from(`\ufeff${sound}`, "utf16le"),
    Buffer.from(sound.replace("Greets", "Grüßt"), "latin1"),
  ]) {
    await writeFile(join(skill, "skill.json"), bytes);
    const { out } = await say(["validate", "greeting"], root);
    assert.match(out, /^greeting\/skill\.json#: skill\.json is not in UTF-8: save it as UTF-8\./);
  }
  await writeFile(join(skill, "skill.json"), sound.replace("Greets", "\ufffd"));
  assert.match((await say(["validate", "greeting"], root)).out, /no faults/);
  await edit(skill, ["skill.json", "/prompts", { hint: { file: "prompts/hint.md" } }]);
  await put(skill, "prompts/hint.md", "");
  for (const file of ["prompts/hint.md", "plugin.js"]) {
    await writeFile(join(skill, file), Buffer.from("\ufeffA", "utf16le"));
    const { out } = await say(["validate", "greeting"], root);
    assert.ok(out.includes(`: ${basename(file)} is not in UTF-8: save it as UTF-8.`), out);
  }
});

test("for files whose names differ in capitals or extension the report says to rename them", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const says = async (from: string, to: string) => {
    await rename(join(skill, from), join(skill, to));
    return (await say(["validate", "greeting"], root)).out;
  };
  const input = await says("schemas/greet-input.json", "schemas/greet-input.schema.json");
  assert.match(
    input,
    /greet-input\.json is missing; rename greet-input\.schema\.json\. .*\n1 skill .*, 1 fault\.\n$/,
  );
  assert.match(
    await says("SKILL.md", "skill.md"),
    /SKILL\.md#: SKILL\.md, with the instructions for the agent, is missing: rename skill\.md\./,
  );
  assert.match(await says("skill.json", "Skill.json"), /or in one of its folders: rename Skill\.json\./);
});

test("a block of rules without its end is reported", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const text = await readFile(join(skill, "SKILL.md"), "utf8");
  await put(skill, "SKILL.md", text.replace("<!-- rules:end -->", ""));
  const { out } = await say(["validate", "greeting"], root);
  assert.match(
    out,
    /^greeting\/SKILL\.md:\d+: warning: The block of rules has no end: the line <!-- rules:end --> is /,
  );
});

test("sequences name commands and error codes that exist", async (t) => {
  const { root, skill } = await greetingFolder(t);
  await edit(skill, [
    "skill.json",
    "/sequences",
    { twice: [{ command: "great" }, { command: "greet", error: "GUARD_DENYED" }] },
  ]);
  const { out } = await say(["validate", "greeting"], root);
  assert.match(
    out,
    /#\/sequences\/twice\/0\/command: The skill has no command "great"; did you mean greet\?/,
  );
  assert.match(out, /#\/sequences\/twice\/1\/error: GUARD_DENYED is .* did you mean GUARD_DENIED\?/);
});

test("validate, test and run report code that is older than its TypeScript", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const file = async (path: string, secondsAgo: number): Promise<void> => {
    await put(skill, path, path.endsWith(".json") ? {} : await readFile(join(skill, "plugin.js"), "utf8"));
    const time = new Date(Date.now() - secondsAgo * 1000);
    await utimes(join(skill, path), time, time);
  };
  await file("tsconfig.json", 60);
  await file("plugin.js", 60);
  await file("plugin.ts", 59);
  const plugins = ["greeting"];
  const told = /older than plugin\.ts, its source: run `npx tsc` in/;
  assert.doesNotMatch((await say(["validate", "greeting"], root)).out, told, "the order of a checkout");
  await file("plugin.ts", 30);
  const warned = await say(["validate", "greeting"], root);
  assert.match(warned.out, /^greeting\/plugin\.js#: warning: It is older than plugin\.ts/m);
  assert.match(warned.out, told);
  assert.equal(warned.status, 0);
  assert.match((await say(["test", "greeting"], root, { plugins })).out, told);
  const ran = await say(["run", "greeting", "Ada"], root, { plugins });
  assert.equal(ran.out, "Hello Ada.\n");
  assert.match(ran.err.replaceAll(/\s+/g, " "), /^warning: \S*greeting\/plugin\.js is older than plugin\.ts/);
  await edit(skill, ["package.json", "/scripts", { build: "tsc" }]);
  await rm(join(skill, "plugin.js"));
  const missing = await say(["run", "greeting", "Ada"], root, { plugins });
  assert.match(
    missing.err.replaceAll(/\s+/g, " "),
    /hint: It is compiled from plugin\.ts: run `npm run build` in/,
  );
});
