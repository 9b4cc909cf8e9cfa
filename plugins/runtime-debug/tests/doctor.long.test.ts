import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { SkillError } from "skillctl";
import type { DoctorInput, DoctorOutput } from "../contract.ts";
import { listening } from "./browser-harness.ts";
import { debugHost, serving, type DebugHost } from "./serving.ts";

/** Asks the doctor; of a broken way the output is in the error. */
async function examined(host: DebugHost, input: Partial<DoctorInput> = {}): Promise<DoctorOutput> {
  try {
    return (await host.run({
      skill: "runtime-debug",
      command: "doctor",
      input: { session: "login-timeout", ...input },
    })) as DoctorOutput;
  } catch (caught) {
    assert.ok(caught instanceof SkillError && caught.code === "DEBUG_LINK_BROKEN", String(caught));
    const output = caught.result as DoctorOutput;
    const broken = output.links.find(({ ok }) => !ok);
    assert.ok(broken && caught.message.includes(broken.sentence));
    assert.equal(caught.hint, broken.hint);
    return output;
  }
}

/** The first broken link with its sentence and hint. */
function brokenIn({ ok, links }: DoctorOutput): string {
  const broken = links.find((link) => !link.ok);
  assert.equal(ok, broken === undefined);
  return broken ? `${broken.link}: ${broken.sentence} | ${broken.hint}` : "";
}

describe("the doctor", () => {
  test("sends who has an old address to the server that runs", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host);
    const use = `The server of login-timeout answers at ${info.base_url}: use that address.`;
    const free = await debugHost(t);
    const other = await serving(free, { session: "cart-total" });
    const { base_url: gone } = other.info;
    const elsewhere = brokenIn(await examined(host, { url: other.info.api_url }));
    assert.ok(elsewhere.startsWith("server: ") && elsewhere.endsWith(use), elsewhere);
    await other.stop();
    await writeFile(info.env_file, `DEBUG_SERVER_URL=${gone}/event\nDEBUG_SESSION_ID=login-timeout\n`);
    assert.equal(brokenIn(await examined(host)), `port: Nobody listens at ${gone}. | ${use}`);
    const output = await examined(host, { url: info.api_url });
    assert.equal(brokenIn(output), "");
    assert.deepEqual(
      output.links.slice(0, 2).map(({ link, sentence }) => [link, sentence.includes(info.env_file)]),
      [
        ["environment file", true],
        ["address", false],
      ],
    );
  });

  test("says why an address or an origin does not do", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host, { allowOrigin: ["https://app.example"] });
    const { port } = new URL(info.base_url);
    const at = async (url: string): Promise<string> => brokenIn(await examined(host, { url }));
    assert.match(await at(`https://127.0.0.1:${port}/event`), /^port: .* \| The server speaks plain HTTP/);
    assert.match(await at(`http://127.0.0.1:${port}/nope`), /^event: .*404, not_found.* ends in \/event/);
    assert.match(await at("127.0.0.1:7777"), /^address: .* \| Give one such as http:/);
    const stranger = await listening((_, response) => void response.end("<html>"));
    t.after(stranger.close);
    assert.match(
      await at(`http://127.0.0.1:${stranger.port}/event`),
      /^server: What answers there is no debug server/,
    );
    const from = async (origin: string): Promise<string> => brokenIn(await examined(host, { origin }));
    assert.match(await from("http://localhost:3000/cart"), /^page: .* \| An origin looks like /);
    assert.equal(await from("https://app.example"), "");
  });

  test("says that a key is old, and shows none", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host, { requireKey: true });
    assert.equal(brokenIn(await examined(host)), "");
    const output = await examined(host);
    const { search } = new URL(info.api_url);
    assert.ok(search.length > 20 && !output.text.includes(search.slice(1)));
    const url = info.api_url.replace(search, "?old");
    assert.match(
      brokenIn(await examined(host, { url })),
      /^event: .*\(401, forbidden_key\).* \| The address in the program is an old one/,
    );
  });

  test("lists addresses of the server that runs, those of guests beyond this machine only with --remote", async (t) => {
    const local = await debugHost(t);
    await serving(local);
    const remote = await debugHost(t);
    const { info } = await serving(remote, { remote: true });
    const listening = ({ addresses }: DoctorOutput): readonly string[] =>
      addresses.filter(({ listens }) => listens).map(({ url }) => new URL(url).hostname);
    assert.deepEqual(listening(await examined(local)), ["127.0.0.1"]);
    const everywhere = await examined(remote);
    for (const name of ["127.0.0.1", "host.docker.internal", "10.0.2.2"])
      assert.ok(listening(everywhere).includes(name), name);
    const key = new URL(info.api_url).searchParams.get("k");
    for (const { url } of everywhere.addresses) assert.equal(new URL(url).searchParams.get("k"), key, url);
  });
});
