import { join } from "node:path";
import { quotedName, SkillError, type Files, type Programs } from "skillctl";

export interface GitRun {
  /** The git directory, absolute: one that `makeRepository` has made, never one of a project. */
  readonly repository: string;
  /** The work tree, in which git runs, absolute. Default: none, and git runs in the repository. */
  readonly workTree?: string;
  /** Whether the person's own configuration is read. Default: no configuration but that of the repository. */
  readonly readsUserConfiguration?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Default 30,000: the patterns of a hostile ignore list can take git for ever. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Asked for the file that git waits for, absolute, when it is ended. */
  readonly awaited?: () => Promise<string | undefined>;
}

interface GitEnd {
  readonly status: number;
  readonly out: Buffer;
  /** The last line of its standard error. */
  readonly said: string;
}

/** The time that git has for an answer, in milliseconds; more only where it copies files. */
export const GIT_MS = 30_000;

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
};

const NO_USER_CONFIGURATION = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

/**
 * The program git; no other code of this plugin calls it. It only works in repositories of ours, so git reads no
 * configuration, hook or remote of a project, and nothing of a project names a program that git starts.
 */
export class Git {
  constructor(
    private readonly programs: Programs,
    private readonly program: string,
  ) {}

  /** @throws SkillError `PROGRAM_FAILED` when it cannot be started or has to be ended, `CANCELLED` */
  async run(args: readonly string[], run: GitRun): Promise<GitEnd> {
    const { repository, workTree, readsUserConfiguration = false, timeoutMs = GIT_MS, signal, input } = run;
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
        ...(!readsUserConfiguration && NO_USER_CONFIGURATION),
        ...run.environment,
      },
      timeoutMs,
      ...(signal && { signal }),
      ...(input !== undefined && { input }),
      take: (bytes) => void chunks.push(bytes),
      note: (line) => void (said = line),
    });
    if (status === undefined)
      throw ended(`git ${verbOf(args)}`, workTree ?? repository, timeoutMs, await run.awaited?.());
    return { status, out: Buffer.concat(chunks), said };
  }

  /** Its output. @throws SkillError `PROGRAM_FAILED` for any other status than 0, `CANCELLED` */
  async output(args: readonly string[], run: GitRun): Promise<Buffer> {
    const { status, out, said } = await this.run(args, run);
    if (status === 0) return out;
    throw failed(run.workTree ?? run.repository, verbOf(args), said || status);
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

  /** The sizes of blobs by their ids, in bytes; `undefined` for those that are missing. Throws as `output` does. */
  async sizes(ids: readonly string[], run: GitRun): Promise<readonly (number | undefined)[]> {
    if (ids.length === 0) return [];
    const out = await this.output(["cat-file", "--batch-check"], { ...run, input: lines(ids) });
    return out
      .toString()
      .split("\n")
      .slice(0, ids.length)
      .map((line) => {
        const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(line) ?? [];
        return size === undefined ? undefined : Number(size);
      });
  }
}

function lines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join("");
}

function verbOf(args: readonly string[]): string | undefined {
  return args.find((word) => !word.startsWith("-"));
}

function ended(git: string, folder: string, timeoutMs: number, awaited: string | undefined): SkillError {
  const place = quotedName(folder);
  if (awaited !== undefined)
    return new SkillError(
      "PROGRAM_FAILED",
      `${git} was ended in ${place}: it waits for ${quotedName(awaited)}, which is no regular file.`,
      { file: awaited, hint: "Put a regular file there, or remove it." },
    );
  const seconds = Math.ceil(timeoutMs / 1000);
  return new SkillError("PROGRAM_FAILED", `${git} was ended in ${place}: no answer within ${seconds} s.`, {
    file: folder,
    hint: "A pattern with several * takes git for ever on a long name. `find . -name .gitignore -o -name .gitattributes` lists the files with patterns: remove such a pattern before a session, rename such a file in one.",
  });
}

/** `said` is its last line, or its exit status. */
export function failed(folder: string, verb: string | undefined, said: string | number): SkillError {
  const reason = typeof said === "string" ? quotedName(said) : said;
  return new SkillError("PROGRAM_FAILED", `git ${verb} failed in ${quotedName(folder)}: ${reason}.`, {
    hint: "In a folder that you trust, `git status` shows what is wrong.",
  });
}

export async function gitOnPath(programs: Programs): Promise<Git | undefined> {
  const program = await programs.find("git");
  return program === undefined ? undefined : new Git(programs, program);
}

export type ObjectFormat = "sha1" | "sha256";

/** Makes an empty repository of ours: gitrepository-layout(5). `core` are lines of that section of its configuration. */
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
  const lines = [
    "[core]",
    `repositoryFormatVersion = ${version}`,
    "bare = false",
    ...core,
    ...extensions,
    "",
  ];
  await files.replace(join(repository, "config"), lines.join("\n"));
  await files.replace(join(repository, "HEAD"), "ref: refs/heads/none\n");
}

/** The names between zero bytes. A name that is not UTF-8 holds U+FFFD. */
export function names(out: Buffer): readonly string[] {
  return out.toString("utf8").split("\0").slice(0, -1);
}
