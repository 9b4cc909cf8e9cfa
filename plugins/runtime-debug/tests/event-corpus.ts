/**
 * Made-up secrets and ordinary texts that look a little like some. The secrets are put together when they are read, so
 * that no scanner of the repository takes them for real ones.
 */
const long = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";
const awsKey = "IOSFODNN7EXAMPLE";
const digits = "123456789012";
const privateKey = "PRIVATE KEY";

/** Names of keys whose values are secrets. */
export const SECRET_NAMES: readonly string[] = [
  ..."password PASSWORD userPassword new-password password2 passwordConfirmation passwd dbPwd passphrase".split(
    " ",
  ),
  ..."secret client_secret secrets secretValue token accessToken access_token csrfToken tokens x-auth-token".split(
    " ",
  ),
  ..."tokenString jwt apiKey x-api-key private_key_pem aws_secret_access_key AccountKey encryption_key".split(
    " ",
  ),
  ..."Authorization proxy-authorization set-cookie cookies credentials PHPSESSID connect.sid".split(" "),
  ..."otp pass pw cardNumber card_no cvv creditCard".split(" "),
];

/** Names that hold such a word, and no secret. */
export const ORDINARY_NAMES: readonly string[] = [
  ..."author authority tokenize tokenCount tokenType tokenExpiresAt secretary passenger bypass compass passed".split(
    " ",
  ),
  ..."publicKey primaryKey accessKeyId cookieConsent sessionId session keys hash user path passwordPolicy".split(
    " ",
  ),
  ..."hasSecretProp laptop discard cardType scoreboard keyboard apiKeyId jwtAlgorithm".split(" "),
];

/** Texts with a secret in them, and what is left of each. */
export const SECRET_TEXTS: readonly (readonly [text: string, left: string])[] = [
  [
    ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0In0", "dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1g"].join("."),
    "[redacted]",
  ],
  [`AKIA${awsKey}`, "[redacted]"],
  [`ASIA${awsKey}`, "[redacted]"],
  [`ghp_${long.slice(0, 36)}`, "[redacted]"],
  [`gho_${long.slice(0, 36)}`, "[redacted]"],
  [`github_pat_${long}`, "[redacted]"],
  [`glpat-${long.slice(0, 20)}`, "[redacted]"],
  [`xoxb-${digits}-${digits}-${long.slice(0, 24)}`, "[redacted]"],
  [`xapp-1-${long}`, "[redacted]"],
  [`sk_live_${long.slice(0, 24)}`, "[redacted]"],
  [`rk_test_${long.slice(0, 24)}`, "[redacted]"],
  [`whsec_${long.slice(0, 32)}`, "[redacted]"],
  [`sk-${long}`, "[redacted]"],
  [`sk-proj-${long}`, "[redacted]"],
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

/** Texts that nothing may be taken out of. */
export const ORDINARY_TEXTS: readonly string[] = [
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
