import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createSocketServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { SkillError } from "skillctl";
import type { DoctorInput, DoctorOutput } from "../plugins/runtime-debug/contract.ts";
import { debugHost, serving, type DebugHost } from "./debug-serving.ts";

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
  test("says that an event arrives only after it stands in the log", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host);
    const output = await examined(host);
    assert.equal(brokenIn(output), "");
    assert.deepEqual(
      output.links.map(({ link }) => link),
      ["environment file", "port", "server", "storage", "event", "log"],
    );
    const [stored = ""] = (await readFile(info.log_file, "utf8")).split("\n");
    const { location, _run } = JSON.parse(stored) as Readonly<Record<string, unknown>>;
    assert.deepEqual([location, _run], ["skillctl doctor", "doctor"]);
    assert.match(output.text, /An event arrives\.$/);
  });

  test("finds the environment file from a folder below, as probes do", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host, { outdir: join(host.environment.workingFolder, "..", ".dbg") });
    const output = await examined(host);
    assert.equal(brokenIn(output), "");
    assert.ok(output.links[0]?.sentence.includes(info.env_file));
  });

  test("names a missing environment file, and one of another session", async (t) => {
    const host = await debugHost(t);
    assert.match(
      brokenIn(await examined(host)),
      /^environment file: There is no .*serve login-timeout --detach/,
    );
    const folder = join(host.environment.workingFolder, ".dbg");
    await mkdir(folder);
    const path = join(folder, "login-timeout.env");
    await writeFile(path, "DEBUG_SERVER_URL=http://127.0.0.1:9/event\nDEBUG_SESSION_ID=cart-total\n");
    assert.match(brokenIn(await examined(host)), /^environment file: .* names the session cart-total\./);
    await writeFile(path, "DEBUG_SESSION_ID=login-timeout\n");
    assert.match(brokenIn(await examined(host)), /^environment file: .* names no address\./);
  });

  test("names a server that has ended, with why", async (t) => {
    const host = await debugHost(t);
    const { stop } = await serving(host);
    await stop();
    const output = await examined(host);
    assert.match(brokenIn(output), /^port: Nobody listens at .* \| The server has ended \(stopped\)/);
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
      /^server: Something else than a debug server/,
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

  test("says that browsers block a secure page from an address in the network, and a key that is old", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host, { requireKey: true });
    assert.equal(brokenIn(await examined(host)), "");
    const output = await examined(host);
    assert.ok(!output.text.includes(new URL(info.api_url).searchParams.get("k") as string));
    const url = info.api_url.replace(/k=.*/, "k=old");
    assert.match(
      brokenIn(await examined(host, { url })),
      /^event: .*\(401, forbidden_key\).* \| The address in the program is an old one/,
    );
  });

  test("lists who can use which address, and which the server takes events at", async (t) => {
    const local = await debugHost(t);
    await serving(local);
    const loopback = await examined(local);
    const remote = await debugHost(t);
    await serving(remote, { remote: true });
    const everywhere = await examined(remote);
    const listening = ({ addresses }: DoctorOutput): readonly string[] =>
      addresses.filter(({ listens }) => listens).map(({ url }) => new URL(url).hostname);
    assert.deepEqual(listening(loopback), ["127.0.0.1"]);
    for (const name of ["127.0.0.1", "host.docker.internal", "10.0.2.2"])
      assert.ok(listening(everywhere).includes(name), name);
    for (const { hint } of loopback.addresses.filter(({ listens }) => !listens))
      assert.match(hint ?? "", /--remote|--allow-host/);
  });
});
