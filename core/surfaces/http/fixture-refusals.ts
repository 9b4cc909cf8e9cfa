import { gzipSync } from "node:zlib";

/** What is asked, at which path, the status and code of the answer, and more of both. */
export type Refusal = readonly [what: string, path: string, answer: string, more?: RequestOptions];

interface RequestOptions {
  /** Default: POST with a body, else GET. */
  readonly method?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pointer?: string;
  readonly hint?: RegExp;
}

export const JSON_TYPE = { "content-type": "application/json" };
export const GREET = "/v1/skills/demo/commands/greet";
export const command = (name: string): string => `/v1/skills/demo/commands/${name}`;

export const REFUSED: readonly Refusal[] = [
  ["an address that nobody has", "/helth", "404 NOT_FOUND", { hint: /Did you mean \/health\?/ }],
  [
    "a skill that nobody has",
    "/v1/skills/dmo/commands/greet",
    "404 UNKNOWN_SKILL",
    { method: "POST", hint: /Did you mean demo\?/ },
  ],
  [
    "a command that the skill does not have",
    command("gret"),
    "404 UNKNOWN_COMMAND",
    { method: "POST", hint: /Did you mean greet\?/ },
  ],
  [
    "an unknown address before a strange content type",
    "/nowhere",
    "404 NOT_FOUND",
    { body: "x", headers: { "content-type": "text/plain" } },
  ],
  ["an unknown address before a broken body", "/nowhere", "404 NOT_FOUND", { body: "{" }],
  [
    "a command of the terminal only",
    command("print"),
    "403 SURFACE_REFUSED",
    { method: "POST", hint: /cli/ },
  ],
  [
    "a command that keeps running and does not name http",
    command("serve"),
    "403 SURFACE_REFUSED",
    { method: "POST" },
  ],
  ["a method that the address does not answer", GREET, "405 METHOD_REFUSED", { hint: /POST/ }],
  ["a broken escape in the path", "/%zz", "400 REQUEST_UNREADABLE"],
  ["no JSON", GREET, "400 BODY_UNREADABLE", { body: '{"name":', pointer: "" }],
  ["an empty body that claims to be JSON", GREET, "400 BODY_UNREADABLE", { body: "" }],
  ["bytes that are not UTF-8", GREET, "400 BODY_UNREADABLE", { body: Uint8Array.of(0x22, 0xff, 0x22) }],
  ["a key that poisons a prototype", GREET, "400 BODY_UNREADABLE", { body: '{"a":[{"__proto__":1}]}' }],
  [
    "an escaped key that poisons a prototype",
    GREET,
    "400 BODY_UNREADABLE",
    { body: '{"\\u005f_proto__":{}}' },
  ],
  [
    "a constructor with a prototype",
    GREET,
    "400 BODY_UNREADABLE",
    { body: '{"constructor":{"prototype":{}}}' },
  ],
  [
    "a body over the limit",
    GREET,
    "413 BODY_TOO_LARGE",
    { body: JSON.stringify({ name: "x".repeat(1024 * 1024) }) },
  ],
  [
    "plain text",
    GREET,
    "415 MEDIA_TYPE_REFUSED",
    { body: '{"name":"Ada"}', headers: { "content-type": "text/plain" } },
  ],
  [
    "a form",
    GREET,
    "415 MEDIA_TYPE_REFUSED",
    { body: "name=Ada", headers: { "content-type": "application/x-www-form-urlencoded" } },
  ],
  [
    "a type that only begins like JSON",
    GREET,
    "415 MEDIA_TYPE_REFUSED",
    { body: "{}", headers: { "content-type": "application/jsonp" } },
  ],
  [
    "a content type that is none",
    GREET,
    "415 MEDIA_TYPE_REFUSED",
    { body: "{}", headers: { "content-type": "json" } },
  ],
  [
    "a body without a content type",
    GREET,
    "415 MEDIA_TYPE_REFUSED",
    { body: Uint8Array.of(0x7b, 0x7d), headers: {} },
  ],
  [
    "another charset",
    GREET,
    "415 MEDIA_TYPE_REFUSED",
    { body: "{}", headers: { "content-type": "application/json; charset=latin1" } },
  ],
  [
    "lines of JSON for a command",
    GREET,
    "415 MEDIA_TYPE_REFUSED",
    { body: "{}", headers: { "content-type": "application/x-ndjson" } },
  ],
  [
    "a compressed body",
    GREET,
    "415 MEDIA_TYPE_REFUSED",
    {
      body: new Uint8Array(gzipSync("{}")),
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
    },
  ],
  ["a missing property", GREET, "400 INPUT_INVALID", { body: "{}", pointer: "/name" }],
  ["a strange property", GREET, "400 INPUT_INVALID", { body: '{"name":"Ada","x":1}', pointer: "/x" }],
  [
    "a number where a text is asked for",
    GREET,
    "400 INPUT_INVALID",
    { body: '{"name":5}', pointer: "/name" },
  ],
  [
    "a text where a number is asked for",
    GREET,
    "400 INPUT_INVALID",
    { body: '{"name":"Ada","times":"5"}', pointer: "/times" },
  ],
  ["null for an object", GREET, "400 INPUT_INVALID", { body: "null", pointer: "" }],
  [
    "a number where a route asks for a text",
    "/demo/greet",
    "400 INPUT_INVALID",
    { body: '{"name":5}', pointer: "/name" },
  ],
  ["no body where a route asks for one", "/demo/greet", "400 INPUT_INVALID", { method: "POST", pointer: "" }],
  ["a query that does not fit", "/demo/search?limit=0", "400 INPUT_INVALID", { pointer: "/query/limit" }],
  ["an unknown parameter", "/demo/search?x=1", "400 INPUT_INVALID", { pointer: "/query/x" }],
  [
    "a parameter that poisons a prototype",
    "/demo/search?__proto__=1",
    "400 INPUT_INVALID",
    { pointer: "/query/__proto__" },
  ],
  [
    "a command that a rule forbids",
    GREET,
    "403 GUARD_DENIED",
    { body: '{"name":"Mallory"}', hint: /demo\/no-mallory/ },
  ],
  ["a route that a rule forbids", "/demo/greet", "403 GUARD_DENIED", { body: '{"name":"Mallory"}' }],
  [
    "a failure with a code of the skill's own",
    command("teapot"),
    "418 DEMO_TEAPOT",
    { method: "POST", hint: /Drink tea/ },
  ],
  ["an unforeseen failure", command("broken"), "500 INTERNAL", { method: "POST" }],
  ["something thrown that is no error", command("odd"), "500 INTERNAL", { method: "POST" }],
  [
    "an output that does not fit",
    command("misfit"),
    "500 OUTPUT_INVALID",
    { method: "POST", pointer: "/text" },
  ],
  ["a reply of a status that the manifest does not name", "/demo/stray", "500 OUTPUT_INVALID"],
  ["a reply that does not fit its schema", "/demo/crooked", "500 OUTPUT_INVALID"],
];
