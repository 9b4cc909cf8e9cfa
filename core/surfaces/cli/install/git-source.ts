import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import maxSatisfying from "semver/ranges/max-satisfying.js";
import valid from "semver/functions/valid.js";
import { nodeFiles } from "../../../adapters/files.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Programs } from "../../../ports/programs.ts";
import { quotedName } from "../../../quoted-name.ts";
import { MOST_BYTES, type SourceFiles } from "./content.ts";

/** Addresses that git may fetch from, without a password; the tag must not be read as an option or an expression. */
const URL = /^(?:https:\/\/[^\s\p{C}/@]+\/|ssh:\/\/|file:\/\/\/)[^\s\p{C}]+$/u;
const TAG = /^(?!.*(?:\.\.|@\{|\/\/))[A-Za-z0-9][A-Za-z0-9._/+@-]*$/;
const RANGE = /^semver:(.+)$/;

/** Time for one call of git, in milliseconds. */
const MOST_MS = 120_000;
/** A repository may be somewhat larger than the files of one tag. */
const MOST_REPOSITORY_BYTES = 4 * MOST_BYTES;
const LOOK_MS = 200;

const OPTIONS = [
  "--no-pager",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "credential.helper=",
  "-c",
  "gc.auto=0",
];

/** Keeps git from configuration, programs, prompts and other protocols: git(1), section Environment Variables. */
const ENVIRONMENT = {
  LC_ALL: "C",
  GIT_ALLOW_PROTOCOL: "https:ssh:file",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
};

/** Address and tag of `git+URL#TAG`. @throws SkillError `USAGE` */
export function gitSpec(text: string): readonly [url: string, tag: string] {
  const [url = "", tag = "", ...more] = text.split("#");
  if (URL.test(url) && more.length === 0 && (TAG.test(tag) || RANGE.test(tag))) return [url, tag];
  throw new SkillError(
    "USAGE",
    `${quotedName(`git+${text}`)} is not the address of a repository with a tag.`,
    {
      hint: "For example: git+https://example.org/greeting.git#v1.0.0, or #semver:^1.0.0 for its newest tag",
    },
  );
}

/** A program that git reads repositories of strangers with. No working tree is made, and no file of the repository is run. */
export class GitSource {
  readonly #programs: Programs;
  readonly #program: string;
  readonly #signal: AbortSignal;

  private constructor(programs: Programs, program: string, signal: AbortSignal) {
    this.#programs = programs;
    this.#program = program;
    this.#signal = signal;
  }

  /** @throws SkillError `PROGRAM_FAILED` without git */
  static async open(programs: Programs, signal: AbortSignal): Promise<GitSource> {
    const program = await programs.find("git");
    if (program !== undefined) return new GitSource(programs, program, signal);
    throw new SkillError("PROGRAM_FAILED", "There is no git on the path.", {
      hint: "Install git, or add the skill from a folder or a tarball.",
    });
  }

  /** The tags of a repository that are versions, and the one that fits best. */
  async version(url: string, range: string): Promise<string | undefined> {
    const out = await this.#run(["ls-remote", "--tags", "--refs", "--", url]);
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

  /** Reads the files of a tag, without submodules. Returns tag and commit. @throws SkillError `INSTALL_REFUSED`, `PROGRAM_FAILED` */
  async read(url: string, wanted: string, files: SourceFiles): Promise<string> {
    const [, range] = RANGE.exec(wanted) ?? [];
    const tag = range === undefined ? wanted : await this.version(url, range);
    if (tag === undefined) throw files.refusal(`no tag of it fits ${quotedName(range ?? "")}`);
    const folder = join(tmpdir(), `skillctl-git-${randomBytes(8).toString("hex")}`);
    try {
      await nodeFiles.makeFolder(folder);
      await this.#run(["init", "--quiet", "--bare", "--template=", folder]);
      const fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"];
      await this.#run([...fetch, "--", url, `refs/tags/${tag}:refs/tags/fetched`], folder);
      const commit = (await this.#run(["rev-parse", "refs/tags/fetched^{commit}"], folder))
        .toString("utf8")
        .trim();
      await this.#readTree(commit, folder, files);
      return `${tag} ${commit}`;
    } finally {
      await nodeFiles.remove(folder);
    }
  }

  /** Reads blobs as they are stored: no attribute, filter or line ending of the repository applies. */
  async #readTree(commit: string, folder: string, files: SourceFiles): Promise<void> {
    const listed = (await this.#run(["ls-tree", "-r", "-z", "-l", "--full-tree", commit], folder)).toString(
      "utf8",
    );
    const entries = listed.split("\0").flatMap((line) => {
      const [, mode = "", id = "", size = "", path = ""] = /^(\d+) \w+ (\w+) +(\S+)\t(.*)$/s.exec(line) ?? [];
      return line === "" ? [] : [{ mode, id, size: Number(size), path }];
    });
    let bytes = 0;
    for (const { mode, size, path } of entries) {
      if (!mode.startsWith("100"))
        throw files.refusal(`${quotedName(path)} is a link or a submodule, not a file`);
      bytes += size;
      if (bytes > MOST_BYTES) throw files.refusal(`its files have over ${MOST_BYTES} bytes`);
    }
    const ids = entries.map(({ id }) => `${id}\n`).join("");
    const out = await this.#run(["cat-file", "--batch"], folder, ids);
    let at = 0;
    for (const { size, path } of entries) {
      const start = out.indexOf(10, at) + 1;
      files.add(path, out.subarray(start, start + size));
      at = start + size + 1;
    }
  }

  /** The output of a call. @throws SkillError `PROGRAM_FAILED`, `CANCELLED`, `INSTALL_REFUSED` when the repository grows too large */
  async #run(args: readonly string[], repository?: string, input = ""): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let said = "";
    const large = new AbortController();
    const look = setInterval(() => {
      // A look that fails is followed by the next.
      isLarge(repository).then(
        (is) => is && large.abort(),
        () => undefined,
      );
    }, LOOK_MS);
    try {
      const { status } = await this.#programs.run({
        program: this.#program,
        args: [...OPTIONS, ...(repository === undefined ? [] : [`--git-dir=${repository}`]), ...args],
        folder: repository ?? tmpdir(),
        environment: ENVIRONMENT,
        variables: ["SSH_AUTH_SOCK"],
        input,
        timeoutMs: MOST_MS,
        isGroup: true,
        signal: AbortSignal.any([this.#signal, large.signal]),
        take: (bytes) => void chunks.push(bytes),
        note: (line) => void (said ||= line),
      });
      if (status === 0) return Buffer.concat(chunks);
      throw new SkillError(
        "PROGRAM_FAILED",
        `git ${args[0]} failed: ${quotedName(said || String(status))}.`,
        {
          hint: "Check the address and the tag; a private repository is read by ssh, or from a folder or tarball.",
        },
      );
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

async function isLarge(repository: string | undefined): Promise<boolean> {
  if (repository === undefined) return false;
  const entries = (await nodeFiles.survey(repository, () => true)) ?? [];
  return entries.reduce((sum, { bytes }) => sum + bytes, 0) > MOST_REPOSITORY_BYTES;
}
