import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Files } from "skillctl";
import { decoded, encodingOf } from "../import/encoding.ts";
import { knownCells, layoutOf } from "../import/format.ts";
import type { Mapping } from "../import/formats.ts";
import type { SourceFile } from "../import/reading.ts";
import { surveyOf, type Decisions, type Survey } from "../import/survey.ts";

/** An original file. */
interface Original {
  readonly name: string;
  /** The zip folder that contained it. */
  readonly from?: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Its path, or that of its zip folder, as written in a command. */
  readonly given?: string;
}

/** Decisions about a file: all of them from an earlier survey, or some from the caller. */
export interface SourceDecisions extends Decisions {
  readonly survey?: Survey | undefined;
  /** Mappings of earlier imports, for files with the same header line. */
  readonly kept?: readonly Mapping[];
}

/**
 * A file as DuckDB can read it: the original, or a copy of its rows in UTF-8 in `folder`, which the caller removes. Earlier
 * decisions of its import are reused.
 * @throws SkillError `GATEWAY_FILE_UNKNOWN` for a file that is not an export, or that requires a decision.
 */
export async function openSource(
  files: Files,
  folder: string,
  { name, from, path, bytes, given = path }: Original,
  { survey: known, kept = [], ...decisions }: SourceDecisions,
): Promise<SourceFile> {
  const encoding = known?.encoding ?? encodingOf(bytes, knownCells);
  const text = encoding === "utf-8" ? bytes : new TextEncoder().encode(decoded(bytes, encoding));
  const layout = layoutOf(text, { own: known?.mapping, option: decisions.map, kept }, given);
  const survey = known ?? surveyOf(text, encoding, layout, decisions);
  const source = { name, layout, survey, ...(from !== undefined && { from }) };
  if (text === bytes && survey.hasOneLineEnd && layout.headerLines === 1) return { ...source, path, skip: 1 };
  const rows = text.subarray(layout.dataStart);
  const copy = join(folder, `${randomUUID()}.csv`);
  await files.makeFolder(folder);
  await files.replace(copy, survey.hasOneLineEnd ? rows : withLineFeeds(rows));
  return { ...source, path: copy, skip: 0 };
}

function withLineFeeds(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return Buffer.from(text.replaceAll(/\r\n?/g, "\n"), "latin1");
}
