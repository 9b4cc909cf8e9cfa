import type { ImportOutput } from "../contract.ts";
import { SkillError, quotedName, type Call, type Files } from "skillctl";
import { createHash, randomUUID } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { Holdings } from "./holdings.ts";
import type { Library, NewFile } from "./library.ts";
import { FORMATS, openSource, readSource } from "./originals.ts";
import { Database } from "../store/database.ts";
import { safeName, timelineSong, unfoldedFolder } from "../import/names.ts";
import type { ReadResult, SourceFile } from "../import/reading.ts";
import type { Decisions } from "../import/survey.ts";
import { isZip, membersOf } from "../import/zip.ts";
import type { SourceDecisions } from "./source.ts";

/** The report on one file, or on one table in a zip folder. */
export type FileReport = ImportOutput["files"][number];

/** New files, and the reports on the others. */
interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly outcomes: readonly FileReport[];
}

/** A new file, and its path in the report. */
interface Candidate extends NewFile {
  readonly file: string;
}

/** The most bytes of one export, 512 MiB. */
const MAX_BYTES = 536_870_912;

/** Imports files one by one: a refused file does not prevent the import of the others. */
export class Importer {
  constructor(
    private readonly files: Files,
    private readonly library: Library,
  ) {}

  /** Imports the files at these paths. */
  async import(paths: readonly string[], decisions: Decisions, call: Call): Promise<readonly FileReport[]> {
    return this.library.change(
      async (now, copies) => {
        const { outcomes, candidates } = await this.#candidates(paths, now, { copies, decisions }, call);
        const result = (reads: ReadonlyMap<number, ReadResult | undefined>): readonly FileReport[] => [
          ...outcomes,
          ...candidates.map((one) => outcomeOf(one, reads.get(one.kept.id), "imported")),
        ];
        return { added: candidates, result };
      },
      ({ name }) => {
        call.signal.throwIfAborted();
        call.progress(`Reading ${quotedName(name)}`);
      },
    );
  }

  /** The reports for an import of these files, without changing anything. */
  async dryRun(paths: readonly string[], decisions: Decisions, call: Call): Promise<readonly FileReport[]> {
    const { library } = this;
    return library.withCopies(async (copies) => {
      const now = await library.holdings();
      const { outcomes, candidates } = await this.#candidates(paths, now, { copies, decisions }, call);
      const reports = [...outcomes];
      const database = await Database.create();
      try {
        for (const one of candidates)
          reports.push(outcomeOf(one, await readSource(database, one.source), "would-import"));
      } finally {
        database.close();
      }
      return reports;
    });
  }

  /** The new files in the order in which their songs get ids: formats with the most precise song names come first. */
  async #candidates(paths: readonly string[], now: Holdings, how: Reading, call: Call): Promise<Candidates> {
    const outcomes: FileReport[] = [];
    const readable: Readable[] = [];
    const seen = new Set(
      now.files.flatMap(({ kept, name }) => [kept.slice(0, 16), identity(kept.slice(0, 16), name)]),
    );
    const kept = now.files.flatMap(({ survey }) => survey?.mapping ?? []).toReversed();
    const reading = { ...how, decisions: { ...how.decisions, kept } };
    for (const path of paths) {
      call.signal.throwIfAborted();
      try {
        for (const one of await this.#read(path, reading)) {
          if ("refused" in one) {
            outcomes.push(refusedOf(one.file, one.refused));
            continue;
          }
          const { file, hash, source } = one;
          const own = identity(hash, source.name);
          const isThere = seen.has(source.layout.format.songInName === true ? own : hash);
          seen.add(hash).add(own);
          if (isThere) outcomes.push(reportOf(file, "already-there", source));
          else readable.push(one);
        }
      } catch (caught) {
        if (!(caught instanceof SkillError) || !REFUSALS.has(caught.code)) throw caught;
        outcomes.push(refusedOf(path, caught.message));
      }
    }
    const order = ({ source }: Readable): number => FORMATS.indexOf(source.layout.format);
    const candidates = readable
      .toSorted((left, right) => order(left) - order(right))
      .map(({ file, source, hash, original }, index) => {
        const { name, from, survey } = source;
        const kept = {
          id: now.next + index,
          name,
          kept: `${hash}-${name}`,
          survey,
          ...(from !== undefined && { from }),
        };
        return { file, kept, source, original };
      });
    return { outcomes, candidates };
  }

  /** The table at a path, or the tables in a zip folder, some of which may be refused. */
  async #read(
    path: string,
    { copies, decisions }: Reading,
  ): Promise<readonly (Readable | { readonly file: string; readonly refused: string })[]> {
    const facts = await this.files.facts(path);
    if (facts === undefined) throw refusal("There is no such file.");
    if (facts.kind !== "file") throw refusal("The path is not a file.");
    if (facts.bytes > MAX_BYTES) throw refusal("The file is larger than 512 MiB.");
    const original = (): Promise<Uint8Array | undefined> => this.files.readBytes(path);
    const bytes = (await original()) ?? new Uint8Array();
    const name = safeName(basename(path));
    if (!isZip(bytes)) {
      if (bytes.length === 0) throw refusal("The file is empty.");
      const from = unfoldedFolder(name, safeName(basename(dirname(path))));
      const opened = { name, path, bytes, ...(from !== undefined && { from }) };
      const source = await openSource(this.files, copies, opened, decisions);
      return [{ file: path, source, hash: hashOf(bytes), original }];
    }
    const found: Readable[] = [];
    const refused: { readonly file: string; readonly refused: string }[] = [];
    for (const member of membersOf(bytes)) {
      const own = safeName(member.name);
      try {
        const copy = join(copies, `${randomUUID()}.csv`);
        await this.files.makeFolder(copies);
        await this.files.replace(copy, member.bytes);
        const { bytes: table } = member;
        const one = { name: own, from: name, path: copy, bytes: table, given: path };
        found.push({
          file: `${path}/${own}`,
          source: await openSource(this.files, copies, one, decisions),
          hash: hashOf(member.bytes),
          original: () => this.files.readBytes(copy),
        });
      } catch (caught) {
        if (!(caught instanceof SkillError)) throw caught;
        refused.push({ file: `${path}/${own}`, refused: caught.message });
      }
    }
    if (found.length + refused.length === 0) throw refusal("The zip archive contains no tables.");
    return [...found, ...refused];
  }
}

/** How the files of an import are read. */
interface Reading {
  /** A folder for copies. */
  readonly copies: string;
  readonly decisions: SourceDecisions;
}

const REFUSALS: ReadonlySet<string> = new Set(["GATEWAY_FILE_UNKNOWN", "FILE_UNREADABLE"]);

/** A table of a known kind. */
interface Readable {
  readonly file: string;
  readonly source: SourceFile;
  /** The hash of the bytes, from `hashOf`. */
  readonly hash: string;
  /** Reads the bytes again. */
  readonly original: () => Promise<Uint8Array | undefined>;
}

function outcomeOf(
  { file, source }: Candidate,
  loaded: ReadResult | undefined,
  status: "imported" | "would-import",
): FileReport {
  const { title } = source.layout.format;
  if (loaded === undefined) return refusedOf(file, `This ${title} cannot be read as a table.`);
  const { rows, refused: refusedRows, window, span, reasons, receipt, fault } = loaded;
  const [reason = null] = reasons;
  if (fault !== undefined) return refusedOf(file, `Nothing of this ${title} is stored: ${fault}`);
  if (rows > 0)
    return { ...reportOf(file, status, source), rows, refusedRows, window, span, reason, receipt };
  return refusedOf(
    file,
    reason === null ? `This ${title} has no rows.` : `No row of this ${title} can be read: ${reason}.`,
  );
}

function reportOf(file: string, status: FileReport["status"], source?: SourceFile): FileReport {
  const kind = source?.layout.format.kind ?? null;
  return {
    file,
    status,
    kind,
    rows: 0,
    refusedRows: 0,
    window: null,
    span: null,
    reason: null,
    receipt: null,
  };
}

function refusedOf(file: string, reason: string): FileReport {
  return { ...reportOf(file, "refused"), reason };
}

function refusal(sentence: string): SkillError {
  return new SkillError("GATEWAY_FILE_UNKNOWN", sentence, {
    hint: "Import an export from a supported service.",
  });
}

/** A timeline names its song only in its file name: the same days for another song are different data. */
function identity(hash: string, name: string): string {
  return `${hash} ${JSON.stringify(timelineSong(name))}`;
}

/** The first 16 hexadecimal digits of the SHA-256 of the data: a byte-order mark does not change it. */
function hashOf(bytes: Uint8Array): string {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return createHash("sha256")
    .update(hasMark ? bytes.subarray(3) : bytes)
    .digest("hex")
    .slice(0, 16);
}
