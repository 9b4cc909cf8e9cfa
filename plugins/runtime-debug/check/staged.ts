import { SkillError, type Programs } from "skillctl";
import type { CheckOutput } from "../contract.ts";
import { failed, gitOnPath, names, type GitRun } from "../worktree/git.ts";
import { findingsText, type Finding } from "./finding.ts";
import { isDocument, isRecord, signIn } from "./traces.ts";

const OWN_FILES =
  /(?:^|\/)(?:\.dbg\/|(?:svc|trae)-debug-(?:log|aside|rejected)-[^/]*\.ndjson$|\.cursor\/debug[^/]*\.log$|debug-[0-9a-f]{6}\.log$)/;
/** What git tells a hook about the commit that is being made, such as another index for `git commit FILE`. */
const VARIABLES =
  "GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES".split(
    " ",
  );
/** What is in the index and not in the last commit, whatever the user's configuration says. */
const STAGED =
  "-c diff.relative=false diff --cached --name-only -z --no-renames --no-ext-diff --ignore-submodules=all --diff-filter=d".split(
    " ",
  );
/** Lines that may hold a sign; of what is binary for git none. */
const LINES = "grep -n -z -I -i -E --full-name --no-color --no-column --no-recurse-submodules -e".split(" ");
const ANY_SIGN = "region|/event|/ingest|DEBUG_|Debug-Session-Id|-debug-(log|rejected)|[.]cursor";

/**
 * Refuses a commit that adds anything of a debug session; what was committed earlier does not count.
 * @throws SkillError `DEBUG_CHECK_FAILED` with the output as its result, `PROGRAM_FAILED`, `CANCELLED`
 */
export async function checkStaged(
  programs: Programs,
  folder: string,
  signal: AbortSignal,
): Promise<CheckOutput> {
  const git = await gitOnPath(programs);
  if (!git) throw new SkillError("PROGRAM_FAILED", "git is not on PATH.", { hint: "Install it." });
  const run: GitRun = { folder, signal, variables: VARIABLES };
  const { status, out, said } = await git.run(STAGED, run);
  if (status === 129 || /not a git repository/i.test(said))
    throw new SkillError("PROGRAM_FAILED", `${folder} is no project of git, so nothing is staged.`, {
      hint: "Go to a folder of the project.",
    });
  if (status !== 0) throw failed(folder, "diff", said || status);
  // 1: no such line; more: no commit yet.
  const linesIn = async (where: string): Promise<readonly StagedLine[]> =>
    stagedLines((await git.run([...LINES, ANY_SIGN, where, "--", ":/"], run)).out);
  const known = new Set((await linesIn("HEAD")).map(({ path, text }) => `${path}\0${text}`));
  const staged = await linesIn("--cached");
  const added = staged.filter(({ path, text }) => !known.has(`HEAD:${path}\0${text}`));
  const findings: Finding[] = [];
  for (const path of names(out)) {
    const content = path.endsWith(".md") ? await git.run(["show", `:${path}`], run) : undefined;
    if (OWN_FILES.test(path) || isRecord(path, content?.out.toString("utf8") ?? ""))
      findings.push({ file: path, code: "staged-file", sentence: "This is a file of a debug session." });
    // Guides and change logs mention everything.
    else if (!isDocument(path))
      findings.push(...added.filter((one) => one.path === path).flatMap(findingsIn));
  }
  const files = new Set(findings.map(({ file }) => file)).size;
  const regions = findings.filter(({ code }) => code === "staged-marker").length;
  const counts = { files, regions, findings };
  if (findings.length === 0) return { ok: true, ...counts, text: "Nothing of a debug session is staged." };
  throw new SkillError("DEBUG_CHECK_FAILED", "The commit would hold something of a debug session.", {
    hint: "Take it out of the commit: end the session with `skillctl run runtime-debug cleanup`, or `git restore --staged FILE`.",
    result: { ok: false, ...counts, text: findingsText(findings) } satisfies CheckOutput,
  });
}

interface StagedLine {
  readonly path: string;
  /** Counts from 1. */
  readonly line: number;
  readonly text: string;
}

function stagedLines(out: Buffer): readonly StagedLine[] {
  const rows = out.toString("utf8").matchAll(/([^\0]+)\0(\d+)\0([^\n]*)\n/g);
  return [...rows].map(([, path = "", line, text = ""]) => ({ path, line: Number(line), text }));
}

function findingsIn({ path, line, text }: StagedLine): readonly Finding[] {
  const sign = signIn(text);
  if (!sign) return [];
  return [{ file: path, line, code: `staged-${sign.kind}`, sentence: `This line holds ${sign.words}.` }];
}
