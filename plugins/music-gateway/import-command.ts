import {
  ENVIRONMENT,
  FILES,
  SkillError,
  inject,
  injectable,
  type Call,
  type CommandHandler,
  type Environment,
  type Files,
} from "skillctl";
import { basename, join, resolve } from "node:path";
import type { ImportInput, ImportOutput } from "./contract.ts";
import { MAX_EXPORT_BYTES, readExport, type ExportFile } from "./export-file.ts";
import { importReport, type FileReport } from "./import-report.ts";
import { LIBRARY, hashOf, safeName, type Library } from "./library.ts";

/** Takes in files, or the files of a folder, one by one: one that is refused does not keep the others out. */
@injectable()
export class ImportCommand implements CommandHandler<ImportInput, ImportOutput> {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(LIBRARY) private readonly library: Library,
  ) {}

  /** @throws SkillError `GATEWAY_FILE_UNKNOWN`, with the report, when a file was refused. */
  async run({ files, dryRun = false }: ImportInput, call: Call): Promise<ImportOutput> {
    const reports: FileReport[] = [];
    const seen = new Set<string>();
    for (const path of await this.#paths(files)) {
      call.signal.throwIfAborted();
      call.progress(`Reading ${basename(path)}`);
      reports.push(await this.#importFile(path, dryRun, seen));
    }
    const refused = reports.filter(({ status }) => status === "refused").length;
    const output: ImportOutput = {
      dryRun,
      accepted: reports.length - refused,
      refused,
      files: reports,
      text: importReport(reports, dryRun),
    };
    if (refused === 0) return output;
    throw new SkillError(
      "GATEWAY_FILE_UNKNOWN",
      `${refused} of ${reports.length} files cannot be imported.`,
      {
        hint: "The report names the reason for each; the others were handled.",
        result: output,
      },
    );
  }

  async #paths(files: readonly string[]): Promise<readonly string[]> {
    const paths: string[] = [];
    for (const file of files) {
      const path = resolve(this.environment.workingFolder, file);
      const facts = await this.files.facts(path);
      const names = facts?.kind === "folder" ? ((await this.files.list(path)) ?? []) : undefined;
      if (names === undefined) paths.push(path);
      else
        paths.push(
          ...names.filter((name) => /^[^.].*\.(?:csv|tsv|txt)$/i.test(name)).map((name) => join(path, name)),
        );
    }
    return paths;
  }

  async #importFile(path: string, dryRun: boolean, seen: Set<string>): Promise<FileReport> {
    const name = safeName(basename(path));
    const facts = await this.files.facts(path);
    if (facts === undefined) return refusal(path, "There is no such file.");
    if (facts.bytes > MAX_EXPORT_BYTES) return refusal(path, "The file is larger than 64 MiB.");
    const bytes = await this.files.readBytes(path);
    if (bytes === undefined) return refusal(path, "There is no such file.");
    const file = readExport(name, bytes);
    if (typeof file === "string") return refusal(path, file);
    const key = `${hashOf(bytes)}-${file.kind === "spotify-timeline" ? name : ""}`;
    const isThere = seen.has(key) || (await this.library.holds(file, bytes));
    seen.add(key);
    if (isThere) return accepted(path, "already-there", file);
    if (!dryRun) await this.library.keep(file, bytes);
    return accepted(path, dryRun ? "would-import" : "imported", file);
  }
}

function accepted(
  path: string,
  status: FileReport["status"],
  { kind, rows, refused, window }: ExportFile,
): FileReport {
  const firstReason = refused[0] === undefined ? null : `row ${refused[0].row}: ${refused[0].reason}`;
  return {
    file: path,
    status,
    kind,
    rows,
    refusedRows: refused.length,
    window: window ?? null,
    reason: firstReason,
  };
}

function refusal(path: string, reason: string): FileReport {
  return { file: path, status: "refused", kind: null, rows: 0, refusedRows: 0, window: null, reason };
}
