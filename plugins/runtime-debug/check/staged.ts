import { SkillError, type Call, type Environment, type Programs } from "skillctl";
import type { CheckOutput } from "../contract.ts";
import { markerIn } from "../regions/marker.ts";
import { gitOnPath } from "../worktree/git.ts";
import { addedIn } from "./added-lines.ts";
import { findingsText, type Finding } from "./finding.ts";
import { isNote } from "./instrumented.ts";
import { isRecord } from "./traces.ts";

/** What a line of code shows. */
interface Sign {
  readonly code: "staged-marker" | "staged-address" | "staged-name";
  readonly sentence: string;
}

const FILES: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)\.dbg\//, "This is a file of a debug session."],
  [/(?:^|\/)(?:svc|trae)-debug-(?:log|aside|rejected)-[^/]*\.ndjson$/, "This is the log of a debug session."],
  [/(?:^|\/)\.cursor\/debug[^/]*\.log$/, "This is the log of a debug session."],
  [/(?:^|\/)debug-[0-9a-f]{6}\.log$/, "This is the log of a debug session."],
];
/** Of this machine or of its network, as servers for other devices have it. */
const ADDRESS =
  /(?<![\w.-])(?:localhost|0\.0\.0\.0|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[[\da-f:]+\]|host\.docker\.internal):\d+\/(?:event|ingest)\b/i;
const NAME =
  /\bDEBUG_(?:SERVER_URL|SESSION_ID)\b|\bX-Debug-Session-Id\b|\b(?:svc|trae)-debug-log-|\.cursor[/\\]+debug[\w-]*\.log\b/i;

/** What git tells a hook about the commit that is being made, such as another index for `git commit FILE`. */
const HOOK_VARIABLES =
  "GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES".split(
    " ",
  );
/** Names first, then what is added, whatever the user's configuration says; no program of the project is run. */
const DIFF = (
  "-c core.quotePath=true -c diff.relative=false diff --cached --raw --patch --unified=0 --inter-hunk-context=0 " +
  "--no-color --no-ext-diff --no-textconv --no-renames --src-prefix=a/ --dst-prefix=b/ " +
  "--ignore-submodules=all --submodule=short --diff-filter=d"
).split(" ");

/**
 * Refuses a commit that adds anything of a debug session; what was committed earlier does not count.
 * @throws SkillError `DEBUG_CHECK_FAILED` with the output as its result, `PROGRAM_FAILED`, `CANCELLED`
 */
export async function checkStaged(
  { programs, environment }: { readonly programs: Programs; readonly environment: Environment },
  { signal }: Call,
): Promise<CheckOutput> {
  const git = await gitOnPath(programs);
  if (!git) throw new SkillError("PROGRAM_FAILED", "git is not on PATH.", { hint: "Install it." });
  const run = { folder: environment.workingFolder, signal, variables: HOOK_VARIABLES };
  const { status, out, said } = await git.run(DIFF, run);
  if (status !== 0) throw failed(environment.workingFolder, status, said);
  const findings = addedIn(out).flatMap(({ path, lines }) => findingsIn(path, lines));
  const files = new Set(findings.map(({ file }) => file)).size;
  const regions = findings.filter(({ code }) => code === "staged-marker").length;
  const counts = { files, regions, findings };
  if (findings.length === 0) return { ok: true, ...counts, text: "Nothing of a debug session is staged." };
  const text = findingsText(findings);
  throw new SkillError("DEBUG_CHECK_FAILED", "The commit would hold something of a debug session.", {
    hint: "Take it out of the commit: end the session with `skillctl run runtime-debug cleanup`, or `git restore --staged FILE`.",
    result: { ok: false, ...counts, text } satisfies CheckOutput,
  });
}

function findingsIn(path: string, lines: readonly { line: number; text: string }[]): readonly Finding[] {
  const isOfRecord = isRecord(path, lines.map(({ text }) => text).join("\n"));
  const ofName = isOfRecord
    ? "This is the record of a debug session."
    : FILES.find(([name]) => name.test(path))?.[1];
  if (ofName !== undefined) return [{ file: path, code: "staged-file", sentence: ofName }];
  // Guides and change logs mention everything.
  if (isNote(path)) return [];
  return lines.flatMap(({ line, text }) => {
    const sign = signIn(text);
    return sign ? [{ file: path, line, ...sign }] : [];
  });
}

/** What a line of code shows of a session, of both public formats. */
function signIn(text: string): Sign | undefined {
  const marker = markerIn(text);
  if (marker?.kind === "begin" || (marker?.kind === "end" && marker.own))
    return { code: "staged-marker", sentence: "This is a marker of instrumentation." };
  const address = ADDRESS.exec(text)?.[0];
  if (address !== undefined)
    return { code: "staged-address", sentence: `This names the address ${address} of a debug server.` };
  const name = NAME.exec(text)?.[0];
  return name === undefined ? undefined : { code: "staged-name", sentence: `This names ${name}.` };
}

function failed(folder: string, status: number | undefined, said: string): SkillError {
  const isNoProject = status === 129 || /not a git repository/i.test(said);
  return new SkillError(
    "PROGRAM_FAILED",
    isNoProject
      ? `${folder} is no project of git, so nothing is staged.`
      : `git diff failed in ${folder}: ${said}.`,
    { hint: "Go to a folder of the project; `git status` says what is wrong there." },
  );
}
