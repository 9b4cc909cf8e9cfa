/** The doctor of a debug session: it names the first link that is broken, and shows no key. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { SkillError } from "skillctl";
import { sayInProcess } from "../../../contract-tests/command-line.ts";
import { listening } from "../../../contract-tests/browser.ts";
import type { DoctorOutput } from "../contract.ts";
import { ask } from "./client.ts";
import { ID, walkedTo } from "./doors-walk.ts";
import { debugHost, serving, type DebugHost } from "./serving.ts";

/** Its output; for a broken path the output is in the error, which repeats its first broken link. */
async function examined(host: DebugHost, input: object = {}): Promise<DoctorOutput> {
  const asked = { skill: "runtime-debug", command: "doctor", input: { session: "login-timeout", ...input } };
  try {
    return (await host.run(asked)) as DoctorOutput;
  } catch (caught) {
    assert.ok(caught instanceof SkillError && caught.code === "DEBUG_LINK_BROKEN", String(caught));
    const output = caught.result as DoctorOutput;
    const broken = output.links.find(({ ok }) => !ok);
    assert.ok(broken && caught.message.endsWith(broken.sentence), caught.message);
    assert.equal(caught.hint, broken.hint);
    return output;
  }
}

/** The first broken link with its sentence and hint; empty without a broken link. */
async function brokenIn(host: DebugHost, input: object = {}): Promise<string> {
  const { ok, links } = await examined(host, input);
  const broken = links.find((link) => !link.ok);
  assert.equal(ok, broken === undefined);
  return broken ? `${broken.link}: ${broken.sentence} | ${broken.hint}` : "";
}

describe("the doctor", () => {
  test("tests the whole path of an event, and shows no key of the server", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host, { requireKey: true });
    const { links, text } = await examined(host);
    const names = links.map(({ link }) => link).join(", ");
    assert.equal(names, "environment file, port, server, storage, event, log", text);
    assert.match(text, /An event arrives\. .*--sync are reliable\.$/);
    const [, key = "no key"] = /\?(.+)$/.exec(info.api_url) ?? [];
    assert.ok(!text.includes(key), text);
    const page = await brokenIn(host, { origin: "https://app.example" });
    assert.match(page, /^preflight: Browsers block pages of https:\/\/app\.example/);
    assert.match(
      await brokenIn(host, { url: info.api_url.replace(key, "old") }),
      /^event: .*\(401, forbidden_key\).* \| The program has an old address/,
    );
  });

  test("names a missing file, a server that has ended, and one of another session", async (t) => {
    const host = await debugHost(t);
    assert.match(await brokenIn(host), /^environment file: There is no /);
    const { stop, info } = await serving(host);
    await stop();
    assert.match(await brokenIn(host), /^port: Nothing listens at /);
    const other = await serving(host, { session: "cart-total" });
    const url = other.info.api_url;
    assert.match(
      await brokenIn(host, { url }),
      /^server: The server there collects for cart-total, not for login-timeout\. /,
    );
    await writeFile(info.env_file, `DEBUG_SERVER_URL=${url}\nDEBUG_SESSION_ID=cart-total\n`);
    assert.match(await brokenIn(host), /^environment file: .* names the session cart-total\. /);
  });

  test("in a folder below the project finds its environment file, and says how to serve there again", async (t) => {
    const host = await debugHost(t);
    const { info, stop } = await serving(host);
    const below = join(host.environment.workingFolder, "src", "cart");
    await mkdir(below, { recursive: true });
    const variables = { SKILLCTL_STATE: host.environment.stateFolder };
    const words = ["run", "runtime-debug", "doctor", "login-timeout"];
    const doctor = () => sayInProcess(words, below, { variables });
    const { status, out } = await doctor();
    assert.equal(status, 0, out);
    assert.match(out, new RegExp(`^ok +environment file: ${info.env_file} names ${info.api_url}\\.$`, "m"));
    assert.ok(out.includes(`${info.log_file} contains it.`), out);
    await stop();
    const { status: broken, err } = await doctor();
    assert.equal(broken, 69);
    assert.ok(err.includes(`serve login-timeout --detach --outdir ${info.log_dir}`), err);
  });

  test("reports whether a program can be observed, also before a server runs", async (t) => {
    const host = await debugHost(t);
    const nobody =
      /^It cannot be observed: Process 4194303 does not exist\..* Set probes in its code instead\.\n\n/;
    const { ok, text } = await examined(host, { pid: 4_194_303 });
    assert.equal(ok, false);
    assert.match(text, nobody);
    await serving(host);
    assert.match((await examined(host, { pid: 4_194_303 })).text, nobody);
    if (process.platform !== "linux") return;
    const own = `Process ${process.pid} can be observed: it is a Node program of yours.\n\n`;
    const seen = await examined(host, { pid: process.pid });
    assert.ok(seen.text.startsWith(own), seen.text);
  });

  test("does not accept a response to an event that is in no log", async (t) => {
    const host = await debugHost(t);
    const server = await listening((request, response) => {
      request.resume();
      const health = { ok: true, instance: "x", session_id: "login-timeout", pid: 1 };
      response.end(request.url === "/health" ? JSON.stringify(health) : "ok");
    });
    t.after(server.close);
    const url = `http://127.0.0.1:${server.port}/event`;
    assert.match(await brokenIn(host, { url }), /^log: There is no /);
  });

  test("sends nothing to an address that came with a folder, in its environment file or next to it", async (t) => {
    const host = await debugHost(t);
    const asked: string[] = [];
    const server = await listening((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const health = { ok: true, instance: "theirs", session_id: "login-timeout", pid: 1 };
      response.end(JSON.stringify(health));
    });
    t.after(server.close);
    const url = `http://127.0.0.1:${server.port}`;
    const folder = join(host.environment.workingFolder, ".dbg");
    await mkdir(folder);
    const text = `DEBUG_SERVER_URL=${url}/event\nDEBUG_SESSION_ID=login-timeout\n`;
    const record = {
      session: "login-timeout",
      pid: 1,
      instance: "theirs",
      host: "127.0.0.1",
      port: server.port,
    };
    const more = { url, eventUrl: `${url}/event`, allowHosts: [], run: "pre-fix" };
    await writeFile(join(folder, "login-timeout.env"), text);
    await writeFile(join(folder, "login-timeout.server.json"), JSON.stringify({ ...record, ...more }));
    const broken = await brokenIn(host);
    assert.match(
      broken,
      /^address: The file names http:\/\/127\.0\.0\.1:\d+\/event, where no server of yours/,
    );
    assert.match(broken, /\| To query it anyway, pass it with --url\. Start the server again/);
    assert.deepEqual(asked, []);
    await brokenIn(host, { url: `${url}/event` });
    assert.deepEqual(asked, ["GET /health", "POST /event"]);
  });

  test("names the running server for a program with an old address", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host);
    const use = `The server of login-timeout answers at ${info.base_url}: use that address.`;
    const free = await debugHost(t);
    const other = await serving(free, { session: "cart-total" });
    const { base_url: gone } = other.info;
    const elsewhere = await brokenIn(host, { url: other.info.api_url });
    assert.ok(elsewhere.startsWith("server: ") && elsewhere.endsWith(use), elsewhere);
    await other.stop();
    await writeFile(info.env_file, `DEBUG_SERVER_URL=${gone}/event\nDEBUG_SESSION_ID=login-timeout\n`);
    assert.match(await brokenIn(host), /^address: .* no server of yours has answered .* \| /);
    assert.equal(
      await brokenIn(host, { url: `${gone}/event` }),
      `port: Nothing listens at ${gone}. | ${use}`,
    );
    const { ok, links } = await examined(host, { url: info.api_url });
    assert.equal(ok, true);
    assert.deepEqual(
      links.slice(0, 2).map(({ link, sentence }) => [link, sentence.includes(info.env_file)]),
      [
        ["environment file", true],
        ["address", false],
      ],
    );
  });

  test("explains why an address or an origin does not work", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host, { allowOrigin: ["https://app.example"] });
    const { port } = new URL(info.base_url);
    const at = (url: string): Promise<string> => brokenIn(host, { url });
    assert.match(await at(`https://127.0.0.1:${port}/event`), /^port: .* \| The server speaks plain HTTP/);
    assert.match(await at(`http://127.0.0.1:${port}/nope`), /^event: .*404, not_found.* ends in \/event/);
    assert.match(await at("127.0.0.1:7777"), /^address: .* \| Use one such as http:/);
    const stranger = await listening((_, response) => void response.end("<html>"));
    t.after(stranger.close);
    assert.match(
      await at(`http://127.0.0.1:${stranger.port}/event`),
      /^server: The server there is not a debug server/,
    );
    const from = (origin: string): Promise<string> => brokenIn(host, { origin });
    assert.match(await from("http://localhost:3000/cart"), /^page: .* \| An origin looks like /);
    assert.equal(await from("https://app.example"), "");
  });

  test("reads the content security policies of a page, and says by which directive it cannot send", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host);
    const { origin, port: at } = new URL(info.base_url);
    const served = { policy: "", html: "<p>", location: "" };
    const server = await listening((_, response) => {
      if (served.policy !== "") response.setHeader("content-security-policy", served.policy);
      if (served.location !== "") response.setHeader("location", served.location);
      response.end(served.html);
    });
    t.after(server.close);
    const page = `http://127.0.0.1:${server.port}/cart`;
    const meta = (text: string): string => `<meta content="${text}" http-equiv="Content-Security-Policy"><p>`;
    const letting = [
      "",
      "img-src 'none'",
      "connect-src *",
      `default-src 'none'; connect-src 'self' ${origin}`,
      `connect-src http:, default-src http://127.0.0.1:*`,
      `connect-src 127.0.0.1:${at}/event`,
    ];
    const forbidding = [
      "default-src 'self'",
      "connect-src",
      `connect-src 'none'; default-src *`,
      `connect-src *, connect-src https:`,
      `connect-src http://127.0.0.1 *.example`,
      `connect-src ${origin}/other/`,
    ];
    for (const policy of letting) {
      Object.assign(served, { policy, html: policy === "" ? "<p>" : meta(policy) });
      assert.equal(await brokenIn(host, { page }), "", policy);
    }
    for (const policy of forbidding) {
      for (const [header, html] of [
        [policy, "<p>"],
        ["", meta(policy)],
      ]) {
        Object.assign(served, { policy: header, html });
        const broken = await brokenIn(host, { page });
        if (header === "" && policy.includes(",")) continue;
        assert.match(broken, /^policy: The content security policy .* forbids it: /, policy);
        assert.ok(broken.includes(`Add ${origin} to its connect-src`), broken);
      }
    }
    Object.assign(served, { policy: "", location: "/login" });
    assert.ok((await brokenIn(host, { page })).endsWith(`Name it: --page ${new URL("/login", page).href}`));
    await server.close();
    assert.match(await brokenIn(host, { page }), /^page: The page does not answer: /);
  });

  test("says that browsers and Node send nothing to a blocked port", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host, { port: 6_669 });
    assert.equal(new URL(info.base_url).port, "6669");
    assert.match(await brokenIn(host), /^port: The Fetch standard blocks the port .* --detach --port 7777$/);
  });

  test("names a build without the probes of its source until the next build", async (t) => {
    const { run, root, fails, url } = await walkedTo(t, "instrumenting", {
      "src/a.ts": "let a = 1;\na += 1;\n",
    });
    await mkdir(join(root, "dist"));
    const build = (text: string) => writeFile(join(root, "dist", "a.js"), text);
    await build("let a = 1;\na += 1;\n");
    await writeFile(
      join(root, "dist", "a.js.map"),
      JSON.stringify({ sources: ["../src/a.ts"], mappings: "" }),
    );
    await run("doctor", { session: ID });
    await run("probe", { hypothesis: "A", point: "sum", data: ["a"], apply: "src/a.ts:2" });
    const { message, hint } = await fails("doctor", { session: ID });
    assert.match(message, /dist\/a\.js was built from src\/a\.ts without its probe A:sum\.$/);
    assert.equal(hint, "Build again: dist/");
    await build('let a = 1; f("[DEBUG] sum"); a += 1;');
    await run("doctor", { session: ID });
    await build("let a = 1;");
    await ask(url, { method: "POST", path: "/event", body: '{"msg":"[DEBUG] sum","hypothesisId":"A"}' });
    await run("doctor", { session: ID });
  });

  test("lists the addresses of the running server, those for containers and emulators only with --remote", async (t) => {
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
