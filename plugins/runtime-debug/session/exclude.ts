import { dirname, join, resolve } from "node:path";
import type { Files } from "skillctl";

/** Of a file that git keeps beside its own. */
const MODE = 0o644;

/**
 * Has git leave out the record of a session, by a line in `info/exclude` behind one that says whose it is: that file is
 * this clone's alone and is never committed. `.dbg` needs none: it holds a `.gitignore` of its own. Without git nothing
 * is done.
 * @throws SkillError `FILE_UNWRITABLE`, `FILE_UNREADABLE`
 */
export async function excludeRecord(root: string, id: string, files: Files): Promise<void> {
  await changed(root, files, (text) => {
    if (text.includes(ruleOf(id))) return text;
    return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${ruleOf(id)}`;
  });
}

/** Takes exactly these lines out again: the same rule of somebody else stays. @throws SkillError `FILE_UNWRITABLE`, `FILE_UNREADABLE` */
export async function includeRecord(root: string, id: string, files: Files): Promise<void> {
  const rule = new RegExp(ruleOf(id).replaceAll(".", "\\.").replaceAll("\n", "\r?(?:\n|$)"), "gm");
  await changed(root, files, (text) => text.replace(rule, ""));
}

function ruleOf(id: string): string {
  return `# Of the debug session ${id}, until its cleanup:\n/debug-${id}.md\n`;
}

async function changed(root: string, files: Files, change: (text: string) => string): Promise<void> {
  const folder = await gitFolder(root, files);
  if (folder === undefined) return;
  const path = join(folder, "info", "exclude");
  const facts = await files.facts(path);
  // A link or the like is somebody's own arrangement.
  if (facts && facts.kind !== "file") return;
  const text = (await files.readText(path)) ?? "";
  const next = change(text);
  if (next === text) return;
  await files.makeFolder(dirname(path), 0o755);
  await files.replace(path, next, facts?.mode ?? MODE);
}

/** The folder that all work trees of a clone share; `undefined` without git. gitrepository-layout(5). */
async function gitFolder(root: string, files: Files): Promise<string | undefined> {
  const place = join(root, ".git");
  const facts = await files.facts(place);
  if (facts?.kind === "folder") return place;
  if (facts?.kind !== "file") return undefined;
  const [, named] = /^gitdir: (.+?)\s*$/m.exec((await files.readText(place)) ?? "") ?? [];
  if (named === undefined) return undefined;
  const own = resolve(root, named);
  const common = await files.readText(join(own, "commondir"));
  const folder = common === undefined ? own : resolve(own, common.trim());
  return (await files.facts(folder))?.kind === "folder" ? folder : undefined;
}
