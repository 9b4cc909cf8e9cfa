/** Hostile sources in addition to those of `hostile.test.ts`: archives that no library writes, and odd words. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { commitTag, entriesOf, shop, tarball } from "./fixture-sources.ts";

/** A header of tar, byte by byte, and its content. */
interface RawEntry {
  readonly name: string;
  readonly body?: string;
  readonly type?: string;
  readonly link?: string;
  readonly prefix?: string;
  /** The bytes of the size, in place of those of the body. */
  readonly size?: readonly number[];
  readonly isWrong?: boolean;
}

function raw({ name, body = "", type = "0", link = "", prefix = "", size, isWrong }: RawEntry): Buffer {
  const content = Buffer.from(body);
  const header = Buffer.alloc(512);
  const fields: readonly (readonly [at: number, text: string])[] = [
    [0, name],
    [100, "0000644\0"],
    [108, "0000000\0"],
    [116, "0000000\0"],
    [124, `${content.length.toString(8).padStart(11, "0")}\0`],
    [136, "00000000000\0"],
    [148, "        "],
    [156, type],
    [157, link],
    [257, "ustar\u000000"],
    [345, prefix],
  ];
  for (const [at, text] of fields) header.write(text, at, "latin1");
  if (size) header.set(size, 124);
  const sum = header.reduce((all, one) => all + one, isWrong ? 1 : 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

/** An extended header with one record. */
function pax(key: string, value: string, type = "x"): Buffer {
  const length = key.length + value.length + 3;
  return raw({ name: "pax", type, body: `${length + String(length + 2).length} ${key}=${value}\n` });
}

const safe = raw({ name: "package/safe", body: "x" });
const typed = (type: string): Buffer => raw({ name: "package/odd", type });
const out = /leads out of the folder/;
const unusable = /cannot be a file name on every system/;
const twice = /are the same name on some file systems/;
const notFile = /is a \w+, not a file/;

const ARCHIVES: readonly (readonly [string, Buffer | readonly Buffer[], RegExp])[] = [
  ["a prefix that leads up", raw({ name: "evil", prefix: "package/../../outside" }), out],
  ["an extended path", [pax("path", "../outside/evil"), safe], out],
  ["a long path", [raw({ name: "././@LongLink", type: "L", body: "package/../../../evil\0" }), safe], out],
  ["a double slash", raw({ name: "package//evil" }), out],
  ["an extended size", [pax("size", "99999999999"), safe], /has over 52428800 bytes/],
  [
    "a size beyond all numbers",
    raw({ name: "a", size: [0x80, 0, 0, 0, 0x7f, ...Array(7).fill(0xff)] }),
    /range/,
  ],
  ["a wrong checksum", raw({ name: "package/odd", isWrong: true }), /checksum failure/],
  ["an extended link", [pax("linkpath", "/etc/passwd"), raw({ name: "a", type: "2", link: "b" })], notFile],
  ...["Z", "M", "V", "S"].map((type) => [`the type ${type}`, typed(type), notFile] as const),
  ...[
    "plugin.js:evil",
    "CONIN$",
    "evil.",
    "plug\u200bin.js",
    "\ufeffplugin.js",
    "plugin\u00ad.js",
    ".git /config",
  ].map((name) => [JSON.stringify(name), raw({ name: latin1(`package/${name}`) }), unusable] as const),
  ["a drive that is shared", raw({ name: "\\\\server\\share\\evil" }), unusable],
  ["a letter that changes in lower case", raw({ name: latin1("package/s\u212aill.json") }), twice],
  [
    "two letters that a file system treats as one",
    [latin1("package/stra\u00dfe"), "package/STRASSE"].map((name) => raw({ name })),
    twice,
  ],
  ["a ligature", [latin1("package/\ufb01le"), "package/file"].map((name) => raw({ name })), twice],
];

function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}

test("tarballs that no library writes are refused, and nothing is written", async (t) => {
  const { say, skill, home, paths, ran } = await shop(t);
  const sound = tarball(await entriesOf(await skill("greeting")));
  const { gunzipSync } = await import("node:zlib");
  const entries = gunzipSync(sound).subarray(0, -1024);
  const file = join(home, "strangers", "skill.tgz");
  for (const [title, more, reason] of ARCHIVES) {
    await writeFile(file, gzipSync(Buffer.concat([entries, more, Buffer.alloc(1024)].flat())));
    const { status, err } = await say("add", file, "--yes");
    assert.deepEqual([title, status, reason.test(err)], [title, 65, true], err);
    assert.doesNotMatch(err, /[\u001b\u202e\u200b]/);
  }
  assert.deepEqual([await paths(), ran()], [[], false]);
});

const run = promisify(execFile);

/** Entries of a tree that git writes only when asked to write anything. */
const TREES: readonly (readonly [name: string | Buffer, status: number, reason: RegExp])[] = [
  ["..", 65, out],
  ["../outside/evil", 65, out],
  ["a\nb", 65, unusable],
  ["a\u001b[2J", 65, unusable],
  [Buffer.from([0x61, 0xff]), 65, unusable],
  ["plugin.js", 65, twice],
  ["PLUGIN.js", 65, twice],
  ["", 69, /empty filename/],
];

describe("a repository is refused, and nothing is written:", { skip: process.platform === "win32" }, () => {
  test("that has names that git does not write", async (t) => {
    const { say, skill, paths } = await shop(t);
    const folder = await skill("greeting");
    const git = async (args: readonly string[], input?: Buffer): Promise<string> => {
      const call = run("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder });
      call.child.stdin?.end(input);
      return (await call).stdout.trim();
    };
    await commitTag(folder, "v1.0.0");
    const blob = await git(["hash-object", "-w", "SKILL.md"]);
    const tree = (await git(["ls-tree", "HEAD"])).split("\n").map((line) => {
      const [, mode = "", id = "", path = ""] = /^0?(\d+) \w+ (\w+)\t(.*)$/.exec(line) ?? [];
      return [mode, path, id] as const;
    });
    for (const [name, status, reason] of TREES) {
      const body = [...tree, ["100644", name, blob] as const].map(([mode, path, id]) =>
        Buffer.concat([Buffer.from(`${mode} `), Buffer.from(path), Buffer.alloc(1), Buffer.from(id, "hex")]),
      );
      const id = await git(
        ["hash-object", "-t", "tree", "-w", "--stdin", "--literally"],
        Buffer.concat(body),
      );
      await git(["tag", "--force", "v1.0.0", await git(["commit-tree", "-m", "x", id])]);
      const { status: given, err } = await say("add", `git+file://${folder}#v1.0.0`, "--yes");
      assert.deepEqual([name, given, reason.test(err)], [name, status, true], err);
    }
    assert.deepEqual(await paths(), []);
  });

  test("whose objects are elsewhere, of another kind, or fetched by a program", async (t) => {
    const { say, skill, home, paths } = await shop(t);
    const folder = await skill("greeting");
    await commitTag(folder, "v1.0.0");
    const config = join(folder, ".git", "config");
    const mark = join(home, "git-ran");
    const promise = `[extensions]\npartialClone = evil\n[remote "evil"]\nurl = ext::touch ${mark}\npromisor = true\nuploadpack = touch ${mark}\n[protocol "ext"]\nallow = always\n`;
    const { stdout: blob } = await run("git", ["rev-parse", "HEAD:plugin.js"], { cwd: folder });
    await run("git", ["tag", "blob", blob.trim()], { cwd: folder });
    assert.equal((await say("add", `git+file://${folder}#blob`, "--yes")).status, 69);
    await writeFile(config, `${await readFile(config, "utf8")}${promise}`);
    const object = join(folder, ".git", "objects", blob.slice(0, 2), blob.trim().slice(2));
    await run("rm", ["-f", object]);
    assert.equal((await say("add", `git+file://${folder}#v1.0.0`, "--yes")).status, 69);
    assert.deepEqual([await paths(), (await run("ls", [home])).stdout.includes("git-ran")], [[], false]);
  });
});

const TAG = "is not the address of a repository with a tag";
const PACKAGE = "is not the name of an npm package";
const ADDRESS = "Skills cannot be fetched from";
const WORDS: Readonly<Record<string, readonly string[]>> = {
  [TAG]: [
    ..."git+fd::0#v1 git+--upload-pack=x#v1 git+http://127.0.0.1:1/x#v1 git+git://127.0.0.1:1/x#v1 git+localhost:x#v1 git+/etc#v1".split(
      " ",
    ),
    ..."git+file://strangers/greeting#v1 git+https::ext::x#v1 git+file:///x#a..b git+file:///x#v1@{1} git+file:///x#a:b git+file:///x#*".split(
      " ",
    ),
    "git+ext::sh%20-c%20x#v1",
    "git+https://127.0.0.1:1/x\n--upload-pack=x#v1",
    "git+ssh://-oProxyCommand=x/x#v1",
  ],
  [PACKAGE]: ["npm:../../evil", "npm:@evil/../../x", "npm:greeting?x=1", "npm:gree\u001b[2Jting"],
  [ADDRESS]: [
    ..."http://example.com/x.tgz http://127.0.0.1:80@example.com/x http://localhost.example.com/ ftp://example.com/x.tgz".split(
      " ",
    ),
    ..."file:///etc/passwd data:application/gzip;base64,H4sI javascript:x http://me:secret@example.com/x".split(
      " ",
    ),
  ],
};

test("words that are options, programs, other protocols or passwords are refused before anything is fetched", async (t) => {
  const { say, paths } = await shop(t);
  for (const [told, words] of Object.entries(WORDS))
    for (const word of words) {
      const { status, err } = await say("add", word, "--yes");
      assert.deepEqual([word, status, err.includes(told)], [word, 64, true], err);
      assert.doesNotMatch(err, /\u001b|secret/);
    }
  assert.deepEqual(await paths(), []);
});
