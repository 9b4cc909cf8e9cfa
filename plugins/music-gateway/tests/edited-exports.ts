/** Made-up exports in every layout, edited as spreadsheets and people edit them, and the sums that they must have. */
import fc from "fast-check";
import { LAYOUTS, type ExportLayout } from "./layouts.ts";

/** A day of 2026 by its number. */
const dayOf = (number: number): string => new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10);

const EDITS = fc.record({
  separator: fc.constantFrom(",", ";", "\t"),
  decimal: fc.constantFrom(".", ","),
  decimals: fc.constantFrom(0, 2, 3, 6),
  groups: fc.constantFrom("", ".", ",", " "),
  dates: fc.constantFrom("iso", "d/m", "m/d", "d.m", "slashes", "m/d/y", "12 hours"),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  isQuoted: fc.boolean(),
  above: fc.constantFrom("", "Mira Lin\n\n"),
  encoding: fc.constantFrom<"utf8" | "utf16le">("utf8", "utf16le"),
  extra: fc.constantFrom("", "", "", "", "", "Note", "Note", "Country", "Store", "Date", "Gender", "平台"),
  order: fc.nat(1000),
});

type Edits = typeof EDITS extends fc.Arbitrary<infer Value> ? Value : never;

/** A file, and what it holds. */
export interface EditedExport {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Of counts and amounts; amounts have as many decimals as in the file. */
  readonly sums: readonly number[];
  /** First and last day, if the first column holds days. */
  readonly window: { readonly from: string; readonly to: string } | undefined;
}

/** Any layout after any of the edits. */
export const EDITED_EXPORT: fc.Arbitrary<EditedExport> = fc
  .record({
    layout: fc.constantFrom(...LAYOUTS),
    edits: EDITS,
    start: fc.nat(300),
    step: fc.integer({ min: 1, max: 9 }),
    values: fc.array(fc.array(fc.oneof(fc.nat(3000), fc.nat(3_000_000)), { minLength: 8, maxLength: 8 }), {
      minLength: 1,
      maxLength: 5,
    }),
  })
  .map(({ layout, edits, start, step, values }) => {
    const { columns } = layout;
    const figures: number[] = [];
    const rows = values.map((numbers, row) =>
      columns.map(({ type }, column) => {
        const value = numbers[column % 8] ?? 0;
        const day = dayOf(start + row * step);
        if (type === "day") return dateText(day, edits.dates);
        if (type === "month") return day.slice(0, 7);
        if (type === "count" || type === "amount") {
          const micros = type === "count" ? value * 1_000_000 : value * 10 ** (6 - edits.decimals);
          figures[column] = (figures[column] ?? 0) + micros;
          return figureText(micros, type === "count" ? 0 : edits.decimals, edits);
        }
        return type === "name" ? `T${row}` : sampleOf(layout, column, value);
      }),
    );
    const places = columns.map((_, place) => (place * 7 + edits.order) % columns.length);
    const order = new Set(places).size === columns.length ? places : columns.map((_, place) => place);
    const extra = edits.extra === "" ? [] : [edits.extra];
    const table = [
      [...order.map((place) => columns[place]?.header ?? ""), ...extra],
      ...rows.map((cells) => [...order.map((place) => cells[place] ?? ""), ...extra.map(() => "x")]),
    ];
    const quoted = (cell: string): string =>
      edits.isQuoted || cell.includes(edits.separator) ? `"${cell}"` : cell;
    const text = table.map((cells) => cells.map(quoted).join(edits.separator) + edits.lineEnd).join("");
    const mark = edits.encoding === "utf8" ? "" : "\uFEFF";
    const hasDays = columns[0]?.type === "day";
    return {
      name: layout.file,
      bytes: Buffer.from(mark + edits.above + text, edits.encoding),
      sums: figures.flatMap((micros) => [micros / 1_000_000]),
      window: hasDays ? { from: dayOf(start), to: dayOf(start + (values.length - 1) * step) } : undefined,
    };
  });

/** A cell of the made-up export, of a row that is stored. */
function sampleOf({ rows, columns }: ExportLayout, column: number, value: number): string {
  const named = columns.findIndex(({ type }) => type === "name");
  const stored = rows.filter((cells) => named < 0 || !["Total", ""].includes(cells[named] ?? ""));
  return stored[value % stored.length]?.[column] ?? "";
}

function dateText(iso: string, form: Edits["dates"]): string {
  const [year = "", month = "", day = ""] = iso.split("-");
  const american = `${Number(month)}/${Number(day)}`;
  const forms: Readonly<Record<Edits["dates"], string>> = {
    iso,
    "d/m": `${day}/${month}/${year}`,
    "m/d": `${american}/${year}`,
    "d.m": `${day}.${month}.${year}`,
    slashes: `${year}/${month}/${day}`,
    "m/d/y": `${american}/${year.slice(2)}`,
    "12 hours": `${american}/${year} 12:00:00 AM`,
  };
  return forms[form];
}

function figureText(
  micros: number,
  decimals: number,
  { decimal, groups }: Pick<Edits, "decimal" | "groups">,
): string {
  // No file uses the same sign for decimals and groups.
  const group = groups === decimal ? "" : groups;
  const [whole = "", rest] = (micros / 1_000_000).toFixed(decimals).split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, group);
  return rest === undefined ? grouped : `${grouped}${decimal}${rest}`;
}
