/** The start page of a server: its access, its cookie and its data. */
import assert from "node:assert/strict";
import { createConnection } from "node:net";
import { after, before, describe, test } from "node:test";
import { cafe, KEY } from "./page-harness.ts";

type Headers = Readonly<Record<string, string>>;

/** The cookies of an opened page, by path. */
async function opened(url: string): Promise<ReadonlyMap<string, string>> {
  const answer = await fetch(`${url}/?k=${KEY}`, { redirect: "manual" });
  assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/"]);
  return new Map(
    answer.headers.getSetCookie().map((line) => {
      const [, cookie = "", path = ""] =
        /^([\w-]+=[\w-]+); Path=(\S+); HttpOnly; SameSite=Strict$/.exec(line) ?? [];
      assert.ok(!line.includes(KEY));
      return [path, cookie];
    }),
  );
}

describe("the start page of a server", () => {
  const ends: (() => Promise<void>)[] = [];
  let url: string;
  before(async () => {
    url = await cafe((end) => ends.push(end), { key: KEY, allowHosts: ["cafe.example"] });
  });
  after(async () => {
    for (const end of ends) await end();
  });

  test("contains no data of the host, and runs only its own script", async () => {
    for (const path of ["/", "/?k=wrong"]) {
      const answer = await fetch(url + path, { redirect: "manual" });
      const html = await answer.text();
      assert.deepEqual(
        [answer.status, answer.headers.get("content-type"), answer.headers.getSetCookie()],
        [200, "text/html; charset=utf-8", []],
      );
      assert.doesNotMatch(html, /cafe|\s(?:src|on\w+|style)=|https?:\/\/(?!www\.w3\.org)/);
      const policy = answer.headers.get("content-security-policy") ?? "";
      assert.match(policy, /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'; /);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    }
  });

  test("authenticates with the cookie that it received for its key, which no other page can use", async () => {
    const cookies = await opened(url);
    assert.deepEqual([...cookies.keys()], ["/v1", "/cafe/menu"]);
    const cookie = cookies.get("/v1") ?? "";
    const run = (headers: Headers) =>
      fetch(`${url}/v1/skills/cafe/commands/count`, { method: "POST", headers });
    const origin = url;
    assert.equal((await run({ cookie, origin, "sec-fetch-site": "same-origin" })).status, 200);
    const others: readonly Headers[] = [
      { origin },
      { cookie: `${cookie}x`, origin },
      { cookie: cookie.replace("=", "x="), origin },
      { cookie, origin: "http://127.0.0.1:3000" },
      { cookie, origin: "http://localhost:3000", "sec-fetch-site": "cross-site" },
      { cookie, origin: url.replace("127.0.0.1", "localhost") },
      { cookie, "sec-fetch-site": "same-site" },
    ];
    for (const other of others) assert.equal((await run(other)).status, 401, JSON.stringify(other));
    for (const strange of ["https://evil.example", "null"])
      assert.equal((await run({ cookie, origin: strange })).status, 403, strange);
    const { text } = (await (await run({ cookie })).json()) as { readonly text: string };
    assert.equal(text, "call 2");
  });

  test("works under an allowed host name, and pages at other ports of that name have no access", async () => {
    const { port } = new URL(url);
    const cookie = (await opened(url)).get("/v1") ?? "";
    const asked = (origin: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const lines = [
          "POST /v1/skills/cafe/commands/count HTTP/1.1",
          `Host: cafe.example:${port}`,
          `Cookie: ${cookie}`,
          `Origin: ${origin}`,
          "Connection: close",
          "",
          "",
        ];
        let all = "";
        const socket = createConnection({ host: "127.0.0.1", port: Number(port) });
        socket.on("connect", () => socket.write(lines.join("\r\n")));
        socket.on("data", (part) => (all += String(part)));
        socket.on("error", reject).on("close", () => resolve(all.slice(9, 12)));
      });
    assert.equal(await asked(`http://cafe.example:${port}`), "200");
    assert.equal(await asked(`https://cafe.example:${port}`), "200");
    assert.equal(await asked("http://cafe.example:1"), "403");
  });

  test("receives the forms of commands and of routes that return pages, and documents", async () => {
    const cookie = (await opened(url)).get("/v1") ?? "";
    const ask = (path: string) => fetch(url + path, { headers: { cookie } });
    assert.equal((await fetch(`${url}/v1/page`)).status, 401);
    const { skills } = (await (await ask("/v1/page")).json()) as {
      readonly skills: readonly {
        readonly name: string;
        readonly forms: readonly { readonly address: string; readonly fields: object }[];
        readonly documents: readonly string[];
      }[];
    };
    assert.deepEqual(
      skills.map(({ name, forms, documents }) => [name, forms.map(({ address }) => address), documents]),
      [
        [
          "cafe",
          [
            ...["order", "count", "evil", "asked"].map((name) => `/v1/skills/cafe/commands/${name}`),
            "/cafe/menu",
          ],
          ["cafe/SKILL.md"],
        ],
      ],
    );
    assert.match(JSON.stringify(skills[0]?.forms[0]?.fields), /"size":\{"enum":\["small","large"\]\}/);
    assert.match(await (await ask("/v1/page/document?path=cafe/SKILL.md")).text(), /^---\nname: cafe/);
    for (const path of ["cafe/skill.json", "cafe/../cafe/SKILL.md", "cafe/plugin.js", "", "x/package.json"]) {
      const { status } = await ask(`/v1/page/document?path=${encodeURIComponent(path)}`);
      assert.equal(status, 404, path);
    }
  });

  test("does not share its origin with the pages of skills", async () => {
    const cookie = (await opened(url)).get("/cafe/menu") ?? "";
    const answer = await fetch(`${url}/cafe/menu`, { headers: { cookie } });
    assert.equal(answer.headers.get("content-type"), "text/html");
    assert.match(answer.headers.get("content-security-policy") ?? "", /^sandbox (?!.*allow-same-origin)/);
  });
});
