import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import maxSatisfying from "semver/ranges/max-satisfying.js";
import valid from "semver/functions/valid.js";
import { nodeFiles } from "../../../adapters/files.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { makeRepository, requiredGit, zeroSeparated, type Git, type GitRun } from "../../../git/git.ts";
import type { Programs } from "../../../ports/programs.ts";
import { quotedName } from "../../../quoted-name.ts";
import { MOST_BYTES, type SourceFiles } from "./content.ts";

/** Addresses that git may fetch from, without a password; the tag must not be read as an option or an expression. */
const URL = /^(?:https:\/\/[^\s\p{C}/@]+\/|ssh:\/\/(?!-)|file:\/\/\/)[^\s\p{C}]+$/u;
const TAG = /^(?!.*(?:\.\.|@\{|\/\/))[A-Za-z0-9][A-Za-z0-9._/+@-]*$/;
const RANGE = /^semver:(.+)$/;

/** Time for one fetch, in milliseconds. */
const MOST_MS = 120_000;
/** A repository may be somewhat larger than the files of one tag. */
const MOST_REPOSITORY_BYTES = 4 * MOST_BYTES;
const LOOK_MS = 200;

/** Address and tag of `git+URL#TAG`. @throws SkillError `USAGE` */
export function gitSpec(text: string): readonly [url: string, tag: string] {
  const [url = "", tag = "", ...more] = text.split("#");
  if (URL.test(url) && more.length === 0 && (TAG.test(tag) || RANGE.test(tag))) return [url, tag];
  throw new SkillError(
    "USAGE",
    `${quotedName(`git+${withoutPassword(text)}`)} is not the address of a repository with a tag.`,
    {
      hint: "For example: git+https://example.org/greeting.git#v1.0.0, or #semver:^1.0.0 for its newest tag",
    },
  );
}

/** An address without the name and password in it. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/[^/]*@/, "//…@");
}

/**
 * A third-party repository, read through a new one of ours, without its submodules: no working tree is created, and no
 * file in it is run.
 */
export class GitSource {
  private constructor(
    private readonly git: Git,
    private readonly url: string,
    /** An empty repository, absolute. */
    private readonly repository: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Calls `read` with the repository at an address. @throws SkillError `PROGRAM_FAILED` without git, and as `read` does */
  static async with<T>(
    url: string,
    programs: Programs,
    signal: AbortSignal,
    read: (source: GitSource) => Promise<T>,
  ): Promise<T> {
    const git = await requiredGit(programs, "Install it, or add the skill from a folder or a tarball.");
    const repository = join(tmpdir(), `skillctl-git-${randomBytes(8).toString("hex")}`);
    try {
      await makeRepository(nodeFiles, repository, "sha1");
      return await read(new GitSource(git, url, repository, signal));
    } finally {
      await nodeFiles.remove(repository);
    }
  }

  /** The tag with the best version in a range. @throws SkillError `PROGRAM_FAILED`, `CANCELLED`, `INSTALL_REFUSED` */
  async tagFor(range: string): Promise<string | undefined> {
    const out = await this.#fetch(["ls-remote", "--tags", "--refs", "--", this.url]);
    const tags = [...out.toString("utf8").matchAll(/\trefs\/tags\/(\S+)$/gm)].map(([, tag = ""]) => tag);
    const versions = new Map(
      tags
        .filter((tag) => TAG.test(tag))
        .flatMap((tag) => {
          const version = valid(tag);
          return version === null ? [] : [[version, tag] as const];
        }),
    );
    const best = maxSatisfying([...versions.keys()], range);
    return best === null ? undefined : versions.get(best);
  }

  /** The commit of a tag; undefined if the repository no longer has it. @throws SkillError `PROGRAM_FAILED`, `CANCELLED` */
  async commitOf(tag: string): Promise<string | undefined> {
    const name = `refs/tags/${tag}`;
    const out = await this.#fetch(["ls-remote", "--", this.url, name, `${name}^{}`]);
    // The commit of an annotated tag comes after the tag itself.
    return out.toString("utf8").trim().split("\n").at(-1)?.split("\t", 1)[0];
  }

  /** Reads the files of a tag, without submodules. Returns tag and commit. @throws SkillError `INSTALL_REFUSED`, `PROGRAM_FAILED`, `CANCELLED` */
  async read(wanted: string, files: SourceFiles): Promise<string> {
    const [, range] = RANGE.exec(wanted) ?? [];
    const tag = range === undefined ? wanted : await this.tagFor(range);
    if (tag === undefined) throw files.refusal(`none of its tags fits ${quotedName(range ?? "")}`);
    const fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"];
    await this.#fetch([...fetch, "--", this.url, `refs/tags/${tag}:refs/tags/fetched`]);
    const commit = await this.#output(["rev-parse", "refs/tags/fetched^{commit}"]);
    const id = commit.toString("utf8").trim();
    await this.#readTree(id, files);
    return `${tag} ${id}`;
  }

  /** Reads blobs as they are stored: no attribute, filter or line ending of the repository applies. */
  async #readTree(commit: string, files: SourceFiles): Promise<void> {
    const listed = zeroSeparated(await this.#output(["ls-tree", "-r", "-z", "-l", "--full-tree", commit]));
    const entries = listed.map((line) => {
      const [, mode = "", id = "", size = "", path = ""] = /^(\d+) \w+ (\w+) +(\S+)\t(.*)$/s.exec(line) ?? [];
      return { mode, id, size: Number(size), path };
    });
    let bytes = 0;
    for (const { mode, size, path } of entries) {
      if (!mode.startsWith("100"))
        throw files.refusal(`${quotedName(path)} is a link or a submodule, not a file`);
      bytes += size;
      if (bytes > MOST_BYTES) throw files.refusal(`its files have over ${MOST_BYTES} bytes`);
    }
    const blobs = await this.git.blobs(
      entries.map(({ id }) => id),
      this.#run(),
    );
    for (const [index, { path }] of entries.entries()) {
      const blob = blobs[index];
      if (!blob) throw files.refusal(`${quotedName(path)} is not in the repository`);
      files.add(path, blob);
    }
  }

  #run(): GitRun {
    return { repository: this.repository, signal: this.signal };
  }

  #output(args: readonly string[]): Promise<Buffer> {
    return this.git.output(args, this.#run());
  }

  /** Ends a fetch whose repository grows too large. */
  async #fetch(args: readonly string[]): Promise<Buffer> {
    const large = new AbortController();
    const look = setInterval(() => {
      // If a check fails, the next one follows.
      isLarge(this.repository).then(
        (is) => is && large.abort(),
        () => undefined,
      );
    }, LOOK_MS);
    const signal = AbortSignal.any([this.signal, large.signal]);
    try {
      return await this.git.output(args, { ...this.#run(), signal, isFetch: true, timeoutMs: MOST_MS });
    } catch (caught) {
      if (!large.signal.aborted) throw caught;
      throw new SkillError("INSTALL_REFUSED", `The repository has over ${MOST_REPOSITORY_BYTES} bytes.`, {
        hint: "Add the skill from a tarball.",
      });
    } finally {
      clearInterval(look);
    }
  }
}

async function isLarge(repository: string): Promise<boolean> {
  const entries = (await nodeFiles.survey(repository, () => true)) ?? [];
  return entries.reduce((sum, { bytes }) => sum + bytes, 0) > MOST_REPOSITORY_BYTES;
}
