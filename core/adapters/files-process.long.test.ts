import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { folderFor } from "./fixture-folder.ts";

/** Windows has other modes and limits. */
const onPosix = { skip: process.platform === "win32" };

/** The output of a separate process, in which `files` is the adapter and `folder` the folder. */
async function inChild(folder: string, body: string, shell = ""): Promise<unknown> {
  const script = `
    import * as fs from "node:fs";
    import { join } from "node:path";
    import { nodeFiles as files } from ${JSON.stringify(new URL("./files.ts", import.meta.url).href)};
    const folder = ${JSON.stringify(folder)};
    const answer = await (async () => { ${body} })();
    process.stdout.write(JSON.stringify(answer));`;
  const program = join(folder, "child.mjs");
  await writeFile(program, script);
  const words = [
    process.execPath,
    "--conditions=@skillctl/source",
    "--import",
    import.meta.resolve("tsx"),
    program,
  ];
  const env = { ...process.env, TSX_DISABLE_CACHE: "1" };
  const { stdout } = await promisify(execFile)("sh", ["-c", `${shell} exec "$@"`, "sh", ...words], { env });
  return JSON.parse(stdout);
}

test(
  "only the owner can access a file from its creation on, under a umask of 0 and of 0777",
  onPosix,
  async (t) => {
    const folder = folderFor(t).path;
    const modes = await inChild(
      folder,
      `const modes = {};
    for (const mask of [0o000, 0o777]) {
      const place = join(folder, "umask-" + mask.toString(8));
      fs.mkdirSync(place);
      process.umask(mask);
      const seen = new Set();
      let writing = true;
      const watch = () => {
        for (const name of fs.readdirSync(place)) {
          try { seen.add(fs.statSync(join(place, name)).mode & 0o777); } catch {}
        }
        if (writing) setImmediate(watch);
      };
      watch();
      for (let round = 0; round < 60; round += 1) {
        await files.replace(join(place, "replaced"), "x".repeat(round * 1000));
        await files.create(join(place, "created-" + round), "x");
      }
      writing = false;
      const final = fs.readdirSync(place).map((name) => fs.statSync(join(place, name)).mode & 0o777);
      modes[mask] = { open: [...seen].filter((mode) => (mode & 0o177) !== 0), final: [...new Set(final)], watched: seen.size > 0 };
    }
    return modes;`,
    );
    const kept = { open: [], final: [0o600], watched: true };
    assert.deepEqual(modes, { 0: kept, 511: kept });
  },
);

test("an incomplete write leaves the old file unchanged and no new one", onPosix, async (t) => {
  const folder = folderFor(t).path;
  await writeFile(join(folder, "old"), "old");
  const answer = await inChild(
    folder,
    `const told = async (action) => action().then(() => "written", (error) => error.code + " " + error.cause.code);
    const long = "x".repeat(1_000_000);
    return [
      await told(() => files.replace(join(folder, "old"), long)),
      await told(() => files.create(join(folder, "new"), long)),
      fs.readFileSync(join(folder, "old"), "utf8"),
      fs.readdirSync(folder).filter((name) => name !== "child.mjs"),
    ];`,
    "ulimit -f 100;",
  );
  assert.deepEqual(answer, ["FILE_UNWRITABLE EFBIG", "FILE_UNWRITABLE EFBIG", "old", ["old"]]);
});

test(
  "a new file is synced before it gets its name, and the folder of each new name afterwards",
  onPosix,
  async (t) => {
    const folder = folderFor(t).path;
    const synced = await inChild(
      folder,
      `const synced = [];
    const { open } = fs.promises;
    fs.promises.open = async (path, ...more) => {
      const handle = await open(path, ...more);
      const sync = handle.sync.bind(handle);
      handle.sync = () => {
        const names = fs.readdirSync(folder).filter((name) => name !== "child.mjs" && !name.startsWith("."));
        synced.push([path === folder ? "folder" : "file", ...names]);
        return sync();
      };
      return handle;
    };
    await files.replace(join(folder, "a"), "x");
    await files.create(join(folder, "b"), "x");
    await files.create(join(folder, "b"), "y");
    await files.makeFolder(join(folder, "c"));
    await files.makeFolder(join(folder, "c"));
    return synced;`,
    );
    assert.deepEqual(synced, [
      ["file"],
      ["folder", "a"],
      ["file", "a"],
      ["folder", "a", "b"],
      ["file", "a", "b"],
      ["folder", "a", "b", "c"],
    ]);
  },
);
