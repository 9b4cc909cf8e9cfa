import type { Subject } from "skillctl";
import { exactText } from "../worktree/exact-text.ts";
import type { SessionEntry } from "../session/entry.ts";
import { edited } from "./edited-text.ts";
import { fieldsOf, textAt } from "./fields.ts";
import { inside, throughProcess } from "./inside.ts";
import { judgedChange } from "./judged-change.ts";
import { leftOutIn } from "./left-out.ts";
import { placeOf, strayed } from "./place.ts";
import type { Breach, GateParts } from "./breach.ts";
import type { Site } from "./sites.ts";
import { mayWriteAllTheSame } from "./telling-input.ts";
import { conductOf, isElsewhere, type Conduct } from "./tool-words.ts";

type Told = Pick<Breach, "decision" | "sentence"> & { readonly isNewFile?: boolean };

/** As many paths as a request names at most (core/guard-request). */
const MOST_PATHS = 1_000;

/** What an editor, a tool of an MCP server or any other tool would do to the code of a shut session. */
export async function toolBreaches(
  subject: Subject,
  site: Site,
  session: SessionEntry,
  parts: GateParts,
): Promise<readonly Breach[]> {
  const told = await toldOf(subject, site, session, parts);
  return told.map((one) => ({ isNewFile: false, ...one, site, session }));
}

async function toldOf(
  subject: Subject,
  site: Site,
  session: SessionEntry,
  parts: GateParts,
): Promise<readonly Told[]> {
  const { name = "", paths = [] } = subject;
  const isEditor = subject.tool === "write" || subject.tool === "edit";
  const said = isEditor ? "writes" : conductOf(name);
  const looks = said === "reads" || said === "harmless";
  const may = looks && mayWriteAllTheSame(subject, site.root) && (said === "reads" || paths.length > 0);
  if (may && paths.length === 0 && !isElsewhere(name))
    return [ask(`What the tool ${name} does to the code cannot be seen.`)];
  const conduct = may ? "unknown" : said;
  if (onlyLooks(subject, conduct) || (!isEditor && paths.length === 0 && isElsewhere(name))) return [];
  const named = [...new Set(paths.flatMap((path) => inside(site.root, path) ?? []))];
  if (conduct === "runs" || paths.length === 0 || named.includes(""))
    return [ask(`What the tool ${name} does to the code cannot be seen.`)];
  const hidden = paths.filter(throughProcess).map((path) => deny(`${path} may lead into the project.`));
  const code = named.filter((path) => ["code", "stray", "git", "git-own"].includes(placeOf(path, site)));
  if (code.length === 0 || hidden.length > 0) return hidden;
  const left = await leftOutIn(site.root, session.baseline, code, parts);
  const told: (Told | undefined)[] =
    paths.length < MOST_PATHS ? [] : [ask("The call names more files than can be looked at.")];
  for (const path of code) {
    if (placeOf(path, site) === "stray") told.push({ ...deny(strayed(path)), isNewFile: true });
    else if (left.has(path))
      told.push(ask(`${path} is left out of the project, yet may be what the program runs.`));
    else if (placeOf(path, site) !== "code")
      told.push(deny(`${path} belongs to git, and stays as it is until the cause is known.`));
    else if (conduct === "unknown") told.push(ask(`What the tool ${name} does to ${path} cannot be seen.`));
    else told.push(await changed(subject, path, site, session, parts));
  }
  return told.filter((one) => one !== undefined);
}

function onlyLooks({ content, input, paths = [] }: Subject, conduct: Conduct): boolean {
  if (conduct === "harmless") return true;
  // An editor of several commands that is asked to show.
  const shows = conduct === "writes" && textAt(fieldsOf(input), "command") === "view";
  const isText = content !== undefined && (conduct !== "reads" || paths.length > 0);
  return !isText && (conduct === "reads" || shows);
}

async function changed(
  { name = "", input }: Subject,
  path: string,
  { root }: Site,
  session: SessionEntry,
  parts: GateParts,
): Promise<Told | undefined> {
  const change = edited(name, input, `${root}/${path}`, await textOf(`${root}/${path}`, parts));
  const refusal = await judgedChange(root, session, path, change, parts.worktree);
  return refusal && { ...deny(`${path}: ${refusal.why}.`), isNewFile: refusal.kind === "new-file" };
}

async function textOf(path: string, { files }: GateParts): Promise<string | undefined> {
  const facts = await files.facts(path);
  const bytes = facts?.kind === "file" ? await files.readBytes(path) : undefined;
  return bytes && exactText(bytes).text;
}

function ask(sentence: string): Told {
  return { decision: "ask", sentence };
}

function deny(sentence: string): Told {
  return { decision: "deny", sentence };
}
