import { readAmount, readCount, readIsrc, readMonth } from "./cells.ts";
import type { FileFacts, Row } from "./facts.ts";
import { gather } from "./gather.ts";

/**
 * A DistroKid statement, with `Song/Album` or the newer `Source Type`. Rows of whole albums repeat what the
 * songs' rows say and are left out.
 */
export function readDistrokid(rows: readonly Row[]): FileFacts {
  const seen = new Map<string, number>();
  return gather(rows, (row) => {
    if ((row["song/album"] ?? row["sourcetype"] ?? "").trim().toLowerCase() === "album") return undefined;
    const title = (row["title"] ?? "").trim();
    const month = readMonth(row["salemonth"]);
    const quantity = readCount(row["quantity"]);
    const earnings = Object.entries(row).find(([name]) => /^earnings\([a-z]{3}\)$/.test(name));
    const amount = readAmount(earnings?.[1]);
    const isrc = readIsrc(row["isrc"]);
    if (title === "") return "the song has no title";
    if (month === undefined) return "the sale month is no month";
    if (quantity === undefined) return "the quantity is no count";
    if (earnings === undefined || amount === undefined) return "the earnings are no amount";
    const text = JSON.stringify(Object.entries(row).toSorted(([left], [right]) => (left < right ? -1 : 1)));
    const occurrence = seen.get(text) ?? 0;
    seen.set(text, occurrence + 1);
    return {
      of: "sale",
      song: isrc === undefined ? { title } : { title, isrc },
      month,
      store: (row["store"] ?? "").trim(),
      country: (row["countryofsale"] ?? "").trim().toUpperCase(),
      quantity,
      amount,
      currency: earnings[0].slice(9, 12).toUpperCase(),
      key: `${text}#${occurrence}`,
    };
  });
}
