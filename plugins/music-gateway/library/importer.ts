import { FILES, SkillError, inject, injectable, token, type Call, type Files } from "skillctl";
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { Builder, utf8Path, workCopy } from "./builder.ts";
import type { Holdings, KeptFile } from "./holdings.ts";
import { LIBRARY, layoutOfBytes, type Library } from "./library.ts";
import { SongRegister } from "../store/songs.ts";
import { asUtf8 } from "../import/encoding.ts";
import { FORMATS } from "../import/format.ts";
import { safeName, timelineSong } from "../import/names.ts";
import type { Loaded, SourceFile } from "../import/reading.ts";
import { isZip, membersOf } from "../import/zip.ts";

/** What became of one file, or of one table in a zip folder. */
export interface Outcome {
  /** The path that was given, with the name in the zip folder behind it. */
  readonly file: string;
  readonly status: "imported" | "would-import" | "already-there" | "refused";
  readonly source?: SourceFile;
  readonly loaded?: Loaded;
  /** Why it was refused. */
  readonly reason?: string;
}

/** A file that can be read, before it is. */
interface Candidate {
  readonly file: string;
  readonly source: SourceFile;
  readonly hash: string;
  /** The original's bytes. */
  readonly bytes: () => Promise<Uint8Array | undefined>;
}

/** The most bytes of one export, 512 MiB. */
const MAX_BYTES = 536_870_912;

/** Takes files in, one by one: one that is refused does not keep the others out. */
@injectable()
export class Importer {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(LIBRARY) private readonly library: Library,
  ) {}

  /** Takes in the files at these paths. */
  async take(paths: readonly string[], call: Call): Promise<readonly Outcome[]> {
    return this.library.change(async (now, register) => {
      const copies = this.library.workFolder();
      try {
        const { outcomes, candidates } = await this.#candidates(paths, now, copies, call);
        if (candidates.length === 0) return { result: outcomes };
        const path = this.library.buildingPath();
        await this.files.makeFolder(this.library.exports);
        const builder = await this.#builder(now, register, path);
        try {
          const added: KeptFile[] = [];
          for (const candidate of candidates) {
            call.signal.throwIfAborted();
            call.progress(`Reading ${basename(candidate.file)}`);
            const { source, hash } = candidate;
            const id = now.next + added.length;
            const kept = `${hash}-${source.name}`;
            const [loaded] = await Promise.all([builder.read(source), this.#keep(candidate, kept)]);
            const outcome = outcomeOf(candidate, loaded, "imported");
            outcomes.push(outcome);
            if (outcome.status === "refused" || loaded === undefined) {
              await this.files.remove(join(this.library.exports, kept));
              continue;
            }
            await builder.take(id, source, loaded);
            added.push({
              id,
              name: source.name,
              kept,
              ...(source.from !== undefined && { from: source.from }),
            });
          }
          if (added.length === 0) {
            builder.close();
            await this.files.remove(path);
            return { result: outcomes };
          }
          const holdings = { next: now.next + added.length, files: [...now.files, ...added] };
          const database = { opened: await builder.finish(), path };
          return { change: { holdings, register, database }, result: outcomes };
        } catch (caught) {
          builder.close();
          await this.files.remove(path).catch(() => undefined);
          throw caught;
        }
      } finally {
        await this.files.remove(copies);
      }
    });
  }

  /** Says what `take` would do. Changes nothing. */
  async rehearse(paths: readonly string[], call: Call): Promise<readonly Outcome[]> {
    const copies = this.library.workFolder();
    const builder = await Builder.open(new SongRegister());
    try {
      const { outcomes, candidates } = await this.#candidates(
        paths,
        await this.library.holdings(),
        copies,
        call,
      );
      for (const candidate of candidates)
        outcomes.push(outcomeOf(candidate, await builder.read(candidate.source), "would-import"));
      return outcomes;
    } finally {
      builder.close();
      await this.files.remove(copies);
    }
  }

  /** Continues the database there is; where there is none, the kept files come first. */
  async #builder(now: Holdings, register: SongRegister, path: string): Promise<Builder> {
    if (now.files.length === 0) return Builder.open(register, { path });
    const { database } = await this.library.open(now);
    database.close();
    return Builder.open(register, { path, base: this.library.databasePath(now) });
  }

  async #keep({ bytes }: Candidate, kept: string): Promise<void> {
    const original = await bytes();
    if (original !== undefined) await this.files.replace(join(this.library.exports, kept), original);
  }

  /** The files that are new, in the order in which their songs get ids, and what is to be said of the others. */
  async #candidates(
    paths: readonly string[],
    now: Holdings,
    copies: string,
    call: Call,
  ): Promise<{ readonly outcomes: Outcome[]; readonly candidates: readonly Candidate[] }> {
    const outcomes: Outcome[] = [];
    const candidates: Candidate[] = [];
    const seen = new Set(
      now.files.flatMap(({ kept, name }) => [kept.slice(0, 16), identity(kept.slice(0, 16), name)]),
    );
    for (const path of paths) {
      call.signal.throwIfAborted();
      try {
        for (const candidate of await this.#read(path, copies)) {
          const { hash, source } = candidate;
          const isTimeline = source.layout.format.songInName === true;
          const isThere = seen.has(isTimeline ? identity(hash, source.name) : hash);
          seen.add(hash).add(identity(hash, source.name));
          if (isThere) outcomes.push({ file: candidate.file, status: "already-there", source });
          else candidates.push(candidate);
        }
      } catch (caught) {
        if (!(caught instanceof SkillError) || !REFUSALS.has(caught.code)) throw caught;
        outcomes.push({ file: path, status: "refused", reason: caught.message });
      }
    }
    const order = ({ source }: Candidate): number => FORMATS.indexOf(source.layout.format);
    return { outcomes, candidates: candidates.toSorted((left, right) => order(left) - order(right)) };
  }

  async #read(path: string, copies: string): Promise<readonly Candidate[]> {
    const facts = await this.files.facts(path);
    if (facts === undefined) throw refusal("There is no such file.");
    if (facts.kind !== "file") throw refusal("It is no file.");
    if (facts.bytes > MAX_BYTES) throw refusal("The file is larger than 512 MiB.");
    const bytes = await this.files.readBytes(path);
    if (bytes === undefined) throw refusal("There is no such file.");
    if (!isZip(bytes)) {
      const utf8 = await utf8Path(this.files, path, bytes, copies);
      return [
        candidateOf(path, { path: utf8, name: safeName(basename(path)) }, bytes, () =>
          this.files.readBytes(path),
        ),
      ];
    }
    const found: Candidate[] = [];
    const refused: string[] = [];
    for (const member of await membersOf(bytes)) {
      try {
        const utf8 = await workCopy(this.files, asUtf8(member.bytes), copies);
        const source = { path: utf8, name: safeName(member.name), from: safeName(basename(path)) };
        found.push(candidateOf(`${path}/${source.name}`, source, member.bytes, async () => member.bytes));
      } catch (caught) {
        if (!(caught instanceof SkillError)) throw caught;
        refused.push(`${safeName(member.name)}: ${caught.message}`);
      }
    }
    if (found.length === 0) throw refusal(refused.join(" ") || "The zip folder holds no table.");
    return found;
  }
}

export const IMPORTER = token<Importer>("music-gateway/importer");

const REFUSALS: ReadonlySet<string> = new Set(["GATEWAY_FILE_UNKNOWN", "FILE_UNREADABLE"]);

function candidateOf(
  file: string,
  source: Omit<SourceFile, "layout">,
  bytes: Uint8Array,
  original: Candidate["bytes"],
): Candidate {
  if (bytes.length === 0) throw refusal("The file is empty.");
  const layout = layoutOfBytes(bytes);
  if (layout === undefined) {
    const known = FORMATS.map(({ title }) => title).join(", ");
    throw refusal(`Its columns belong to no kind that is known here (${known}).`);
  }
  return { file, source: { ...source, layout }, hash: hashOf(bytes), bytes: original };
}

function outcomeOf(
  { file, source }: Candidate,
  loaded: Loaded | undefined,
  status: "imported" | "would-import",
): Outcome {
  const { title } = source.layout.format;
  if (loaded === undefined)
    return { file, status: "refused", reason: `It is a ${title}, but cannot be read as a table.` };
  if (loaded.rows > 0) return { file, status, source, loaded };
  const [first] = loaded.reasons;
  const why = first === undefined ? "has no rows" : `no row can be read: ${first}`;
  return { file, status: "refused", reason: `It is a ${title}, but ${why}.` };
}

function refusal(sentence: string): SkillError {
  return new SkillError("GATEWAY_FILE_UNKNOWN", sentence, {
    hint: "Import an export of a service that is known.",
  });
}

/** A timeline names its song in its file name only: the same days of another song are other data. */
function identity(hash: string, name: string): string {
  return `${hash} ${JSON.stringify(timelineSong(name))}`;
}

/** The first 16 hexadecimal digits of the SHA-256 of the data: one export with and without a byte-order mark is one. */
function hashOf(bytes: Uint8Array): string {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return createHash("sha256")
    .update(hasMark ? bytes.subarray(3) : bytes)
    .digest("hex")
    .slice(0, 16);
}
