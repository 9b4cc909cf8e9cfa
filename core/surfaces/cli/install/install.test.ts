/** Skills of others are added, updated, verified and removed through the command line. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { appendFile, cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { commitTag, entriesOf, registry, shop, tarball } from "./fixture-sources.ts";

type Shop = Awaited<ReturnType<typeof shop>>;

const HOSTS = { permissions: { hosts: ["api.example.com"] } };

const CONFIG = {
  title: "Config",
  description: "The settings.",
  type: "object",
  required: ["apiKey"],
  additionalProperties: false,
  properties: {
    apiKey: { description: "The key.", type: "string", secret: true, minLength: 8, maxLength: 40 },
    unit: { description: "The unit.", type: "string" },
  },
  examples: [{ apiKey: "key-12345678" }],
};

/** Each kind of source: publishes a version of the skill and returns the words that name it. */
const SOURCES: Readonly<
  Record<
    string,
    (
      t: TestContext,
      place: Shop,
    ) => Promise<readonly [string, (folder: string, version: string) => Promise<void>]>
  >
> = {
  "a folder": async (_, { home }) => [join(home, "strangers", "greeting"), async () => undefined],
  "a tarball": async (_, place) => {
    const file = join(place.home, "strangers", "skill.tgz");
    return [file, async (folder) => void (await place.archive(await entriesOf(folder, "greeting")))];
  },
  "an npm package": async (t, place) => {
    const { url, publish } = await registry(t);
    place.variables["npm_config_registry"] = url;
    const name = "@acme/greeting";
    return [
      `npm:${name}@^1.0.0`,
      async (folder, version) => publish(name, version, tarball(await entriesOf(folder))),
    ];
  },
  "a tag of a git repository": async (_, { home }) => {
    const folder = join(home, "strangers", "greeting");
    return [`git+file://${folder}#semver:^1.0.0`, (path, version) => commitTag(path, `v${version}`)];
  },
};

describe("a third-party skill", () => {
  for (const [kind, source] of Object.entries(SOURCES))
    test(`from ${kind} is shown, added, updated, verified, installed on a second home and removed`, async (t) => {
      const place = await shop(t);
      const { say, ran, project, skill, variables } = place;
      variables["SKILLCTL_GREETING_API_KEY"] = "key-12345678";
      const [word, publish] = await source(t, place);
      const publishVersion = async (
        version: string,
        manifest: Readonly<Record<string, unknown>> = {},
      ): Promise<void> => {
        const settings = { config: "greeting/config", ...manifest };
        const folder = await skill("greeting", version, { manifest: settings, schemas: { config: CONFIG } });
        await writeFile(join(folder, "package.json"), '{ "version": "0.9.0" }');
        await publish(folder, version);
      };
      await publishVersion("1.0.0");

      const refused = await say("add", word);
      assert.equal(refused.status, 64);
      assert.match(refused.err, /^greeting 1\.0\.0\n {2}source .*\n {2}sha256 [0-9a-f]{64}\n/);
      assert.match(refused.err, /code \.\/plugin\.js\n {4}command greet: Greets\.\n/);
      assert.match(
        refused.err,
        /secret setting apiKey \(required\): The key\.\n {4}setting unit: The unit\.\n/,
      );
      assert.match(
        refused.err,
        /! Its package\.json has the version "0\.9\.0"; the version in skill\.json, 1\.0\.0, is used/,
      );
      assert.deepEqual(await place.paths(), []);

      const added = await say("add", word, "--yes");
      assert.deepEqual(
        [added.status, added.out],
        [0, "greeting 1.0.0 is installed and trusted.\n"],
        added.err,
      );
      assert.equal(ran(), false);
      assert.equal((await say("run", "greeting", "Ada")).out, "Hello Ada\n");
      assert.equal((await say("verify")).status, 0);
      assert.match((await say("outdated")).out, /up to date/);

      await publishVersion("1.1.0", HOSTS);
      assert.match((await say("outdated")).out, /greeting +v?1\.0\.0, wanted "?v?1\.1\.0/);
      const asked = await say("update");
      assert.equal(asked.status, 64);
      assert.match(asked.err, /^greeting 1\.0\.0 -> 1\.1\.0\n/);
      assert.match(asked.err, /\n {2}\+ host api\.example\.com {2}\(asks for more\)\n/);
      assert.equal((await say("update", "--yes")).out, "greeting 1.1.0 is installed and trusted.\n");
      assert.equal((await say("run", "greeting", "Bo")).out, "Hello Bo\n");
      assert.equal((await say("update", "--yes")).out, "Every skill is up to date.\n");

      // A second home with a clone that has the lock and skillctl.json, without the skills.
      const clone = join(place.home, "clone");
      await mkdir(clone);
      for (const name of ["skillctl.json", "skillctl-lock.json"])
        await cp(join(project, name), join(clone, name));
      variables["SKILLCTL_STATE"] = join(place.home, "second");
      const there = place.at(clone);
      const missing = await there("run", "greeting", "Cy");
      assert.equal(missing.status, 64);
      assert.match(missing.err, /1 installed skill is missing\. To install: skillctl add --frozen; to look/);
      assert.match(missing.err, /^hint: `skillctl add --frozen` installs what/m);
      const frozen = await there("add", "--frozen", "--yes");
      assert.deepEqual(
        [frozen.status, frozen.out],
        [0, "greeting 1.1.0 is installed and trusted.\n"],
        frozen.err,
      );
      assert.equal((await there("run", "greeting", "Cy")).out, "Hello Cy\n");
      for (const name of ["skillctl.json", "skillctl-lock.json"])
        assert.equal(await readFile(join(clone, name), "utf8"), await readFile(join(project, name), "utf8"));

      variables["SKILLCTL_STATE"] = join(place.home, "state");
      assert.equal((await say("remove", "greeting")).status, 64);
      assert.equal((await say("remove", "greeting", "--yes")).out, "greeting is removed.\n");
      assert.deepEqual(await place.paths(), []);
    });

  test("the person's own skills are hosted in every folder, once their content is trusted", async (t) => {
    const { say, at, home, skill } = await shop(t);
    await skill("greeting");
    assert.equal((await say("add", "../strangers/greeting", "--user", "--yes")).status, 0);
    const other = join(home, "other");
    await mkdir(other);
    assert.equal((await at(other)("run", "greeting", "Ada")).out, "Hello Ada\n");
    const lock = JSON.parse(await readFile(join(home, "state", "user", "skillctl-lock.json"), "utf8")) as {
      readonly skills: Readonly<Record<string, { readonly digest: string }>>;
    };
    const folder = join(
      home,
      "state",
      "user",
      ".skillctl",
      "skills",
      lock.skills["greeting"]?.digest.slice(0, 16) ?? "",
    );
    await appendFile(join(folder, "greeting", "plugin.js"), "\n");
    const waits = await at(other)("run", "greeting", "Ada");
    assert.equal(waits.status, 64);
    assert.match(waits.err, /to accept: skillctl trust \S+\/state\/user\n/);
    assert.equal((await say("verify", "--user")).status, 1);
    assert.equal((await say("remove", "greeting", "--user", "--yes")).status, 0);
    assert.equal((await at(other)("list")).err, "");
  });

  test("an address that is invalid or has no source is reported", async (t) => {
    const { say, home, variables } = await shop(t);
    const [usual, own] = [await registry(t), await registry(t)];
    const configuration = JSON.stringify({ registry: usual.url, "@acme:registry": own.url });
    // The suite has no npm on its path. This one answers `npm config list --json`.
    await writeFile(join(home, "npm"), `#!/bin/sh\necho '${configuration}'\n`, { mode: 0o755 });
    variables["PATH"] += `:${home}`;
    for (const [word, status, told] of [
      ["git+https://me:secret@example.org/a.git#v1", 64, /is not the address of a repository with a tag/],
      ["./none", 66, /There is no folder or archive \S+none\./],
      ["npm:none", 65, /There is no package none in the registry /],
      ["npm:@acme/none", 65, /There is no package @acme\/none in the registry /],
      ["npm:Not A Name", 64, /is not the name of an npm package/],
      ["git+file:///none#v1.0.0", 69, /git fetch failed: /],
      ["git+file:///none", 64, /is not the address of a repository with a tag/],
      ["git+ext::sh -c touch% x#v1", 64, /is not the address of a repository with a tag/],
      ["git+file:///none#--upload-pack=x", 64, /is not the address of a repository with a tag/],
    ] as const) {
      const { status: given, err } = await say("add", word, "--yes");
      assert.deepEqual([given, told.test(err)], [status, true], err);
    }
    assert.deepEqual([usual.asked, own.asked], [["none"], ["@acme/none"]]);
  });
});

describe("trust", () => {
  test("is given with --yes only if nothing else waits for it", async (t) => {
    const { say, project, skill } = await shop(t);
    const other = await skill("other");
    await skill("greeting");
    await writeFile(join(project, "skillctl.json"), JSON.stringify({ plugins: [other] }));
    const added = await say("add", "../strangers/greeting", "--yes");
    assert.equal(added.status, 0);
    assert.match(added.out, /is installed\.\nThe folder is not trusted yet\..* to accept: skillctl trust\n/);
    assert.equal((await say("run", "greeting", "Ada")).status, 64);
    assert.equal((await say("trust")).status, 0);
    assert.equal((await say("run", "greeting", "Ada")).out, "Hello Ada\n");
    assert.equal((await say("remove", "greeting", "--yes")).status, 0);
    assert.deepEqual(JSON.parse(await readFile(join(project, "skillctl.json"), "utf8")), {
      plugins: [other],
    });
    assert.equal((await say("run", "other", "Ada")).out, "Hello Ada\n");
  });

  test("in skills that came with a folder is not given with --yes for another skill", async (t) => {
    const { say, at, home, project, skill } = await shop(t);
    await skill("first");
    await skill("second");
    await say("add", "../strangers/first", "--yes");
    const clone = join(home, "clone");
    await cp(project, clone, { recursive: true });
    const there = at(clone);
    assert.match((await there("add", "../strangers/second", "--yes")).out, /The folder is not trusted yet/);
    assert.equal((await there("run", "first", "Ada")).status, 64);
  });
});

describe("verify", () => {
  test("names every changed, missing and extra file", async (t) => {
    const { say, project, skill } = await shop(t);
    await skill("greeting");
    await say("add", "../strangers/greeting", "--yes");
    const [path = ""] = (
      JSON.parse(await readFile(join(project, "skillctl.json"), "utf8")) as { plugins: string[] }
    ).plugins;
    const folder = join(project, path);
    await appendFile(join(folder, "plugin.js"), "\n");
    await rm(join(folder, "SKILL.md"));
    await symlink("/etc/passwd", join(folder, "linked"));
    await mkdir(join(folder, "node_modules", "evil"), { recursive: true });
    await writeFile(join(folder, "node_modules", "evil", "index.js"), "");
    const { status, out } = await say("verify");
    assert.equal(status, 1);
    assert.equal(
      out,
      "greeting 1.0.0 differs from the lock:\n  missing: SKILL.md\n  changed: plugin.js\n" +
        "  extra: greeting/linked\n  extra: greeting/node_modules/evil/index.js\n" +
        "`skillctl add --frozen` restores the locked files.\n",
    );
    assert.equal((await say("add", "--frozen", "--yes")).status, 0);
    assert.equal((await say("verify")).out, "greeting 1.0.0 is as it was installed\n");
    await rm(folder, { recursive: true });
    await say("trust");
    assert.match(
      (await say("run", "greeting", "Ada")).err,
      /was left out[^]*^hint: `skillctl add --frozen` installs/m,
    );
    await say("add", "--frozen", "--yes");
    await cp(join(project, "skillctl-lock.json"), join(project, "kept"));
    await rm(join(project, "..", "strangers"), { recursive: true });
    for (const words of [["update", "--yes"], ["add", "--frozen", "--yes"], ["outdated"]])
      assert.match(
        (await say(...words)).err,
        /^error: greeting cannot be fetched from its source "?\.\.\/strangers\/greeting"?: There is no folder/,
      );
    for (const [text, reason] of [
      ["", /cannot be used: it is not JSON: /],
      ["{\n<<<<<<< HEAD\n", /cannot be used: it is not JSON: .*line 2/],
    ] as const) {
      await writeFile(join(project, "skillctl-lock.json"), text);
      assert.match((await say("verify")).err, reason);
    }
    await rm(join(project, "skillctl-lock.json"));
    assert.match(
      (await say("verify")).out,
      /^the lock does not name \.\/\.skillctl\S+\nRestore skillctl-lock\.json from version control/,
    );
    for (const words of [["update"], ["outdated"], ["add", "--frozen"]])
      assert.match(
        (await say(...words)).err,
        /^error: The lock does not name \S+, which skillctl\.json names\.\nhint: Restore/,
      );
    await cp(join(project, "kept"), join(project, "skillctl-lock.json"));
    await writeFile(join(project, "skillctl.json"), "{}");
    assert.match((await say("verify")).out, /skillctl\.json does not name \.\/\.skillctl\/skills\//);
  });
});

describe("an update or a lock is refused:", () => {
  test("an older version, and a published version with other content", async (t) => {
    const place = await shop(t);
    const { say, skill, variables } = place;
    const { url, publish } = await registry(t);
    variables["npm_config_registry"] = url;
    publish("greeting", "1.1.0", tarball(await entriesOf(await skill("greeting", "1.1.0"))));
    assert.equal((await say("add", "npm:greeting", "--yes")).status, 0);
    publish("greeting", "1.0.0", tarball(await entriesOf(await skill("greeting", "1.0.0"))));
    const older = await say("update", "--yes");
    assert.equal(older.status, 65);
    assert.match(older.err, /it is version 1\.0\.0, older than the installed 1\.1\.0/);
    publish(
      "greeting",
      "1.1.0",
      tarball(await entriesOf(await skill("greeting", "1.1.0", { manifest: HOSTS }))),
    );
    const replaced = await say("add", "npm:greeting@1.1.0", "--yes");
    assert.equal(replaced.status, 65);
    assert.match(replaced.err, /1\.1\.0 no longer has the content that was installed/);
  });

  test("a source that now has another skill, also an installed one", async (t) => {
    const { say, skill, home } = await shop(t);
    const folder = await skill("greeting");
    const other = await skill("wallet");
    for (const source of [folder, other]) assert.equal((await say("add", source, "--yes")).status, 0);
    for (const [name, version] of [
      ["wallet", "2.0.0"],
      ["helper", "0.1.0"],
    ] as const) {
      await cp(await skill(name, version), folder, { recursive: true });
      const { status, err } = await say("update", "greeting", "--yes");
      assert.equal(status, 65);
      assert.match(
        err,
        new RegExp(`^error: greeting is not updated: its source now has the skill ${name}\\.`),
      );
    }
    const elsewhere = join(home, "elsewhere");
    await cp(await skill("wallet", "1.1.0"), elsewhere, { recursive: true });
    const { status, err } = await say("add", elsewhere);
    assert.deepEqual(
      [status, /! It replaces the skill from \.\.\/strangers\/wallet, which is another source\./.test(err)],
      [64, true],
      err,
    );
  });

  test("a tag that names another commit", async (t) => {
    const { say, skill, home } = await shop(t);
    const folder = await skill("greeting");
    await commitTag(folder, "v1.0.0");
    const word = `git+file://${join(home, "strangers", "greeting")}#v1.0.0`;
    assert.equal((await say("add", word, "--yes")).status, 0);
    assert.match((await say("outdated")).out, /up to date/);
    await commitTag(await skill("greeting", "1.0.0", { manifest: HOSTS }), "v1.0.0");
    assert.match(
      (await say("outdated")).out,
      /v1\.0\.0, wanted v1\.0\.0 \(moved\), latest v1\.0\.0 \(moved\)/,
    );
    for (const words of [["update"], ["add", "--frozen"]]) {
      const { status, err } = await say(...words, "--yes");
      assert.deepEqual(
        [status, /no longer has the content|does not match the lock/.test(err)],
        [65, true],
        err,
      );
    }
  });

  test("a checksum that differs from that of the registry, and a missing one", async (t) => {
    const { say, skill, variables, paths } = await shop(t);
    const { url, publish } = await registry(t);
    variables["npm_config_registry"] = url;
    const bytes = tarball(await entriesOf(await skill("greeting")));
    for (const [integrity, told] of [
      [`sha512-${"A".repeat(86)}==`, /its SHA-512 is not the one that the registry names/],
      ["sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", /the registry names no SHA-512 of it/],
    ] as const) {
      publish("greeting", "1.0.0", bytes, integrity);
      const { status, err } = await say("add", "npm:greeting", "--yes");
      assert.deepEqual([status, told.test(err)], [65, true], err);
    }
    assert.deepEqual(await paths(), []);
  });

  test("a lock that was changed by hand, by every verb", async (t) => {
    const { say, skill, project } = await shop(t);
    await skill("greeting");
    await say("add", "../strangers/greeting", "--yes");
    const file = join(project, "skillctl-lock.json");
    const lock = await readFile(file, "utf8");
    const hash = /"plugin\.js": "([0-9a-f]{64})"/.exec(lock)?.[1] ?? "";
    for (const text of [
      lock.replace(hash, "0".repeat(64)),
      "{}",
      lock.replace("plugin.js", "../../plugin.js"),
    ]) {
      await writeFile(file, text);
      for (const words of [
        ["verify"],
        ["update"],
        ["add", "--frozen"],
        ["remove", "greeting"],
        ["outdated"],
      ]) {
        const { status, err } = await say(...words);
        assert.deepEqual(
          [status, /skillctl-lock\.json cannot be used: /.test(err)],
          [65, true],
          `${words.join(" ")} ${err}`,
        );
      }
    }
  });

  test("--frozen, if source, lock and skillctl.json disagree", async (t) => {
    const { say, skill, project } = await shop(t);
    await skill("greeting");
    assert.match((await say("add", "--frozen", "--yes")).err, /it does not exist or lists no skill/);
    await say("add", "../strangers/greeting", "--yes");
    await skill("greeting", "1.0.0", { manifest: HOSTS });
    assert.match((await say("add", "--frozen", "--yes")).err, /does not match the lock/);
    await writeFile(join(project, "skillctl.json"), "{}");
    assert.match((await say("add", "--frozen", "--yes")).err, /skillctl\.json does not name/);
  });
});

test("an update names the rules that it removes or makes less strict, and rules with code that see an agent's calls", async (t) => {
  const { say, skill } = await shop(t);
  const rule = (decision: string, on: readonly string[]) => ({
    tell: "Be polite.",
    on,
    decision,
    message: "No.",
  });
  const both = ["command.pre", "tool.pre"];
  const gone = {
    kept: rule("deny", both),
    weak: rule("deny", both),
    less: rule("ask", both),
    away: rule("deny", both),
  };
  await skill("greeting", "1.0.0", { manifest: { rules: gone } });
  await say("add", "../strangers/greeting", "--yes");
  const seen = { tell: "It is seen.", on: ["tool.pre"], handler: true };
  const rules = { kept: gone.kept, weak: rule("warn", both), less: rule("ask", ["tool.pre"]), seen };
  await skill("greeting", "1.1.0", { manifest: { rules } });
  const { err } = await say("update");
  assert.match(err, /^ {2}! The rule weak is weaker: deny before, now warn\.$/m);
  assert.match(err, /^ {2}! The rule less no longer applies to command\.pre\.$/m);
  assert.match(err, /^ {2}! The rule away is removed\.$/m);
  assert.doesNotMatch(err, /! The rule kept/);
  assert.match(err, /\+ rule seen .*\(asks for more\)$/m);
});

test("a name that resembles a hosted one is reported, and needs the answer of a person", async (t) => {
  const { say, skill } = await shop(t);
  await skill("greeting");
  await skill("greetings");
  await say("add", "../strangers/greeting", "--yes");
  assert.match(
    (await say("add", "../strangers/greetings")).err,
    /! Its name resembles greeting, another skill\./,
  );
  const { status, err } = await say("add", "../strangers/greetings", "--yes");
  assert.deepEqual([status, /its name resembles greeting/.test(err)], [65, true]);
});

test("dependencies of a package are listed and not installed", async (t) => {
  const { say, skill, project } = await shop(t);
  const folder = await skill("greeting");
  await writeFile(
    join(folder, "package.json"),
    '{ "type": "module", "dependencies": { "left-pad": "1", "skillctl": "*" } }',
  );
  await mkdir(join(folder, "node_modules", "left-pad"), { recursive: true });
  await writeFile(join(folder, "node_modules", "left-pad", "index.js"), "");
  const { err } = await say("add", "../strangers/greeting", "--yes");
  assert.match(err, /! It asks for packages, which are not installed: left-pad\./);
  assert.ok(!existsSync(join(project, "node_modules")));
  assert.doesNotMatch(await readFile(join(project, "skillctl-lock.json"), "utf8"), /node_modules/);
});
