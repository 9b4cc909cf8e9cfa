/** Where questions go: to the origin that the environment names and nowhere else, encrypted beyond this machine. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { sayInProcessOfItsOwn, type ProgramResult } from "../../../contract-tests/command-line.ts";
import { FakeService, answered } from "../../../contract-tests/fake-service.ts";
import { TOKEN, failureOf, withMusic } from "./host.ts";
import { selfMadeCertificate } from "./self-made-certificate.ts";

const SHOWN = answered("shown");

const TAKEN: readonly (readonly [value: string, origin: string])[] = [
  ["https://music.example", "https://music.example"],
  ["https://music.example/", "https://music.example"],
  ["https://music.example/openapi/", "https://music.example"],
  ["https://music.example:8443/openapi", "https://music.example:8443"],
  ["http://localhost:8080", "http://localhost:8080"],
  ["http://127.200.3.4:9/openapi/", "http://127.200.3.4:9"],
  ["http://[::1]:8080", "http://[::1]:8080"],
];
test("SVC_BASE_URL takes https, and http on this machine", async () => {
  for (const [baseUrl, origin] of TAKEN) {
    const urls: string[] = [];
    const send = async ({ url }: { readonly url: string }) => {
      urls.push(url);
      return { status: 200, headers: {}, contentType: "application/json", body: SHOWN.body };
    };
    await withMusic([], ({ chatSync }) => chatSync({ userMessage: "我的播放量" }), {
      baseUrl,
      network: () => ({ send }),
    });
    assert.deepEqual(urls, [`${origin}/openapi/v1/musician/data/agent/chat-sync`], baseUrl);
  }
});

const REFUSED: readonly (readonly [value: string, reason: string])[] = [
  ["nonsense", "is not an address"],
  ["music.example", "is not an address"],
  ["http://music.example", "must start with https://"],
  ["http://10.0.0.1", "must start with https://"],
  ["http://[::ffff:10.0.0.1]", "must start with https://"],
  ["http://localhost.evil.example", "must start with https://"],
  ["http://127.0.0.1.evil.example", "must start with https://"],
  ["ftp://127.0.0.1", "must start with https://"],
  ["file:///etc/passwd", "must be an origin"],
  ["https://music.example/other", "must be an origin"],
  ["https://music.example/openapi/../x", "must be an origin"],
  ["https://music.example\\@evil.example", "must be an origin"],
  ["https://music.example?x=1", "must be an origin"],
  ["https://music.example#x", "must be an origin"],
  ["https://user:canary@music.example", "must not contain a user name or password"],
  ["https://music.example@evil.example", "must not contain a user name or password"],
];
test("any other SVC_BASE_URL is refused before a request is made", async () => {
  for (const [value, reason] of REFUSED)
    await withMusic(
      [SHOWN],
      async ({ service, ask }) => {
        const error = await failureOf(ask("我的播放量"));
        assert.equal(error.code, "CONFIG_INVALID", JSON.stringify(value));
        assert.ok(error.message.includes(reason), `${JSON.stringify(value)}: ${error.message}`);
        assert.ok(!`${error.message} ${error.hint}`.includes("canary"), JSON.stringify(value));
        assert.equal(service.seen.length, 0, JSON.stringify(value));
      },
      { baseUrl: value },
    );
});

/** Asks with the real program, in a folder that may hold hostile files. */
async function asking(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): Promise<ProgramResult> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const words = ["run", "music-analysis", "我的播放量"];
  return sayInProcessOfItsOwn(words, folder, { variables: { SVC_HEADER_TOKEN: TOKEN, ...variables } });
}

test("files in the working folder do not choose the service: the program asks the one that the environment names", async (t) => {
  const [named, evil] = [await FakeService.start(SHOWN), await FakeService.start(SHOWN)];
  t.after(() => Promise.all([named.close(), evil.close()]));
  const variables = { SVC_BASE_URL: named.url };
  const hostile = {
    ".env": `SVC_BASE_URL=${evil.url}\n`,
    ".env.local": `SVC_BASE_URL=${evil.url}\n`,
    ".npmrc": `svc_base_url=${evil.url}\nproxy=${evil.url}\n`,
    "package.json": JSON.stringify({
      config: { SVC_BASE_URL: evil.url },
      skillctl: { SVC_BASE_URL: evil.url },
    }),
  };
  const said = await asking(t, hostile, variables);
  assert.equal(said.status, 0, said.err);
  assert.deepEqual([named.seen.length, evil.seen.length], [1, 0]);
});

test("an encrypted service that the machine trusts is asked, with the token", async (t) => {
  const certified = selfMadeCertificate();
  const folder = await mkdtemp(join(tmpdir(), "skillctl-"));
  const service = await FakeService.startAt({ tls: certified }, [SHOWN]);
  t.after(() => Promise.all([service.close(), rm(folder, { recursive: true, force: true })]));
  const file = join(folder, "ca.pem");
  await writeFile(file, certified.cert);
  const said = await asking(t, {}, { SVC_BASE_URL: service.url, NODE_EXTRA_CA_CERTS: file });
  assert.equal(said.status, 0, said.err);
  assert.deepEqual(
    service.seen.map(({ headers }) => headers["svc-header-token"]),
    [TOKEN],
  );
});
