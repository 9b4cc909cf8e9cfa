import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EventWriter } from "../store/event/event-writer.ts";
import { Redaction } from "../store/event/redaction.ts";

/**
 * Made-up secrets and ordinary texts that look a little like some. The secrets are composed at run time, so that no
 * scanner of the repository takes them for real ones.
 */
const long = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";
const awsKey = "IOSFODNN7EXAMPLE";
const digits = "123456789012";
const privateKey = "PRIVATE KEY";

/** Names of keys whose values are secrets. */
const SECRET_NAMES = `
  password PASSWORD userPassword new-password password2 passwordConfirmation passwd dbPwd passphrase secret
  client_secret secrets secretValue token accessToken access_token csrfToken tokens x-auth-token tokenString
  jwt apiKey x-api-key private_key_pem aws_secret_access_key AccountKey encryption_key Authorization
  proxy-authorization set-cookie cookies credentials PHPSESSID connect.sid otp pass pw cardNumber card_no cvv
  creditCard
`
  .trim()
  .split(/\s+/);

/** Names that contain such a word, but no secret. */
const ORDINARY_NAMES = `
  author authority tokenize tokenCount tokenType tokenExpiresAt secretary passenger bypass compass passed
  publicKey primaryKey accessKeyId cookieConsent sessionId session keys hash user path passwordPolicy
  hasSecretProp laptop discard cardType scoreboard keyboard apiKeyId jwtAlgorithm
`
  .trim()
  .split(/\s+/);

/** Texts with a secret in them, and the text that is stored. */
const SECRET_TEXTS: readonly (readonly [text: string, left: string])[] = [
  [
    ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0In0", "dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1g"].join("."),
    "[redacted]",
  ],
  [`AKIA${awsKey}`, "[redacted]"],
  [`ghp_${long.slice(0, 36)}`, "[redacted]"],
  [`github_pat_${long}`, "[redacted]"],
  [`glpat-${long.slice(0, 20)}`, "[redacted]"],
  [`xoxb-${digits}-${digits}-${long.slice(0, 24)}`, "[redacted]"],
  [`xapp-1-${long}`, "[redacted]"],
  [`sk_live_${long.slice(0, 24)}`, "[redacted]"],
  [`rk_test_${long.slice(0, 24)}`, "[redacted]"],
  [`whsec_${long.slice(0, 32)}`, "[redacted]"],
  [`sk-${long}`, "[redacted]"],
  [`sk-ant-api03-${long}-${long}AA`, "[redacted]"],
  [`AIza${long.slice(0, 35)}`, "[redacted]"],
  [`npm_${long.slice(0, 36)}`, "[redacted]"],
  [`hf_${long.slice(0, 34)}`, "[redacted]"],
  [`SG.${long.slice(0, 22)}.${long}abc`, "[redacted]"],
  [`-----BEGIN RSA ${privateKey}-----\nMIIEpAIBAAKCAQEA\n-----END RSA ${privateKey}-----`, "[redacted]"],
  [`-----BEGIN ${privateKey}-----\nMIIEpAIBAAKCAQEA`, "[redacted]"],
  ["postgres://admin:s3cr3t-p4ss@db.local:5432/app", "postgres://admin:[redacted]@db.local:5432/app"],
  ["redis://:s3cr3t-p4ss@cache:6379", "redis://:[redacted]@cache:6379"],
  [`Bearer ${long}`, "Bearer [redacted]"],
  ["bearer abc.def-1234", "bearer [redacted]"],
  [`Basic ${Buffer.from("user:open sesame").toString("base64")}`, "Basic [redacted]"],
  ["4111 1111 1111 1111", "[redacted]"],
  ["5555-5555-5555-4444", "[redacted]"],
  ["378282246310005", "[redacted]"],
  ["3782 822463 10005", "[redacted]"],
  ["1234 4111 1111 1111 1111", "1234 [redacted]"],
  ['{"user":"bob","password":"hun\\"ter2"}', '{"user":"bob","password":"[redacted]"}'],
  ['{\\"apiKey\\": \\"abcdefgh\\"}', '{\\"apiKey\\": \\"[redacted]\\"}'],
  [
    "https://x.test/cb?state=1&access_token=abcdefgh12&y=2",
    "https://x.test/cb?state=1&access_token=[redacted]&y=2",
  ],
  ["user=bob&password=hunter2", "user=bob&password=[redacted]"],
  ["Authorization: Custom abcdefgh", "Authorization: [redacted]"],
  ["Cookie: sid=abcdefgh; theme=dark", "Cookie: [redacted]"],
  ["X-Api-Key: abcdefgh", "X-Api-Key: [redacted]"],
];

/** Texts from which nothing may be removed. */
const ORDINARY_TEXTS: readonly string[] = [
  "a3bb189e-8bf9-3888-9912-ace4e6543002",
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
  ..."1766000000000 1766000000000000 1766000000000000000 4111111111111112 x4111111111111111".split(" "),
  "1234567890123456.4111111111111111",
  "+49 170 1234567890",
  "2026-11-21T23:19:01.123456789Z",
  "/home/user/projects/app/src/auth/token.ts:42:7",
  "http://127.0.0.1:7777/event?last=20&runId=pre",
  "https://user@host/path",
  "tokenize the author's bypass",
  "SyntaxError: Unexpected token: punc (:)",
  "invalid password: too short",
  ..."token=expired tokens=12 ghp_short npm_config_cache sk-learn".split(" "),
  "basic usage of the bearer",
  "Bearer authentication",
  "risk-assessment-of-long-words-in-kebab-case",
  "-----BEGIN PUBLIC KEY-----",
  "eyJust a word",
  "x = y; a == b; key=value",
  '{"user":"bob","tokenCount":12,"token":null}',
  "用户登录失败",
];

const STAMP = { firstSeq: 1, at: 1_766_000_000_000, run: "pre-fix", source: "event" } as const;
const REDACTED = "[redacted]";
const writer = new EventWriter("login-timeout", new Redaction());

type Line = Readonly<Record<string, unknown>>;

function stored(event: unknown, by = writer): Line {
  const { lines, rejection } = by.write(Buffer.from(JSON.stringify(event)), STAMP);
  assert.equal(rejection, undefined);
  return JSON.parse(lines.join("")) as Line;
}

/** The value as it is stored at `/data`, and the flags. */
function data(value: unknown): readonly [value: unknown, flags: unknown] {
  const line = stored({ data: value });
  return [line["data"], line["_flags"]];
}

describe("secrets in events", () => {
  it("are recognised by the name of their key, in any spelling and at any depth", () => {
    for (const name of SECRET_NAMES) {
      const pointer = `/data/0/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      assert.deepEqual(
        data([{ [name]: "open sesame" }]),
        [[{ [name]: REDACTED }], [`redacted:${pointer}`]],
        name,
      );
    }
  });

  it("are recognised by the name of an enclosing key, in lists, objects and numbers", () => {
    assert.deepEqual(data({ tokens: ["a1", { b: "c", n: 1, d: [true, null] }] }), [
      { tokens: [REDACTED, { b: REDACTED, n: 1, d: [true, null] }] },
      ["redacted:/data/tokens/0", "redacted:/data/tokens/1/b"],
    ]);
    assert.deepEqual(
      data({ password: 123456, pin: 7, card_number: 4111, cvv: "012", hasPassword: true, secret: null }),
      [
        { password: REDACTED, pin: 7, card_number: REDACTED, cvv: REDACTED, hasPassword: true, secret: null },
        ["redacted:/data/password", "redacted:/data/card_number", "redacted:/data/cvv"],
      ],
    );
    assert.deepEqual(data({ tokens: 12, maxTokens: 4096, passwords: 3, token: "" }), [
      { tokens: 12, maxTokens: 4096, passwords: 3, token: "" },
      undefined,
    ]);
  });

  it("are recognised by their form, alone and inside longer texts", () => {
    for (const [text, left] of SECRET_TEXTS) {
      assert.deepEqual(data(text), [left, ["redacted:/data"]], text);
      // A header goes to the end of its line, and a key that has no end to the end of the text.
      const [around] = data(`before ${text} after`);
      assert.ok([`before ${left} after`, `before ${left}`].includes(String(around)), String(around));
    }
  });

  it("are found behind escapes that hide them", () => {
    const sent =
      '{"a":"\\u0065yJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl","b":"postgres:\\/\\/u:pw@h","\\u0070assword":"x"}';
    const line = JSON.parse(writer.write(Buffer.from(sent), STAMP).lines.join("")) as Line;
    assert.deepEqual(
      [line["a"], line["b"], line["password"]],
      [REDACTED, `postgres://u:${REDACTED}@h`, REDACTED],
    );
  });

  it("are not found in ordinary data", () => {
    for (const name of ORDINARY_NAMES)
      assert.deepEqual(data({ [name]: "a value" }), [{ [name]: "a value" }, undefined], name);
    for (const text of ORDINARY_TEXTS)
      assert.deepEqual(data([text, `say ${text}.`]), [[text, `say ${text}.`], undefined], text);
  });

  it("are found in pairs: headers, options of a command line, entries of a form", () => {
    const pairs: readonly (readonly [value: string, left: string])[] = [
      ['["authorization","Custom abc"]', '["authorization","[redacted]"]'],
      ['["Host","a","Cookie","sid=1"]', '["Host","a","Cookie","[redacted]"]'],
      ['["curl","--password","hunter2","-v"]', '["curl","--password","[redacted]","-v"]'],
      ['["--api-key","-v","x"]', '["--api-key","-v","x"]'],
      ['[["user","mira"],["password","hunter2"]]', '[["user","mira"],["password","[redacted]"]]'],
      ['{"name":"Authorization","value":"Custom abc"}', '{"name":"Authorization","value":"[redacted]"}'],
      ['{"value":"hunter2","key":"password"}', '{"value":"[redacted]","key":"password"}'],
      ['["name","password","email"]', '["name","password","email"]'],
      ['{"name":"colour","value":"red"}', '{"name":"colour","value":"red"}'],
    ];
    for (const [value, left] of pairs) assert.equal(JSON.stringify(data(JSON.parse(value))[0]), left);
    assert.deepEqual(data(["--password", "hunter2"])[1], ["redacted:/data/1"]);
  });

  it("are found as keys", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    assert.deepEqual(data({ [secret]: 1 }), [{ [REDACTED]: 1 }, [`redacted:/data/${REDACTED}`]]);
  });

  it("that this machine holds are found in Base64 that is broken into lines", () => {
    const token = `opaque-${"0123456789".repeat(9)}`;
    const by = new EventWriter("login-timeout", new Redaction([token]));
    for (const end of ["\n", "\r\n"]) {
      const broken = Buffer.from(`user:${token}`).toString("base64").replaceAll(/.{76}/g, `$&${end}`);
      const line = JSON.parse(
        by.write(Buffer.from(JSON.stringify({ broken })), STAMP).lines.join(""),
      ) as Line;
      assert.ok(String(line["broken"]).includes(REDACTED), String(line["broken"]));
    }
  });

  it("that this machine holds are found as they are, percent-encoded and in Base64, in values and keys", () => {
    const token = "opaque/Token+of 1 machine?";
    const by = new EventWriter("login-timeout", new Redaction([token]));
    const forms = [
      token,
      encodeURIComponent(token),
      [...Buffer.from(token)].map((byte) => `%${byte.toString(16)}`).join(""),
      ...["", "a", "ab", "user:"].flatMap((before) => {
        const bytes = Buffer.from(`${before}${token} and more`);
        return [bytes.toString("base64"), bytes.toString("base64url")];
      }),
    ];
    for (const form of forms) {
      const line = stored({ data: `see ${form}.`, [form]: 1 }, by);
      const text = JSON.stringify(line);
      assert.ok(text.includes(REDACTED) && !text.includes(form), form);
      assert.equal((line["_flags"] as unknown[]).length, 2, form);
    }
    assert.equal(stored({ data: "opaque tokens" }, by)["_flags"], undefined);
    const { rejection } = by.write(Buffer.from(`{"a":"${token}`), STAMP);
    assert.ok(!(rejection?.text ?? token).includes(token));
  });

  it("are kept if the server was told to keep them", () => {
    const raw = new EventWriter("login-timeout", undefined);
    const event = { password: "p", data: SECRET_TEXTS.map(([text]) => text) };
    const line = stored(event, raw);
    assert.deepEqual(
      [line["password"], line["data"], line["_flags"]],
      [event.password, event.data, undefined],
    );
    const { rejection } = raw.write(Buffer.from('{"password":"hunter22",'), STAMP);
    assert.equal(rejection?.text, '{"password":"hunter22",');
  });

  it("are reported by eight places and the number of others", () => {
    const [, flags] = data(Array.from({ length: 11 }, () => ({ token: "a" })));
    assert.deepEqual(flags, [
      ...Array.from({ length: 8 }, (_, place) => `redacted:/data/${place}/token`),
      "redacted:…+3",
    ]);
    assert.deepEqual(data({ "a/b~c": { token: "a" } })[1], ["redacted:/data/a~1b~0c/token"]);
  });
});
