import { MEASURES, SOURCES, relationOf, type Source } from "../model.ts";
import type { Split } from "../question/query.ts";
import type { Collection } from "../store/catalog.ts";
import { measuresHeld } from "./figures.ts";

const BY_DAY: readonly Split[] = ["day", "week", "weekday", "weekpart"];
const BY_MONTH: readonly Split[] = ["month", "quarter", "year"];

/** The measures and splits of a query that the files have no figures for. */
export async function absentFrom(collection: Collection): Promise<readonly string[]> {
  const splits = new Set([
    ...BY_DAY,
    ...BY_MONTH,
    ...SOURCES.flatMap(({ dimensions }) => Object.keys(dimensions)),
  ]);
  const isBy = (split: string, { grain, dimensions }: Source): string | undefined => {
    const days = BY_DAY.some((one) => one === split) && grain === "day";
    const months = BY_MONTH.some((one) => one === split) && grain !== "window";
    return days || months ? "1" : dimensions[split as Split];
  };
  const columns = [...splits].map((split) => {
    const rows = SOURCES.flatMap((source) => {
      const column = isBy(split, source);
      return column === undefined
        ? []
        : [`EXISTS (SELECT 1 FROM ${relationOf(source)} WHERE ${column} IS NOT NULL)`];
    });
    return `${rows.join(" OR ")} AS "${split}"`;
  });
  const [held = {}] = await collection.rows(`SELECT ${columns.join(", ")}`);
  const measures = await measuresHeld(collection);
  return [
    ...MEASURES.filter((one) => !measures.includes(one)),
    ...[...splits].filter((one) => held[one] !== true),
  ];
}
