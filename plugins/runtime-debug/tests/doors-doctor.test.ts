/** The doctor of a debug session: it names the first link that is broken, and shows no key. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { SkillError } from "skillctl";
import { sayInProcess } from "../../../contract-tests/command-line.ts";
import { listening } from "./browser-harness.ts";
import { debugHost, serving, type DebugHost } from "./serving.ts";

interface DoctorResult {
  readonly links: readonly { readonly link: string; readonly ok: boolean; readonly sentence: string }[];
  readonly text: string;
}

/** The links in order, the broken one with its sentence. */
async function examined(host: DebugHost, input: object = {}): Promise<readonly [string, string]> {
  const asked = { skill: "runtime-debug", command: "doctor", input: { session: "login-timeout", ...input } };
  try {
    const { links, text } = (await host.run(asked)) as DoctorResult;
    return [links.map(({ link }) => link).join(", "), text];
  } catch (caught) {
    assert.ok(caught instanceof SkillError && caught.code === "DEBUG_LINK_BROKEN", String(caught));
    const { links, text } = caught.result as DoctorResult;
    const broken = links.find(({ ok }) => !ok);
    assert.ok(broken && caught.message.endsWith(broken.sentence) && caught.hint !== undefined);
    return [`${broken.link}: ${broken.sentence}`, text];
  }
}

describe("the doctor", () => {
  test("goes the whole way of an event, and shows no key of the server", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host, { requireKey: true });
    const [links, text] = await examined(host);
    assert.equal(links, "environment file, port, server, storage, event, log");
    assert.match(text, /An event arrives\. .*--sync are sure to\.$/);
    const [, key = "no key"] = /\?(.+)$/.exec(info.api_url) ?? [];
    assert.ok(!text.includes(key));
    const page = await examined(host, { origin: "https://app.example" });
    assert.match(page[0], /^preflight: A browser stops pages of https:\/\/app\.example/);
  });

  test("names a missing file, a server that has ended, and one of another session", async (t) => {
    const host = await debugHost(t);
    assert.match((await examined(host))[0], /^environment file: There is no /);
    const { stop, info } = await serving(host);
    await stop();
    assert.match((await examined(host))[0], /^port: Nobody listens at /);
    const other = await serving(host, { session: "cart-total" });
    const url = other.info.api_url;
    assert.match(
      (await examined(host, { url }))[0],
      /^server: The server there collects for cart-total, not for login-timeout\.$/,
    );
    await writeFile(info.env_file, `DEBUG_SERVER_URL=${url}\nDEBUG_SESSION_ID=cart-total\n`);
    assert.match((await examined(host))[0], /^environment file: .* names the session cart-total\.$/);
  });

  test("in a folder below the project finds its environment file, and says how to serve there again", async (t) => {
    const host = await debugHost(t);
    const { info, stop } = await serving(host);
    const below = join(host.environment.workingFolder, "src", "cart");
    await mkdir(below, { recursive: true });
    const doctor = () => sayInProcess(["run", "runtime-debug", "doctor", "login-timeout"], below);
    const { status, out } = await doctor();
    assert.equal(status, 0, out);
    assert.match(out, new RegExp(`^ok +environment file: ${info.env_file} names ${info.api_url}\\.$`, "m"));
    assert.ok(out.includes(`It stands in ${info.log_file}.`), out);
    await stop();
    const { status: broken, err } = await doctor();
    assert.equal(broken, 69);
    assert.ok(err.includes(`serve login-timeout --detach --outdir ${info.log_dir}`), err);
  });

  test("tells whether a program can be observed, before a server is there too", async (t) => {
    const host = await debugHost(t);
    const nobody =
      /^It cannot be observed: Process 4194303 is not there\..* Set probes in its code instead\.\n\n/;
    const [broken, text] = await examined(host, { pid: 4_194_303 });
    assert.match(broken, /^environment file: There is no /);
    assert.match(text, nobody);
    await serving(host);
    assert.match((await examined(host, { pid: 4_194_303 }))[1], nobody);
    if (process.platform !== "linux") return;
    const own = `Process ${process.pid} can be observed: it is a Node program of yours.\n\n`;
    assert.ok((await examined(host, { pid: process.pid }))[1].startsWith(own));
  });

  test("does not take an answer for an event that stands in no log", async (t) => {
    const host = await debugHost(t);
    const server = await listening((request, response) => {
      request.resume();
      const health = { ok: true, instance: "x", session_id: "login-timeout", pid: 1 };
      response.end(request.url === "/health" ? JSON.stringify(health) : "ok");
    });
    t.after(server.close);
    const folder = join(host.environment.workingFolder, ".dbg");
    await mkdir(folder);
    const text = `DEBUG_SERVER_URL=http://127.0.0.1:${server.port}/event\nDEBUG_SESSION_ID=login-timeout\n`;
    await writeFile(join(folder, "login-timeout.env"), text);
    assert.match((await examined(host))[0], /^log: There is no /);
  });
});
