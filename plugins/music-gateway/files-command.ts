import { quotedName, inject, injectable, type CommandHandler } from "skillctl";
import type { FilesInput, FilesOutput } from "./contract.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";
import { counted, receiptLines } from "./import/receipt.ts";
import type { CatalogFile } from "./store/catalog.ts";
import { ALL_TIME, lengthIn } from "./store/spans.ts";

/** Lists the files that answers use, with their rows, days and unreadable rows. */
@injectable()
export class FilesCommand implements CommandHandler<FilesInput, FilesOutput> {
  constructor(@inject(COLLECTIONS) private readonly collections: Collections) {}

  async run(): Promise<FilesOutput> {
    return this.collections.use(({ source, catalog }) => {
      const files = [...catalog.files];
      const head =
        source === "sample"
          ? "No files are imported; answers come from this sample data:"
          : `${counted(files.length, "file")} imported:`;
      return { data: source, files, text: [head, ...files.map(lineOf)].join("\n") };
    });
  }
}

/** The days of a file, or the window of its sums. */
export function daysText({ window, span }: Pick<CatalogFile, "window" | "span">): string {
  if (window !== null) return `, ${window.from} to ${window.to}`;
  if (span === null) return "";
  const length = lengthIn(span);
  if (length === undefined) return span === ALL_TIME ? ", all time" : ", window not stated";
  return `, last ${counted(length.count, length.unit)}`;
}

function lineOf(file: CatalogFile): string {
  const { id, name, kind, rows, refusedRows, reasons, receipt } = file;
  const bad = refusedRows === 0 ? "" : `, ${counted(refusedRows, "row")} refused (${reasons.join("; ")})`;
  const line = `  ${id}  ${quotedName(name)} (${kind}, ${counted(rows, "row")}${daysText(file)}${bad})`;
  return [line, ...receiptLines(receipt).map((below) => `     ${below}`)].join("\n");
}
