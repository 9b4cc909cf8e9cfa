import { join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Files } from "../ports/files.ts";
import type { Programs } from "../ports/programs.ts";
import { quotedName } from "../quoted-name.ts";

/** The surroundings of a call of git. */
export interface GitRun {
  /** The git directory, absolute: created by `makeRepository`, never that of a project. */
  readonly repository: string;
  /** The work tree, in which git runs, absolute. Default: none, and git runs in the repository. */
  readonly workTree?: string;
  /** Whether the person's own configuration is read. Default: no configuration but that of the repository. */
  readonly readsUserConfiguration?: boolean;
  /** Whether git may fetch, by https, ssh and from files, without a password. Default: it fetches nothing. */
  readonly isFetch?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Default 30,000: the patterns of a hostile ignore list can keep git busy for ever. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called when git is ended; returns the file that git was waiting for, absolute. */
  readonly awaited?: () => Promise<string | undefined>;
}

interface GitEnd {
  readonly status: number;
  readonly out: Buffer;
  /** The first line of its standard error that is not a warning; empty if there is none. */
  readonly said: string;
}

/** The time limit of git, in milliseconds; higher only for copying and fetching files. */
export const GIT_MS = 30_000;

const OPTIONS = [
  "--no-optional-locks",
  "--no-pager",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "credential.helper=",
  "-c",
  "gc.auto=0",
];

/** Variables that stop git from using programs, prompts and the network: git(1), section Environment Variables. */
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
};

const NO_USER_CONFIGURATION = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

const FETCH = {
  GIT_ALLOW_PROTOCOL: "https:ssh:file",
  SSH_ASKPASS_REQUIRE: "never",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
};

/**
 * The program git, which no other code calls. It works only in our own repositories, so it reads no configuration, hook or
 * remote of a project, and no file of a project can name a program that git starts.
 * @internal
 */
export class Git {
  constructor(
    private readonly programs: Programs,
    private readonly program: string,
  ) {}

  /** @throws SkillError `PROGRAM_FAILED` when it cannot be started or must be ended, `CANCELLED` */
  async run(args: readonly string[], run: GitRun): Promise<GitEnd> {
    const { repository, workTree, timeoutMs = GIT_MS, signal, input } = run;
    const chunks: Uint8Array[] = [];
    let said = "";
    const places = [
      `--git-dir=${repository}`,
      ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
    ];
    const { status } = await this.programs.run({
      program: this.program,
      args: [...OPTIONS, ...places, ...args],
      folder: workTree ?? repository,
      environment: {
        ...ENVIRONMENT,
        ...(!run.readsUserConfiguration && NO_USER_CONFIGURATION),
        ...(run.isFetch && FETCH),
        ...run.environment,
      },
      ...(run.isFetch && { variables: ["SSH_AUTH_SOCK"], isGroup: true }),
      timeoutMs,
      ...(signal && { signal }),
      ...(input !== undefined && { input }),
      take: (bytes) => void chunks.push(bytes),
      note: (line) => {
        if (!REMARK.test(line) && (said === "" || (ECHO.test(said) && !ECHO.test(line)))) said = line;
      },
    });
    if (status === undefined) throw ended(args, run, timeoutMs, await run.awaited?.());
    return { status, out: Buffer.concat(chunks), said };
  }

  /** Runs git and returns its output. @throws SkillError `PROGRAM_FAILED` for a status other than 0, `CANCELLED` */
  async output(args: readonly string[], run: GitRun): Promise<Buffer> {
    const { status, out, said } = await this.run(args, run);
    if (status === 0) return out;
    throw gitFailure(args, run, said || `status ${status}`);
  }

  /** The bytes of blobs by their ids; `undefined` for those that are missing. Throws as `output` does. */
  async blobs(ids: readonly string[], run: GitRun): Promise<readonly (Uint8Array | undefined)[]> {
    if (ids.length === 0) return [];
    const out = await this.output(["cat-file", "--batch"], { ...run, input: lines(ids) });
    let at = 0;
    return ids.map(() => {
      const end = out.indexOf(10, at);
      const size = blobSize(out.subarray(at, end).toString());
      const bytes = size === undefined ? undefined : out.subarray(end + 1, end + 1 + size);
      at = end + 1 + (bytes ? bytes.byteLength + 1 : 0);
      return bytes;
    });
  }

  /** The sizes of blobs by their ids, in bytes; `undefined` for those that are missing. Throws as `output` does. */
  async sizes(ids: readonly string[], run: GitRun): Promise<readonly (number | undefined)[]> {
    if (ids.length === 0) return [];
    const out = await this.output(["cat-file", "--batch-check"], { ...run, input: lines(ids) });
    return out.toString().split("\n").slice(0, ids.length).map(blobSize);
  }
}

const REMARK = /^(?:warning|hint):/i;
/** A line that only says that another process of git has ended, whose own message may come later. */
const ECHO = /\b(?:died|aborting|hung up|early EOF)\b/i;

function lines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join("");
}

/** The size of a blob in a line of `cat-file --batch`. */
function blobSize(line: string): number | undefined {
  const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(line) ?? [];
  return size === undefined ? undefined : Number(size);
}

function ended(
  args: readonly string[],
  run: GitRun,
  timeoutMs: number,
  awaited: string | undefined,
): SkillError {
  const call = `${callOf(args)} was ended${placeOf(run)}`;
  if (awaited !== undefined)
    return new SkillError(
      "PROGRAM_FAILED",
      `${call}: it waits for ${quotedName(awaited)}, which is not a regular file.`,
      { file: awaited, hint: "Put a regular file there, or remove it." },
    );
  const sentence = `${call}: no answer within ${Math.ceil(timeoutMs / 1000)} s.`;
  if (run.workTree === undefined) return new SkillError("PROGRAM_FAILED", sentence, { hint: "Try again." });
  return new SkillError("PROGRAM_FAILED", sentence, {
    file: run.workTree,
    hint: "git takes very long to match a pattern with several * against a long name. `find . -name .gitignore -o -name .gitattributes` lists the files with patterns: remove such a pattern before a session; during a session, rename such a file.",
  });
}

/** The error for a call that failed. @internal */
export function gitFailure(args: readonly string[], run: GitRun, said: string): SkillError {
  const hint = run.isFetch
    ? "Check the address and the tag; a private repository is read by ssh, or from a folder or tarball."
    : "In a folder that you trust, `git status` shows what is wrong.";
  const sentence = `${callOf(args)} failed${placeOf(run)}: ${quotedName(said)}.`;
  return new SkillError("PROGRAM_FAILED", sentence, { hint });
}

function callOf(args: readonly string[]): string {
  return `git ${args.find((word) => !word.startsWith("-"))}`;
}

/** Our own repositories are not named: the person does not know them. */
function placeOf({ workTree }: GitRun): string {
  return workTree === undefined ? "" : ` in ${quotedName(workTree)}`;
}

/** The git on PATH; `undefined` if there is none. @internal */
export async function gitOnPath(programs: Programs): Promise<Git | undefined> {
  const program = await programs.find("git");
  return program === undefined ? undefined : new Git(programs, program);
}

/** The git on PATH. @throws SkillError `PROGRAM_FAILED` if there is none @internal */
export async function requiredGit(programs: Programs, hint = "Install it."): Promise<Git> {
  const git = await gitOnPath(programs);
  if (git) return git;
  throw new SkillError("PROGRAM_FAILED", "git is not on PATH.", { hint });
}

export type ObjectFormat = "sha1" | "sha256";

/** Creates our own empty repository: gitrepository-layout(5). `core`: lines of that section of its configuration. @internal */
export async function makeRepository(
  files: Files,
  repository: string,
  format: ObjectFormat,
  core: readonly string[] = [],
): Promise<void> {
  for (const name of ["objects/info", "objects/pack", "refs", "info"])
    await files.makeFolder(join(repository, name));
  const version = format === "sha1" ? 0 : 1;
  const extensions = format === "sha1" ? [] : ["[extensions]", `objectFormat = ${format}`];
  const own = ["[core]", `repositoryFormatVersion = ${version}`, "bare = false", ...core];
  await files.replace(join(repository, "config"), [...own, ...extensions, ""].join("\n"));
  await files.replace(join(repository, "HEAD"), "ref: refs/heads/none\n");
}

/** The names in an output, each ended by a zero byte. A name that is not UTF-8 contains U+FFFD. @internal */
export function zeroSeparated(out: Buffer): readonly string[] {
  return out.toString("utf8").split("\0").slice(0, -1);
}
