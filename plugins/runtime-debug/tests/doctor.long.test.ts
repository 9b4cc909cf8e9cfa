import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createSocketServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { SkillError } from "skillctl";
import type { DoctorInput, DoctorOutput } from "../contract.ts";
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
  test("finds the environment file from a folder below, as probes do", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host, { outdir: join(host.environment.workingFolder, "..", ".dbg") });
    const output = await examined(host);
    assert.equal(brokenIn(output), "");
    assert.ok(output.links[0]?.sentence.includes(info.env_file));
  });

  test("names a server that has ended, with why", async (t) => {
    const host = await debugHost(t);
    const { stop } = await serving(host);
    await stop();
    const output = await examined(host);
    assert.match(
      brokenIn(output),
      /^port: Nobody listens at .* \| The server has ended \(stopped\)\. .*serve login-timeout --detach/,
    );
    assert.deepEqual(output.addresses, []);
  });

  test("tells apart a stranger on the port, one that hangs up, and a server of another session", async (t) => {
    const host = await debugHost(t);
    const folder = join(host.environment.workingFolder, ".dbg");
    await mkdir(folder);
    const named = async (port: number): Promise<string> => {
      const text = `DEBUG_SERVER_URL=http://127.0.0.1:${port}/event\nDEBUG_SESSION_ID=login-timeout\n`;
      await writeFile(join(folder, "login-timeout.env"), text);
      return brokenIn(await examined(host));
    };
    const stranger = createServer((_, response) => response.end("<html>")).listen(0, "127.0.0.1");
    const rude = createSocketServer((socket) => socket.end("no http\n")).listen(0, "127.0.0.1");
    t.after(() => [stranger.close(), stranger.closeAllConnections(), rude.close()]);
    await Promise.all(
      [stranger, rude].map((server) => new Promise((resolve) => server.once("listening", resolve))),
    );
    assert.match(
      await named((stranger.address() as AddressInfo).port),
      /^server: What answers there is no debug server/,
    );
    assert.match(
      await named((rude.address() as AddressInfo).port),
      /^port: .* answers something else than HTTP/,
    );
    const other = await debugHost(t);
    const { info } = await serving(other, { session: "cart-total" });
    const port = Number(new URL(info.base_url).port);
    assert.match(
      await named(port),
      /^server: The server there collects for cart-total, not for login-timeout/,
    );
  });

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

  test("says why an address does not do: no such name, TLS, the network, a host that is not allowed, another path", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host);
    const { port } = new URL(info.base_url);
    const at = async (url: string): Promise<string> => brokenIn(await examined(host, { url }));
    assert.match(
      await at(`http://no-such-name.invalid:${port}/event`),
      /^port: The name no-such-name\.invalid is not known here\. \| Only containers may know it/,
    );
    assert.match(await at(`https://127.0.0.1:${port}/event`), /^port: .* \| The server speaks plain HTTP/);
    assert.match(await at(`http://127.0.0.1:${port}/nope`), /^event: .*404, not_found.* ends in \/event/);
    for (const url of ["127.0.0.1:7777", "ftp://x", "http://127.0.0.1:99999/event"])
      assert.match(await at(url), /^address: .* \| Give one such as http:/, url);
    const [network] = host.environment
      .addresses()
      .filter(({ family, loopback }) => family === 4 && !loopback);
    if (network) assert.match(await at(`http://${network.address}:${port}/event`), /^port: .* \| .*--remote/);
  });

  test("names a port that somebody holds and does not answer at", async (t) => {
    const host = await debugHost(t);
    const { info, stop } = await serving(host);
    await stop();
    const hanging = createSocketServer(() => undefined);
    t.after(() => hanging.close());
    const port = Number(new URL(info.base_url).port);
    await new Promise<void>((resolve) => hanging.listen(port, "127.0.0.1", () => resolve()));
    assert.match(
      brokenIn(await examined(host)),
      /^port: .* something that hangs holds the port\. \| End what/,
    );
  });

  test("says of an origin that no browser sends what it should be", async (t) => {
    const host = await debugHost(t);
    await serving(host);
    const from = async (origin: string): Promise<string> => brokenIn(await examined(host, { origin }));
    assert.match(await from("null"), /^page: .*have no origin.* \| Serve the page from this machine/);
    assert.match(await from("http://localhost:3000/cart"), /^page: .* \| Ask for http:\/\/localhost:3000\.$/);
    assert.match(await from("app.example"), /^page: .* \| An origin looks like /);
  });

  test("says what a page of a foreign origin needs, and that an allowed one arrives", async (t) => {
    const host = await debugHost(t);
    const { stop } = await serving(host);
    const refused = brokenIn(await examined(host, { origin: "http://app.example" }));
    assert.match(refused, /^preflight: .* \| Start the server with --allow-origin http:\/\/app\.example$/);
    assert.equal(brokenIn(await examined(host, { origin: "http://localhost:3000" })), "");
    await stop();
    await serving(host, { allowOrigin: ["https://app.example"] });
    const output = await examined(host, { origin: "https://app.example" });
    assert.equal(brokenIn(output), "");
    assert.match(output.links.find(({ link }) => link === "page")?.hint ?? "", /Chrome/);
    assert.match(output.links.find(({ link }) => link === "preflight")?.hint ?? "", /connect-src/);
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
