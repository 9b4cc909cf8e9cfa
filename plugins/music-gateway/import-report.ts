import { basename } from "node:path";
import { EXPORT_KINDS } from "./export-kinds.ts";
import type { ImportOutput } from "./contract.ts";

/** What happened to one file. */
export type FileReport = ImportOutput["files"][number];

const STATUS: Readonly<Record<FileReport["status"], string>> = {
  imported: "imported",
  "would-import": "would be imported",
  "already-there": "is already there",
  refused: "refused",
};

/** The report of an import for a person: one line a file. */
export function importReport(reports: readonly FileReport[], dryRun: boolean): string {
  if (reports.length === 0) return "There was no file to import.";
  const lines = reports.map((report) => {
    const name = basename(report.file);
    if (report.status === "refused") return `${name}: refused. ${report.reason ?? ""}`;
    const kind = EXPORT_KINDS.find((known) => known.name === report.kind)?.title ?? "";
    const window = report.window === null ? "" : `, ${report.window.from} to ${report.window.to}`;
    const refused =
      report.refusedRows === 0 ? "" : `, ${report.refusedRows} rows refused (${report.reason ?? ""})`;
    return `${name}: ${STATUS[report.status]}. ${kind}, ${report.rows} rows${window}${refused}`;
  });
  return [...lines, ...(dryRun ? ["Nothing was changed."] : [])].join("\n");
}
