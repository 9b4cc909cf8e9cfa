import { join } from "node:path";
import { FILES, LOG, SkillError, inject, injectable, token, type Files, type Log } from "skillctl";
import { readRecord } from "../server/server-files.ts";
import { DEFAULT_FOLDER, refuseOther, sessionFiles } from "../session-files.ts";
import type { KnownServer, SessionEntry } from "./entry.ts";
import { merged, recordText } from "./record-text.ts";

/** A record is a page of text; anything longer is something else, in bytes. */
const MOST_BYTES = 1024 * 1024;

/** The record of a session in its project: `debug-<id>.md`. */
@injectable()
export class RecordFile {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(LOG) private readonly log: Log,
  ) {}

  path(root: string, id: string): string {
    return join(root, `debug-${id}.md`);
  }

  /**
   * Shows the entry in the record, keeps what people have written, and answers the text as tools have written it, and the
   * server that the files of the session name. A record that is gone is written again.
   * @throws SkillError `STORAGE_UNSAFE` for a link or a file of others, `FILE_UNREADABLE` for what is no text of at most
   * 1 MiB, `FILE_UNWRITABLE`
   */
  async write(
    root: string,
    entry: SessionEntry,
  ): Promise<{ readonly text: string; readonly server: KnownServer | undefined }> {
    const path = this.path(root, entry.id);
    const found = await readRecord(sessionFiles(join(root, DEFAULT_FOLDER), entry.id).record, this.files);
    const server = found && { url: found.url, pid: found.pid, instance: found.instance };
    // Without its key: the record is for everybody who sees the project.
    const text = recordText(entry, found?.eventUrl.replace(/\?.*$/s, ""));
    await refuseOther(path, "file", this.files);
    const facts = await this.files.facts(path);
    if (!facts) {
      this.log.notice(`The record ${path} was gone; it is written again.`);
      await this.files.replace(path, text);
      return { text, server };
    }
    if (facts.bytes > MOST_BYTES) throw noRecord(path, "is over 1 MiB long");
    const there = await this.#text(path);
    const next = withLineEnds(there, merged(entry.recordText, text, plain(there)));
    if (next !== there) await this.files.replace(path, next, facts.mode ?? 0o600);
    return { text, server };
  }

  async #text(path: string): Promise<string> {
    const bytes = (await this.files.readBytes(path)) ?? new Uint8Array();
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      if (!text.includes("\0")) return text;
    } catch (caught) {
      if (!(caught instanceof TypeError)) throw caught;
      // Written back, what is no UTF-8 would be something else: refused below.
    }
    throw noRecord(path, "is no text in UTF-8");
  }
}

export const RECORD_FILE = token<RecordFile>("record-file");

/** The text as tools write it: without a mark at its beginning, with LF. */
function plain(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

/** The new text with the mark and the line ends of the one that is there, as editors have left them. */
function withLineEnds(there: string, text: string): string {
  const marked = there.startsWith("\uFEFF") ? `\uFEFF${text}` : text;
  return /\r\n/.test(there) && !/(?<!\r)\n/.test(there) ? marked.replaceAll("\n", "\r\n") : marked;
}

function noRecord(path: string, what: string): SkillError {
  return new SkillError("FILE_UNREADABLE", `${path} ${what}, so it is no record of a session.`, {
    file: path,
    hint: "Move it away: the record is then written again.",
  });
}

/** The text of what may be somebody else's record; `undefined` for what is no plain file of at most 1 MiB to read. */
export async function recordAt(path: string, files: Files): Promise<string | undefined> {
  const facts = await files.facts(path);
  if (facts?.kind !== "file" || facts.bytes > MOST_BYTES) return undefined;
  try {
    return await files.readText(path);
  } catch (caught) {
    // Not for this user: then it is no record of his.
    if (caught instanceof SkillError) return undefined;
    throw caught;
  }
}

/** The session ids of the records in a project. */
export async function recordsIn(root: string, files: Files): Promise<readonly string[]> {
  return ((await files.list(root)) ?? []).flatMap((name) => /^debug-([a-z0-9-]+)\.md$/.exec(name)?.[1] ?? []);
}
