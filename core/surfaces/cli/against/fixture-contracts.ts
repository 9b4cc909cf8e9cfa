import shop from "./fixture-shop.json" with { type: "json" };
import type { Edit } from "../skeleton/fixture-skeleton.ts";

const text = { type: "string", minLength: 1, maxLength: 40 };

/** The files of a skill whose contract is compared: two commands, a route, a rule, errors and settings. */
export const SHOP: Readonly<Record<string, unknown>> = shop;

type Expected = "breaking" | "unknown" | "not breaking" | "none";

/** A pair of contracts: the edits of the earlier one, those of the later one, the gravest verdict, and its surfaces. */
export interface Pair {
  readonly title: string;
  readonly before?: readonly Edit[];
  readonly after: readonly Edit[];
  readonly expected: Expected;
  readonly surfaces?: string;
}

const ORDER = "schemas/order.json";
const RECEIPT = "schemas/receipt.json";
const QUERY = "schemas/query.json";
const SETTINGS = "schemas/settings.json";
const SKILL = "skill.json";
const order = (path: string, value: unknown): Edit => [ORDER, path, value];
const receipt = (path: string, value: unknown): Edit => [RECEIPT, path, value];
const skill = (path: string, value: unknown): Edit => [SKILL, path, value];
const rule = (path: string, value: unknown): Edit => [SKILL, `/rules/no-shouting${path}`, value];
const denies = { tell: "Do not buy.", on: ["command.pre"], decision: "deny", message: "No." };
const key = { type: "string", minLength: 8, maxLength: 40 };
const secret = { ...key, secret: true };
const branch = (kind: string) => ({
  type: "object",
  required: ["kind"],
  additionalProperties: false,
  properties: { kind: { const: kind } },
});
const pairOf = (...lengths: readonly number[]) => ({
  type: "array",
  minItems: lengths.length,
  items: false,
  prefixItems: lengths.map((maxLength) => ({ type: "string", maxLength })),
});
const tree = {
  type: "object",
  additionalProperties: false,
  properties: {
    name: { type: "string", maxLength: 9 },
    below: { type: "array", items: { $ref: "#/$defs/tree" } },
  },
};

function rows(
  expected: Expected,
  given: readonly (readonly [
    title: string,
    after: readonly Edit[],
    surfaces?: string | undefined,
    before?: readonly Edit[],
  ])[],
): readonly Pair[] {
  return given.map(([title, after, surfaces, before]) => ({
    title,
    after,
    expected,
    ...(surfaces !== undefined && { surfaces }),
    ...(before && { before }),
  }));
}

/** Pairs whose verdicts follow from the semantics of contracts. */
export const PAIRS: readonly Pair[] = [
  ...rows("breaking", [
    [
      "an input text has a lower maximum length",
      [order("/properties/item/maxLength", 20)],
      "cli, http, mcp, host; http",
    ],
    ["an optional input property becomes required", [order("/required", ["item", "tone"])]],
    ["an input loses one of its listed values", [order("/properties/tone/enum", ["warm"])]],
    ["an input property is gone", [order("/properties/tags", undefined)]],
    ["an input number becomes a text", [order("/properties/times", { type: "string", maxLength: 9 })]],
    ["an input number has a lower maximum", [order("/properties/times/maximum", 3)]],
    [
      "an input number excludes its minimum",
      [order("/properties/times/minimum", undefined), order("/properties/times/exclusiveMinimum", 1)],
    ],
    ["an input list takes fewer items", [order("/properties/tags/maxItems", 2)]],
    [
      "items of an input list are limited to listed values",
      [order("/properties/tags/items", { enum: ["new", "old"] })],
    ],
    [
      "a definition behind a reference of an input is narrower",
      [order("/$defs/buyer/properties/id/maximum", 5)],
    ],
    ["an open input is closed", [], undefined, [order("/additionalProperties", true)]],
    [
      "an input pattern changes so that the example does not fit",
      [order("/properties/item/pattern", "^[A-Z]")],
      undefined,
      [order("/properties/item/pattern", "^[a-z]")],
    ],
    [
      "an input text has two ranges of lengths with a gap between them",
      [
        order("/properties/item", {
          anyOf: [
            { type: "string", maxLength: 2 },
            { type: "string", minLength: 30, maxLength: 40 },
          ],
        }),
      ],
    ],
    ["items of an input list must be distinct", [order("/properties/tags/uniqueItems", true)]],
    [
      "the second item of an input tuple is narrower",
      [order("/properties/tags", pairOf(8, 2))],
      undefined,
      [order("/properties/tags", pairOf(8, 8))],
    ],
    ["a default has another value", [order("/properties/times/default", 2)]],
    ["an output has a new listed value", [receipt("/properties/mood/enum", ["calm", "glad", "cross"])]],
    ["an output property is no longer required", [receipt("/required", [])]],
    ["an output integer becomes a number", [receipt("/properties/count/type", "number")]],
    ["an output text may be longer", [receipt("/properties/text/maxLength", 200)]],
    [
      "an output text may be null",
      [receipt("/properties/note", { oneOf: [{ type: "string", maxLength: 20 }, { type: "null" }] })],
    ],
    [
      "a required output property is gone",
      [receipt("/required", []), receipt("/properties/text", undefined)],
    ],
    [
      "a command has another name",
      [
        skill("/commands/purchase", {
          summary: "Buys a thing.",
          input: "shop/order",
          output: "shop/receipt",
        }),
        skill("/commands/buy", undefined),
      ],
      "cli, http, mcp, host",
    ],
    ["a command leaves MCP", [skill("/commands/look/surfaces", ["cli", "http", "host"])], "mcp"],
    ["a tool has another name", [skill("/commands/look/mcp", { name: "peek" })], "mcp"],
    ["a tool needs a client with tasks", [skill("/commands/look/mcp", { task: "required" })], "mcp"],
    ["arguments without a flag change places", [skill("/commands/buy/positional", ["tone", "item"])], "cli"],
    ["an argument takes the place of the whole input", [skill("/commands/look/positional", ["page"])], "cli"],
    [
      "a switch becomes a flag with a value",
      [order("/properties/loud", { type: ["boolean", "string"], maxLength: 9 })],
      "cli",
    ],
    [
      "a command declares one more error",
      [skill("/commands/buy/errors", ["SHOP_EMPTY", "SHOP_SHUT"])],
      "cli, http, mcp, host",
    ],
    ["a code has another exit status", [skill("/errors/SHOP_EMPTY/exit", 7)], "cli"],
    ["a code has another HTTP status", [skill("/errors/SHOP_EMPTY/http", 500)], "http"],
    [
      "a command has its own exit status for an error",
      [skill("/commands/buy/exitStatus", { SHOP_EMPTY: 9 })],
      "cli",
    ],
    ["a command is no longer read-only", [skill("/commands/look/effects", { idempotent: true })]],
    ["a path must lie inside the served project", [skill("/commands/buy/paths", ["item"])], "http"],
    ["a surface refuses a property", [skill("/commands/buy/withheld", { mcp: ["item"] })], "mcp"],
    [
      "a command keeps running",
      [
        skill("/commands/look/keepsRunning", true),
        skill("/commands/look/surfaces", ["cli", "http", "mcp", "host"]),
      ],
    ],
    ["a route is gone", [skill("/routes", {})], "http"],
    ["a route has another path", [skill("/routes/stock/path", "/goods")], "http"],
    ["a route has another method", [skill("/routes/stock/method", "PUT")], "http"],
    [
      "a route may answer with a further status",
      [skill("/routes/stock/replies/206", "shop/receipt")],
      "http",
    ],
    ["a route needs a key", [], "http", [skill("/routes/stock/keyless", true)]],
    ["a query has a lower maximum", [[QUERY, "/properties/page/maximum", 5]]],
    ["a new rule denies", [skill("/rules/closed", denies)], "guard"],
    ["a rule denies instead of asking", [rule("/decision", "deny")], "guard"],
    ["a rule matches shorter texts", [rule("/when/properties/input/properties/item/minLength", 3)], "guard"],
    ["a rule applies at a further event", [rule("/on", ["command.pre", "tool.pre"])], "guard"],
    ["a rule in audit mode denies", [], "guard", [rule("/mode", "audit")]],
    ["a skill calls another host", [skill("/permissions/hosts", ["shop.example", "bank.example"])]],
    ["an optional port is required", [skill("/requires/clocks", "required")]],
    ["a setting is required", [[SETTINGS, "/required", ["shop"]]], "settings"],
    [
      "a setting is a secret",
      [[SETTINGS, "/properties/shop", secret]],
      "settings",
      [[SETTINGS, "/properties/shop", key]],
    ],
    [
      "a setting is no longer a secret",
      [[SETTINGS, "/properties/shop", key]],
      "settings",
      [[SETTINGS, "/properties/shop", secret]],
    ],
    ["the skill runs on fewer versions", [skill("/engines/skillctl", ">=0.1.0 <1")]],
  ]),
  ...rows("not breaking", [
    ["an optional input property is new", [order("/properties/gift", { type: "boolean" })]],
    ["an input text may be longer", [order("/properties/item/maxLength", 50)]],
    ["an input property is no longer required", [order("/required", [])]],
    ["an input has a new listed value", [order("/properties/tone/enum", ["warm", "dry", "kind"])]],
    ["an input integer becomes a number", [order("/properties/times/type", "number")]],
    [
      "an input text may be a number, too",
      [order("/properties/item", { anyOf: [{ type: "integer", minimum: 0, maximum: 9 }, text] })],
    ],
    ["an input format is gone", [], undefined, [order("/properties/item/format", "hostname")]],
    ["a closed input is open", [order("/additionalProperties", true)]],
    [
      "a choice of inputs has one more branch",
      [order("/properties/how", { oneOf: [branch("post"), branch("van"), branch("foot")] })],
      undefined,
      [order("/properties/how", { oneOf: [branch("post"), branch("van")] })],
    ],
    ["a tuple is a list of its widest item", [], undefined, [order("/properties/tags", pairOf(8, 2))]],
    ["an optional output property is new", [receipt("/properties/hint", { type: "string", maxLength: 9 })]],
    [
      "a required output property is new",
      [receipt("/properties/hint", { type: "string", maxLength: 9 }), receipt("/required", ["text", "hint"])],
    ],
    ["an output has one listed value fewer", [receipt("/properties/mood/enum", ["calm"])]],
    ["an output property is always present", [receipt("/required", ["text", "mood"])]],
    ["an output number becomes an integer", [], undefined, [receipt("/properties/count/type", "number")]],
    ["an optional output property is gone", [receipt("/properties/note", undefined)]],
    [
      "a command is new",
      [
        skill("/commands/sell", {
          summary: "Sells.",
          input: "shop/query",
          output: "shop/receipt",
          errors: ["SHOP_SHUT"],
        }),
      ],
    ],
    [
      "a route answers at its earlier path, too",
      [skill("/routes/stock/path", "/goods"), skill("/routes/stock/aliases", ["/stock"])],
      "http",
    ],
    [
      "a route has another name",
      [
        skill("/routes/store", {
          summary: "The stock.",
          method: "POST",
          path: "/stock",
          query: "shop/query",
          body: "shop/order",
          replies: { 200: "shop/receipt" },
        }),
        skill("/routes/stock", undefined),
      ],
      "http",
    ],
    [
      "a route is new",
      [
        skill("/routes/price", {
          summary: "The price.",
          method: "GET",
          path: "/price",
          replies: { 200: "shop/receipt" },
        }),
      ],
      "http",
    ],
    [
      "a number of a query may be a text",
      [
        [QUERY, "/properties/page", { type: "string", maxLength: 40 }],
        skill("/commands/look/input", "shop/order"),
      ],
      undefined,
      [skill("/commands/look/input", "shop/order")],
    ],
    ["a command declares one error fewer", [skill("/commands/buy/errors", [])]],
    [
      "a further argument needs no flag",
      [skill("/commands/buy/positional", ["item", "tone", "times"])],
      "cli",
    ],
    ["a rule is gone", [skill("/rules", {})], "guard"],
    ["a rule only warns", [rule("/decision", "warn")], "guard"],
    [
      "a rule matches only longer texts",
      [rule("/when/properties/input/properties/item/minLength", 9)],
      "guard",
    ],
    ["a new rule is in audit mode", [skill("/rules/closed", { ...denies, mode: "audit" })], "guard"],
    ["a permission is gone", [skill("/permissions", undefined)]],
    [
      "an optional setting is new",
      [[SETTINGS, "/properties/till", { type: "integer", minimum: 1, maximum: 9 }]],
      "settings",
    ],
    ["the skill runs on more versions", [skill("/engines/skillctl", "*")]],
  ]),
  ...rows("none", [
    [
      "texts and examples are different",
      [
        skill("/summary", "Sells other things."),
        order("/description", "An order."),
        order("/examples", [{ item: "milk" }]),
        rule("/message", "Too long."),
      ],
    ],
    [
      "a definition is written in its place",
      [
        order("/properties/buyer", {
          type: "object",
          required: ["id"],
          additionalProperties: false,
          properties: { id: { type: "integer", minimum: 1, maximum: 9 } },
        }),
        order("/$defs", undefined),
      ],
    ],
    [
      "a list of one value is a constant",
      [order("/properties/tone", { const: "warm" })],
      undefined,
      [order("/properties/tone", { enum: ["warm"] })],
    ],
    [
      "a short range of integers is a list of values",
      [order("/properties/times", { enum: [1, 2, 3, 4, 5], default: 1 })],
    ],
    [
      "an integer above 0 is written as one from 1",
      [order("/properties/times/minimum", undefined), order("/properties/times/exclusiveMinimum", 0)],
    ],
    [
      "bounds are spread over parts of a schema",
      [order("/properties/item", { type: "string", allOf: [{ minLength: 1 }, { maxLength: 40 }] })],
    ],
    [
      "a list of values is a choice of constants",
      [order("/properties/tone", { anyOf: [{ const: "warm" }, { const: "dry" }] })],
    ],
    [
      "only the texts of a recursive schema change",
      [
        order("/$defs/tree", { ...tree, title: "A tree" }),
        order("/properties/tree", { $ref: "#/$defs/tree" }),
      ],
      undefined,
      [order("/$defs/tree", tree), order("/properties/tree", { $ref: "#/$defs/tree" })],
    ],
  ]),
  ...rows("unknown", [
    [
      "an input excludes a value by a keyword that is not read",
      [order("/properties/item/not", { const: "Zed" })],
    ],
    [
      "an input has a pattern that no derived value shows",
      [order("/properties/item/pattern", "^[^]{0,99}$")],
    ],
    [
      "a new rule decides by code",
      [skill("/rules/closed", { tell: "Do not buy.", on: ["command.pre"], handler: true })],
      "guard",
    ],
    ["a default is new", [order("/properties/loud/default", false)]],
    ["a route checks its body by itself", [skill("/routes/stock/raw", true)], "http"],
    [
      "a number of a query becomes a short text",
      [
        [QUERY, "/properties/page", { type: "string", maxLength: 3 }],
        skill("/commands/look/input", "shop/order"),
      ],
      undefined,
      [skill("/commands/look/input", "shop/order")],
    ],
    ["a tool becomes a task at once", [skill("/commands/look/mcp", { task: "always" })], "mcp"],
    [
      "a rule has a condition that is not read",
      [rule("/when/not", { required: ["tool"] })],
      "guard",
      [rule("/when/not", { required: ["phase"] })],
    ],
  ]),
];
