import { ENVIRONMENT, FILES, SkillError, quotedName, inject, injectable } from "skillctl";
import type { Call, CommandHandler, Environment, Files } from "skillctl";
import { basename, join, resolve } from "node:path";
import type { ImportInput, ImportOutput } from "./contract.ts";
import { daysText } from "./files-command.ts";
import { counted, receiptLines } from "./import/receipt.ts";
import { isTable } from "./import/names.ts";
import type { FileReport } from "./library/importer.ts";
import { LIBRARY, type Library } from "./library/library.ts";
import { spanIn, type Span } from "./store/spans.ts";

const STATUS: Readonly<Record<FileReport["status"], string>> = {
  imported: "imported",
  "would-import": "would be imported",
  "already-there": "is already there",
  refused: "refused",
};

/** Imports files, zip folders, and all tables in a folder and its subfolders. */
@injectable()
export class ImportCommand implements CommandHandler<ImportInput, ImportOutput> {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(LIBRARY) private readonly library: Library,
  ) {}

  /** @throws SkillError `GATEWAY_FILE_UNKNOWN`, with the report, if a file was refused. */
  async run(
    { files, dryRun = false, decimal, dates, map, window }: ImportInput,
    call: Call,
  ): Promise<ImportOutput> {
    const paths = await this.#paths(files);
    const decisions = {
      ...(decimal !== undefined && { decimal }),
      ...(dates !== undefined && { dates }),
      ...(map !== undefined && { map }),
      ...(window !== undefined && { window: spanOf(window) }),
    };
    const { formatOf } = await import("./library/originals.ts");
    const { Importer } = await import("./library/importer.ts");
    const importer = new Importer(this.files, this.library);
    const outcomes = dryRun
      ? await importer.dryRun(paths, decisions, call)
      : await importer.import(paths, decisions, call);
    const place = ({ file }: FileReport): number =>
      paths.findIndex((path) => file === path || file.startsWith(`${path}/`));
    const reports = outcomes.toSorted((left, right) => place(left) - place(right));
    const refused = reports.filter(({ status }) => status === "refused").length;
    const output: ImportOutput = {
      dryRun,
      accepted: reports.length - refused,
      refused,
      files: reports,
      text: reportText(reports, dryRun, (kind) => formatOf(kind)?.title ?? "", Object.keys(decisions)),
    };
    if (refused === 0) return output;
    throw new SkillError(
      "GATEWAY_FILE_UNKNOWN",
      `${refused} of ${counted(reports.length, "file")} cannot be imported.`,
      {
        hint: `The report names the reason for each${refused < reports.length ? "; the others were handled" : ""}.`,
        result: output,
      },
    );
  }

  async #paths(files: readonly string[]): Promise<readonly string[]> {
    const paths: string[] = [];
    for (const file of files) {
      const path = resolve(this.environment.workingFolder, file);
      const facts = await this.files.facts(path);
      if (facts?.kind !== "folder") paths.push(path);
      else {
        const found = (await this.files.survey(path, (name) => !name.startsWith("."))) ?? [];
        const wanted = found.filter(({ kind, path: below }) => kind === "file" && isExport(basename(below)));
        paths.push(...wanted.map(({ path: below }) => join(path, below)).toSorted());
      }
    }
    return [...new Set(paths)];
  }
}

function spanOf(window: string): Span {
  const span = spanIn(window);
  if (span !== undefined) return span;
  throw new SkillError(
    "INPUT_INVALID",
    `The window ${quotedName(window)} contains a day that does not exist, or ends before it starts.`,
    {
      hint: "Write the first and last day as 2026-10-01/2026-10-31.",
    },
  );
}

function isExport(name: string): boolean {
  return isTable(name) || /^[^.].*\.zip$/iu.test(name);
}

function reportText(
  reports: readonly FileReport[],
  dryRun: boolean,
  titleOf: (kind: FileReport["kind"]) => string,
  options: readonly string[],
): string {
  if (reports.length === 0) return "No files were found to import.";
  const lines = reports.map((report) => {
    const name = quotedName(basename(report.file));
    if (report.status === "refused") return `${name}: refused. ${report.reason ?? ""}`;
    // The options apply only to the first import of a file.
    const left =
      options.length === 0 ? "" : `, and --${options.join(" and --")} had no effect; remove the file first`;
    if (report.status === "already-there") return `${name}: ${STATUS[report.status]}${left}.`;
    const refused =
      report.refusedRows === 0
        ? ""
        : `, ${counted(report.refusedRows, "row")} refused (${report.reason ?? ""})`;
    const line = `${name}: ${STATUS[report.status]}. ${titleOf(report.kind)}, ${counted(report.rows, "row")}${daysText(report)}${refused}`;
    const below = report.receipt === null ? [] : receiptLines(report.receipt);
    return [line, ...below.map((one) => `  ${one}`)].join("\n");
  });
  return [...lines, ...(dryRun ? ["Nothing was changed."] : [])].join("\n");
}
