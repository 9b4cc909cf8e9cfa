import { readCount, readDate } from "./cells.ts";
import type { FileFacts, Row } from "./facts.ts";
import { gather } from "./gather.ts";

/** YouTube Studio's table data: the first row, `Total`, repeats the others and is left out. */
export function readYoutubeTable(rows: readonly Row[]): FileFacts {
  return gather(rows, (row) => {
    if ((row["content"] ?? "").trim().toLowerCase() === "total") return undefined;
    const title = (row["videotitle"] ?? "").replaceAll(/\s+/gu, " ").trim();
    const views = readCount(row["views"]);
    const publishedOn = readDate(row["videopublishtime"]);
    if (title === "") return "the video has no title";
    if (views === undefined) return "views is no count";
    return { of: "video", title, views, ...(publishedOn === undefined ? {} : { publishedOn }) };
  });
}
