import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { nodeFiles } from "../adapters/files.ts";
import { createHost } from "../host.ts";
import { SERVER, type Server } from "../ports/server.ts";
import type { HostedSkill } from "../skill.ts";
import { fixedClock } from "./fixed-clock.ts";
import { greetingFiles, greetingManifest, writeSkill } from "./fixture-greeting.ts";
import { scriptedHttp } from "./scripted-http.ts";
import { createTestHost } from "./test-host.ts";

const LEAKY = `
class Greet {
  static inject = [];
  async run() { return { text: "Hello." }; }
  async close() { throw new Error("stuck"); }
}
class Echo { async handle() { return { status: 200, body: { text: "a" } }; } }
export default { commands: { greet: Greet }, routes: { echo: Echo }, rules: {} };
`;

test("a folder of third-party skills that does not exist is refused", async () => {
  const plugins = [join(tmpdir(), "no-such-folder-of-skills")];
  await assert.rejects(createHost({ plugins }), { code: "FILE_UNREADABLE", file: plugins[0] });
});

describe("createTestHost", () => {
  test("runs a third-party skill in temporary folders and removes them at the end", async () => {
    await using place = await createTestHost();
    const plugin = await writeSkill(place.folder, "greeting", greetingFiles());
    const host = await createTestHost({ plugins: [plugin], variables: { NAME: "Ada" } });
    assert.deepEqual(await host.run({ skill: "greeting", command: "greet", input: { name: "Ada" } }), {
      text: "Hello Ada.",
    });
    assert.equal(host.environment.variable("NAME"), "Ada");
    assert.equal(host.environment.variable("HOME"), undefined);
    assert.ok(host.environment.home.startsWith(host.folder));
    assert.equal((await nodeFiles.facts(host.environment.stateFolder))?.kind, "folder");
    await host.close();
    assert.equal(await nodeFiles.facts(host.folder), undefined);
  });

  describe("refuses a request of another shape with a hint", () => {
    const EXAMPLE = 'For example: run({ skill: "greeting", command: "greet", input: { name: "Ada" } })';
    const rows: readonly (readonly [title: string, words: readonly unknown[], hint: string])[] = [
      ["nothing", [], EXAMPLE],
      ["null", [null], EXAMPLE],
      ["the name of the skill", ["greeting"], EXAMPLE],
      ["words", ["greeting", "greet", { name: "Ada" }], EXAMPLE],
      ["a list of words", [["greeting", "Ada"]], EXAMPLE],
      ["an empty object", [{}], EXAMPLE],
      ["a command that is not a string", [{ skill: "greeting", command: ["greet"] }], EXAMPLE],
      ["a misspelt command", [{ skill: "greeting", comand: "greet", input: {} }], "Did you mean command?"],
      ["a misspelt skill", [{ skil: "greeting" }], "Did you mean skill?"],
      [
        "an unknown key",
        [{ skill: "greeting", words: ["Ada"] }],
        "It has: skill, command, input, surface, signal, progress, announce, session, person, client, approve.",
      ],
    ];
    for (const [title, words, hint] of rows)
      test(title, async () => {
        await using host = await createTestHost();
        const run = host.run as (...words: readonly unknown[]) => Promise<unknown>;
        await assert.rejects(run(...words), { name: "SkillError", code: "USAGE", hint });
      });
    test("through a host of an embedder as well", async () => {
      await using host = await createTestHost();
      const run = (given: unknown) => host.host.run(given as Parameters<typeof host.run>[0]);
      for (const given of [undefined, null, "greeting", {}, { skill: 3 }])
        await assert.rejects(run(given), { name: "SkillError", code: "USAGE", hint: EXAMPLE });
    });
  });

  describe("refuses options that it does not have or that do not fit", () => {
    const rows: readonly (readonly [options: unknown, hint: RegExp])[] = [
      ["greeting", /^For example: createTestHost\(\{ plugins: \[/],
      [["greeting"], /^For example: createTestHost\(/],
      [null, /^For example: createTestHost\(/],
      [{ plugin: ["greeting"] }, /^Did you mean plugins\?$/],
      [{ timeout: 3 }, /^It has: skills, plugins, /],
      [{ plugins: "greeting" }, /^It is a list of folders, such as \[import\.meta\.dirname\]\.$/],
      [{ plugins: [3] }, /^It is a list of folders/],
      [{ skills: ["greeting"] }, /^It is a list of skills/],
      [{ config: [] }, /^It is an object by skill/],
      [{ variables: "NAME=Ada" }, /^It is an object of strings/],
      [{ now: "yesterday" }, /^It is a time, such as "2026-/],
    ];
    for (const [options, hint] of rows)
      test(JSON.stringify(options), async () => {
        const create = createTestHost as (options: unknown) => Promise<unknown>;
        await assert.rejects(create(options), { name: "SkillError", code: "USAGE", hint });
      });
  });

  test("serves over HTTP until it is closed", async () => {
    const host = await createTestHost();
    const { url } = await host.serve();
    assert.equal((await fetch(`${url}/health`)).status, 200);
    await host.close();
    await assert.rejects(fetch(`${url}/health`));
  });

  test("reports failures to close, and still removes its folder", async () => {
    await using place = await createTestHost();
    const plugin = await writeSkill(place.folder, "greeting", { ...greetingFiles(), "plugin.js": LEAKY });
    const host = await createTestHost({ plugins: [plugin] });
    await host.run({ skill: "greeting", command: "greet", input: { name: "Ada" } });
    await assert.rejects(host.close(), /Greet of greeting failed to close/);
    assert.equal(await nodeFiles.facts(host.folder), undefined);
  });

  test("reports a server that a skill left open, and closes it", async () => {
    await using place = await createTestHost();
    const folder = await writeSkill(place.folder, "greeting", greetingFiles());
    let url = "";
    class Greet {
      static readonly inject = [SERVER];
      readonly #server: Server;
      constructor(server: Server) {
        this.#server = server;
      }
      async run(): Promise<unknown> {
        ({ url } = await this.#server.open({ routes: ["echo"] }));
        return { text: "Hello." };
      }
    }
    class Echo {
      handle(): Promise<never> {
        throw new Error("never asked");
      }
    }
    const plugin = { commands: { greet: Greet }, routes: { echo: Echo }, rules: {} };
    const manifest = greetingManifest() as HostedSkill["manifest"];
    const load = () => Promise.resolve({ default: plugin });
    const host = await createTestHost({
      skills: [{ manifest, folder, schemas: `${folder}/schemas`, builtin: false, load }],
    });
    await host.run({ skill: "greeting", input: { name: "Ada" } });
    await assert.rejects(host.close(), new RegExp(`greeting left its server ${url} open`));
    await assert.rejects(fetch(url));
  });

  test("reports a request that is still in progress", async () => {
    let answer = (): void => undefined;
    const http = scriptedHttp(() => new Promise((resolve) => (answer = () => resolve({ status: 204 }))));
    const host = await createTestHost({ ports: { http } });
    const sent = host.host.ports.http.send({
      method: "GET",
      url: "http://example.org/secret",
      timeoutMs: 1000,
      maxBytes: 10,
    });
    await assert.rejects(
      host.close(),
      (error: Error) =>
        /GET request to http:\/\/example\.org is still/.test(error.message) &&
        !error.message.includes("secret"),
    );
    answer();
    assert.equal((await sent).status, 204);
  });
});

describe("ports for tests", () => {
  test("the clock stands still until it is moved", () => {
    const clock = fixedClock("2026-01-01T00:00:00Z");
    assert.equal(clock.now(), Date.UTC(2026, 0, 1));
    clock.advance(5);
    assert.deepEqual([clock.now() - Date.UTC(2026, 0, 1), clock.monotonicMs()], [5, 5]);
    clock.set(7);
    assert.deepEqual([clock.now(), clock.monotonicMs()], [7, 5]);
  });

  test("a scripted network records the requests, and an unanswered one is unreachable", async () => {
    const http = scriptedHttp(({ url }) => (url.endsWith("/a") ? { body: "{}" } : undefined));
    const ask = (path: string) =>
      http.send({ method: "GET", url: `http://x.test${path}`, timeoutMs: 1000, maxBytes: 10 });
    assert.equal((await ask("/a")).body, "{}");
    await assert.rejects(ask("/b"), { code: "NETWORK_UNREACHED" });
    assert.equal(http.requests.length, 2);
  });
});
