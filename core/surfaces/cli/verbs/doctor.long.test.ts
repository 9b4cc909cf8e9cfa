import assert from "node:assert/strict";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { optionalPackages } from "../../../adapters/optional-packages.ts";
import { ownFolder } from "../fixture-command-line.ts";
import { edit, greetingFolder, put, say } from "../skeleton/fixture-skeleton.ts";
import { nodeCheck, packageChecks } from "./doctor.ts";

const plugins = { plugins: ["greeting"] };

test("a state folder that cannot be written fails and names the variable", async (t) => {
  const root = await ownFolder(t);
  await put(root, "state", "a file in the way");
  const { status, out } = await say(["doctor"], root);
  assert.match(
    out,
    /^fail {2}State folder: .* {2}-> Make it writable, or name another: export SKILLCTL_STATE=FOLDER$/m,
  );
  assert.equal(status, 1);
});

test(
  "a state folder that other users can change is a warning",
  { skip: process.platform === "win32" },
  async (t) => {
    const root = await ownFolder(t);
    await mkdir(join(root, "state"));
    for (const [mode, line] of [
      [0o755, /^ok {4}State folder \S+ can be written$/m],
      [0o775, /^warn {2}State folder \S+ can be changed by other users, who could run code as you {2}-> \S/m],
      [0o757, /^warn {2}State folder \S+ can be changed by other users/m],
    ] as const) {
      await chmod(join(root, "state"), mode);
      assert.match((await say(["doctor"], root)).out, line);
    }
  },
);

test(
  "a state folder without the right to write fails",
  { skip: process.getuid?.() === 0 && "root may read and write everything" },
  async (t) => {
    const root = await ownFolder(t);
    await mkdir(join(root, "state"));
    await chmod(join(root, "state"), 0o500);
    assert.equal((await say(["doctor"], root)).status, 1);
  },
);

test("an unusable configuration fails with its own hint", async (t) => {
  const root = await ownFolder(t);
  await put(root, "skillctl.json", "{");
  const { status, out } = await say(["doctor"], root);
  assert.match(out, /^fail {2}\S+skillctl\.json is not JSON: .* {2}-> \S/m);
  assert.equal(status, 1);
});

test("settings of a skill without settings fail, those of one that is not hosted are a warning", async (t) => {
  const { root } = await greetingFolder(t);
  await put(root, "skillctl.json", { plugins: ["./greeting"], config: { greetin: {} } });
  assert.match(
    (await say(["doctor"], root, plugins)).out,
    /^warn {2}There are settings for greetin in skillctl\.json, .*did you mean greeting\? {2}-> Rename them to greeting$/m,
  );
  await put(root, "skillctl.json", { config: { greeting: { loud: true } } });
  const { status, out } = await say(["doctor"], root, plugins);
  assert.match(out, /^fail {2}There are settings for greeting in skillctl\.json, but it takes none\./m);
  assert.equal(status, 1);
});

test("variables are named, addresses checked, and no value of any is shown", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const environment = ["TEST_BASE_URL", "TEST_TOKEN", "TEST_OTHER"];
  await edit(skill, ["skill.json", "/permissions", { environment }]);
  const base = { HOME: root, SKILLCTL_STATE: join(root, "state") };
  const said = (variables: Record<string, string>) =>
    say(["doctor"], root, { ...plugins, variables: { ...base, ...variables } });

  const empty = await said({});
  assert.match(empty.out, /^ok {4}TEST_TOKEN is not set; greeting reads it$/m);
  assert.equal(empty.status, 0);

  const set = await said({ TEST_BASE_URL: "http://svc.example" });
  assert.match(
    set.out,
    /^fail {2}TEST_BASE_URL is set, but is not an address .* {2}-> export TEST_BASE_URL=https:\/\/HOST$/m,
  );
  assert.ok(!set.out.includes("svc.example"));

  for (const address of [
    "https://svc.example",
    "http://127.0.0.1:9",
    "http://localhost",
    "http://[::1]:1/x",
  ]) {
    assert.equal((await said({ TEST_BASE_URL: address })).status, 0, address);
  }
  for (const address of ["svc.example", "ftp://svc.example", "http://127.0.0.1.evil.example"]) {
    assert.equal((await said({ TEST_BASE_URL: address })).status, 1, address);
  }
});

test("a missing optional package is a warning with the skill that uses it", () =>
  assert.deepEqual(packageChecks([{ name: "left-pad", user: "greeting", installed: false }]), [
    { status: "warn", finding: "left-pad is not installed (for greeting)", fix: "npm install left-pad" },
  ]));

test("every optional package names the skill that uses it, and the key ring names the right one", () =>
  assert.deepEqual(
    optionalPackages().map(({ name, user }) => [name, user]),
    [
      ["@duckdb/node-bindings", "music-gateway"],
      ["@napi-rs/keyring", "login-proxy"],
      ["@vscode/tree-sitter-wasm", "runtime-debug"],
      ["pg", "shared state"],
    ],
  ));

test("each version of Node has its status", () => {
  for (const [version, status] of [
    ["18.20.0", "fail"],
    ["20.18.3", "fail"],
    ["20.19.0", "warn"],
    ["22.1.0", "ok"],
    ["26.0.0", "ok"],
  ] as const)
    assert.equal(nodeCheck(version).status, status, version);
});

test("doctor reports agents that fail open, and faults of their hooks", async (t) => {
  const root = await ownFolder(t);
  const context = { variables: { HOME: join(root, "home"), SKILLCTL_STATE: join(root, "state") } };
  assert.match((await say(["doctor"], root, context)).out, /^ok {4}No agent has skillctl hooks here/m);
  for (const client of ["claude-code", "codex"])
    await say(["hooks", "install", "--client", client], root, context);
  const { status, out } = await say(["doctor"], root, context);
  assert.equal(status, 0, out);
  assert.match(out, /^ok {4}Claude Code hooks in \S+settings\.json$/m);
  assert.match(
    out,
    /^warn {2}Codex hooks in \S+hooks\.json: this host fails open when a hook is late; .* {2}-> skillctl hooks status$/m,
  );
  const file = join(root, ".codex", "hooks.json");
  await writeFile(file, (await readFile(file, "utf8")).replace('"Stop"', '"Stopped"'));
  const broken = await say(["doctor"], root, context);
  assert.equal(broken.status, 1);
  assert.match(
    broken.out,
    /^fail {2}Codex hooks in \S+: At Stop the hook is missing or differs .*\. {2}-> skillctl hooks install --client codex --scope project$/m,
  );
  await put(root, ".cursor/hooks.json", "{");
  assert.match(
    (await say(["doctor"], root, context)).out,
    /^warn {2}Cursor hooks: \S+hooks\.json is left as it is: line 1/m,
  );
});
