import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import {
  makeRepository,
  ProjectRepository,
  quotedName,
  requiredGit,
  SkillError,
  zeroSeparated,
  type Environment,
  type Files,
  type Git,
  type GitRun,
  type Programs,
} from "skillctl";
import type { CheckOutput } from "../contract.ts";
import { projectFolder } from "../session/ledger.ts";
import { isDocument } from "../worktree/code-files.ts";
import { findingsText, type Finding } from "./finding.ts";
import { isRecord, signIn } from "./traces.ts";

const OWN_FILES =
  /(?:^|\/)(?:\.dbg\/|(?:svc|trae)-debug-(?:log|aside|rejected)-[^/]*\.ndjson$|\.cursor\/debug[^/]*\.log$|debug-[0-9a-f]{6}\.log$)/;
/** The files in the index that differ from the last commit, without removed ones. */
const STAGED =
  "diff-index --cached --raw -z --no-renames --ignore-submodules=all --ita-invisible-in-index --diff-filter=d".split(
    " ",
  );
const EMPTY_TREE = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
} as const;
/** A line without any of these holds no sign. */
const ANY_SIGN = /region|\/event|\/ingest|DEBUG_|Debug-Session-Id|-debug-(?:log|rejected)|[.]cursor/i;
/** Like git, treats a file as binary if it has a zero byte among this number of first bytes. */
const BINARY_BYTES = 8_000;
/** In bytes: larger files are not read, since code is smaller. */
const MOST_FILE_BYTES = 64 * 1024 * 1024;
/** The number of bytes read from the repository at a time. */
const BATCH_BYTES = 64 * 1024 * 1024;
/** Files that a killed process has left behind are removed after this time, in milliseconds. */
const LEFT_MS = 3_600_000;

/**
 * Refuses a commit that adds parts of a debug session; earlier commits are not checked.
 * @throws SkillError `DEBUG_CHECK_FAILED` with the output as its result, `PROGRAM_FAILED`, `FILE_UNREADABLE` for
 * an unreadable part of the repository, `CANCELLED`
 */
export async function checkStaged(
  programs: Programs,
  files: Files,
  environment: Environment,
  signal: AbortSignal,
): Promise<CheckOutput> {
  const git = await requiredGit(programs);
  const repository = await placeIn(join(environment.stateFolder, "runtime-debug", "staged"), files);
  try {
    const commit = await Commit.open(git, repository, files, environment, signal);
    return await checked(commit);
  } finally {
    await files.remove(repository);
  }
}

async function checked(commit: Commit): Promise<CheckOutput> {
  const staged = await commit.staged();
  const contents = commit.contents(staged.map(({ now }) => now));
  const findings: Finding[] = [];
  const large: string[] = [];
  const suspects: { readonly before: string | undefined; readonly lines: readonly StagedLine[] }[] = [];
  for (const { path, before } of staged) {
    const { value } = await contents.next();
    if (value === "large") large.push(path);
    const text = textOf(value);
    if (OWN_FILES.test(path) || isRecord(path, text))
      findings.push({ file: path, code: "staged-file", sentence: "This is a file of a debug session." });
    // Guides and change logs mention everything.
    else if (!isDocument(path)) suspects.push({ before, lines: linesIn(path, text) });
  }
  const changed = suspects.filter(({ lines }) => lines.length > 0);
  const former = commit.contents(changed.map(({ before }) => before));
  for (const { lines } of changed) {
    const { value } = await former.next();
    const known = new Set(linesIn("", textOf(value)).map(({ text }) => text));
    findings.push(...lines.filter(({ text }) => !known.has(text)).flatMap(findingsIn));
  }
  return answerOf(findings.sort(byPath), large);
}

function byPath({ file: one = "" }: Finding, { file: other = "" }: Finding): number {
  return one < other ? -1 : Number(one > other);
}

function answerOf(findings: Finding[], large: readonly string[]): CheckOutput {
  const regions = findings.filter(({ code }) => code === "staged-marker").length;
  const counts = { files: new Set(findings.map(({ file }) => file)).size, regions, findings };
  const told = large.map((path) => `${quotedName(path)} is over 64 MiB and was not read.`);
  if (findings.length === 0)
    return { ok: true, ...counts, text: ["No part of a debug session is staged.", ...told].join("\n") };
  throw new SkillError("DEBUG_CHECK_FAILED", "The commit would contain parts of a debug session.", {
    hint: "Remove them from the commit with `git restore --staged FILE`; `skillctl run runtime-debug status` shows the next step of the session.",
    result: {
      ok: false,
      ...counts,
      text: [findingsText(findings), ...told].join("\n"),
    } satisfies CheckOutput,
  });
}

/** A file that the commit adds or changes. */
interface StagedFile {
  readonly path: string;
  /** The id of its content; `undefined` for a link, and for a path in conflict. */
  readonly now: string | undefined;
  /** The id of its content in the last commit, if it was a file there. */
  readonly before: string | undefined;
}

/** The bytes of a file; `large` if they are not read, `undefined` if the file does not exist. */
type Content = Uint8Array | "large" | undefined;

/** The commit that is being created, read through a temporary repository. */
class Commit {
  private constructor(
    private readonly git: Git,
    private readonly run: GitRun,
    private readonly head: string,
  ) {}

  /** @throws SkillError `PROGRAM_FAILED` for a folder without a repository, and as `checkStaged` does */
  static async open(
    git: Git,
    repository: string,
    files: Files,
    environment: Environment,
    signal: AbortSignal,
  ): Promise<Commit> {
    const project = await projectOf(environment, files);
    const format = await project.objectFormat();
    const head = (await project.head()) ?? EMPTY_TREE[format];
    const objects = named("GIT_OBJECT_DIRECTORY", environment) ?? (await project.objects());
    await makeRepository(files, repository, format);
    const index = await project.copyIndex(repository, named("GIT_INDEX_FILE", environment));
    const variables = {
      GIT_INDEX_FILE: index ?? join(repository, "index"),
      GIT_OBJECT_DIRECTORY: objects,
    };
    return new Commit(git, { repository, environment: variables, signal }, head);
  }

  /** @throws SkillError `PROGRAM_FAILED` where the index or trees of the last commit cannot be read */
  async staged(): Promise<readonly StagedFile[]> {
    const { status, out, said } = await this.git.run([...STAGED, this.head], this.run);
    if (status !== 0)
      throw lacking(`The index or the last commit cannot be read (${quotedName(said || String(status))})`);
    const words = zeroSeparated(out);
    const found: StagedFile[] = [];
    for (let at = 0; at + 1 < words.length; at += 2) {
      const [oldMode = "", mode = "", before = "", now = ""] = (words[at] as string).slice(1).split(" ");
      const isFile = (one: string): boolean => one.startsWith("100");
      found.push({
        path: words[at + 1] as string,
        now: isFile(mode) && /[1-9a-f]/.test(now) ? now : undefined,
        before: isFile(oldMode) ? before : undefined,
      });
    }
    return found;
  }

  /**
   * The contents of objects with these ids, one after the other.
   * @throws SkillError `FILE_UNREADABLE` when the repository lacks one
   */
  async *contents(ids: readonly (string | undefined)[]): AsyncGenerator<Content, undefined> {
    const wanted = ids.filter((id) => id !== undefined);
    const sizes = new Map(
      (await this.git.sizes(wanted, this.run)).map((size, index) => [wanted[index], size]),
    );
    const missing = wanted.filter((id) => sizes.get(id) === undefined);
    if (missing.length > 0)
      throw lacking(
        `The repository lacks ${missing.length} of the objects that the commit changes (${missing[0]})`,
      );
    const isRead = (id: string | undefined): id is string =>
      id !== undefined && (sizes.get(id) ?? 0) <= MOST_FILE_BYTES;
    for (let at = 0; at < ids.length;) {
      let [end, bytes] = [at, 0];
      do {
        const id = ids[end];
        bytes += isRead(id) ? (sizes.get(id) ?? 0) : 0;
        end += 1;
      } while (end < ids.length && bytes < BATCH_BYTES);
      const batch = ids.slice(at, end);
      const read = (await this.git.blobs(batch.filter(isRead), this.run)).values();
      for (const id of batch) yield isRead(id) ? read.next().value : id === undefined ? undefined : "large";
      at = end;
    }
  }
}

/** The repository of the working folder, or the one that git names to its hooks. */
async function projectOf(environment: Environment, files: Files): Promise<ProjectRepository> {
  const { workingFolder } = environment;
  const own = named("GIT_DIR", environment);
  const root = await projectFolder(workingFolder, files);
  const common = named("GIT_COMMON_DIR", environment);
  const found =
    own === undefined
      ? await ProjectRepository.of(root, files)
      : await ProjectRepository.in(own, files, common);
  if (found) return found;
  throw new SkillError(
    "PROGRAM_FAILED",
    `${quotedName(workingFolder)} is not a git repository, so nothing is staged.`,
    {
      hint: "Go to a folder of the project.",
    },
  );
}

/** A path from the environment in which git runs a hook of the commit; absolute. */
function named(variable: string, environment: Environment): string | undefined {
  const value = environment.variable(variable);
  return value === undefined ? undefined : resolve(environment.workingFolder, value);
}

/** A new folder for the temporary repository; folders that a killed process has left there are removed. */
async function placeIn(folder: string, files: Files): Promise<string> {
  const place = join(folder, randomUUID());
  await files.makeFolder(place);
  const now = (await files.facts(place))?.modifiedMs ?? 0;
  for (const name of (await files.list(folder)) ?? []) {
    const facts = await files.facts(join(folder, name));
    if (facts && now - facts.modifiedMs > LEFT_MS) await files.remove(join(folder, name));
  }
  return place;
}

function lacking(sentence: string): SkillError {
  return new SkillError("FILE_UNREADABLE", `${sentence}; nothing is fetched.`, {
    hint: "In a folder that you trust, `git diff --cached` fetches missing objects, and `git fsck` shows damage.",
  });
}

interface StagedLine {
  readonly path: string;
  /** Counts from 1. */
  readonly line: number;
  readonly text: string;
}

/** The text of a content; "" if git treats it as binary, or if it was not read. */
function textOf(bytes: Content): string {
  if (typeof bytes !== "object") return "";
  const isBinary = bytes.subarray(0, BINARY_BYTES).includes(0);
  return isBinary ? "" : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** The lines of a text that may contain a sign. */
function linesIn(path: string, text: string): readonly StagedLine[] {
  if (!ANY_SIGN.test(text)) return [];
  const rows = text.split("\n").map((row, index) => ({ path, line: index + 1, text: row }));
  return rows.filter((row) => ANY_SIGN.test(row.text));
}

function findingsIn({ path, line, text }: StagedLine): readonly Finding[] {
  const sign = signIn(text);
  if (!sign) return [];
  return [{ file: path, line, code: `staged-${sign.kind}`, sentence: `This line holds ${sign.words}.` }];
}
