/** A server of a skill whose forms have fields of every kind, whose texts are hostile and whose route returns a page. */
import type { HttpServerOptions } from "skillctl/host";
import { hostOf } from "../../../../contract-tests/doors-harness.ts";
import type { Ending } from "../../cli/fixture-command-line.ts";

export const KEY = "a-key-of-a-test-server";
/** A text that would run if it were read as HTML. */
export const EVIL = `<img src=x onerror="window.evil=1"><script>window.evil=1</script>`;

const command = (name: string, more: object = {}): object => ({
  summary: `Does ${name}.`,
  input: "cafe/nothing",
  output: "cafe/text-output",
  display: "text",
  ...more,
});
const closed = (properties: object, more: object = {}): object => ({
  title: "A shape",
  description: "A shape.",
  type: "object",
  additionalProperties: false,
  properties,
  ...more,
});
/** An order with a value for each field. */
export const ORDER = {
  name: "Ada",
  remark: 'no "sugar"',
  cups: 2,
  sweet: 0.5,
  warm: false,
  size: "large",
  extras: ["milk", "foam, much"],
  days: ["mon", "wed"],
  table: { at: "window" },
  when: "now",
};
const SCHEMAS = {
  nothing: closed({}),
  order: closed(
    {
      name: { description: "Who orders.", type: "string", minLength: 1, maxLength: 20 },
      remark: { type: "string", maxLength: 2000 },
      cups: { type: "integer", minimum: 1, maximum: 9, default: 1 },
      sweet: { type: "number", minimum: 0, maximum: 1 },
      warm: { type: "boolean" },
      size: { $ref: "#/$defs/size" },
      extras: { type: "array", maxItems: 3, items: { type: "string" } },
      days: { type: "array", items: { enum: ["mon", "tue", "wed"] } },
      table: { type: "object", additionalProperties: { type: "string" } },
      when: { anyOf: [{ type: "string" }, { $ref: "#/$defs/hours" }] },
    },
    {
      required: ["name"],
      $defs: {
        size: { enum: ["small", "large"] },
        hours: { type: "object", additionalProperties: { type: "integer" } },
      },
      examples: [ORDER],
    },
  ),
  menu: closed({ day: { type: "string" } }),
  "menu-page": { title: "Menu", description: "A menu.", type: "string", contentMediaType: "text/html" },
};
const MANIFEST = {
  commands: {
    order: command("order", { input: "cafe/order" }),
    count: command("count"),
    evil: command("evil"),
    asked: command("asked"),
  },
  routes: {
    menu: {
      summary: "Shows the menu.",
      method: "GET",
      path: "/menu",
      query: "cafe/menu",
      replies: { 200: "cafe/menu-page" },
    },
  },
  rules: {
    "ask-first": {
      tell: "Ask first.",
      on: ["command.pre"],
      when: { type: "object", required: ["name"], properties: { name: { const: "asked" } } },
      decision: "ask",
      message: "Shall it be done?",
    },
  },
};
const PAGE = `<!doctype html><title>Menu</title><p>Tea</p><script>
fetch("/v1/skills/cafe/commands/count", { method: "POST" }).then(({ status }) => status, () => "blocked").then((end) => { document.title = "Menu " + end; });
</script>`;
const CODE = `
let calls = 0;
const does = (run) => class { run = async (input) => ({ text: await run(input) }); };
export default {
  commands: {
    order: does((input) => JSON.stringify(input)),
    count: does(() => "call " + (calls += 1)),
    evil: does(() => ${JSON.stringify(`| a | b |\n|---|---|\n| ${EVIL} | https://cafe.example/a?b=1 |\n${EVIL}\njavascript:alert(1)`)}),
    asked: does(() => "done"),
  },
  routes: { menu: class { handle = async () => ({ status: 200, body: ${JSON.stringify(PAGE).replaceAll("</", "<\\/")}, headers: { "content-type": "text/html" } }); } },
  rules: {},
};
`;

/** The address of a server of the skill, which ends with a test. */
export async function cafe(
  after: Ending["after"],
  options: HttpServerOptions = { key: KEY },
): Promise<string> {
  const host = await hostOf({ after }, "cafe", { manifest: MANIFEST, schemas: SCHEMAS, code: CODE });
  return (await host.serve(options)).url;
}
