import { dirname, join } from "node:path";
import { ProjectRepository, type Files } from "skillctl";

/** A file in the folder of git. */
const MODE = 0o644;

/**
 * Makes git ignore the record of a session, by a line in `info/exclude` after a comment with the session: that file
 * belongs to this clone and is never committed. `.dbg` has its own `.gitignore`. Does nothing without git.
 * @throws SkillError `FILE_UNWRITABLE`, `FILE_UNREADABLE`
 */
export async function excludeRecord(root: string, id: string, files: Files): Promise<void> {
  await changed(root, files, (text) => {
    if (text.includes(ruleOf(id))) return text;
    return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${ruleOf(id)}`;
  });
}

/** Removes exactly these lines: the same rule without the comment stays. @throws SkillError `FILE_UNWRITABLE`, `FILE_UNREADABLE` */
export async function includeRecord(root: string, id: string, files: Files): Promise<void> {
  const rule = new RegExp(ruleOf(id).replaceAll(".", "\\.").replaceAll("\n", "\r?(?:\n|$)"), "gm");
  await changed(root, files, (text) => text.replace(rule, ""));
}

function ruleOf(id: string): string {
  return `# Of the debug session ${id}, until its cleanup:\n/debug-${id}.md\n`;
}

async function changed(root: string, files: Files, change: (text: string) => string): Promise<void> {
  const repository = await ProjectRepository.of(root, files);
  if (!repository) return;
  const path = join(repository.common, "info", "exclude");
  const [folder, facts] = [await files.facts(dirname(path)), await files.facts(path)];
  // Nothing is written through a link.
  if ((folder && folder.kind !== "folder") || (facts && facts.kind !== "file")) return;
  const text = await repository.excluded();
  const next = change(text);
  if (next === text) return;
  await files.makeFolder(dirname(path), 0o755);
  await files.replace(path, next, facts?.mode ?? MODE);
}
