/** The documents by which clients find a server and its skills. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { unzipSync } from "fflate";
import { createHost, serveHttp } from "skillctl/host";
import { ROOT, SKILLS } from "../../../../contract-tests/harness.ts";

interface Index {
  readonly skills: readonly { readonly name: string; readonly url: string; readonly digest: string }[];
}
interface Catalog {
  readonly specVersion: string;
  readonly entries: readonly { readonly type: string; readonly url: string; readonly digest?: string }[];
}

test("a server with a key shows its card, its catalog and its skills to clients without the key", async (t) => {
  const host = await createHost({ skills: SKILLS });
  t.after(() => host.close());
  const { url, close } = await serveHttp(host, { key: "a-key-of-a-test-server" });
  t.after(() => close());
  const read = async <Body>(path: string, type: string): Promise<Body> => {
    const response = await fetch(new URL(path, url));
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get("content-type")?.split(";")[0], type);
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    return (await response.json()) as Body;
  };
  const { skills } = await read<Index>("/.well-known/agent-skills/index.json", "application/json");
  assert.deepEqual(skills.map(({ name }) => name).sort(), SKILLS.map(({ manifest }) => manifest.name).sort());
  for (const { name, url: address, digest } of skills) {
    const bytes = new Uint8Array(await (await fetch(new URL(address, url))).arrayBuffer());
    assert.equal(digest, `sha256:${createHash("sha256").update(bytes).digest("hex")}`);
    const files = unzipSync(bytes);
    assert.deepEqual(
      Buffer.from(files["SKILL.md"] ?? ""),
      readFileSync(join(ROOT, "skills", name, "SKILL.md")),
    );
    assert.deepEqual(
      Object.keys(files).filter((path) => !/^(?:SKILL\.md$|(?:assets|references|scripts)\/)/.test(path)),
      [],
    );
  }
  const { specVersion, entries } = await read<Catalog>(
    "/.well-known/ai-catalog.json",
    "application/ai-catalog+json",
  );
  assert.equal(specVersion, "1.0");
  assert.deepEqual(
    entries.slice(1).map((one) => one.digest),
    skills.map(({ digest }) => digest),
  );
  const [entry] = entries;
  assert.deepEqual([entry?.type, entry?.url], ["application/mcp-server-card+json", `${url}/mcp/server-card`]);
  const card = await read<{ readonly name: string; readonly remotes: readonly { readonly url: string }[] }>(
    entry?.url ?? "",
    "application/mcp-server-card+json",
  );
  assert.match(card.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.deepEqual(
    card.remotes.map((one) => one.url),
    [`${url}/mcp`],
  );
  assert.equal((await fetch(new URL("/openapi.json", url))).status, 401);
  const foreign = { headers: { origin: "https://elsewhere.example" } };
  assert.equal((await fetch(new URL("/.well-known/ai-catalog.json", url), foreign)).status, 403);
});
