import type { Subject } from "skillctl";
import { exactText } from "../worktree/exact-text.ts";
import type { SessionEntry } from "../session/entry.ts";
import { decidesWhatRuns, onlyRemoves, writesDirectly } from "./direct-writes.ts";
import { holds, inside, throughProcess } from "./inside.ts";
import { judgedChange } from "./judged-change.ts";
import { leftOutIn } from "./left-out.ts";
import { placeOf, strayed } from "./place.ts";
import { riskyVariable } from "./risky-variables.ts";
import type { Breach, GateParts } from "./breach.ts";
import type { Site } from "./sites.ts";

type Told = Pick<Breach, "decision" | "sentence"> & { readonly isNewFile?: boolean };
type Facts = NonNullable<Subject["shell"]>;

const UNKNOWN: Readonly<Record<string, string>> = {
  program: "which program it starts",
  code: "what code it runs",
  syntax: "what its text means",
  write: "which files it writes",
  unlisted: "what a program of it does",
};

/** What a shell command would do to the code of a shut session, by what is known of it. */
export async function shellBreaches(
  subject: Subject,
  site: Site,
  session: SessionEntry,
  parts: GateParts,
): Promise<readonly Breach[]> {
  const { shell } = subject;
  const told = shell
    ? [
        ...(await writes({ ...subject, shell }, site, session, parts)),
        ...unknowns(shell, site.root),
        ...(await scripts(shell, site, session, parts)),
      ]
    : [ask("What the command does is not known.")];
  return told.map((one) => ({ isNewFile: false, ...one, site, session }));
}

async function writes(
  subject: Subject & { readonly shell: Facts },
  site: Site,
  session: SessionEntry,
  parts: GateParts,
): Promise<readonly Told[]> {
  const { root } = site;
  const { writes: written, programs } = subject.shell;
  const named = [...new Set(written.flatMap((path) => inside(root, path) ?? []))];
  const code = named.filter((path) => ["code", "stray", "git"].includes(placeOf(path, site)));
  const left = await leftOutIn(
    root,
    session.baseline,
    code.filter((path) => path !== ""),
    parts,
  );
  const told: Told[] = [];
  for (const path of written)
    if (throughProcess(path)) told.push(deny(`${path} may lead into the project.`));
    else if (path !== root && holds(path, root)) told.push(deny(`${path} holds the whole project.`));
  for (const path of code) {
    const full = `${root}/${path}`;
    if (placeOf(path, site) === "stray") {
      if (!onlyRemoves(full, subject)) told.push({ ...deny(strayed(path)), isNewFile: true });
    } else if (left.has(path)) {
      if (decidesWhatRuns(path) && writesDirectly(full, subject.shell))
        told.push(ask(`${path} is left out of the project, yet may be what the program runs.`));
    } else if (path === "") told.push(deny("Files all over the project would be changed."));
    else if (placeOf(path, site) === "git") told.push(deny(ofGit(path, programs)));
    else if (await parts.files.facts(full)) told.push(deny(`${path} would be changed.`));
    else if (!onlyRemoves(full, subject))
      told.push({ ...deny(`${path} would be a new file.`), isNewFile: true });
  }
  return told;
}

function unknowns({ unknown, sets, programs }: Facts, root: string): readonly Told[] {
  const variable = riskyVariable(sets, { root, programs: programs.map(({ name }) => name) });
  const told = variable === undefined ? [] : [ask(`${variable} changes what the programs do.`)];
  const open = unknown.flatMap((what) => UNKNOWN[what] ?? []);
  // Our own commands look after the gate themselves.
  const isOurs = programs.length > 0 && programs.every(({ name }) => name === "skillctl");
  return open.length === 0 || isOurs ? told : [...told, ask(`It cannot be seen ${open.join(", and ")}.`)];
}

/** The program that shows the bug runs as it was, or with probes. */
async function scripts(
  { scripts: run }: Facts,
  site: Site,
  session: SessionEntry,
  parts: GateParts,
): Promise<readonly Told[]> {
  const { root } = site;
  const named = [...new Set(run)].map((path) => ({ path, own: inside(root, path) }));
  const own = named.flatMap(({ own: path }) => (path === undefined || path === "" ? [] : [path]));
  const left = await leftOutIn(root, session.baseline, own, parts);
  const told: Told[] = [];
  for (const { path, own: inProject } of named) {
    if (inProject === undefined) {
      // Another spelling of one that is looked at.
      const real = await parts.files.realPath(path);
      if (real === undefined || inside(root, real) === undefined)
        told.push(ask(`${path} lies outside of the project, and may change it.`));
    } else if (inProject === "" || left.has(inProject) || inProject === `.dbg/${session.id}.env`) continue;
    else if (placeOf(inProject, site) !== "code") told.push(ask(`${inProject} is no code of the project.`));
    else {
      const fault = await faultOf(inProject, root, session, parts);
      if (fault !== undefined) told.push(ask(fault));
    }
  }
  return told;
}

/** Why a script may not be what showed the bug; `undefined` when it is. */
async function faultOf(
  path: string,
  root: string,
  session: SessionEntry,
  { files, worktree }: GateParts,
): Promise<string | undefined> {
  const facts = await files.facts(`${root}/${path}`);
  if (!facts) return `There is no ${path} in the project.`;
  if (facts.kind === "folder") return undefined;
  const bytes = facts.kind === "file" ? await files.readBytes(`${root}/${path}`) : undefined;
  const { text } = exactText(bytes ?? new Uint8Array());
  const isAsBefore = bytes && !(await judgedChange(root, session, path, { text }, worktree));
  return isAsBefore ? undefined : `${path} is not as it was when the session began.`;
}

/** Why something of git stays: its programs write the folder as such. */
function ofGit(path: string, programs: Facts["programs"]): string {
  return path === ".git" && programs.some(({ name }) => name === "git")
    ? "Commits and branches wait until the cause is known."
    : `${path} belongs to git, and stays as it is until the cause is known.`;
}

function ask(sentence: string): Told {
  return { decision: "ask", sentence };
}

function deny(sentence: string): Told {
  return { decision: "deny", sentence };
}
