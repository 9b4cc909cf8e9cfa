import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { greetingFiles, writeSkill } from "../../../testing/fixture-greeting.ts";
import { ownFolder } from "../fixture-command-line.ts";
import { edit, say, type Edit } from "../skeleton/fixture-skeleton.ts";
import { PAIRS, SHOP, type Pair } from "./fixture-contracts.ts";
import type { Comparison } from "./report.ts";

const noGit = spawnSync("git", ["--version"]).status === 0 ? false : "git is not installed";
const MARK = "loaded";
const SHORTER: Edit = ["schemas/order.json", "/properties/item/maxLength", 20];

function assertVerdict({ expected, surfaces }: Pair, out: string): void {
  const { changes } = JSON.parse(out) as Comparison;
  const verdicts = ["breaking", "unknown", "not breaking"];
  assert.equal(
    verdicts.find((one) => changes.some(({ verdict }) => verdict === one)) ?? "none",
    expected,
    out,
  );
  const found = changes.filter(({ verdict }) => verdict === expected).map((one) => one.surfaces.join(", "));
  if (surfaces) assert.equal([...new Set(found)].join("; "), surfaces, out);
}

/** A work tree whose first commit, tagged v1, holds the skill with its edits. Its code leaves a mark when it is loaded. */
async function committed(t: TestContext, before: readonly Edit[] = []) {
  const root = await ownFolder(t);
  const code = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(join(root, MARK))}, "");`;
  const skill = await writeSkill(root, "shop", { ...SHOP, "plugin.js": code });
  const git = (...words: readonly string[]): string =>
    execFileSync(
      "git",
      ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", ...words],
      {
        cwd: root,
        encoding: "utf8",
        env: { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_NOSYSTEM: "1" },
      },
    ).trim();
  const commit = (): void => {
    git("add", "--all");
    git("commit", "--quiet", "--message=change");
  };
  git("init", "--quiet", "--initial-branch=main");
  for (const one of before) await edit(skill, one);
  commit();
  git("tag", "--annotate", "--message=first", "v1");
  for (const { 1: path, 0: file } of before) if (path) await writeSkill(root, "shop", { [file]: SHOP[file] });
  return { root, skill, git, commit };
}

describe("test --against a folder reports", () => {
  for (const pair of PAIRS)
    test(`${pair.expected}: ${pair.title}`, async (t) => {
      const folder = await ownFolder(t);
      const earlier = await writeSkill(join(folder, "earlier"), "shop", SHOP);
      const later = await writeSkill(folder, "shop", SHOP);
      for (const one of pair.before ?? []) await edit(earlier, one);
      for (const one of pair.after) await edit(later, one);
      const { status, out, err } = await say(
        ["test", "./shop", "--against", "./earlier", "--format", "json"],
        folder,
      );
      assert.equal(err, "");
      assertVerdict(pair, out);
      assert.equal(status, pair.expected === "breaking" ? 1 : 0);
    });
});

const inTree = (words: readonly string[], folder: string): ReturnType<typeof say> =>
  say(words, folder, { variables: { PATH: process.env["PATH"], HOME: folder } });

describe("test --against a revision", { skip: noGit }, () => {
  for (const pair of PAIRS.filter((_, index) => index % 8 === 0))
    test(`reports ${pair.expected}: ${pair.title}`, async (t) => {
      const { root, skill } = await committed(t, pair.before);
      for (const one of pair.after) await edit(skill, one);
      const { out, err } = await inTree(["test", "./shop", "--against", "v1", "--format", "json"], root);
      assert.equal(err, "");
      assertVerdict(pair, out);
      assert.ok(!existsSync(join(root, MARK)));
    });

  test("finds it by every usual name, in loose and packed refs", async (t) => {
    const { root, skill, git, commit } = await committed(t);
    git("branch", "old/one");
    await edit(skill, SHORTER);
    commit();
    const names = [
      "v1",
      "old/one",
      "refs/heads/old/one",
      "HEAD~1",
      "main^",
      "@~",
      git("rev-parse", "v1^{commit}"),
      git("rev-parse", "--short", "v1^{commit}"),
    ];
    for (const isPacked of [false, true]) {
      if (isPacked) git("gc", "--quiet");
      for (const name of names) {
        const { status, out, err } = await inTree(["test", "shop/", "--against", name], root);
        assert.deepEqual([status, err], [1, ""], `${name} ${isPacked} ${out}`);
      }
      assert.match(
        (await inTree(["test", "shop/", "--against", "HEAD"], root)).out,
        /^Against HEAD: 0 breaking, 0 unknown, 0 not breaking\.\n$/,
      );
    }
  });

  test("runs nothing of the project: no hook, filter, monitor or code", async (t) => {
    const { root, skill, git, commit } = await committed(t);
    const program = join(root, "program.sh");
    await writeFile(program, `#!/bin/sh\ntouch ${join(root, MARK)}\ncat\n`, { mode: 0o755 });
    await writeFile(join(root, ".gitattributes"), "* filter=evil diff=evil\n");
    commit();
    for (const [key, value] of [
      ["filter.evil.smudge", program],
      ["filter.evil.clean", program],
      ["diff.evil.textconv", program],
      ["core.fsmonitor", program],
      ["core.pager", program],
      ["core.hooksPath", root],
      ["core.sshCommand", program],
    ] as const)
      git("config", key, value);
    await edit(skill, SHORTER);
    const { status, out, err } = await inTree(["test", "shop/", "--against", "HEAD"], root);
    assert.deepEqual([status, err, existsSync(join(root, MARK))], [1, "", false], out);
  });

  test("reports a skill that is new, removed or was in another folder", async (t) => {
    const { root, skill, commit } = await committed(t);
    await writeSkill(join(root, "skills"), "kiosk", kioskFiles());
    assert.match(
      (await inTree(["test", "./skills", "--against", "v1"], root)).out,
      /^not breaking \(every surface\): skills\/kiosk\/skill\.json#: The skill kiosk is new\.\n/,
    );
    await rename(skill, join(root, "skills", "shop"));
    assert.match(
      (await inTree(["test", "./skills/shop", "--against", "v1"], root)).out,
      /^Against v1: 0 breaking/,
    );
    commit();
    await rm(join(root, "skills", "kiosk"), { recursive: true });
    const gone = await inTree(["test", "./skills", "--against", "HEAD"], root);
    assert.equal(gone.status, 1);
    assert.match(
      gone.out,
      /^breaking \(every surface\): skills\/kiosk\/skill\.json#: The skill kiosk is gone\.\n/,
    );
  });

  test("refuses a missing revision or folder, with a hint", async (t) => {
    const { root } = await committed(t);
    const outside = await ownFolder(t);
    await writeSkill(outside, "shop", SHOP);
    await writeSkill(root, "other", greetingFiles("other"));
    for (const [words, folder, message] of [
      [
        ["./shop", "--against", "v2"],
        root,
        /^error: There is no revision v2 in \S+\.\n.*--against \.\/earlier/s,
      ],
      [["./shop", "--against", "--upload-pack=x"], root, /--against needs a value/],
      [["./shop", "--against=-v"], root, /There is no revision -v in/],
      [["./shop", "--against", "HEAD~9"], root, /There is no revision HEAD~9 in/],
      [["./shop", "--against", "HEAD"], outside, /is not in a git work tree\./],
      [["./shop", "--against", "./nowhere"], root, /There is no skill shop in \S+nowhere\./],
      [["./shop", "--against", "."], root, /--against names \S+shop itself, the skill to compare\./],
      [["./shop", "--against", "./other"], root, /There is no skill shop in \S+other\./],
      [
        ["./shop", "--against", "v1", "--format", "xml"],
        root,
        /There is no format xml\..*text, json, markdown, sarif/s,
      ],
      [["./shop", "--format", "json"], root, /There is no format json of results\./],
      [
        ["./shop", "--against", "v1", "--format", "json", "--json"],
        root,
        /--format and --json cannot be combined\./,
      ],
      [["--against", "v1"], root, /There is no skill to compare\./],
    ] as const) {
      const { status, out, err } = await inTree(["test", ...words], folder);
      assert.equal(status, 64, err);
      assert.match(err + out, message);
    }
  });
});

test("a wider output is breaking, an undecided change is unknown, and the status is 1", async (t) => {
  const folder = await ownFolder(t);
  await writeSkill(join(folder, "earlier"), "shop", SHOP);
  const later = await writeSkill(folder, "shop", SHOP);
  await edit(later, ["schemas/receipt.json", "/properties/mood/enum", ["calm", "glad", "cross"]]);
  await edit(later, ["schemas/settings.json", "/properties/shop/not", { const: "Zed" }]);
  const { status, out } = await say(["test", "./shop", "--against", "./earlier", "--format", "json"], folder);
  const { changes } = JSON.parse(out) as Comparison;
  const verdicts = changes.map(({ verdict, file, pointer }) => `${verdict} ${file}${pointer}`);
  assert.deepEqual(
    [status, [...new Set(verdicts)]],
    [1, ["breaking shop/receipt/mood", "unknown shop/settings/shop"]],
  );
});

describe("the report of test --against", () => {
  const compared = async (t: TestContext, ...words: readonly string[]) => {
    const folder = await ownFolder(t);
    await writeSkill(join(folder, "earlier"), "shop", SHOP);
    const later = await writeSkill(folder, "shop", SHOP);
    await edit(later, SHORTER);
    await edit(later, [
      "skill.json",
      "/rules/closed",
      { tell: "Do not buy.", on: ["command.pre"], handler: true },
    ]);
    await edit(later, ["schemas/receipt.json", "/properties/hint", { type: "string", maxLength: 9 }]);
    return say(["test", "./shop", "--against", "./earlier", ...words], folder);
  };

  test("has a line for each change, the breaking ones first", async (t) => {
    const { out } = await compared(t);
    const lines = out.split("\n");
    assert.match(
      lines[0] ?? "",
      /^breaking \(cli, http, mcp, host\): shop\/schemas\/order\.json#\/item: The input of buy, \/item: `maxLength` was 40 and is 20; a call that was accepted is refused\. For example \{"item":"tea/,
    );
    assert.match(
      out,
      /\nunknown \(guard\): shop\/skill\.json#\/rules\/closed: The rule closed decides by code; the effect is unknown\.\n/,
    );
    assert.match(
      out,
      /\nnot breaking \(http\): shop\/schemas\/receipt\.json#\/hint: The reply 200 of POST \/stock, \/hint: the property is new; /,
    );
    assert.match(out, /\nAgainst \.\/earlier: 2 breaking, 1 unknown, 4 not breaking\.\n$/);
  });

  test("is a table in Markdown", async (t) => {
    const { out } = await compared(t, "--format", "markdown");
    assert.match(
      out,
      /^Against `\.\/earlier`: 2 breaking, 1 unknown, 4 not breaking\.\n\n\| Verdict \| Skill \| Surfaces \| Place \| Change \| Before \| Now \|\n\|( --- \|){7}\n\| breaking \| shop \| cli, http, mcp, host \| /,
    );
    assert.equal(out.trimEnd().split("\n").length, 2 + 2 + 7);
    for (const line of out.trimEnd().split("\n").slice(2))
      assert.equal(line.match(/(?<!\\)\|/g)?.length, 8, line);
  });

  test("is one document as JSON, with the envelope under --json", async (t) => {
    const bare = JSON.parse((await compared(t, "--format", "json")).out) as Comparison;
    const { ok, output } = JSON.parse((await compared(t, "--json")).out) as {
      ok: boolean;
      output: Comparison;
    };
    assert.deepEqual([ok, output], [false, bare]);
    const [first] = bare.changes;
    assert.deepEqual(
      [first?.before, first?.after, first?.file, first?.pointer],
      [40, 20, "shop/order", "/item"],
    );
  });

  test("is valid SARIF 2.1.0", async (t) => {
    const sarif = JSON.parse((await compared(t, "--format", "sarif")).out) as Sarif;
    assert.equal(sarif.version, "2.1.0");
    const [run] = sarif.runs;
    assert.equal(run?.tool.driver.name, "skillctl");
    const rules = run?.tool.driver.rules.map(({ id }) => id) ?? [];
    assert.deepEqual(
      run?.results.map(({ level }) => level),
      ["error", "error", "warning", "note", "note", "note", "note"],
    );
    for (const { ruleId, message, locations } of run?.results ?? []) {
      assert.ok(rules.includes(ruleId));
      assert.match(message.text, /\S/);
      assert.match(
        locations[0]?.physicalLocation.artifactLocation.uri ?? "",
        /^shop\/(?:skill|schemas\/\w+)\.json$/,
      );
    }
  });
});

interface Sarif {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: { readonly name: string; readonly rules: readonly { readonly id: string }[] };
    };
    readonly results: readonly {
      readonly ruleId: string;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly {
        readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
      }[];
    }[];
  }[];
}

function kioskFiles(): Readonly<Record<string, unknown>> {
  return {
    "skill.json": {
      manifestVersion: 1,
      name: "kiosk",
      version: "1.0.0",
      summary: "A kiosk.",
      engines: { skillctl: "*" },
    },
  };
}
