/** The `skills` program of the registry installs skills from a server, and refuses an archive that is not the one of the index. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { createHost, serveHttp } from "skillctl/host";
import { ROOT, SKILLS } from "../../../../contract-tests/harness.ts";
import { install, nodeOf } from "../../../../contract-tests/registry.ts";

const SKILL = "runtime-debug";
const INDEX = "/.well-known/agent-skills/index.json";

test("the skills CLI installs from a server", { timeout: 120_000 }, async (t) => {
  const installed = await install(t, [nodeOf(22), "skills@1.7.4"]);
  if (!installed) return;
  const { folder, run } = installed;
  const host = await createHost({ skills: SKILLS });
  t.after(() => host.close());
  const { url, close } = await serveHttp(host, { key: "a-key-of-a-test-server" });
  t.after(() => close());
  let change = (text: string): string => text;
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    const answered = await fetch(new URL(path, url));
    const bytes = Buffer.from(await answered.arrayBuffer());
    response.writeHead(answered.status, { "content-type": answered.headers.get("content-type") ?? "" });
    response.end(path === INDEX ? change(bytes.toString()) : bytes);
  };
  const proxy = createServer((request, response) => void answer(request.url ?? "/", response));
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  t.after(() => proxy.close().closeAllConnections());
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const add = () =>
    run("skills", ["add", address, "--skill", SKILL, "-a", "codex", "-y", "--copy"], {
      HOME: folder,
      DISABLE_TELEMETRY: "1",
    });
  const placed = join(folder, ".agents", "skills", SKILL);

  await t.test("refuses an archive if one digit of its digest is changed", async () => {
    change = (text) => {
      const index = JSON.parse(text) as { readonly skills: { readonly name: string; digest: string }[] };
      const skill = index.skills.find(({ name }) => name === SKILL);
      assert.ok(skill);
      skill.digest = skill.digest.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
      return JSON.stringify(index);
    };
    const { status, out, err } = await add();
    assert.equal(status, 1, out + err);
    assert.match(out, /No matching skills found for: runtime-debug/);
    assert.ok(!existsSync(placed));
  });

  await t.test("installs the documents of a skill as they are served", async () => {
    change = (text) => text;
    const { status, out, err } = await add();
    assert.equal(status, 0, out + err);
    for (const file of ["SKILL.md", join("references", "probes.md")])
      assert.deepEqual(
        await readFile(join(placed, file)),
        await readFile(join(ROOT, "skills", SKILL, file)),
        file,
      );
  });
});
