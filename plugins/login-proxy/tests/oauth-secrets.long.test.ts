/** The built-in login program leaks no token, refresh token or device code, whatever a server answers. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { inspect } from "node:util";
import { loggedIn, shownCode } from "./device-harness.ts";
import { asked } from "./login-harness.ts";
import { OAuthProvider, type OAuthReply, type OAuthRequest } from "./oauth-provider.ts";

const provider = await OAuthProvider.start();
after(() => provider.close());

/** The secret parts of a request. */
function secretsOf({ form, authorization = "" }: OAuthRequest): readonly string[] {
  const fields = ["device_code", "refresh_token", "token"].map((name) => form.get(name) ?? "");
  return [...fields, authorization.replace("Bearer ", "")].filter((secret) => secret !== "");
}

/** Answers that repeat what was sent, or that hold what was asked for in a way that cannot be used. */
const ECHOES: readonly (readonly [string, (secret: string) => OAuthReply])[] = [
  [
    "a description",
    (secret) => ({ status: 400, body: { error: "invalid_scope", error_description: secret } }),
  ],
  [
    "a challenge",
    (secret) => ({
      status: 401,
      headers: { "www-authenticate": `Bearer realm="${secret}", error="invalid_request"` },
      body: "",
    }),
  ],
  [
    "a page",
    (secret) => ({ status: 500, headers: { "content-type": "text/html" }, body: `<p>${secret}</p>` }),
  ],
  ["half an answer", (secret) => ({ status: 200, body: `{"access_token":"${secret}` })],
  [
    "a token that ends a header",
    (secret) => ({ status: 200, body: { access_token: `${secret}\r\na: b`, token_type: "bearer" } }),
  ],
  [
    "an invalid identity",
    (secret) => ({
      status: 200,
      body: { access_token: "other", token_type: "bearer", id_token: `${secret}.${secret}.${secret}` },
    }),
  ],
  [
    "a redirect",
    (secret) => ({ status: 302, headers: { location: `http://127.0.0.1:1/${secret}` }, body: "" }),
  ],
];

describe("secrets", () => {
  for (const [what, reply] of ECHOES) {
    test(`are not repeated from ${what}`, async () => {
      const told: unknown[] = [];
      const secrets = new Set<string>();
      const attempt = async (action: () => Promise<unknown>) => {
        await action().catch((caught: unknown) => told.push(caught));
      };
      await using test = await loggedIn(provider);
      secrets.add(String((await test.json("token.json"))["token"]));
      {
        using _ = provider.play((request) => {
          const own = secretsOf(request);
          for (const secret of own) secrets.add(secret);
          return own[0] === undefined ? undefined : reply(own[0]);
        });
        const stop = new AbortController();
        await attempt(() => asked(test, "verify").then((said) => told.push(said)));
        await attempt(() => test.quiet());
        await attempt(() => test.unattended());
        test.clock.advance(10_000);
        await attempt(() => test.unattended());
        const login = attempt(() => test.attended({}, { signal: stop.signal }));
        while (!test.said().includes("To log in") && told.length < 5)
          await new Promise((resolve) => setTimeout(resolve, 10));
        stop.abort();
        await login;
        await attempt(() => asked(test, "logout"));
      }
      assert.ok(shownCode(test) !== "");
      const all = `${test.said()}\n${inspect(told, { depth: Infinity, showHidden: true, maxStringLength: null })}`;
      assert.ok(secrets.size >= 3, `${secrets.size} secrets were sent`);
      for (const secret of secrets) assert.ok(!all.includes(secret), `${secret} is in:\n${all}`);
    });
  }
});
