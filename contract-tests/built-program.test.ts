/** The program as it is shipped: every verb of bin/skillctl.cjs, each in a separate process. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  symlink,
  writeFile,
  utimes,
} from "node:fs/promises";
import * as nodeModule from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { greetingFiles, greetingManifest, writeSkill } from "../core/testing/fixture-greeting.ts";
import { VERSION } from "../core/version.ts";
import {
  BUILT,
  program,
  sayInProcessOfItsOwn,
  variablesOf,
  type ProgramOptions,
  type ProgramResult,
} from "./command-line.ts";
import { FakeService, answered } from "./fake-service.ts";
import { ROOT } from "./harness.ts";

const folder = await mkdtemp(join(tmpdir(), "skillctl-built-"));
after(() => rm(folder, { recursive: true, force: true }));

const say = (
  words: readonly string[],
  place = folder,
  options: ProgramOptions = {},
): Promise<ProgramResult> => sayInProcessOfItsOwn(words, place, { start: BUILT, ...options });

/** The output of the program, which must succeed. */
async function saidWell(words: readonly string[], place = folder, options = {}): Promise<string> {
  const { status, out, err } = await say(words, place, options);
  assert.deepEqual([status, err], [0, ""], `skillctl ${words.join(" ")} says: ${out}${err}`);
  return out;
}

/** A separate folder, so that the skills of this file do not find each other. */
async function place(name: string): Promise<string> {
  await mkdir(join(folder, name));
  return join(folder, name);
}

const REFUSAL = `import { CLOCK, SkillError } from "skillctl";
class Greet {
  static inject = [CLOCK];
  constructor(clock) { this.clock = clock; }
  async run() {
    const day = this.clock.now() > 0 ? "today" : "never";
    throw new SkillError("GREETING_CLOSED", \`Closed \${day}.\`, { hint: "Come back tomorrow." });
  }
}
class Echo { async handle() { return { status: 200, body: { text: "x" } }; } }
export default { commands: { greet: Greet }, routes: { echo: Echo }, rules: {} };
`;

/** A skill whose code imports `skillctl` and throws its error. */
async function refusing(parent: string, code: Readonly<Record<string, string | object>>): Promise<string> {
  const manifest = greetingManifest("refusing");
  const closed = { exit: 76, http: 423, fault: "user", summary: "It is closed." };
  const greet = { ...manifest.commands.greet, errors: ["GREETING_CLOSED"] };
  return writeSkill(parent, "refusing", {
    ...greetingFiles("refusing"),
    "skill.json": { ...manifest, commands: { greet }, errors: { GREETING_CLOSED: closed } },
    ...code,
  });
}

const MODULE = { "package.json": { type: "module" }, "plugin.js": REFUSAL };

const COMMON_JS = {
  "package.json": { type: "commonjs" },
  "plugin.js": REFUSAL.replace(/^import (.*) from "skillctl"/, 'const $1 = require("./door.js")').replace(
    "export default",
    "module.exports =",
  ),
  "door.js": 'module.exports = require("skillctl");\n',
};

/** Such a skill, with a link to `skillctl` as `skillctl new` creates it. */
async function linkedRefusing(parent: string): Promise<string> {
  const skill = await refusing(parent, MODULE);
  await mkdir(join(skill, "node_modules"));
  await symlink(ROOT, join(skill, "node_modules", "skillctl"), "junction");
  return skill;
}

test("a launcher without a build explains how to build", async (t) => {
  const place = await mkdtemp(join(tmpdir(), "skillctl-unbuilt-"));
  t.after(() => rm(place, { recursive: true, force: true }));
  await mkdir(join(place, "bin"));
  const launcher = join(place, "bin", "skillctl.cjs");
  await copyFile(BUILT[0] ?? "", launcher);
  const { status, out, err } = await say(["list"], place, { start: [launcher] });
  assert.deepEqual([status, out], [70, ""]);
  assert.match(err, /^skillctl is not built: .* is missing\.\nhint: Run: npm ci\n$/);
});

test("dist holds the program, which both `npm test` and `npm run build` build", () => {
  for (const file of ["skillctl.cjs", "index.js", "validators/core.schemas.cjs", "types/core/index.d.ts"]) {
    const path = join(ROOT, "dist", file);
    assert.ok(existsSync(path), `${path} is missing: run \`npm run build\` before this test.`);
  }
});

describe("the built program", { concurrency: 2 }, () => {
  test("without an optional package, each call of a process ends in the error that names it", async () => {
    const work = await place("optional");
    const packages = {
      "@duckdb/node-bindings": "music-gateway music-analysis",
      "@napi-rs/keyring": "login-proxy",
    };
    for (const [name, skills] of Object.entries(packages)) {
      const blocking = join(work, "blocking.cjs");
      await writeFile(
        blocking,
        `const modules = require("node:module");
        const found = modules._resolveFilename;
        modules._resolveFilename = (name, ...more) => {
          if (name !== ${JSON.stringify(name)}) return found(name, ...more);
          throw Object.assign(new Error("It is not installed."), { code: "MODULE_NOT_FOUND" });
        };`,
      );
      for (const skill of skills.split(" ")) {
        // Its examples run in one process, and may only end in declared errors.
        const { status, out } = await say(["test", skill], work, {
          start: ["--require", blocking, ...BUILT],
        });
        assert.equal(status, 0, out);
      }
    }
  });

  test("caches compiled code in an existing state folder, and creates none", async () => {
    const work = await place("compiled");
    await saidWell(["list"], work);
    assert.equal(existsSync(join(work, "state")), false, "`list` alone creates no state folder");
    await mkdir(join(work, "state"));
    await saidWell(["list"], work);
    assert.equal(existsSync(join(work, "state", "compiled")), true);
  });

  test("keeps the compiled code of a host on every version of Node, recompiles damaged code, and removes old code", async () => {
    const work = await place("compiled-host");
    const kept = join(work, "state", "compiled");
    await mkdir(join(work, "state"));
    const skill = await refusing(work, MODULE);
    const files = async (): Promise<readonly string[]> =>
      (await readdir(kept, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
    for (const start of ["new", "kept", "broken"]) {
      if (start === "broken") {
        await Promise.all((await files()).map((path) => writeFile(path, "no code")));
        await writeFile(join(kept, "old"), "old");
        await utimes(join(kept, "old"), 0, 0);
      }
      const { status, err } = await say(["run", "refusing", "greet", "Ada", "--plugin", skill], work);
      assert.equal(status, 76, start);
      assert.match(err, /^error: Closed today\.\nhint: Come back tomorrow\.\n$/, start);
      const codes = await Promise.all((await files()).map((path) => readFile(path, "latin1")));
      assert.ok(codes.length > 0, start);
      assert.ok(
        "enableCompileCache" in nodeModule || !codes.some((code) => /^(?:no code|old)$/.test(code)),
        start,
      );
    }
  });

  test(
    "reports with every verb that its working folder has been removed, and the guard denies",
    { skip: process.platform === "win32" && "a folder in use is not removed there" },
    async () => {
      const home = await place("removed");
      const event = { session_id: "s", hook_event_name: "PreToolUse", tool_name: "Bash", cwd: home };
      const rows: readonly (readonly [words: string, status: number])[] = [
        ["list", 66],
        ["doctor", 66],
        ["hooks status", 66],
        ["run runtime-debug status", 66],
        ["guard --dialect claude-code", 2],
        ["guard --hook claude-code", 2],
      ];
      for (const [words, expected] of rows) {
        const gone = join(home, "gone");
        await mkdir(gone);
        const script = 'rmdir "$PWD" && exec "$@"';
        const { status, stderr } = spawnSync("sh", ["-c", script, "sh", ...BUILT, ...words.split(" ")], {
          cwd: gone,
          env: variablesOf(home),
          encoding: "utf8",
          input: JSON.stringify({ ...event, tool_input: { command: "ls" } }),
        });
        assert.equal(status, expected, words + stderr);
        assert.match(stderr, /The working folder has been removed\.\nhint: .*cd ~/, words);
      }
    },
  );

  test("prints its version and its help", async () => {
    assert.equal(await saidWell(["--version"]), `${VERSION}\n`);
    const help = await saidWell(["--help"]);
    for (const verb of ["list", "info", "run", "serve", "prompt", "validate", "test", "new", "doctor"])
      assert.match(help, new RegExp(`^  ${verb}\\b`, "m"));
  });

  test("lists the built-in skills, for a person and as JSON", async () => {
    assert.match(
      await saidWell(["list"]),
      /^login-proxy .*\nmusic-analysis .*\nmusic-gateway .*\nruntime-debug .*\n$/,
    );
    const { ok, output } = JSON.parse(await saidWell(["list", "--json"])) as {
      readonly ok: boolean;
      readonly output: { readonly skills: readonly { readonly name: string }[]; readonly faults: unknown };
    };
    assert.deepEqual([ok, output.faults], [true, []]);
    assert.deepEqual(
      output.skills.map(({ name }) => name),
      ["login-proxy", "music-analysis", "music-gateway", "runtime-debug"],
    );
  });

  test("info, validate, prompt and doctor work", async () => {
    assert.match(await saidWell(["info", "music-analysis"]), /skillctl run music-analysis \[ask\]/);
    assert.equal(await saidWell(["validate"]), "4 skills checked, no faults.\n");
    assert.match(await saidWell(["prompt"]), /<skill name="login-proxy">[\s\S]*<skill name="music-gateway">/);
    assert.match(await saidWell(["doctor"]), /^ok {4}4 skills checked, 0 faults$/m);
  });

  test("runs login-proxy, and reports a missing token with the exit status of its manifest", async () => {
    assert.match(await saidWell(["run", "login-proxy"]), /^No login token: /);
    const { status, out, err } = await say(["run", "login-proxy", "check"]);
    assert.deepEqual([status, out], [1, ""]);
    assert.match(err, /No login token was found/);
  });

  test("sends a question of music-analysis in one request with the token, and shows the answer", async () => {
    const service = await FakeService.start(answered("## 结论"));
    try {
      const variables = { SVC_BASE_URL: `${service.url}/openapi/`, SVC_HEADER_TOKEN: "built-token" };
      const words = ["run", "music-analysis", "最近30天我的播放量怎么样？", "--no-progress"];
      const out = await saidWell(words, folder, { variables });
      assert.match(out, /^## 结论\n/);
      assert.deepEqual(
        service.seen.map(({ headers }) => headers["svc-header-token"]),
        ["built-token"],
      );
    } finally {
      await service.close();
    }
  });

  test("refuses a wrong input with the place and status 65, in the words of the precompiled validator", async () => {
    const { status, out } = await say(["run", "music-analysis", "--json", "--question", ""]);
    const { error } = JSON.parse(out) as {
      readonly error: { readonly code: string; readonly pointer: string };
    };
    assert.deepEqual([status, error.code, error.pointer], [65, "INPUT_INVALID", "/question"]);
  });

  test("runs a third-party skill", async () => {
    const skill = await writeSkill(await place("foreign"), "greeting", greetingFiles());
    assert.equal(await saidWell(["run", "greeting", "Ada", "--plugin", skill]), "Hello Ada.\n");
  });

  test("runs a skill without a copy of skillctl from any folder, through a link too, and writes nothing into it", async () => {
    for (const [name, code] of Object.entries({ modules: MODULE, common: COMMON_JS })) {
      const parent = await place(name);
      const skill = await refusing(parent, code);
      const files = await readdir(skill);
      const link = join(parent, "link");
      await symlink(skill, link, "junction");
      for (const path of [skill, link]) {
        const { status, err } = await say(["run", "refusing", "Ada", "--plugin", path]);
        assert.deepEqual([status, err.split("\n")[0]], [76, "error: Closed today."]);
      }
      const both = await say(["validate", skill, link]);
      assert.deepEqual([both.status, both.out], [0, "1 skill checked, no faults.\n"]);
      assert.deepEqual(await readdir(skill), files);
    }
  });

  test("lends the port of a host to a skill and keeps code, hint and exit status of its error, made with the skill's own copy of skillctl", async () => {
    const skill = await linkedRefusing(await place("copies"));
    const { status, out } = await say(["run", "refusing", "Ada", "--json", "--plugin", skill]);
    assert.deepEqual(
      [status, JSON.parse(out)],
      [
        76,
        {
          ok: false,
          error: { code: "GREETING_CLOSED", message: "Closed today.", hint: "Come back tomorrow.", exit: 76 },
        },
      ],
    );
    const person = await say(["run", "refusing", "Ada", "--plugin", skill]);
    assert.deepEqual(person, {
      status: 76,
      out: "",
      err: "error: Closed today.\nhint: Come back tomorrow.\n",
    });
  });

  test("makes a new skill, which runs and passes its own tests", async () => {
    const work = await place("new");
    assert.match(await saidWell(["new", "mine"], work), /^Created the skill mine in mine:\n/);
    assert.equal(await saidWell(["run", "mine", "Ada"], work), "Hello Ada.\n");
    assert.match(await saidWell(["test", "mine"], work), /\n[1-9]\d* passed, 0 failed, 0 skipped\n$/);
  });

  test("serves built-in and third-party commands over HTTP to holders of the key, and ends on SIGTERM", async () => {
    const work = await place("served");
    const skill = await linkedRefusing(work);
    const greeting = await writeSkill(work, "greeting", greetingFiles());
    const words = ["serve", "--port", "0", "--plugin", skill, "--plugin", greeting];
    const server = program(words, work, { start: BUILT });
    const ended = once(server, "close");
    try {
      const [first] = (await once(server.stdout, "data")) as [Buffer];
      const [, url = "", key = ""] = /(http:\S+)\/\?k=(\S+)/.exec(first.toString("utf8")) ?? [];
      for (const [path, answer] of [
        ["/health", 200],
        ["/openapi.json", 401],
        ["/openapi.json?k=guessed", 401],
        [`/openapi.json?k=${key}`, 200],
        ["/v1/skills/login-proxy/commands/status", 401],
        ["/nothing", 401],
      ] as const)
        assert.equal((await fetch(url + path)).status, answer, path);
      const post = async (path: string, body: unknown) => {
        const response = await fetch(`${url}/v1/skills/${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
          body: JSON.stringify(body),
        });
        return [response.status, (await response.json()) as Readonly<Record<string, unknown>>] as const;
      };
      const [status, state] = await post("login-proxy/commands/status", {});
      assert.deepEqual([status, typeof state["text"]], [200, "string"], JSON.stringify(state));
      assert.deepEqual(await post("greeting/commands/greet", { name: "Ada" }), [200, { text: "Hello Ada." }]);
      const [refused, problem] = await post("refusing/commands/greet", { name: "Ada" });
      assert.deepEqual(
        [refused, problem["code"], problem["hint"]],
        [423, "GREETING_CLOSED", "Come back tomorrow."],
      );
    } finally {
      server.kill("SIGTERM");
    }
    const [code, signal] = (await ended) as [number | null, string | null];
    if (process.platform !== "win32") assert.deepEqual([code, signal], [0, null]);
  });
});

test("a schema with a keyword of the wrong type is refused with and without precompiled validators", async () => {
  const input = { ...(greetingFiles()["schemas/input.json"] as object), maxProperties: "four" };
  const files = { ...greetingFiles(), "schemas/input.json": input };
  const skill = await writeSkill(await place("keyword-type"), "greeting", files);
  const words = ["run", "greeting", "Ada", "--json", "--plugin", skill];
  for (const { status, out, err } of [await say(words), await sayInProcessOfItsOwn(words, folder)]) {
    const { error } = JSON.parse(out) as { readonly error: Readonly<Record<string, string>> };
    assert.deepEqual([error["code"], status], ["SCHEMA_INVALID", 78], `${out}${err}`);
    assert.match(error["message"] ?? "", /: \/maxProperties must be an integer\.$/);
  }
});
