import { dirname, join } from "node:path";
import { SkillError, type Environment, type Files, type Log } from "skillctl";

/** A record is a page of text; anything longer is something else, in bytes. */
const MAX_BYTES = 1024 * 1024;
const IN_TITLE = /^#+\s*\[([A-Za-z]+)\]/m;
const IN_A_LINE = /^[\s>|*-]*(?:status|状态|狀態|estado|statut)[\s*_]*[:：|][\s*_`]*\[?([A-Za-z]+)/im;

/** The status that a record names, in upper case: in a line or row of its own, or in its title, in any of their shapes. */
export function statusIn(text: string): string | undefined {
  const status = (IN_A_LINE.exec(text) ?? IN_TITLE.exec(text))?.[1];
  return status?.toUpperCase() ?? (text.includes("[OPEN]") ? "OPEN" : undefined);
}

/** Whether a record says that its session is open. */
export function saysOpen(text: string): boolean {
  return statusIn(text) === "OPEN";
}

/** Whether a run is one that comes after a fix. */
export function isPostFix(run: string): boolean {
  return /^post(-?fix.*)?$/i.test(run);
}

/** Whether the record of a session, beside the folder of its log or in the working folder, says that it is open. */
async function isRecordOpen(
  session: string,
  folder: string,
  { workingFolder }: Environment,
  files: Files,
): Promise<boolean> {
  for (const place of new Set([dirname(folder), workingFolder])) {
    const path = join(place, `debug-${session}.md`);
    const facts = await files.facts(path);
    if (facts?.kind !== "file" || facts.bytes > MAX_BYTES) continue;
    if (saysOpen((await files.readText(path)) ?? "")) return true;
  }
  return false;
}

/**
 * Asks again and again whether the record is open. One that cannot be read counts as open, since a server that has ended
 * takes no evidence any more; this is told once, until it can be read.
 */
export function openRecord(
  session: string,
  folder: string,
  environment: Environment,
  files: Files,
  log: Log,
): () => Promise<boolean> {
  let isUnreadable = false;
  return async () => {
    try {
      const isOpen = await isRecordOpen(session, folder, environment, files);
      isUnreadable = false;
      return isOpen;
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      if (!isUnreadable) log.notice(`${caught.message} The record counts as open, so the server stays.`);
      isUnreadable = true;
      return true;
    }
  };
}
