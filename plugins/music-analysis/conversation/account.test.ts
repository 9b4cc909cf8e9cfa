import assert from "node:assert/strict";
import { test } from "node:test";
import { loginOf, withSession } from "./account.ts";

const HERE = "https://music.example";

function jwt(payload: string): string {
  return `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(payload).toString("base64url")}.c2ln`;
}

const SAME: readonly (readonly [title: string, one: string, other: string])[] = [
  ["the same text", "opaque", "opaque"],
  ["JWTs of one subject", jwt('{"sub":"mira","iat":1}'), jwt('{"sub":"mira","iat":2}')],
  ["JWTs of one numeric subject", jwt('{"sub":42,"iat":1}'), jwt('{"iat":2,"sub":42}')],
];

const OTHER: readonly (readonly [title: string, one: string, other: string])[] = [
  ["two opaque texts", "opaque-1", "opaque-2"],
  ["JWTs of two subjects", jwt('{"sub":"mira"}'), jwt('{"sub":"noor"}')],
  ["JWTs without a subject", jwt('{"iat":1}'), jwt('{"iat":2}')],
  ["JWTs with an empty subject", jwt('{"sub":"","iat":1}'), jwt('{"sub":"","iat":2}')],
  ["JWTs whose subject is an object", jwt('{"sub":{"id":1},"iat":1}'), jwt('{"sub":{"id":1},"iat":2}')],
  ["payloads that are no JSON", `a.${Buffer.from("sub").toString("base64url")}.c`, "a.%%%.c"],
  ["payloads that are null", jwt("null"), `${jwt("null")}2`],
];

for (const [title, one, other] of SAME) {
  test(`a login is the same: ${title}`, () =>
    assert.equal(loginOf(HERE, { value: one }), loginOf(HERE, { value: other })));
}

for (const [title, one, other] of OTHER) {
  test(`a login is another one: ${title}`, () =>
    assert.notEqual(loginOf(HERE, { value: one }), loginOf(HERE, { value: other })));
}

test("the account that the login skill names decides, whatever the token; at another service it is another login", () => {
  const login = loginOf(HERE, { value: "opaque-1", account: "mira" });
  assert.equal(loginOf(HERE, { value: "opaque-2", account: "mira" }), login);
  assert.notEqual(loginOf(HERE, { value: "opaque-1", account: "noor" }), login);
  assert.notEqual(loginOf("https://other.example", { value: "opaque-1", account: "mira" }), login);
});

test("a login shows neither the token nor the account", () => {
  const login = loginOf(HERE, { value: "canary-token", account: "canary-account" });
  assert.match(login, /^[0-9a-f]{16}-[0-9a-f]{16}$/);
});

const NAMELESS: readonly string[] = [
  "",
  "s",
  "svc:svc:11",
  "svc:svc:11:2026-07-01",
  "svc:svc:11:",
  "svc:svc::20260701",
  "11:20260701",
  ":::20260701",
];

test("a session of another form names no account, and the account stays what it is", () => {
  for (const sessionId of NAMELESS) {
    const account = { login: loginOf(HERE, { value: "opaque" }), id: "known" };
    assert.equal(withSession(account, sessionId), account, JSON.stringify(sessionId));
  }
});

test("a session names the account before its date: the same over days and logins, another one at another service", () => {
  const at = (origin: string, value: string, sessionId: string) =>
    withSession({ login: loginOf(origin, { value }) }, sessionId).id;
  const id = at(HERE, "opaque-1", "svc:svc:118823645:20260701");
  assert.match(id ?? "", /^[0-9a-f]{16}$/);
  assert.equal(at(HERE, "opaque-2", "svc:svc:118823645:20260702"), id);
  assert.notEqual(at(HERE, "opaque-1", "svc:svc:118823646:20260701"), id);
  assert.notEqual(at(HERE, "opaque-1", "svc:other:118823645:20260701"), id);
  assert.notEqual(at("https://other.example", "opaque-1", "svc:svc:118823645:20260701"), id);
});
