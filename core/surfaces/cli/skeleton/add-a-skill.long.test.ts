import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmod, readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { PROGRAM } from "../../../../contract-tests/command-line.ts";
import { packageFolder } from "../../../adapters/package-folder.ts";
import { ownFolder } from "../fixture-command-line.ts";
import { put } from "./fixture-skeleton.ts";

/** A fenced block of the document. */
interface Block {
  readonly language: string;
  /** The file whose content is the block. */
  readonly file: string | undefined;
  readonly text: string;
}

const SHOWN_PORT = "7780";
const PATIENCE_MS = 120_000;
const hasTools = process.platform !== "win32" && spawnSync("curl", ["--version"]).status === 0;

function blocksOf(document: string): readonly Block[] {
  return [...document.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", file, text = ""]) => ({ language, file, text }),
  );
}

/** A line `...` in a shown output stands for any lines. */
function isShown(shown: string, said: string): boolean {
  const parts = shown.split(/^\.\.\.\n/m).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join("(?:.*\\n)*?")}$`).test(said);
}

/** The `skillctl` of this checkout as a program on the path. */
async function programFolder(root: string): Promise<string> {
  const words = [process.execPath, ...PROGRAM].map((word) => `"${word}"`).join(" ");
  await put(root, "skillctl", `#!/bin/sh\nexec ${words} "$@"\n`);
  await chmod(join(root, "skillctl"), 0o755);
  return root;
}

/** Returns the output of a block of commands, on both streams, when the shell has ended. */
function say(shell: ChildProcess, commands: string): Promise<string> {
  const end = "--end-of-block--";
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(
      () => reject(new Error(`No end within ${PATIENCE_MS} ms; said so far:\n${said}`)),
      PATIENCE_MS,
    );
    const hear = (chunk: Buffer): void => {
      said += chunk.toString("utf8");
      if (!said.includes(`${end}\n`)) return;
      clearTimeout(timer);
      shell.stdout?.off("data", hear);
      resolve(said.slice(0, said.indexOf(end)));
    };
    shell.stdout?.on("data", hear);
    shell.stdin?.write(`{ ${commands}\n} 2>&1; echo; echo ${end}\n`);
  });
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

test("every command in docs/add-a-skill.md behaves as documented", { skip: !hasTools }, async (t) => {
  const root = await ownFolder(t);
  const programs = await programFolder(join(root, "programs"));
  const port = await freePort();
  const document = await readFile(join(packageFolder(), "docs", "add-a-skill.md"), "utf8");
  const blocks = blocksOf(document.replaceAll(SHOWN_PORT, port));
  await put(root, "work/.keep", "");
  const shell = spawn("/bin/sh", [], {
    cwd: join(root, "work"),
    // The loader would take the compiler options of the folder it runs in.
    env: {
      PATH: [programs, process.env["PATH"]].join(delimiter),
      HOME: root,
      NO_COLOR: "1",
      TSX_TSCONFIG_PATH: join(packageFolder(), "tsconfig.json"),
    },
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  t.after(() => {
    // The group of the shell: a server that a failed block left behind goes with it.
    if (shell.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid, "SIGTERM");
  });
  let ran = 0;
  for (const [index, { language, file, text }] of blocks.entries()) {
    if (file !== undefined) await put(join(root, "work"), file, text);
    if (language !== "sh") continue;
    const next = blocks[index + 1];
    const shown = next?.language === "text" ? next.text : "";
    const said = (await say(shell, text)).replace(/\n*$/, "\n");
    assert.ok(isShown(shown, said), `${text}\nsays:\n${said}\nand not:\n${shown}`);
    ran += 1;
  }
  assert.ok(ran >= 12, `Only ${ran} blocks were run.`);
});

test("dots in a shown output stand for any lines and for nothing else", () => {
  assert.ok(isShown("a\n...\nd\n", "a\nb\nc\nd\n"));
  assert.ok(isShown("a\n...\nd\n", "a\nd\n"));
  assert.ok(!isShown("a\n...\nd\n", "a\nb\n"));
  assert.ok(!isShown("a.\n", "ab\n"));
});
