import assert from "node:assert/strict";
import { test } from "node:test";
import { type Edit, edit, greetingFolder, put, say } from "../skeleton/fixture-skeleton.ts";

const M = "skill.json";
const I = "schemas/greet-input.json";
const O = "schemas/greet-output.json";
const GREET = "/commands/greet";
const RULE = "/rules/no-shouting";
const SECRET = { type: "string", secret: true, minLength: 8, maxLength: 9 };
const WAVE = { summary: "Wave.", input: "greeting/greet-input", output: "greeting/greet-output" };

const LIST = {
  $id: "greeting/list",
  title: "A list",
  description: "A list.",
  type: "array",
  items: { type: "string" },
  examples: [["Ada"]],
};

/**
 * One or more edits of a good skill, and every line that must follow, without `greeting/`: faults that
 * `tests/doors-validate.test.ts` leaves out.
 */
const FAULTS: readonly (readonly [title: string, edits: readonly Edit[], lines: readonly string[]])[] = [
  [
    "a missing summary",
    [[M, "/summary", undefined]],
    ["skill.json#/summary: /summary is missing. (MANIFEST_INVALID)"],
  ],
  [
    "a list of values that is empty, and a pattern with the slashes of a literal",
    [
      [I, "/properties/name", { description: "N.", type: "string", pattern: "/^A/", maxLength: 9 }],
      [O, "/properties/text", { description: "T.", enum: [] }],
    ],
    [
      "schemas/greet-input.json#/examples/0/name: An example does not fit its own schema: /name does not match the pattern /^A/, whose first and last / are part of it: remove them. (SCHEMA_INVALID)",
      "schemas/greet-output.json#/properties/text/enum: The schema cannot be used: enum needs at least one value. (SCHEMA_INVALID)",
    ],
  ],
  [
    "a secret that is marked by a text",
    [[I, "/properties/name/secret", "yes"]],
    [
      "schemas/greet-input.json#/properties/name/secret: secret must be true, without quotes, or be left out. (SCHEMA_INVALID)",
    ],
  ],
  [
    "cases of a rule under other names",
    [
      ["rules/no-shouting.json", "/pass", []],
      ["rules/no-shouting.json", "/stops/0/decision", "refuse"],
    ],
    [
      "rules/no-shouting.json#/pass: /pass is not a known property; did you mean passes? (MANIFEST_INVALID)",
      'rules/no-shouting.json#/stops/0/decision: /stops/0/decision must be one of "warn", "transform", "ask", "deny". (MANIFEST_INVALID)',
    ],
  ],
  [
    "an unknown key",
    [[M, "/sumary", "x"]],
    ["skill.json#/sumary: /sumary is not a known property; did you mean summary? (MANIFEST_INVALID)"],
  ],
  [
    "two mistakes in two parts",
    [
      [M, "/version", "one"],
      [M, `${GREET}/summary`, undefined],
    ],
    [
      "skill.json#/version: /version does not fit",
      `skill.json#${GREET}/summary: ${GREET}/summary is missing. (MANIFEST_INVALID)`,
    ],
  ],
  [
    "a mistake in the shape and one in a name",
    [
      [M, "/version", 1],
      [M, `${GREET}/display`, "txt"],
    ],
    [
      'skill.json#/version: /version must be a string, such as "0.1.0". (MANIFEST_INVALID)',
      `skill.json#${GREET}/display: greeting/greet-output has no property "txt"; did you mean text? (MANIFEST_INVALID)`,
    ],
  ],
  [
    "a list where a text is expected, in a command that declares much else",
    [[M, `${GREET}/positional`, "name"]],
    [
      `skill.json#${GREET}/positional: ${GREET}/positional must be an array, such as ["name"]. (MANIFEST_INVALID)`,
    ],
  ],
  [
    "a text for an object, and an object for a text",
    [
      [M, "/engines", "^0.1.0"],
      [M, `${GREET}/input`, { type: "object" }],
    ],
    [
      'skill.json#/engines: /engines must be an object, such as {"skillctl":"^0.1.0"}. (MANIFEST_INVALID)',
      `skill.json#${GREET}/input: ${GREET}/input must be a string, such as "greeting/greet-input". (MANIFEST_INVALID)`,
    ],
  ],
  [
    "an object for a list or a text, where the schema has no example",
    [
      [M, "/provides", { hellos: true }],
      [M, "/config", { apiKey: "x" }],
    ],
    [
      "skill.json#/provides: /provides must be an array: Ports that this skill lends to others. (MANIFEST_INVALID)",
      "skill.json#/config: /config must be a string: Schema of the skill's part of the configuration. (MANIFEST_INVALID)",
    ],
  ],
  [
    "a text, a sequence and a code in another form",
    [
      [M, "/texts", { hello: "Hi" }],
      [M, "/sequences", { twice: {} }],
      [M, `${GREET}/errors`, ["rude"]],
    ],
    [
      'skill.json#/texts/hello: /texts/hello must be an object: {"text": "The sentence."}, with its placeholders. (MANIFEST_INVALID)',
      'skill.json#/sequences/twice: /sequences/twice must be an array: A list of steps, such as [{"command": "greet"}]. (MANIFEST_INVALID)',
      `skill.json#${GREET}/errors/0: ${GREET}/errors/0 does not fit: A code of the core or of a skill, in capitals such as INPUT_INVALID. (MANIFEST_INVALID)`,
    ],
  ],
  [
    "a step with two ends",
    [[M, "/sequences", { twice: [{ command: "greet", output: {}, error: "INPUT_INVALID" }] }]],
    [
      "skill.json#/sequences/twice/0: /sequences/twice/0 must not have output and error together. (MANIFEST_INVALID)",
    ],
  ],
  [
    "a schema of an unknown skill",
    [[M, `${GREET}/output`, "other/answer"]],
    [
      `skill.json#${GREET}/output: There is no skill other here, so there is no schema other/answer. (SCHEMA_INVALID)`,
    ],
  ],
  [
    "a positional without a property",
    [[M, `${GREET}/positional`, ["who"]]],
    [
      `skill.json#${GREET}/positional/0: greeting/greet-input has no property "who"; it has: name. (MANIFEST_INVALID)`,
    ],
  ],
  [
    "a list before the last positional",
    [
      [I, "/properties/all", { type: "array", items: { type: "string" } }],
      [M, `${GREET}/positional`, ["all", "name"]],
    ],
    [
      `skill.json#${GREET}/positional/0: all takes a list of words, so it must be the last positional. (MANIFEST_INVALID)`,
    ],
  ],
  [
    "undeclared error codes",
    [
      [M, `${GREET}/errors`, ["TOKEN_MISING"]],
      [M, `${GREET}/exitStatus`, { other: 2, GREETING_LOST: 3 }],
    ],
    [
      `skill.json#${GREET}/errors/0: TOKEN_MISING is neither a code of skillctl nor in the errors of this manifest; did you mean TOKEN_MISSING? (MANIFEST_INVALID)`,
      `skill.json#${GREET}/exitStatus/GREETING_LOST: GREETING_LOST is neither a code of skillctl nor in the errors of this manifest. (MANIFEST_INVALID)`,
    ],
  ],
  [
    "an invalid entry of a declared error code",
    [
      [M, "/errors/GREETING_LOST", { exit: 70, http: 999, fault: "user", summary: "The greeting was lost." }],
      [M, `${GREET}/errors`, ["GREETING_LOST"]],
    ],
    [
      "skill.json#/errors/GREETING_LOST/http: /errors/GREETING_LOST/http must be at most 599. (MANIFEST_INVALID)",
    ],
  ],
  [
    "a code of skillctl's own",
    [[M, "/errors/TOKEN_MISSING", { exit: 1, http: 400, fault: "user", summary: "Mine." }]],
    [
      "skill.json#/errors/TOKEN_MISSING: TOKEN_MISSING is a code of skillctl itself; put the skill's name before it. (MANIFEST_INVALID)",
    ],
  ],
  [
    "a rule without a decision",
    [[M, `${RULE}/decision`, undefined]],
    [
      `skill.json#${RULE}: ${RULE} must have "on", "decision" and "message"; or "on" and "handler": true, without "decision"; or "enforced": false and "why". (MANIFEST_INVALID)`,
    ],
  ],
  [
    "a rule that decides by a handler and by data",
    [
      [M, `${RULE}/handler`, true],
      [M, `${RULE}/message`, undefined],
    ],
    [`skill.json#${RULE}: ${RULE} must have "on", "decision" and "message"; or "on" and "handler": true,`],
  ],
  [
    "a host as an address",
    [[M, "/permissions", { hosts: ["https://api.example.com/v1", "the origin in API_URL"] }]],
    ["skill.json#/permissions/hosts/0: /permissions/hosts/0 does not fit: The name of a host, such as "],
  ],
  [
    "a predicate that is not strict",
    [[M, `${RULE}/when`, { properties: { input: { type: "object" } } }]],
    [
      `skill.json#${RULE}/when: The schema cannot be used: missing type "object" for keyword "properties". (SCHEMA_INVALID)`,
    ],
  ],
  [
    "a keyword that predicates do not have, and a pattern that is broken",
    [
      [M, `${RULE}/when/if`, true],
      [M, `${RULE}/when/pattern`, "^[A-Z"],
    ],
    [
      `skill.json#${RULE}/when/if: ${RULE}/when/if is not a known property; known: $schema, $comment, title, `,
      `skill.json#${RULE}/when/pattern: The pattern ^[A-Z is not a regular expression of JavaScript: Unterminated character class. (MANIFEST_INVALID)`,
    ],
  ],
  [
    "a predicate with an unknown type",
    [[M, `${RULE}/when/type`, "objekt"]],
    [`skill.json#${RULE}/when/type: ${RULE}/when/type must be one of "string", "number"`],
  ],
  [
    "a prompt without a file",
    [[M, "/prompts/hint", { file: "prompts/hint.md" }]],
    ["skill.json#/prompts/hint/file: There is no file prompts/hint.md. (MANIFEST_INVALID)"],
  ],
  [
    "declared placeholders that do not occur, and undeclared ones that do",
    [[M, "/texts/bye", { text: "Bye {NAME}.", placeholders: ["WHO"] }]],
    [
      "skill.json#/texts/bye/placeholders/0: The text does not contain {WHO}. (MANIFEST_INVALID)",
      "skill.json#/texts/bye/placeholders: The text has the placeholder {NAME}, which is not in placeholders. (MANIFEST_INVALID)",
    ],
  ],
  [
    "a cycle of one skill",
    [
      [M, "/provides", ["access-tokens"]],
      [M, "/requires", { "access-tokens": "required" }],
    ],
    [
      "skill.json#/requires/access-tokens: greeting provides access-tokens itself: remove it from requires. (PORT_CYCLE)",
    ],
  ],
  [
    "a schema without title, description and examples",
    [
      [O, "/title", undefined],
      [O, "/description", ""],
      [O, "/examples", []],
    ],
    [
      `${O}#/title: The schema needs a title. (SCHEMA_INVALID)`,
      `${O}#/description: The schema needs a description. (SCHEMA_INVALID)`,
      `${O}#/examples: The schema needs at least one example. (SCHEMA_INVALID)`,
    ],
  ],
  [
    "an object without additionalProperties, and a number without bounds",
    [
      [O, "/additionalProperties", undefined],
      [O, "/properties/count", { type: "integer" }],
    ],
    [
      `${O}#: An object needs "additionalProperties": false, or a schema for further properties. (SCHEMA_INVALID)`,
      `${O}#/properties/count: A number needs a lower bound: minimum or exclusiveMinimum. (SCHEMA_INVALID)`,
      `${O}#/properties/count: A number needs an upper bound: maximum or exclusiveMaximum. (SCHEMA_INVALID)`,
    ],
  ],
  [
    "an example that does not fit",
    [[I, "/examples", [{ name: "Ada" }, { nam: "" }]]],
    [
      `${I}#/examples/1/name: An example does not fit its own schema: /name is missing. (SCHEMA_INVALID)`,
      `${I}#/examples/1/nam: An example does not fit its own schema: /nam is not a known property; did you mean name? (SCHEMA_INVALID)`,
    ],
  ],
  [
    "an unknown keyword",
    [[I, "/properties/name/maxLenght", 3]],
    [
      `${I}#/properties/name/maxLenght: There is no keyword maxLenght; did you mean maxLength? (SCHEMA_INVALID)`,
    ],
  ],
  [
    "a bound that is misspelt and therefore missing",
    [[O, "/properties/count", { type: "integer", minimun: 1, maximum: 3 }]],
    [`${O}#/properties/count/minimun: There is no keyword minimun; did you mean minimum? (SCHEMA_INVALID)`],
  ],
  [
    "a body of a request with GET",
    [
      [
        M,
        "/routes",
        {
          hello: {
            summary: "Hello.",
            method: "GET",
            path: "/hello",
            body: "greeting/greet-input",
            replies: { 200: "greeting/greet-output" },
          },
        },
      ],
    ],
    [
      "skill.json#/routes/hello/body: A request with GET has no body: name the schema as query, or set method to POST. (MANIFEST_INVALID)",
      'skill.json#/routes/hello: ./plugin.js has no handler for "hello". (PLUGIN_BROKEN)',
    ],
  ],
  [
    "another dialect",
    [[I, "/$schema", "http://json-schema.org/draft-07/schema#"]],
    [`${I}#/$schema: /$schema must be`],
  ],
  [
    "examples that are not a list, and a list of schemas for items",
    [
      [I, "/examples", { name: "Ada" }],
      [O, "/properties/all", { type: "array", items: [{ type: "string" }] }],
    ],
    [
      `${I}#/examples: /examples must be an array: put the example in [ ]. (SCHEMA_INVALID)`,
      `${O}#/properties/all/items: /properties/all/items must be an object or a boolean; for a list of schemas, one for each place, use prefixItems. (SCHEMA_INVALID)`,
    ],
  ],
  [
    "an example of another type",
    [[O, "/examples", ["Hello Ada."]]],
    [
      `${O}#/examples/0: An example does not fit its own schema: The example must be an object: The greeting. (SCHEMA_INVALID)`,
    ],
  ],
  [
    "a format that is misspelt, and a tuple that is open",
    [
      [I, "/properties/name/format", "datetime"],
      [O, "/properties/all", { type: "array", prefixItems: [{ type: "string" }] }],
    ],
    [
      `${I}#/properties/name/format: There is no format datetime; did you mean date-time? (SCHEMA_INVALID)`,
      `${O}#/properties/all: The schema cannot be used: a list with prefixItems needs "minItems": 1 and "items": false. (SCHEMA_INVALID)`,
    ],
  ],
  [
    "names that are sometimes required and never defined",
    [
      [I, "/if", { type: "object", required: ["title"] }],
      [I, "/then", { required: ["rank"] }],
      [I, "/dependentRequired", { name: ["nam"] }],
      [I, "/examples", []],
    ],
    [
      `${I}#/examples: The schema needs at least one example. (SCHEMA_INVALID)`,
      `${I}#/then/required/0: rank is required, but properties does not define it; add it to properties. (SCHEMA_INVALID)`,
      `${I}#/dependentRequired/name/0: nam is required, but properties does not define it; did you mean name? (SCHEMA_INVALID)`,
    ],
  ],
  [
    "a keyword of another draft, and values of another type",
    [
      [I, "/dependencies", { name: [] }],
      [O, "/properties/mode", { type: "string", enum: [1, 2] }],
    ],
    [
      `${I}#/dependencies: There is no keyword dependencies; write dependentRequired, or dependentSchemas for schemas. (SCHEMA_INVALID)`,
      `${O}#/properties/mode/enum: enum contradicts "type": "string", so no value fits. (SCHEMA_INVALID)`,
    ],
  ],
  [
    "a list without the item that it must contain",
    [
      [O, "/properties/all", { type: "array", items: {}, contains: { type: "string" } }],
      [O, "/examples/0/all", [1, 2]],
    ],
    [
      `${O}#/examples/0/all: An example does not fit its own schema: /all must have at least 1 item matching "contains" of its schema. (SCHEMA_INVALID)`,
    ],
  ],
  [
    "secrets below the top and with one variable",
    [
      [M, "/config", "greeting/greet-input"],
      [I, "/properties/apiKey", SECRET],
      [I, "/properties/api_key", SECRET],
      [
        I,
        "/properties/more",
        { type: "object", additionalProperties: false, properties: { key: { ...SECRET } } },
      ],
    ],
    [
      `${I}#/properties/api_key: SKILLCTL_GREETING_API_KEY is already the variable of apiKey: rename one of them. (SCHEMA_INVALID)`,
      `${I}#/properties/more/properties/key/secret: Only a property at the top of the settings, in the schema that config of skill.json names, can be secret. (SCHEMA_INVALID)`,
    ],
  ],
  [
    "a command that MCP cannot call, and one with the name of another tool",
    [
      [M, `${GREET}/withheld`, { mcp: ["name"] }],
      [M, `${GREET}/mcp`, { name: "greeting_wave" }],
      [M, "/commands/wave", { ...WAVE, surfaces: ["mcp"] }],
    ],
    [
      `skill.json#${GREET}/withheld/mcp/0: name is required by greeting/greet-input, so no call over mcp can succeed: make it optional, or leave mcp out of surfaces. (MANIFEST_INVALID)`,
      "skill.json#/commands/wave/mcp/name: greeting_wave is already the name of the tool of the command greet: choose another. (MANIFEST_INVALID)",
      'skill.json#/commands/wave: ./plugin.js has no handler for "wave". (PLUGIN_BROKEN)',
    ],
  ],
  [
    "resources whose address does not give the input",
    [
      [M, `${GREET}/mcp`, { as: "resource" }],
      [M, "/commands/wave", { ...WAVE, mcp: { as: "resource", uri: "wave://{?nam}" } }],
    ],
    [
      `skill.json#${GREET}/mcp/uri: The address greeting://greet lacks name, which greeting/greet-input requires: set uri to greeting://greet/{name}, for example. (MANIFEST_INVALID)`,
      'skill.json#/commands/wave/mcp/uri: greeting/greet-input has no property "nam"; did you mean name? (MANIFEST_INVALID)',
      'skill.json#/commands/wave: ./plugin.js has no handler for "wave". (PLUGIN_BROKEN)',
    ],
  ],
  [
    "names in other forms, whose descriptions show the right one",
    [
      [M, "/plugin", "plugin.js"],
      [M, "/provides", ["Hello Words"]],
      [M, "/texts", { hi: { text: "Hi {name}.", placeholders: ["name"] } }],
    ],
    [
      "skill.json#/plugin: /plugin does not fit: The module of the skill's code: a path in this folder that begins with ./ and ends in .js, .mjs or .cjs, such as ./dist/plugin.js. (MANIFEST_INVALID)",
      "skill.json#/provides/0: /provides/0 does not fit: The name of a port that a skill lends to others: lowercase letters, digits and single hyphens, such as hello-words. (MANIFEST_INVALID)",
      "skill.json#/texts/hi/placeholders/0: /texts/hi/placeholders/0 does not fit: A name in capitals, such as NAME. (MANIFEST_INVALID)",
    ],
  ],
  [
    "a closed part that knows no property beside it",
    [
      [I, "/allOf", [{ $ref: "#/$defs/part" }]],
      [I, "/$defs", { part: { type: "object", additionalProperties: false } }],
      [I, "/examples", [{ name: "Ada" }]],
    ],
    [
      `${I}#/examples/0/name: An example does not fit its own schema: /name is refused by /$defs/part/additionalProperties, which sees only the properties beside it: set that to true, and use "unevaluatedProperties": false instead of "additionalProperties" at the root. (SCHEMA_INVALID)`,
    ],
  ],
  [
    "a closed schema that does not know the properties of its part",
    [
      [I, "/allOf", [{ $ref: "#/$defs/part" }]],
      [
        I,
        "/$defs",
        { part: { type: "object", properties: { all: { type: "boolean" } }, additionalProperties: true } },
      ],
      [I, "/examples", [{ name: "Ada", all: true }]],
    ],
    [
      `${I}#/examples/0/all: An example does not fit its own schema: /all is refused by /additionalProperties, which sees only the properties beside it: use "unevaluatedProperties": false instead of "additionalProperties" at the root. (SCHEMA_INVALID)`,
    ],
  ],
  [
    "a property of the whole in a closed object inside it",
    [
      [
        I,
        "/properties/all",
        { description: "A.", type: "object", properties: {}, additionalProperties: false },
      ],
      [I, "/examples", [{ name: "Ada", all: { name: "Ada" } }]],
    ],
    [
      `${I}#/examples/0/all/name: An example does not fit its own schema: /all/name is not a known property. (SCHEMA_INVALID)`,
    ],
  ],
  [
    "a path that is a number",
    [
      [I, "/properties/count", { description: "C.", type: "integer", minimum: 1, maximum: 9 }],
      [M, `${GREET}/paths`, ["count"]],
    ],
    [
      `skill.json#${GREET}/paths/0: count cannot be a path: paths names strings or lists of strings. (MANIFEST_INVALID)`,
    ],
  ],
  [
    "an unknown format of a number",
    [
      [
        I,
        "/properties/count",
        { description: "C.", type: "integer", minimum: 1, maximum: 9, format: "uint32" },
      ],
    ],
    [`${I}#/properties/count/format: There is no format uint32; did you mean int32? (SCHEMA_INVALID)`],
  ],
  [
    "a variable that is named with its sign",
    [[M, "/permissions", { environment: ["$TZ"] }]],
    [
      "skill.json#/permissions/environment/0: /permissions/environment/0 does not fit: The name of a variable, without $ or braces. (MANIFEST_INVALID)",
    ],
  ],
  [
    "a reference to another file",
    [[I, "/properties/name", { $ref: "greet-output" }]],
    [
      `${I}#/properties/name/$ref: greet-output refers to nothing; it must refer to a place in this file. (SCHEMA_INVALID)`,
    ],
  ],
];

for (const [title, edits, expected] of FAULTS) {
  test(`a skill with ${title} has exactly these faults`, async (t) => {
    const { root, skill } = await greetingFolder(t);
    for (const one of edits) await edit(skill, one);
    const { status, out } = await say(["validate", "greeting"], root);
    const lines = out.trimEnd().split("\n");
    const count = lines.pop();
    assert.equal(lines.length, expected.length, out);
    for (const line of expected)
      assert.ok(
        lines.some((one) => one.startsWith(`greeting/${line}`)),
        `${line}\nis not in\n${out}`,
      );
    assert.equal(count, `1 skill checked, ${expected.length} fault${expected.length === 1 ? "" : "s"}.`);
    assert.equal(status, 1);
  });
}

/** Edits that make a skill suspicious, and every warning that must follow. */
const DOUBTS: typeof FAULTS = [
  [
    "a case about a command that it does not have",
    [["rules/no-shouting.json", "/stops/0/subject/name", "greeet"]],
    [
      "rules/no-shouting.json#/stops/0/subject/name: warning: greeting has no command greeet; did you mean greet? (MANIFEST_INVALID)",
    ],
  ],
  [
    "a port of skillctl among those it borrows",
    [[M, "/requires", { clock: "optional" }]],
    [
      'skill.json#/requires/clock: warning: clock is a port of skillctl itself, which needs no entry here: inject CLOCK from "skillctl". (MANIFEST_INVALID)',
    ],
  ],
  [
    "a rare argument that is required",
    [[M, `${GREET}/mcp`, { rare: ["name"] }]],
    [
      `skill.json#${GREET}/mcp/rare/0: warning: name is required by greeting/greet-input, so the list of tools must describe it: remove it from rare. (MANIFEST_INVALID)`,
    ],
  ],
  [
    "a stop about another skill, in a rule of this one",
    [["rules/no-shouting.json", "/stops/0/subject/skill", "letter"]],
    [
      'rules/no-shouting.json#/stops/0/subject/skill: warning: The rule applies to greeting only: write greeting, or "applies": "all" in skill.json. (MANIFEST_INVALID)',
    ],
  ],
  [
    "a displayed number, and a status for an error that the command does not end with",
    [
      [O, "/properties/count", { description: "C.", type: "integer", minimum: 1, maximum: 9 }],
      [M, `${GREET}/display`, "count"],
      [M, "/errors", { NO_GUEST: { exit: 65, http: 422, fault: "user", summary: "No guest." } }],
      [M, `${GREET}/exitStatus`, { NO_GUEST: 3 }],
    ],
    [
      `skill.json#${GREET}/display: warning: count is not a string, so the whole output is shown as JSON. (MANIFEST_INVALID)`,
      `skill.json#${GREET}/exitStatus/NO_GUEST: warning: NO_GUEST has an exit status, but is not in the errors of this command: add it there, or remove the status. (MANIFEST_INVALID)`,
    ],
  ],
  [
    "a format and an example of a number that mean nothing",
    [
      [
        I,
        "/properties/count",
        {
          description: "C.",
          type: "integer",
          minimum: 1,
          maximum: 9,
          format: "email",
          examples: [50, 5],
        },
      ],
    ],
    [
      `${I}#/properties/count/format: warning: The format "email" applies to strings only, not to "type": "integer". (SCHEMA_INVALID)`,
      `${I}#/properties/count/examples/0: warning: An example does not fit: The value must be at most 9. (SCHEMA_INVALID)`,
    ],
  ],
  [
    "a placeholder of a prompt in two pairs of braces",
    [
      ["prompts/hi.md", "", "Greet {{NAME}} and {NAME}."],
      [M, "/prompts", { hi: { file: "prompts/hi.md", placeholders: ["NAME"] } }],
    ],
    [
      "skill.json#/prompts/hi/placeholders: warning: prompts/hi.md contains {{NAME}}; one pair of braces stays in the result: write {NAME}. (MANIFEST_INVALID)",
    ],
  ],
  [
    "links to files that it does not have",
    [
      [
        "SKILL.md",
        "",
        "---\nname: greeting\ndescription: Greets a person by name.\n---\n# Greet\n\n" +
          "See [details](references/details.md), [the manifest](./skill.json#top) and [us](https://example.com/a.md).\n" +
          "Write `[name](name.md)`.\n\n1. ```\n   [x](x.md)\n   ```\n\n    ````\n```\n[y](y.md)\n    ````\n[last](last.md)\n",
      ],
    ],
    [
      "SKILL.md:7: warning: There is no file references/details.md. (FILE_UNREADABLE)",
      "SKILL.md:18: warning: There is no file last.md. (FILE_UNREADABLE)",
    ],
  ],
  [
    "an input that is a list",
    [
      [M, `${GREET}/positional`, undefined],
      ["schemas/list.json", "", { ...LIST }],
      [M, `${GREET}/input`, "greeting/list"],
    ],
    [
      `skill.json#${GREET}/input: warning: greeting/list does not have "type": "object": such an input cannot be given on a command line, and MCP leaves the command out. (MANIFEST_INVALID)`,
    ],
  ],
];

for (const [title, edits, expected] of DOUBTS) {
  test(`a skill with ${title} has exactly these warnings`, async (t) => {
    const { root, skill } = await greetingFolder(t);
    for (const [file, path, value] of edits)
      await (path === "" ? put(skill, file, value) : edit(skill, [file, path, value]));
    const { status, out } = await say(["validate", "greeting"], root);
    const lines = expected.map((line) => `greeting/${line}\n`).join("");
    assert.deepEqual(
      [status, out],
      [
        0,
        `${lines}1 skill checked, no faults, ${expected.length} warning${expected.length === 1 ? "" : "s"}.\n`,
      ],
    );
  });
}

/** Edits that a strict reader could take for faults, but that are correct. */
const SOUND: readonly (readonly [title: string, edits: readonly Edit[]])[] = [
  [
    "a schema whose branches only add to the object around them",
    [
      [I, "/if", { type: "object", properties: { name: true } }],
      [I, "/then", true],
    ],
  ],
  ["numbers that are listed", [[O, "/properties/count", { type: "integer", enum: [1, 2] }]]],
  [
    "a list as the last positional",
    [
      [I, "/properties/all", { type: "array", items: { type: "string" } }],
      [M, `${GREET}/positional`, ["name", "all"]],
    ],
  ],
  [
    "exit statuses for codes of the core and for all others",
    [[M, `${GREET}/exitStatus`, { TOKEN_MISSING: 3, other: 4 }]],
  ],
  [
    "a resource whose address gives the input, and a tool that is not one of MCP",
    [
      [M, `${GREET}/mcp`, { as: "resource", uri: "greet://{name}{?more*}" }],
      [I, "/properties/more", { type: "string" }],
    ],
  ],
  [
    "a resource whose address has properties that a reference states",
    [
      [M, `${GREET}/mcp`, { as: "resource", uri: "greet://{name}{?shelf}" }],
      [
        I,
        "/$defs",
        {
          place: { type: "object", properties: { shelf: { type: "string" } }, additionalProperties: true },
        },
      ],
      [I, "/$ref", "#/$defs/place"],
      [I, "/additionalProperties", undefined],
      [I, "/unevaluatedProperties", false],
    ],
  ],
  [
    "a list that is displayed, and examples inside a schema that refers to itself",
    [
      [
        O,
        "/properties/count",
        {
          description: "C.",
          type: "array",
          maxItems: 9,
          items: { $ref: "#" },
          examples: [[{ text: "Hi." }]],
        },
      ],
      [O, "/properties/first", { $ref: "#", examples: [{ text: "Hi." }] }],
      [M, `${GREET}/display`, "count"],
    ],
  ],
  ["cases of a rule with the address of their schema", [["rules/no-shouting.json", "/$schema", "x"]]],
  ["a pattern that looks like a path", [[I, "/properties/path", { type: "string", pattern: "/[a-z]+/" }]]],
  ["a port that another skill may lend", [[M, "/requires", { "access-tokens": "required" }]]],
];

for (const [title, edits] of SOUND) {
  test(`a skill with ${title} has no fault`, async (t) => {
    const { root, skill } = await greetingFolder(t);
    for (const one of edits) await edit(skill, one);
    assert.equal((await say(["validate", "greeting"], root)).out, "1 skill checked, no faults.\n");
  });
}
