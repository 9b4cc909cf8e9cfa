import { join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Files } from "../ports/files.ts";
import type { Programs } from "../ports/programs.ts";
import { quotedName } from "../quoted-name.ts";

interface GitRun {
  /** The git directory, absolute: one that `makeRepository` has made, never one of a project. */
  readonly repository: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
}

interface GitEnd {
  readonly status: number;
  readonly out: Buffer;
  /** The last line of its standard error. */
  readonly said: string;
}

/** The time that git has for an answer, in milliseconds. */
const GIT_MS = 30_000;

const OPTIONS = [
  "--no-optional-locks",
  "--no-pager",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
];

/** Variables that keep git from programs, prompts and the network: git(1), section Environment Variables. */
const ENVIRONMENT = {
  LC_ALL: "C",
  GIT_ALLOW_PROTOCOL: "",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_PAGER: "cat",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

/**
 * The program git; no other code of the core calls it. It only works in repositories of ours, so git reads no
 * configuration, hook or remote of a project, and nothing of a project names a program that git starts.
 */
class Git {
  constructor(
    private readonly programs: Programs,
    private readonly program: string,
  ) {}

  /** @throws SkillError `PROGRAM_FAILED` when it cannot be started or has to be ended, `CANCELLED` */
  async run(args: readonly string[], run: GitRun): Promise<GitEnd> {
    const { repository, environment, input } = run;
    const chunks: Uint8Array[] = [];
    let said = "";
    const { status } = await this.programs.run({
      program: this.program,
      args: [...OPTIONS, `--git-dir=${repository}`, ...args],
      folder: repository,
      environment: { ...ENVIRONMENT, ...environment },
      timeoutMs: GIT_MS,
      ...(input !== undefined && { input }),
      take: (bytes) => void chunks.push(bytes),
      note: (line) => void (said = line),
    });
    if (status === undefined) throw gitFailure(args, `no answer within ${GIT_MS / 1000} s`);
    return { status, out: Buffer.concat(chunks), said };
  }

  /** Its output. @throws SkillError `PROGRAM_FAILED` for any other status than 0, `CANCELLED` */
  async output(args: readonly string[], run: GitRun): Promise<Buffer> {
    const { status, out, said } = await this.run(args, run);
    if (status === 0) return out;
    throw gitFailure(args, said || `status ${status}`);
  }

  /** The bytes of blobs by their ids; `undefined` for those that are missing. Throws as `output` does. */
  async blobs(ids: readonly string[], run: GitRun): Promise<readonly (Uint8Array | undefined)[]> {
    if (ids.length === 0) return [];
    const out = await this.output(["cat-file", "--batch"], { ...run, input: lines(ids) });
    let at = 0;
    return ids.map(() => {
      const end = out.indexOf(10, at);
      const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(out.subarray(at, end).toString()) ?? [];
      const bytes = size === undefined ? undefined : out.subarray(end + 1, end + 1 + Number(size));
      at = end + 1 + (bytes ? bytes.byteLength + 1 : 0);
      return bytes;
    });
  }
}

function lines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join("");
}

function gitFailure(args: readonly string[], reason: string): SkillError {
  const verb = args.find((word) => !word.startsWith("-"));
  return new SkillError("PROGRAM_FAILED", `git ${verb} failed: ${quotedName(reason)}.`, {
    hint: "In a folder that you trust, `git status` shows what is wrong.",
  });
}

export async function gitOnPath(programs: Programs): Promise<Git | undefined> {
  const program = await programs.find("git");
  return program === undefined ? undefined : new Git(programs, program);
}

export type ObjectFormat = "sha1" | "sha256";

/** Makes an empty repository of ours: gitrepository-layout(5). */
export async function makeRepository(files: Files, repository: string, format: ObjectFormat): Promise<void> {
  for (const name of ["objects/info", "objects/pack", "refs", "info"])
    await files.makeFolder(join(repository, name));
  const version = format === "sha1" ? 0 : 1;
  const extensions = format === "sha1" ? [] : ["[extensions]", `objectFormat = ${format}`];
  const lines = ["[core]", `repositoryFormatVersion = ${version}`, "bare = false", ...extensions, ""];
  await files.replace(join(repository, "config"), lines.join("\n"));
  await files.replace(join(repository, "HEAD"), "ref: refs/heads/none\n");
}

/** The names between zero bytes. A name that is not UTF-8 holds U+FFFD. */
export function zeroSeparated(out: Buffer): readonly string[] {
  return out.toString("utf8").split("\0").slice(0, -1);
}
