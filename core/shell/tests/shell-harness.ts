import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ShellFacts } from "../../contract.ts";
import { readShell } from "../read-shell.ts";

/** Whether a program is there. */
export function has(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

/** A folder with a small project in it, for one test. */
export class ShellHarness implements Disposable {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "shell-")));
  readonly project = join(this.folder, "shop");

  constructor() {
    this.reset();
  }

  /** The project as it was. */
  reset(): void {
    rmSync(this.project, { recursive: true, force: true });
    mkdirSync(join(this.project, "src/deep"), { recursive: true });
    mkdirSync(join(this.project, "docs"));
    writeFileSync(join(this.project, "src/app.js"), "app\n");
    writeFileSync(join(this.project, "src/deep/low.js"), "low\n");
    writeFileSync(join(this.project, "docs/read me.md"), "text\n");
    writeFileSync(join(this.project, "seed"), "seed\n");
  }

  file(name: string, text: string): void {
    writeFileSync(join(this.project, name), text);
  }

  read(command: string): Promise<ShellFacts> {
    return readShell(command, { cwd: this.project, home: this.folder });
  }

  /** Runs a command in the project, and says which files came, went or changed. */
  run(command: string, shell = "bash"): readonly string[] {
    const before = this.#contents();
    spawnSync(shell, ["-c", command], {
      cwd: this.project,
      env: { PATH: process.env["PATH"], HOME: this.folder, LC_ALL: "C" },
      stdio: "ignore",
      timeout: 20_000,
    });
    const after = this.#contents();
    const names = new Set([...before.keys(), ...after.keys()]);
    return [...names]
      .filter((name) => before.get(name) !== after.get(name))
      .map((name) => join(this.folder, name));
  }

  #contents(): ReadonlyMap<string, string> {
    const all = new Map<string, string>();
    const open = [""];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      for (const entry of readdirSync(join(this.folder, folder), { withFileTypes: true })) {
        const name = join(folder, entry.name);
        const path = join(this.folder, name);
        if (entry.isDirectory()) open.push(name);
        if (entry.isSymbolicLink()) all.set(name, `link ${readlinkSync(path)}`);
        else
          all.set(
            name,
            entry.isFile() ? `${lstatSync(path).mtimeMs} ${readFileSync(path, "latin1")}` : "other",
          );
      }
    }
    return all;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whether a file is among those that are known to be written, or may be. */
export function mayWrite(facts: ShellFacts, path: string): boolean {
  const unknown: readonly string[] = facts.unknown;
  if (["write", "code", "program", "syntax"].some((why) => unknown.includes(why))) return true;
  return facts.writes.some((each) => path === each || path.startsWith(`${each}/`));
}
