/** Sources that try to write outside of the target or to run code are refused as a whole. */
import assert from "node:assert/strict";
import { mkdir, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { commitTag, entriesOf, shop, tarball, type Entry } from "./fixture-sources.ts";

const WINDOWS = process.platform === "win32";

const outside = (path: string): readonly Entry[] => [{ path, body: "evil" }];

/** Entries that are added to those of a sound skill, and the reason of the refusal. */
const ENTRIES: readonly (readonly [string, readonly Entry[], RegExp])[] = [
  ["a path that leads up", outside("greeting/../../evil"), /leads out of the folder/],
  ["a path that only leads up", outside("../evil"), /leads out of the folder/],
  ["an absolute path", outside("/tmp/skillctl-evil"), /leads out of the folder/],
  ["a path of Windows", outside("C:\\evil"), /cannot be a file name on every system/],
  ["a path with back slashes", outside("..\\evil"), /cannot be a file name on every system/],
  ["a device of Windows", outside("greeting/NUL.txt"), /cannot be a file name on every system/],
  ["a device with an odd digit", outside("greeting/COM\u00b9.txt"), /cannot be a file name on every system/],
  ["a name that is not UTF-8", outside("greeting/a\ufffd"), /cannot be a file name on every system/],
  [
    "a folder that leads up",
    [{ path: "greeting/../../evil/", type: "Directory" }],
    /leads out of the folder/,
  ],
  [
    "an empty folder in another letter case",
    [{ path: "greeting/Plugin.js/", type: "Directory" }],
    /are the same name on some file systems/,
  ],
  ["a control character", outside("greeting/a\u001b[2Jb"), /cannot be a file name on every system/],
  ["a line break", outside("greeting/a\nb"), /cannot be a file name on every system/],
  ["a mark that reorders text", outside("greeting/a\u202eb"), /cannot be a file name on every system/],
  ["a long name", outside(`greeting/${"a".repeat(201)}`), /is too long/],
  ["a long path", outside(`greeting/${"a/".repeat(200)}b`), /is too long/],
  ["a name in another letter case", outside("greeting/PLUGIN.js"), /are the same name on some file systems/],
  [
    "a folder in another letter case",
    outside("greeting/Schemas/a.json"),
    /are the same name on some file systems/,
  ],
  ["a name twice", outside("greeting/plugin.js"), /are the same name on some file systems/],
  [
    "a name in another normal form",
    [...outside("greeting/\u00e9"), ...outside("greeting/e\u0301")],
    /are the same name/,
  ],
  ["a file as a folder", outside("greeting/plugin.js/a"), /are the same name on some file systems/],
  ["a link", [{ path: "greeting/link", type: "SymbolicLink", linkpath: "/etc/passwd" }], /is a SymbolicLink/],
  [
    "a folder that is a link, and a file in it",
    [{ path: "greeting/up", type: "SymbolicLink", linkpath: "../../.." }, ...outside("greeting/up/evil")],
    /is a SymbolicLink/,
  ],
  ["a hard link", [{ path: "greeting/link", type: "Link", linkpath: "greeting/plugin.js" }], /is a Link/],
  ["a device", [{ path: "greeting/zero", type: "CharacterDevice" }], /is a CharacterDevice/],
  ["a disk", [{ path: "greeting/disk", type: "BlockDevice" }], /is a BlockDevice/],
  ["a pipe", [{ path: "greeting/pipe", type: "FIFO" }], /is a FIFO/],
  ["a size beyond the limit", [{ path: "greeting/large", size: 60_000_000 }], /has over 52428800 bytes/],
  ["a size beyond the archive", [{ path: "greeting/large", size: 40_000_000 }], /cannot be read/],
  [
    "too many files",
    Array.from({ length: 5_000 }, (_, index): Entry => ({ path: `greeting/f${index}` })),
    /has over 5000 files/,
  ],
  [
    "too many folders",
    Array.from({ length: 5_001 }, (_, index): Entry => ({ path: `d${index}/`, type: "Directory" })),
    /has over 5000 files/,
  ],
  ["a second skill", outside("other/skill.json"), /has several skills/],
];

describe("a tarball is refused, and nothing is written:", () => {
  for (const [what, more, reason] of ENTRIES)
    test(what, async (t) => {
      const { say, skill, archive, paths, home, ran } = await shop(t);
      const file = await archive([...(await entriesOf(await skill("greeting"), "greeting")), ...more]);
      const before = (await readdir(home, { recursive: true })).sort();
      const { status, err } = await say("add", file, "--yes");
      assert.deepEqual([status, reason.test(err)], [65, true], err);
      assert.doesNotMatch(err, /[\u001b\u202e]/);
      assert.deepEqual(await paths(), []);
      const after = (await readdir(home, { recursive: true })).filter((path) => !path.startsWith("state"));
      assert.deepEqual(
        after.sort(),
        before.filter((path) => !path.startsWith("state")),
      );
      assert.equal(ran(), false);
    });

  test("bytes that are no archive, broken or nested compression, and a bomb", async (t) => {
    const { say, skill, home, paths } = await shop(t);
    const sound = tarball(await entriesOf(await skill("greeting"), "greeting"));
    const file = join(home, "strangers", "skill.tgz");
    for (const [bytes, reason] of [
      [Buffer.from("no archive"), /its archive cannot be read/],
      [sound.subarray(0, sound.length / 2), /its compression is broken/],
      [gzipSync(sound), /is compressed twice/],
      [gzipSync(Buffer.alloc(100_000_000)), /bytes unpacked/],
    ] as const) {
      await writeFile(file, bytes);
      const { status, err } = await say("add", file, "--yes");
      assert.deepEqual([status, reason.test(err)], [65, true], err);
    }
    assert.deepEqual(await paths(), []);
  });
});

describe("a source is refused, and nothing is written:", { skip: WINDOWS }, () => {
  test("a folder with a link", async (t) => {
    const { say, skill, paths } = await shop(t);
    const folder = await skill("greeting");
    await symlink("/etc/passwd", join(folder, "link"));
    assert.match((await say("add", folder, "--yes")).err, /link is a link, not a file/);
    await rm(join(folder, "link"));
    await symlink("/etc", join(folder, "link"));
    assert.match((await say("add", folder, "--yes")).err, /is neither a file nor a folder/);
    await rm(join(folder, "link"));
    await symlink("nowhere", join(folder, "link"));
    assert.match((await say("add", folder, "--yes")).err, /link is a link that leads nowhere/);
    assert.deepEqual(await paths(), []);
  });

  test("a repository with a link or a submodule", async (t) => {
    const { say, skill, paths } = await shop(t);
    const folder = await skill("greeting");
    await symlink("/etc/passwd", join(folder, "link"));
    await commitTag(folder, "v1.0.0");
    const { status, err } = await say("add", `git+file://${folder}#v1.0.0`, "--yes");
    assert.deepEqual([status, /link is a link or a submodule/.test(err)], [65, true], err);
    assert.deepEqual(await paths(), []);
  });

  test("a manifest that does not fit, or that asks for another host", async (t) => {
    const { say, skill, paths } = await shop(t);
    const wrong = await skill("greeting", "one");
    assert.equal((await say("add", wrong, "--yes")).status, 78);
    const newer = await skill("greeting", "1.0.0", { manifest: { engines: { skillctl: "^99.0.0" } } });
    assert.match((await say("add", newer, "--yes")).err, /greeting requires skillctl \^99\.0\.0\./);
    assert.deepEqual(await paths(), []);
  });

  test("a project whose folder for skills leads elsewhere", async (t) => {
    const { say, skill, project, home } = await shop(t);
    const elsewhere = join(home, "elsewhere");
    await mkdir(join(elsewhere, "precious"), { recursive: true });
    for (const [path, target] of [
      [".skillctl", elsewhere],
      [join(".skillctl", "skills"), elsewhere],
    ] as const) {
      await rm(join(project, ".skillctl"), { recursive: true, force: true });
      if (path !== ".skillctl") await mkdir(join(project, ".skillctl"));
      await symlink(target, join(project, path));
      const { status, err } = await say("add", await skill("greeting"), "--yes");
      assert.deepEqual([status, /nothing is written there/.test(err)], [77, true], err);
      assert.deepEqual(await readdir(elsewhere), ["precious"]);
    }
  });
});

test(
  "git of a repository runs no hook, filter or program, and its attributes change no byte",
  { skip: WINDOWS },
  async (t) => {
    const { say, skill, home, project, ran } = await shop(t);
    const folder = await skill("greeting");
    const mark = join(home, "git-ran");
    await writeFile(
      join(folder, ".gitattributes"),
      "* filter=evil\n*.md export-ignore\nplugin.js text eol=crlf ident\n",
    );
    await commitTag(folder, "v1.0.0");
    for (const hook of [
      "post-checkout",
      "reference-transaction",
      "pre-auto-gc",
      "post-index-change",
      "upload-pack",
    ])
      await writeFile(join(folder, ".git", "hooks", hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    await writeFile(
      join(folder, ".git", "config"),
      `${await readFile(join(folder, ".git", "config"), "utf8")}[filter "evil"]\nsmudge = touch ${mark}\n[uploadpack]\npackObjectsHook = touch ${mark}; git\n[core]\nfsmonitor = touch ${mark}\n`,
    );
    const { status, err } = await say("add", `git+file://${folder}#v1.0.0`, "--yes");
    assert.equal(status, 0, err);
    assert.deepEqual((await readdir(home)).includes("git-ran"), false);
    const { plugins = [] } = JSON.parse(await readFile(join(project, "skillctl.json"), "utf8")) as {
      plugins?: string[];
    };
    for (const name of ["plugin.js", "SKILL.md"])
      assert.deepEqual(
        await readFile(join(project, plugins[0] ?? "", name)),
        await readFile(join(folder, name)),
      );
    assert.equal(ran(), false);
  },
);
