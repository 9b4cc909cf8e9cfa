import { basename, dirname, join, resolve } from "node:path";
import type { GuardRequest } from "../contract.ts";
import type { Files, LinkFiles } from "../ports/files.ts";

/** A file as it would be after a call: an entry of `edits` of core/guard-request. */
export type FileEdit = NonNullable<GuardRequest["edits"]>[number];

/** The place of a call, with access to its files. */
export interface EditPlace {
  /** Relative paths start here; absolute. */
  readonly cwd: string;
  readonly home: string;
  readonly files: LinkFiles & Pick<Files, "marks" | "readMany">;
}

/** The text of a file cannot be determined; the message completes "since". */
export class Unclear extends Error {}

/** The possible texts of a file, at least one; undefined if the file does not exist. */
export type Content = readonly string[] | undefined;

/**
 * The possible texts of a file after a step; none if the tool refuses the step. `read` returns the texts after the
 * earlier steps. @throws Unclear, as `read` does
 */
export type Change = (read: () => Content) => Content;

interface DeskFile {
  /** Its real path. */
  readonly path: string;
  /** The link with which the call names it. */
  readonly link?: string;
  readonly before: Content | Unclear;
  after: Content | Unclear;
}

/** The largest file and the largest total that are read, in bytes. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;
/** The longest text in a fact, in characters. */
const MAX_TEXT = 8 * 1024 * 1024;

/** The files of one call, changed in memory only. */
export class Desk {
  readonly #place: EditPlace;
  readonly #files = new Map<string, DeskFile>();
  #room = MAX_BYTES;

  constructor(place: EditPlace) {
    this.#place = place;
  }

  /** Changes a file, and moves it `to` another path if one is given. Returns false if the tool refuses the step. */
  async change(path: string, change: Change, to?: string): Promise<boolean> {
    const file = await this.#file(path);
    const after = clear(() => change(() => known(file.after)));
    if (Array.isArray(after) && after.length === 0) return false;
    const target = to === undefined ? file : await this.#file(to);
    target.after = after;
    if (to !== undefined) file.after = undefined;
    return true;
  }

  /** The files that differ. A link is included, since some tools replace it and others the file behind it. */
  edits(): readonly FileEdit[] {
    return [...this.#files.values()].flatMap(({ path, link, before, after }) => {
      const text = before instanceof Unclear ? undefined : before?.[0];
      const base = { path, ...(text !== undefined && { before: text }) };
      const found: FileEdit[] = [];
      if (after instanceof Unclear) found.push({ ...base, unclear: after.message });
      else if (after?.some((one) => one.length > MAX_TEXT))
        found.push({ ...base, unclear: "it would be over 8 MiB" });
      else if (after)
        found.push(...after.filter((one) => one !== text).map((one) => ({ ...base, after: one })));
      else if (before) found.push(base);
      return found.length > 0 && link !== undefined ? [...found, { path: link, unclear: LINK }] : found;
    });
  }

  async #file(written: string): Promise<DeskFile> {
    const { cwd, home, files } = this.#place;
    const named = resolve(
      cwd,
      written.replace(/^~(?=$|[/\\])/, () => home),
    );
    const own = join(await realFolder(dirname(named), files), basename(named));
    const path = (await realPath(own, files)) ?? own;
    const known = this.#files.get(path);
    if (known) return known;
    const before = await this.#onDisk(path);
    const file: DeskFile = { path, ...(path !== own && { link: own }), before, after: before };
    this.#files.set(path, file);
    return file;
  }

  async #onDisk(path: string): Promise<Content | Unclear> {
    const { files } = this.#place;
    try {
      const [mark] = await files.marks([path]);
      if (!mark) return undefined;
      if (mark.kind === "link") return new Unclear(LINK);
      if (mark.kind !== "file") return new Unclear("it is not a regular file");
      if (mark.bytes > Math.min(MAX_FILE_BYTES, this.#room)) return new Unclear("it is over 4 MiB");
      this.#room -= mark.bytes;
      const [bytes] = await files.readMany([path]);
      return bytes ? [utf8.decode(bytes)] : new Unclear("it cannot be read");
    } catch (caught) {
      return new Unclear(caught instanceof TypeError ? "it is not text in UTF-8" : "it cannot be read");
    }
  }
}

function known(content: Content | Unclear): Content {
  if (content instanceof Unclear) throw content;
  return content;
}

function clear(compute: () => Content): Content | Unclear {
  try {
    return compute();
  } catch (caught) {
    if (caught instanceof Unclear) return caught;
    throw caught;
  }
}

const LINK = "it is a link";
/** Keeps a byte order mark. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The real path of a folder; for a missing folder that of the nearest existing one above, with the rest appended. */
async function realFolder(folder: string, files: EditPlace["files"]): Promise<string> {
  const real = await realPath(folder, files);
  if (real !== undefined || dirname(folder) === folder) return real ?? folder;
  return join(await realFolder(dirname(folder), files), basename(folder));
}

/** Undefined for a path that does not exist or that this user cannot reach. */
function realPath(path: string, files: EditPlace["files"]): Promise<string | undefined> {
  return files.realPath(path).catch(() => undefined);
}
