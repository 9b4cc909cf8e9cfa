import { gzipSync } from "node:zlib";

/** A request, and what it is answered. */
export interface Refusal {
  readonly what: string;
  readonly path: string;
  readonly method?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly code: string;
  readonly pointer?: string;
  readonly hint?: RegExp;
}

export const JSON_TYPE = { "content-type": "application/json" };
export const GREET = "/v1/skills/demo/commands/greet";
export const command = (name: string): string => `/v1/skills/demo/commands/${name}`;

/** What is refused for its address, its method or the bytes of its body. */
export const REFUSED: readonly Refusal[] = [
  {
    what: "an address that nobody has",
    path: "/helth",
    status: 404,
    code: "NOT_FOUND",
    hint: /Did you mean \/health\?/,
  },
  {
    what: "a skill that nobody has",
    path: "/v1/skills/dmo/commands/greet",
    method: "POST",
    status: 404,
    code: "UNKNOWN_SKILL",
    hint: /Did you mean demo\?/,
  },
  {
    what: "a command that the skill does not have",
    path: command("gret"),
    method: "POST",
    status: 404,
    code: "UNKNOWN_COMMAND",
    hint: /Did you mean greet\?/,
  },
  {
    what: "an unknown address before a strange content type",
    path: "/nowhere",
    method: "POST",
    body: "x",
    headers: { "content-type": "text/plain" },
    status: 404,
    code: "NOT_FOUND",
  },
  {
    what: "an unknown address before a broken body",
    path: "/nowhere",
    body: "{",
    status: 404,
    code: "NOT_FOUND",
  },
  {
    what: "a command of the terminal only",
    path: command("print"),
    method: "POST",
    status: 403,
    code: "SURFACE_REFUSED",
    hint: /cli/,
  },
  {
    what: "a command that keeps running and does not name http",
    path: command("serve"),
    method: "POST",
    status: 403,
    code: "SURFACE_REFUSED",
  },
  {
    what: "a method that the address does not answer",
    path: GREET,
    status: 405,
    code: "METHOD_REFUSED",
    hint: /POST/,
  },
  { what: "a broken escape in the path", path: "/%zz", status: 400, code: "REQUEST_UNREADABLE" },
  { what: "no JSON", path: GREET, body: '{"name":', status: 400, code: "BODY_UNREADABLE", pointer: "" },
  {
    what: "an empty body that claims to be JSON",
    path: GREET,
    body: "",
    status: 400,
    code: "BODY_UNREADABLE",
  },
  {
    what: "bytes that are not UTF-8",
    path: GREET,
    body: Uint8Array.of(0x22, 0xff, 0x22),
    status: 400,
    code: "BODY_UNREADABLE",
  },
  {
    what: "a key that poisons a prototype",
    path: GREET,
    body: '{"a":[{"__proto__":1}]}',
    status: 400,
    code: "BODY_UNREADABLE",
    pointer: "/a/0/__proto__",
  },
  {
    what: "an escaped key that poisons a prototype",
    path: GREET,
    body: String.raw`{"\u005f_proto__":{}}`,
    status: 400,
    code: "BODY_UNREADABLE",
    pointer: "/__proto__",
  },
  {
    what: "a constructor with a prototype",
    path: GREET,
    body: '{"constructor":{"prototype":{}}}',
    status: 400,
    code: "BODY_UNREADABLE",
    pointer: "/constructor",
  },
  {
    what: "a body over the limit",
    path: GREET,
    body: JSON.stringify({ name: "x".repeat(1024 * 1024) }),
    status: 413,
    code: "BODY_TOO_LARGE",
  },
  {
    what: "plain text",
    path: GREET,
    body: '{"name":"Ada"}',
    headers: { "content-type": "text/plain" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "a form",
    path: GREET,
    body: "name=Ada",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "a type that only begins like JSON",
    path: GREET,
    body: "{}",
    headers: { "content-type": "application/jsonp" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "a content type that is none",
    path: GREET,
    body: "{}",
    headers: { "content-type": "json" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "a body without a content type",
    path: GREET,
    body: new TextEncoder().encode("{}"),
    headers: {},
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "another charset",
    path: GREET,
    body: "{}",
    headers: { "content-type": "application/json; charset=latin1" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "lines of JSON for a command",
    path: GREET,
    body: "{}",
    headers: { "content-type": "application/x-ndjson" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "a compressed body",
    path: GREET,
    body: new Uint8Array(gzipSync('{"name":"Ada"}')),
    headers: { ...JSON_TYPE, "content-encoding": "gzip" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
];
