/** Instrumentation as it stands in public code, in the languages of this machine, against the debug server. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { ServeInput } from "../contract.ts";
import { listening } from "./browser-harness.ts";
import { debugHost, serving } from "./serving.ts";
import { needs } from "./faults/needs.ts";
import { assertStored } from "./languages/oracle.ts";
import { built, reported } from "./languages/programs.ts";
import { LANGUAGES, type Language } from "./languages/table.ts";

const SESSION = "login-timeout";
const [NODE, PHP] = ["node", "php"].map((word) => LANGUAGES.find(({ run }) => run[0] === word)) as [
  Language,
  Language,
];
const withPhp = { skip: needs("php") };

/** A folder for what is made of a program. */
async function workshop(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-languages-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A server, and the folder that a program is run in. */
async function stage(t: TestContext, input: Partial<ServeInput>) {
  const host = await debugHost(t);
  const { info } = await serving(host, { session: SESSION, ...input });
  const log = (): Promise<string> => readFile(info.log_file, "utf8");
  return { info, log, folder: host.environment.workingFolder, now: host.clock.now() };
}

/** That a program is refused with a status each time, and nothing of it is stored. */
async function assertRefused(
  t: TestContext,
  language: Language,
  out: string,
  input: Partial<ServeInput>,
  status: number,
  edited = (text: string): string => text,
): Promise<void> {
  const { info, log, folder } = await stage(t, input);
  await writeFile(info.env_file, edited(await readFile(info.env_file, "utf8")));
  assert.equal((await reported(language, folder, out)).out, statuses(language, status));
  assert.equal(await log(), "");
}

const statuses = ({ requests }: Language, status: number): string => `${status}\n`.repeat(requests);

async function assertReports(t: TestContext, language: Language, out: string, input: Partial<ServeInput>) {
  const { info, log, folder, now } = await stage(t, input);
  const { status, out: said, err } = await reported(language, folder, out);
  assert.deepEqual([status, said], [0, statuses(language, 200)], err);
  assertStored(await log(), language.sent, { session: SESSION, now });
  return info;
}

describe("a program with public instrumentation", () => {
  for (const language of LANGUAGES) {
    it(`in ${language.name} reports what it has to say`, { skip: needs(...language.tools) }, async (t) => {
      const out = await workshop(t);
      await built(language, out);
      await assertReports(t, language, out, {});
      await t.test("with the key in the address", async (t) => {
        const { api_url: address } = await assertReports(t, language, out, { requireKey: true });
        assert.match(address, /\/event\?[\w-]{20,}$/);
      });
      await t.test("at an address that other machines reach", async (t) => {
        if (language.hostless) await assertRefused(t, language, out, { remote: true }, 403);
        else await assertReports(t, language, out, { remote: true });
      });
    });
  }

  it("in PHP reads its environment file in a folder whose name holds an equals sign", withPhp, async (t) => {
    const place = "total=wrong";
    const { log, folder, now } = await stage(t, { outdir: join(place, ".dbg") });
    const { err } = await reported(PHP, join(folder, place), folder);
    assert.doesNotMatch(err, /syntax error/);
    assertStored(await log(), PHP.sent, { session: SESSION, now });
  });

  it("reports nothing where its environment file has lost the key", async (t) => {
    await assertRefused(t, NODE, await workshop(t), { requireKey: true }, 401, (text) =>
      text.replace(/\?.*/, ""),
    );
  });

  it("is seen to lose what a collector drops that knows six fields", async (t) => {
    const folder = await workshop(t);
    const bodies: string[] = [];
    const collector = await listening((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (part: string) => (body += part));
      request.once("end", () => response.end("ok", () => bodies.push(body)));
    });
    t.after(() => collector.close());
    await mkdir(join(folder, ".dbg"));
    const address = `DEBUG_SERVER_URL=http://127.0.0.1:${collector.port}/event\nDEBUG_SESSION_ID=${SESSION}\n`;
    await writeFile(join(folder, ".dbg", `${SESSION}.env`), address);
    assert.equal((await reported(NODE, folder, folder)).out, statuses(NODE, 200));
    const event = JSON.parse(bodies[0] ?? "") as Record<string, unknown>;
    const ours = { _seq: 1, _at: 0, _run: "pre-fix", _src: "event" };
    const check = (line: object): void =>
      assertStored(`${JSON.stringify(line)}\n`, NODE.sent.slice(0, 1), { session: SESSION, now: 0 });
    check({ ...event, ...ours });
    const { location: _, ...six } = event;
    assert.throws(() => check({ ...six, ...ours }), assert.AssertionError);
    assert.throws(() => check({ ...ours, ...event }), assert.AssertionError);
  });
});
