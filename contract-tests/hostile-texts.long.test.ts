/** Long untrusted texts that repeat one unit, entered at each door: none takes more than two seconds of processor time. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { own } from "../plugins/music-gateway/tests/doors-harness.ts";
import { atDesk, type Desk } from "../plugins/music-analysis/tests/program.ts";
import { withMusic } from "../plugins/music-analysis/tests/host.ts";
import { ask } from "../plugins/runtime-debug/tests/client.ts";
import { debugHost, serving } from "../plugins/runtime-debug/tests/serving.ts";
import { program } from "./command-line.ts";
import { processorSeconds } from "./harness.ts";
import { FakeService, answered, refused } from "./fake-service.ts";

const MIB = 1_048_576;
const MOST_SECONDS = 2;
/** The units that hostile texts repeat. */
const UNITS = [
  ..."\n| |a|<|[|(|\"|'|`|7|\\|*|_|-|#|\u0301|\u200b|\u0000|《|“|: |, ".split("|"),
  "|",
  "\r\n",
  " \n",
  "eyJ",
  "<!--",
  "<script ",
  "![a](",
  "````a",
  "7,777",
  "播放7",
  "id ",
  "《a》 id ",
  "歌曲",
  "suno",
  "%25",
  "&#1",
  "\u2028 ",
  "|-",
  ":1",
  "canary-token-",
];
const QUESTION = "最近30天我的播放量怎么样？";

/** Some of the units, different ones in each run. */
function someUnits(count: number): readonly string[] {
  const options = { minLength: count, maxLength: count };
  return fc.sample(fc.shuffledSubarray(UNITS, options), 1).flat();
}

/** A text of that many bytes in JSON. */
function filled(unit: string, bytes: number): string {
  return unit.repeat(Math.floor(bytes / Buffer.byteLength(JSON.stringify(unit).slice(1, -1))));
}

/** The processor time in seconds that an action takes, whether it succeeds or fails. */
async function secondsOf(action: () => Promise<unknown>): Promise<number> {
  return processorSeconds(() => action().catch(() => undefined));
}

/** The shortest of three times counts, since other programs slow the processor down. */
async function isQuick(about: string, action: () => Promise<unknown>): Promise<void> {
  let seconds = Infinity;
  for (let time = 0; time < 3 && seconds >= MOST_SECONDS; time += 1)
    seconds = Math.min(seconds, await secondsOf(action));
  assert.ok(seconds < MOST_SECONDS, `${about}: ${seconds} s`);
}

describe("a reply of the music service", () => {
  const head = "| 歌曲名 | songId | 播放量 |\n|---|---|---|\n";
  for (const unit of someUnits(2))
    test(`that repeats ${JSON.stringify(unit)} is read quickly`, async () => {
      const text = filled(unit, 7.9 * MIB);
      const replies = {
        content: answered(text),
        table: answered(`${head}| ${text} | 7 | 9 |`),
        title: answered(`《${text}》id 7\n《a》${text}\u0001`),
        message: refused("INVALID_PARAM", text),
        "content type": {
          headers: { "content-type": text.replaceAll(/[^ -~]/g, "").slice(0, 8000) },
          body: "{}",
        },
        "no JSON": { body: text },
      };
      for (const [name, reply] of Object.entries(replies))
        await withMusic([reply], async ({ ask: asked, chatSync, host }) => {
          await isQuick(`ask, ${name}`, () => asked(QUESTION));
          await isQuick(`chat-sync, ${name}`, () => chatSync({ userMessage: QUESTION }));
          const refresh = { skill: "music-analysis", command: "songs", input: { refresh: true } };
          await isQuick(`songs, ${name}`, () => host.run(refresh));
        });
    });

  test("that is nested a million levels deep is reported as broken", () =>
    withMusic([{ body: `{"code":0,"data":${"[".repeat(1e6)}${"]".repeat(1e6)}}` }], async ({ chatSync }) => {
      const broken = { code: "MUSIC_REPLY_BROKEN", message: /more than 100 levels/ };
      await isQuick("levels", () => assert.rejects(chatSync({ userMessage: "x" }), broken));
    }));

  test("with 300,000 line ends does not keep the server that asked from answering and ending", async () => {
    const lineEnds = answered(`a${"\n".repeat(300_000)}b`);
    await atDesk([lineEnds], async ({ folder, service }) => {
      const child = program(["serve", "--port", "0", "--no-key"], folder, {
        variables: { SVC_BASE_URL: service.url },
      });
      const [line] = (await once(child.stdout, "data")) as [Buffer];
      const url = `${line.toString().trim()}/v1/skills/music-analysis/commands/`;
      const body = JSON.stringify({ question: QUESTION });
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${url}ask`, { method: "POST", headers, body });
      assert.equal(response.status, 200);
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      assert.ok((await ended).length > 0);
    });
  });
});

describe("hostile input of a user or an agent is handled quickly", () => {
  test("as a question at the command line, in a conversation with an open choice", () =>
    atDesk([answered("| 歌曲名 | songId |\n|---|---|\n| 海盐 | 7 |\n| 海盐！ | 8 |\n")], async ({ say }) => {
      await say(["run", "music-analysis", "--conversation", "c", "分析《海盐？》"]);
      for (const unit of someUnits(8).filter((one) => one !== "\u0000"))
        for (const around of ["", "歌曲", "the song ", "《", "不要", "前者"]) {
          const question = `${around}${filled(unit, 3900)}`.slice(0, 3990);
          const words = ["run", "music-analysis", "--conversation", "c", `--question=${question}`];
          await isQuick(JSON.stringify([around, unit]), () => say(words));
        }
    }));

  test("as a question to the embedded service", async (t) => {
    const { run } = await own(t, {});
    for (const unit of someUnits(8))
      await isQuick(JSON.stringify(unit), () =>
        run("music-gateway", "explain", { question: filled(unit, 1900).slice(0, 1990) }),
      );
  });

  test("as the cache file of the token", () =>
    atDesk([answered("x")], async ({ folder, say }) => {
      for (const unit of someUnits(3)) {
        const text = filled(unit, 8 * MIB);
        for (const content of [text, JSON.stringify({ token: text, baseUrl: text }), `eyJ${text}.${text}`]) {
          await writeFile(join(folder, ".svc-login", "token.json"), content, { mode: 0o600 });
          for (const command of ["status", "check"])
            await isQuick(`${command} ${JSON.stringify(unit)}`, () => say(["run", "login-proxy", command]));
        }
      }
    }));

  test("as files to import: names, cells, lines and zip folders", async (t) => {
    for (const unit of someUnits(3)) {
      const text = filled(unit, MIB);
      const cell = `"${text.replaceAll('"', '""')}"`;
      const { run, host } = await own(t, {});
      const folder = host.environment.workingFolder;
      const table = `Content,Video title,Video publish time,Views\nab,${cell},2026-01-01,9\n`;
      await writeFile(join(folder, "a-timeline.csv"), `date,streams\n${text}\n2026-05-01,1\n`);
      await writeFile(join(folder, "Table data.csv"), table);
      await writeFile(join(folder, "none.csv"), filled(unit, 8 * MIB));
      const name = unit.replaceAll(/[\0/]/g, "_").repeat(Math.floor(20_000 / unit.length));
      const members = { [`${name}-timeline.csv`]: strToU8("date,streams\n2026-05-02,1\n") };
      await writeFile(join(folder, "x.zip"), zipSync(members));
      // DuckDB uses all processors.
      const seconds = await secondsOf(() => run("music-gateway", "import", { files: ["."] }));
      assert.ok(seconds < 4 * MOST_SECONDS, `${JSON.stringify(unit)}: ${seconds} s`);
      await isQuick(`question, ${JSON.stringify(unit)}`, () =>
        run("music-analysis", "ask", { question: QUESTION }),
      );
    }
  });
});

describe("hostile contents of a folder are handled quickly", () => {
  test("as settings, manifest and SKILL.md", () =>
    atDesk([], async ({ folder, say }) => {
      const skill = join(folder, "hostile");
      await mkdir(skill, { recursive: true });
      for (const unit of someUnits(3)) {
        const text = filled(unit, MIB);
        const files = {
          "SKILL.md": [
            `---\nname: hostile\ndescription: ${text}\n---\n${text}`,
            `---\n${text}: x\n---\n`,
            text,
          ],
          "skill.json": [JSON.stringify({ name: text, rules: { a: { tell: text } } }), text],
          "../skillctl.json": [JSON.stringify({ plugins: [text], rules: { a: { message: text } } }), text],
        };
        for (const [name, contents] of Object.entries(files))
          for (const content of contents) {
            await writeFile(join(skill, name), content);
            for (const words of [["validate", skill], ["prompt"], ["list"], ["trust", "--list"]])
              await isQuick(`${name}, ${words[0] ?? ""}, ${JSON.stringify(unit)}`, () => say(words));
          }
      }
    }));

  test("as the record and the environment file of a debug session", async (t) => {
    const host = await debugHost(t);
    const folder = host.environment.workingFolder;
    await mkdir(join(folder, ".dbg"), { recursive: true });
    for (const unit of someUnits(3)) {
      const text = filled(unit, 8 * MIB);
      await writeFile(join(folder, "debug-login-timeout.md"), `# [OPEN]\n${text}`);
      await writeFile(join(folder, ".dbg", "login-timeout.env"), `A=${text}\n${text}=1\n`);
      for (const command of ["status", "check"])
        await isQuick(`${command}, ${JSON.stringify(unit)}`, () =>
          host.run({ skill: "runtime-debug", command, input: {} }),
        );
    }
  });
});

test("a debug server stores, refuses and returns hostile events quickly", async (t) => {
  const host = await debugHost(t, { variables: { SVC_HEADER_TOKEN: "canary-token-5f2b9c+/=7e1" } });
  const { info } = await serving(host);
  for (const unit of someUnits(3)) {
    const text = filled(unit, 0.9 * MIB);
    const bodies = [
      JSON.stringify({ message: text, data: { [text.slice(0, 1000)]: 1 } }),
      text,
      `{"data":"${text}`,
    ];
    for (const body of bodies)
      await isQuick(`event, ${JSON.stringify(unit)}`, () => ask(info.base_url, { body }));
    await isQuick(`logs, ${JSON.stringify(unit)}`, () => ask(info.base_url, { path: "/logs?last=5" }));
  }
});

test("a login handles hostile replies of the login server quickly", () =>
  atDesk([], async ({ say }: Desk) => {
    for (const unit of someUnits(3)) {
      const text = filled(unit, 250_000);
      const bodies = [text, JSON.stringify({ issuer: text, error: text, error_description: text })];
      for (const body of bodies) {
        const server = await FakeService.start({ status: 400, body });
        const variables = { SVC_LOGIN_ISSUER: server.url, SVC_LOGIN_CLIENT_ID: "c" };
        const words = ["run", "login-proxy", "login", "--mode", "device"];
        await isQuick(JSON.stringify(unit), () => say(words, { variables }));
        await server.close();
      }
    }
  }));
