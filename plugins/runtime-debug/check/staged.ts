import { Buffer } from "node:buffer";
import { SkillError, type Programs } from "skillctl";
import type { CheckOutput } from "../contract.ts";
import { markerIn } from "../regions/regions.ts";
import { gitOnPath } from "../worktree/git.ts";
import { findingsText, type Finding } from "./finding.ts";
import { isNote } from "./instrumented.ts";
import { OWN_HOST, isRecord } from "./traces.ts";

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
const ADDRESS = new RegExp(String.raw`${OWN_HOST}:\d+/(?:event|ingest)\b`, "i");
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
  programs: Programs,
  folder: string,
  signal: AbortSignal,
): Promise<CheckOutput> {
  const git = await gitOnPath(programs);
  if (!git) throw new SkillError("PROGRAM_FAILED", "git is not on PATH.", { hint: "Install it." });
  const { status, out, said } = await git.run(DIFF, { folder, signal, variables: HOOK_VARIABLES });
  if (status !== 0) throw failed(folder, status, said);
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

/** What a difference adds to a file. */
interface Added {
  /** From the top of the project, with `/`. */
  readonly path: string;
  /** The lines that are new; `line` counts from 1. None for what git takes for binary. */
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

const RAW = /^:\d+ (\d+) \S+ \S+ [A-Z]\d*\t([^]*)$/;
const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** Links hold a path, and a submodule an id: neither is code. */
const REGULAR = /^100/;
const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/**
 * Reads what `git diff --raw --patch --unified=0` has written. Lines of a hunk are counted, so that content that looks
 * like a header stays content.
 */
function addedIn(out: Buffer): readonly Added[] {
  const files = new Map<string, { readonly line: number; readonly text: string }[]>();
  let lines: { readonly line: number; readonly text: string }[] = [];
  let [gone, added, at] = [0, 0, 0];
  // One character a byte until the end: names and lines may be in any encoding.
  for (const line of out.toString("latin1").split("\n")) {
    if (gone > 0 && line.startsWith("-")) gone -= 1;
    else if (added > 0 && line.startsWith("+")) {
      lines.push({ line: at, text: decoded(line.slice(1)) });
      [added, at] = [added - 1, at + 1];
    } else if (gone > 0 || added > 0) continue;
    else if (line.startsWith("@@ ")) {
      const [, before = "1", first = "1", after = "1"] = HUNK.exec(line) ?? [];
      [gone, added, at] = [Number(before), Number(after), Number(first)];
    } else if (line.startsWith("+++ b/") || line.startsWith('+++ "b/'))
      lines = files.get(unquoted(line.slice(4).replace(/\t$/, "")).slice(2)) ?? [];
    else if (line.startsWith(":")) {
      const [, mode = "", path = ""] = RAW.exec(line) ?? [];
      if (REGULAR.test(mode)) files.set(unquoted(path), []);
    } else if (line.startsWith("diff --git ")) lines = [];
  }
  return [...files].map(([path, lines]) => ({ path, lines }));
}

/** A name as git writes it: in quotes with the escapes of C where it holds anything unusual. */
function unquoted(name: string): string {
  const inside = /^"([^]*)"$/.exec(name)?.[1];
  const plain = inside?.replaceAll(/\\([0-7]{3}|.)/g, (_, escape: string) =>
    escape.length === 3 ? String.fromCodePoint(Number.parseInt(escape, 8)) : (ESCAPES[escape] ?? escape),
  );
  return decoded(plain ?? name);
}

function decoded(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
