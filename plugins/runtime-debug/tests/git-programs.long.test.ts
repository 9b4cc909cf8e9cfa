/** Repositories that name programs, remotes and files elsewhere: no command of a session runs or follows any of them. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { sayInProcess, type ProgramResult } from "../../../contract-tests/command-line.ts";
import { HYPOTHESES } from "./session-harness.ts";
import { gitIn, noGit } from "./worktree-harness.ts";

/** A project of git, and programs that leave a mark when they run. */
interface Scene {
  readonly root: string;
  /** Runs a command of runtime-debug. */
  readonly say: (words: readonly string[], folder?: string) => Promise<ProgramResult>;
  readonly git: (...words: readonly string[]) => string;
  readonly write: (path: string, text: string) => Promise<void>;
  /** The path of a program that leaves a mark of this name. */
  readonly program: (name: string) => Promise<string>;
  /** The names of the programs that ran. */
  readonly ran: () => Promise<readonly string[]>;
}

async function scene(t: TestContext, name = "project"): Promise<Scene> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "skillctl-git-")));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [root, home, marks, programs] = [name, "home", "ran", "programs"].map((one) => join(folder, one));
  for (const path of [root, home, marks, programs]) await mkdir(path as string);
  const [at, HOME] = [root as string, home as string];
  const variables = { PATH: process.env["PATH"] ?? "", HOME, SKILLCTL_STATE: join(folder, "state") };
  const made: Scene = {
    root: at,
    say: (words, from = at) => sayInProcess(["run", "runtime-debug", ...words], from, { variables }),
    git: (...words) => gitIn(at, HOME, ...words),
    write: async (path, text) => {
      await mkdir(dirname(join(at, path)), { recursive: true });
      await writeFile(join(at, path), text);
    },
    program: async (name) => {
      const path = join(programs as string, name);
      await writeFile(path, `#!/bin/sh\ntouch '${marks}/${name}'\nexit 1\n`, { mode: 0o755 });
      return path;
    },
    ran: () => readdir(marks as string),
  };
  made.git("init", "--quiet");
  for (const [path, text] of Object.entries(START)) await made.write(path, text);
  made.git("add", "--all");
  made.git("commit", "--quiet", "--message", "first");
  return made;
}

const START = { "total.js": "let sum = 0;\n\nsum += 1;\n", "src/in/a.js": "a\n", "other/b.js": "b\n" };
const SESSION = "sum-is-wrong";

/** Takes a session through the commands that look at the project; each with its exit status. */
async function walk({ say, write }: Scene): Promise<readonly (readonly [string, number, string])[]> {
  const told: (readonly [string, number, string])[] = [];
  const step = async (...words: readonly string[]): Promise<void> => {
    const { status, err } = await say(words);
    told.push([words[0] === "check" ? words.join(" ") : (words[0] ?? ""), status, err]);
  };
  const input = { issue: "The sum is wrong", session: SESSION, hypotheses: HYPOTHESES };
  await step("start", "--input", JSON.stringify(input));
  await step("check");
  await step("check", "--staged");
  await step("status");
  await write("total.js", "let sum = 1;\n\nsum += 1;\n");
  await write("other/b.js", "c\n");
  await step("keep", "total.js");
  await step("undo");
  await step("answer", "D");
  await step("cleanup");
  return told;
}

const EXPECTED: Readonly<Record<string, number>> = { check: 65 };

async function assertHarmless(scene: Scene, expected = EXPECTED): Promise<void> {
  const told = await walk(scene);
  assert.deepEqual(await scene.ran(), []);
  for (const [command, status, err] of told) assert.equal(status, expected[command] ?? 0, err);
}

/** Names of settings whose value is a program or leads to one. */
const NAMES_A_PROGRAM =
  /(?:cmd|path|program|editor|pager|command|hook|helper|driver|clean|smudge|process|textconv|fsmonitor|uploadpack|receivepack|askpass|external|gitproxy|browser|tool|include|templatedir|^alias|filter\.)/i;
/** Settings that `git help -c` does not list. */
const UNLISTED = ["filter.own.process", "core.fsmonitor", "uploadpack.packObjectsHook", "hook.own.command"];
const HOOKS =
  "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit " +
  "pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update " +
  "reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman " +
  "post-index-change p4-pre-submit";

/** A configuration that sets each of them to a separate program. */
async function hostileConfiguration({ program }: Scene): Promise<string> {
  const listed = execFileSync("git", ["help", "-c"], { encoding: "utf8" }).match(/^[a-z]\S+$/gim) ?? [];
  const settings = [...listed, ...UNLISTED].filter((name) =>
    NAMES_A_PROGRAM.test(name.replace(/<\w+>/g, "")),
  );
  const lines = await Promise.all(
    [...new Set(settings)].map(async (name, index) => {
      const parts = name.replaceAll(/<\w+>|\*/g, "own").split(".");
      const [section, key] = [parts[0] ?? "", parts.at(-1) ?? ""];
      const sub = parts.length > 2 ? ` "${parts.slice(1, -1).join(".")}"` : "";
      const path = await program(`${index}-${name.replaceAll(/\W/g, "-")}`);
      // An included file is a configuration itself.
      if (section.startsWith("include"))
        await writeFile(path, `[core]\n\tfsmonitor = ${await program("included")}\n`);
      return `[${section}${sub}]\n\t${key} = ${path}\n`;
    }),
  );
  assert.ok(lines.length > 60, "git names fewer settings than expected");
  return lines.join("");
}

const ATTRIBUTES = "* filter=own diff=own merge=own\n*.js ident text eol=crlf\n";

/** A configuration in which git treats missing objects as promised by a remote, whose program leaves a mark. */
async function promises({ program, root }: Scene, place = ".git"): Promise<void> {
  const upload = await program("uploadpack");
  await appendFile(
    join(root, place, "config"),
    `[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n` +
      `\turl = ${root}/.git\n\tpromisor = true\n\tpartialCloneFilter = blob:none\n\tuploadpack = "${upload}; false"\n`,
  );
}

const lose = ({ root }: Scene, id: string): Promise<void> =>
  rm(join(root, ".git/objects", id.slice(0, 2), id.slice(2).trim()));

describe("a repository", { skip: noGit }, () => {
  test("whose configuration, attributes and hooks name programs runs none of them", async (t) => {
    const one = await scene(t);
    await one.write(".gitattributes", ATTRIBUTES);
    await one.write("sub/x.js", "x\n");
    gitIn(join(one.root, "sub"), one.root, "init", "--quiet");
    await one.write("new.js", "n\n");
    one.git("add", "new.js", ".gitattributes");
    const configuration = await hostileConfiguration(one);
    for (const place of [".git", "sub/.git"]) {
      for (const hook of HOOKS.split(" ")) {
        const path = `${place}/hooks/${hook}`;
        await one.write(path, `#!/bin/sh\nexec '${await one.program(`hook-${hook}`)}'\n`);
        await chmod(join(one.root, path), 0o755);
      }
      await one.write(`${place}/info/attributes`, ATTRIBUTES);
      await appendFile(join(one.root, place, "config"), configuration);
    }
    await assertHarmless(one);
  });

  test("that promises a missing object fetches nothing, and a check of the commit says that it lacks one", async (t) => {
    const one = await scene(t);
    await promises(one);
    await one.write("new.js", "n\n");
    one.git("add", "new.js");
    await lose(one, one.git("rev-parse", ":new.js"));
    await assertHarmless(one, { ...EXPECTED, "check --staged": 66 });
    const { err } = await one.say(["check", "--staged"]);
    assert.match(
      err,
      /lacks 1 of the objects that the commit changes \([0-9a-f]{40}\); nothing is fetched\./,
    );
  });

  test("with a sparse index that promises a missing folder begins a session and fetches nothing", async (t) => {
    const one = await scene(t);
    one.git("sparse-checkout", "init", "--cone", "--sparse-index");
    one.git("sparse-checkout", "set", "other");
    await promises(one);
    await lose(one, one.git("rev-parse", "HEAD:src"));
    await one.write("new.js", "n\n");
    await assertHarmless(one, { ...EXPECTED, "check --staged": 66 });
  });

  test("with a missing tree of the last commit fetches nothing", async (t) => {
    const one = await scene(t);
    await promises(one);
    await lose(one, one.git("rev-parse", "HEAD^{tree}"));
    await one.write("new.js", "n\n");
    one.git("update-index", "--add", "new.js");
    await assertHarmless(one, { ...EXPECTED, "check --staged": 66 });
  });

  test("in a folder without `.git` is a folder like any other", async (t) => {
    const one = await scene(t);
    one.git("init", "--quiet", "--bare", "vendor/lib");
    await appendFile(
      join(one.root, "vendor/lib/config"),
      `[core]\n\tfsmonitor = ${await one.program("fsmonitor")}\n`,
    );
    await promises(one, "vendor/lib");
    await one.write("vendor/lib/HEAD", `${"1".repeat(40)}\n`);
    await one.write("new.js", "DEBUG_SERVER_URL\n");
    one.git("add", "new.js");
    const { status, err } = await one.say(["check", "--staged"], join(one.root, "vendor/lib"));
    assert.deepEqual([await one.ran(), status], [[], 65], err);
    one.git("reset", "--quiet");
    await assertHarmless(one);
  });

  test("that borrows objects of another repository is refused by a check of the commit, with a remedy", async (t) => {
    const one = await scene(t, "a\nb");
    await one.write(".git/objects/info/alternates", "/elsewhere/objects\n");
    const { status, err } = await one.say(["check", "--staged"]);
    assert.equal(status, 66);
    assert.match(err, /a\\nb\/\.git\/objects\/info\/alternates" names objects outside the project\./);
    assert.match(err, /git repack -a -d/);
    await assertHarmless(one, { ...EXPECTED, "check --staged": 66 });
  });

  test("that keeps its references in a reftable is refused by a check of the commit", async (t) => {
    const one = await scene(t, "a\nb");
    await one.write(".git/HEAD", "ref: refs/heads/.invalid\n");
    const { status, err } = await one.say(["check", "--staged"]);
    assert.equal(status, 66);
    assert.match(err, /a\\nb\/\.git" keeps its references in a reftable[^]*git refs migrate/);
  });

  test("elsewhere that a `.git` file names is not taken for the project's", async (t) => {
    const one = await scene(t);
    await rename(join(one.root, ".git"), join(one.root, "../other.git"));
    await one.write(".git", "gitdir: ../other.git\n");
    const { status, err } = await one.say(["check", "--staged"]);
    assert.equal(status, 69, err);
    assert.match(err, /is not a git repository/);
    await assertHarmless(one, { ...EXPECTED, "check --staged": 69 });
    assert.doesNotMatch(await readdir(join(one.root, "../other.git/info")).then(String), /skillctl/);
  });

  test("that is a submodule, has several work trees, packed references or a split index is read as git reads it", async (t) => {
    const one = await scene(t);
    const library = await scene(t);
    one.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.root, "lib");
    one.git("commit", "--quiet", "--message", "library");
    one.git("worktree", "add", "--quiet", "../second", "-b", "topic/second");
    one.git("pack-refs", "--all", "--prune");
    const places = [one.root, join(one.root, "lib"), join(one.root, "../second")];
    for (const place of places) {
      const git = (...words: readonly string[]): string => gitIn(place, one.root, ...words);
      git("-c", "core.splitIndex=true", "update-index", "--split-index");
      assert.equal((await one.say(["check", "--staged"], place)).status, 0, place);
      await writeFile(join(place, "new.js"), "DEBUG_SERVER_URL\n");
      git("add", "new.js");
      const { status, err } = await one.say(["check", "--staged"], place);
      assert.equal(status, 65, place + err);
      git("reset", "--quiet", "--hard");
    }
  });

  test("with ids of 64 digits is read like any other", async (t) => {
    const one = await scene(t);
    await rm(join(one.root, ".git"), { recursive: true });
    one.git("init", "--quiet", "--object-format=sha256");
    await one.write("new.js", "DEBUG_SERVER_URL\n");
    one.git("add", "--all");
    assert.equal((await one.say(["check", "--staged"])).status, 65);
    one.git("commit", "--quiet", "--message", "first");
    assert.equal((await one.say(["check", "--staged"])).status, 0);
    await assertHarmless(one);
  });

  test("inside the project whose name is not UTF-8 does not keep a session from beginning", async (t) => {
    const one = await scene(t);
    const name = Buffer.concat([Buffer.from(join(one.root, "caf")), Buffer.of(0xe9)]);
    const inside = Buffer.concat([name, Buffer.from("/a.js")]);
    await mkdir(name);
    await writeFile(inside, "a\n");
    const { program } = one;
    execFileSync("sh", [
      "-c",
      'cd "$0"/caf* && git init --quiet && git config core.fsmonitor "$1"',
      one.root,
      await program("fsmonitor"),
    ]);
    await writeFile(Buffer.concat([name, Buffer.from(".js")]), "a\n");
    await assertHarmless(one);
  });
});
