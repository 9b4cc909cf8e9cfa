/** The commands of login-proxy as processes: exit statuses and streams. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createTestHost } from "skillctl/testing";
import { sayInProcessOfItsOwn, type ProgramResult } from "../../../contract-tests/command-line.ts";
import { FakeService, answered } from "../../../contract-tests/fake-service.ts";
import { selfMadeCertificate } from "../../music-analysis/tests/self-made-certificate.ts";
import { FakeLogin, jwtOf, writeCache, type ProgramScript } from "./login-harness.ts";

const TOKEN = jwtOf({ sub: "13800138000", exp: 4_000_000_000 });

interface LoginResult extends ProgramResult {
  readonly login: FakeLogin;
  readonly file: string;
}

interface RunOptions {
  readonly acts?: ProgramScript;
  readonly cached?: unknown;
  readonly variables?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Default: login-proxy. */
  readonly skill?: string;
  /** Further files of the home, which is the working folder too. */
  readonly files?: Readonly<Record<string, unknown>>;
}

/** Runs `skillctl run SKILL WORDS` to its end, with a login program on PATH where acts are given. */
async function told(
  words: readonly string[],
  { acts, cached, variables, stdin = "", skill = "login-proxy", files = {} }: RunOptions,
  look: (told: LoginResult) => Promise<void> | void,
): Promise<void> {
  await using place = await createTestHost();
  const { home } = place.environment;
  const login = await FakeLogin.in(place.folder, acts ?? {});
  const file = join(home, ".svc-login", "token.json");
  if (cached !== undefined) await writeCache(file, cached);
  for (const [path, content] of Object.entries(files)) await writeCache(join(home, path), content);
  const PATH = acts ? login.folder : join(place.folder, "nowhere");
  // The settings of a project apply once the person has trusted it.
  if (files["skillctl.json"])
    assert.equal((await sayInProcessOfItsOwn(["trust"], home, { variables: { PATH } })).status, 0);
  const options = { variables: { ...variables, PATH }, input: stdin };
  await look({ ...(await sayInProcessOfItsOwn(["run", skill, ...words], home, options)), login, file });
}

const never = (text: string): void => assert.doesNotMatch(text, /eyJ/);

describe("check", () => {
  test("[music.check.prints] [music.auth.check] prints the program's token and one newline, nothing else", () =>
    told(["check"], { acts: { token: { out: `${TOKEN}\n` } }, cached: { token: "old" } }, async (said) => {
      assert.deepEqual([said.status, said.out, said.err], [0, `${TOKEN}\n`, ""]);
      assert.equal((JSON.parse(await readFile(said.file, "utf8")) as { token: string }).token, TOKEN);
    }));

  test("[music.auth.check] otherwise prints guidance on standard error and ends with 1", () =>
    told(["check"], { acts: {}, cached: { token: "old" } }, ({ status, out, err }) => {
      assert.deepEqual([status, out], [1, ""]);
      assert.match(err, /^error: A person must log in.*\nhint: .*skillctl run login-proxy login/);
    }));

  test("[music.cache.order] [music.auth.missing] without a login program prints the cached token, then that of the variable", async () => {
    const variables = { SVC_HEADER_TOKEN: "variable" };
    await told(["check"], { cached: { token: "cached" }, variables }, ({ status, out }) =>
      assert.deepEqual([status, out], [0, "cached\n"]),
    );
    await told(["check"], { cached: "{broken", variables }, ({ status, out, err }) => {
      assert.deepEqual([status, out], [0, "variable\n"]);
      assert.match(err, /token\.json holds no usable token\. The token of SVC_HEADER_TOKEN is used\./);
    });
    await told(["check"], {}, ({ status, out, err }) => {
      assert.deepEqual([status, out], [1, ""]);
      assert.match(err, /^error: No login token was found.*\nhint: Run the login skill/);
    });
  });
});

describe("verify", () => {
  test("ends with 3 when the service cannot be reached", () =>
    told(
      ["verify"],
      { acts: { verify: { status: 3 } }, cached: { token: TOKEN } },
      ({ status, out, err }) => {
        assert.deepEqual([status, out], [3, ""]);
        assert.match(err, /^error: login program .* could not reach the service/);
        never(err);
      },
    ));

  test("[music.cache.helpers] passes a token from standard input to the program's standard input", () =>
    told(["verify", "--stdin"], { acts: { verify: {} }, stdin: `"${TOKEN}"\n` }, async (said) => {
      assert.equal(said.status, 0, said.err);
      assert.equal((await said.login.calls())[0]?.stdin, `${TOKEN}\n`);
      never(said.out + said.err + JSON.stringify(await said.login.words()));
    }));
});

test("proxies and disabled certificate checks do not apply to the token, unless the user's own settings say so", async () => {
  const service = await FakeService.startAt({ tls: selfMadeCertificate() }, [answered("shown")]);
  let proxied = 0;
  const proxy = createServer((socket) => socket.destroy(void (proxied += 1)));
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  try {
    const cached = { token: TOKEN, baseUrl: service.url };
    const tls = { NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" };
    const proxies = { HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY, https_proxy: PROXY, NODE_USE_ENV_PROXY: "1" };
    const own = { config: { "login-proxy": { environmentNetwork: true } } };
    const skill = "music-analysis";
    const words = ["How are my plays?"];
    const SVC_BASE_URL = service.url;
    for (const files of [{}, { "skillctl.json": own }]) {
      const variables = { SVC_BASE_URL, ...tls, ...proxies };
      await told(words, { skill, cached, files, variables }, ({ status, err }) => {
        assert.deepEqual([status, service.seen.length, proxied], [69, 0, 0], err);
        assert.match(err, /\(https:.*, DEPTH_ZERO_SELF_SIGNED_CERT\)/);
      });
    }
    const files = { ".config/skillctl/skillctl.json": own };
    await told(words, { skill, cached, files, variables: { SVC_BASE_URL, ...tls } }, ({ status, err }) => {
      assert.deepEqual([status, service.seen[0]?.headers["svc-header-token"]], [0, TOKEN], err);
    });
  } finally {
    proxy.close();
    await service.close();
  }
});
