/** Skills that a host publishes at its well-known addresses are installed with the digest that its index names. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { zipSync, type Zippable } from "fflate";
import { createHost, serveHttp } from "skillctl/host";
import { documentSkills } from "../../../documents/document-skills.ts";
import { entriesOf, shop, tarball } from "./fixture-sources.ts";

const INDEX = "/.well-known/agent-skills/index.json";
const CATALOG = "/.well-known/ai-catalog.json";
const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const DOCUMENT = "---\nname: pdf\ndescription: Fills forms.\nallowed-tools: Bash(pdftk:*)\n---\nFill it.\n";

const digestOf = (bytes: Uint8Array) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const zip = (files: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]),
      ) satisfies Zippable,
    ),
  );

/** A server that answers each path with the given bytes. */
async function server(
  t: TestContext,
  answer: (path: string) => Promise<Uint8Array | undefined> | Uint8Array | undefined,
): Promise<string> {
  const listener = createServer((request, response) => {
    void Promise.resolve(answer(request.url ?? "")).then((bytes) =>
      bytes ? response.end(bytes) : response.writeHead(404).end(),
    );
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  t.after(() => {
    listener.closeAllConnections();
    listener.close();
  });
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
}

/** A host that publishes the documents pdf and png. */
async function publisher(t: TestContext, home: string): Promise<string> {
  for (const [path, text] of [
    ["pdf/SKILL.md", DOCUMENT],
    ["pdf/references/more.md", "More.\n"],
    ["png/SKILL.md", "---\nname: png\ndescription: Draws.\n---\nDraw.\n"],
  ] as const) {
    const file = join(home, ".agents", "skills", path);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, text);
  }
  const documents = await documentSkills(join(home, "none"), home, join(home, "state"));
  const host = await createHost({ documents });
  t.after(() => host.close());
  const { url, close } = await serveHttp(host, { key: "a-key-of-a-test-server" });
  t.after(() => close());
  return url;
}

describe("a skill that a running host publishes", () => {
  test("is added, hosted, verified, installed from the lock and removed", async (t) => {
    const { home, project, say, paths } = await shop(t);
    const url = await publisher(t, join(home, "elsewhere"));
    const several = await say("add", url, "--yes");
    assert.equal(several.status, 65);
    assert.match(several.err, /its index has several skills.\nhint: Write one of them after #: pdf, png\n/);
    const shown = [];
    for (const path of ["/", INDEX, CATALOG]) {
      const { status, err } = await say("add", `${url}${path}#pdf`);
      assert.equal(status, 64, err);
      shown.push(err.replace(path, "/"));
    }
    assert.deepEqual(new Set(shown).size, 1);
    assert.match(shown[0] ?? "", /^pdf 0\.0\.0\n {2}source http:\S+#pdf\n/);
    assert.match(
      shown[0] ?? "",
      /\n {4}instructions SKILL\.md, without code\n {2}! .* to allow .*Bash\(pdftk:\*\)/,
    );
    assert.deepEqual(await paths(), []);

    assert.equal((await say("add", `${url}#pdf`, "--yes")).out, "pdf 0.0.0 is installed and trusted.\n");
    assert.match((await say("list")).out, /^pdf +Fills forms\.\n$/);
    assert.match((await say("prompt")).out, /Fill it\./);
    assert.equal((await say("verify")).status, 0);
    assert.equal((await say("update", "--yes")).out, "Every skill is up to date.\n");
    const { plugins = [] } = JSON.parse(await readFile(join(project, "skillctl.json"), "utf8")) as {
      plugins?: string[];
    };
    assert.equal(await readFile(join(project, plugins[0] ?? "", "references", "more.md"), "utf8"), "More.\n");
    assert.equal((await say("add", "--frozen", "--yes")).status, 0);
    assert.equal((await say("remove", "pdf", "--yes")).status, 0);
    assert.deepEqual(await paths(), []);
  });

  test("is refused if one digit of its digest or one byte of its archive differs", async (t) => {
    const { home, say, paths } = await shop(t);
    const url = await publisher(t, join(home, "elsewhere"));
    const read = async (path: string) => Buffer.from(await (await fetch(url + path)).arrayBuffer());
    const digit = (text: string) =>
      text.replace(
        /(sha256:)([0-9a-f])/g,
        (_, head: string, one: string) => head + (one === "0" ? "1" : "0"),
      );
    const forged = await server(t, async (path) =>
      path.endsWith(".zip") ? read(path) : Buffer.from(digit((await read(path)).toString())),
    );
    const changed = await server(t, async (path) =>
      path.endsWith(".zip") ? Buffer.concat([await read(path), Buffer.from("\0")]) : read(path),
    );
    for (const address of [`${forged}/#pdf`, `${changed}/#pdf`]) {
      const { status, err } = await say("add", address, "--yes");
      assert.deepEqual([status, /pdf in its index has a different SHA-256/.test(err)], [65, true], err);
    }
    assert.deepEqual(await paths(), []);
  });
});

test("an index may name a single SKILL.md, or a skill with code, as zip or tar", async (t) => {
  const { say, skill, ran } = await shop(t);
  const entries = await entriesOf(await skill("greeting"), "greeting");
  const files = Object.fromEntries(
    entries.map(({ path, body = "" }) => [path.replace("greeting/", ""), body]),
  );
  for (const [type, name, bytes] of [
    ["skill-md", "pdf", Buffer.from(DOCUMENT)],
    ["archive", "greeting", zip(files)],
    ["archive", "greeting", tarball(await entriesOf(await skill("greeting"), "greeting"))],
  ] as const) {
    const skills = [{ name, type, url: "one", digest: digestOf(bytes) }];
    const url = await server(t, (path) =>
      path === INDEX ? Buffer.from(JSON.stringify({ $schema: SCHEMA, skills })) : bytes,
    );
    const { out, err } = await say("add", url, "--yes");
    assert.match(out, / is installed and trusted\.\n/, err);
    assert.equal(ran(), false);
    assert.equal((await say("remove", name, "--yes")).status, 0);
  }
});

type Index = Readonly<Record<string, unknown>>;
const sound = zip({ "SKILL.md": DOCUMENT });
const entry = { name: "pdf", type: "archive", url: "/pdf.zip", digest: digestOf(sound) };
const one = (change: Index): Index => ({ $schema: SCHEMA, skills: [{ ...entry, ...change }] });
const archive = (bytes: Buffer): readonly [Index, Buffer] => [one({ digest: digestOf(bytes) }), bytes];
/** An archive whose entry states a wrong size of its content. */
const liar = (() => {
  const bytes = zip({ "SKILL.md": DOCUMENT.repeat(100) });
  const central = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  bytes.writeUInt32LE(60_000_000, central + 24);
  return bytes;
})();
const twice = Buffer.from(
  zip({ "SKILL.md": DOCUMENT, "SKILL.m_": "evil" }).toString("latin1").replaceAll("SKILL.m_", "SKILL.md"),
  "latin1",
);

describe("an index or its archive is refused, and nothing is written:", () => {
  const ROWS: readonly (readonly [string, RegExp, Index, Buffer?])[] = [
    ["an unknown form", /neither Agent Skills Discovery/, { ...one({}), $schema: "urn:other" }],
    ["no index", /neither Agent Skills Discovery/, {}],
    ["no skills", /its index has no skill\./, { $schema: SCHEMA, skills: [] }],
    ["an unknown type", /its index has no skill\./, one({ type: "script" })],
    ["no digest", /has no SHA-256/, one({ digest: undefined })],
    ["no address", /has no address/, one({ url: 5 })],
    ["an address without TLS", /without TLS, http:\/\/example\.com/, one({ url: "http://example.com/a" })],
    ["a file of this machine", /without TLS, file:\/\/\/etc\/passwd/, one({ url: "file:///etc/passwd" })],
    ["a name that differs from its SKILL.md", /SKILL\.md:2: .* not the name/, one({ name: "png" })],
    ["a name that leads out of the folder", /SKILL\.md:2: /, one({ name: "../pdf" })],
    ["no SKILL.md", /has no skill\.json/, ...archive(zip({ "README.md": "Hi." }))],
    ["a broken SKILL.md", /SKILL\.md:1: /, ...archive(zip({ "SKILL.md": "Hi." }))],
    [
      "a path that leads out of the folder",
      /leads out/,
      ...archive(zip({ "SKILL.md": DOCUMENT, "../evil": "x" })),
    ],
    [
      "a name in two cases",
      /the same name on some/,
      ...archive(zip({ "SKILL.md": DOCUMENT, "skill.MD": "x" })),
    ],
    ["a name twice", /twice/, ...archive(twice)],
    ["a size beyond the limit", /files have over 52428800 bytes/, ...archive(liar)],
    ["half a zip", /its archive cannot be read/, ...archive(sound.subarray(0, 60))],
  ];
  for (const [what, reason, index, bytes = sound] of ROWS)
    test(what, async (t) => {
      const { say, paths } = await shop(t);
      const url = await server(t, (path) => (path === INDEX ? Buffer.from(JSON.stringify(index)) : bytes));
      const { status, err } = await say("add", url, "--yes");
      assert.deepEqual([status, reason.test(err)], [65, true], err);
      assert.deepEqual(await paths(), []);
    });
});
