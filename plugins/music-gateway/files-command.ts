import { quotedName, inject, injectable, type CommandHandler } from "skillctl";
import type { FilesInput, FilesOutput } from "./contract.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";
import { counted, receiptLines } from "./import/receipt.ts";
import type { DayRange } from "./question/day.ts";
import type { CatalogFile } from "./store/catalog.ts";

/** Lists the files that answer, with their rows, days and what could not be read. */
@injectable()
export class FilesCommand implements CommandHandler<FilesInput, FilesOutput> {
  constructor(@inject(COLLECTIONS) private readonly collections: Collections) {}

  async run(): Promise<FilesOutput> {
    return this.collections.use(({ source, catalog }) => {
      const files = [...catalog.files];
      const head =
        source === "sample"
          ? "Nothing is imported; these sample data answer:"
          : `${counted(files.length, "file")} imported:`;
      return { data: source, files, text: [head, ...files.map(lineOf)].join("\n") };
    });
  }
}

export function daysText(days: DayRange | null): string {
  return days === null ? "" : `, ${days.from} to ${days.to}`;
}

function lineOf({ id, name, kind, rows, refusedRows, reasons, window, receipt }: CatalogFile): string {
  const bad = refusedRows === 0 ? "" : `, ${counted(refusedRows, "row")} refused (${reasons.join("; ")})`;
  const line = `  ${id}  ${quotedName(name)} (${kind}, ${counted(rows, "row")}${daysText(window)}${bad})`;
  return [line, ...receiptLines(receipt).map((below) => `     ${below}`)].join("\n");
}
