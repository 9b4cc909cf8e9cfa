/** Made-up exports of every format, edited as spreadsheets and people edit them, and the sums that they must have. */
import fc from "fast-check";

type Cell =
  | { readonly day: string }
  | { readonly month: string }
  | { readonly units: number }
  | { readonly micros: number }
  | { readonly text: string };

type Column = "day" | "month" | "count" | "amount" | "text";

/** The columns of each format in an order of its service; a text of several words is one of them. */
const LAYOUTS: readonly (readonly [
  name: string,
  columns: readonly (readonly [string, Column, string?])[],
])[] = [
  [
    "Beta-timeline.csv",
    [
      ["date", "day"],
      ["streams", "count"],
    ],
  ],
  [
    "Me-audience.csv",
    [
      ["date", "day"],
      ["listeners", "count"],
      ["streams", "count"],
      ["followers", "count"],
      ["saves", "count"],
    ],
  ],
  [
    "songs.csv",
    [
      ["song", "text"],
      ["listeners", "count"],
      ["streams", "count"],
      ["saves", "count"],
      ["release_date", "day"],
    ],
  ],
  [
    "lists.csv",
    [
      ["title", "text"],
      ["author", "text"],
      ["listeners", "count"],
      ["streams", "count"],
      ["date_added", "day"],
    ],
  ],
  [
    "apple.csv",
    [
      ["Song", "text"],
      ["Plays", "count"],
      ["Shazams", "count"],
      ["Radio Spins", "count"],
    ],
  ],
  [
    "places.csv",
    [
      ["City", "text"],
      ["Country or Region", "text", "Japan US"],
      ["Plays", "count"],
      ["Shazams", "count"],
    ],
  ],
  [
    "Totals.csv",
    [
      ["Date", "day"],
      ["Views", "count"],
      ["Watch time (hours)", "amount"],
    ],
  ],
  [
    "Chart.csv",
    [
      ["Date", "day"],
      ["Content", "text"],
      ["Video title", "text"],
      ["Views", "count"],
    ],
  ],
  [
    "Table.csv",
    [
      ["Content", "text"],
      ["Video title", "text"],
      ["Video publish time", "day"],
      ["Views", "count"],
      ["Estimated revenue (USD)", "amount"],
    ],
  ],
  [
    "distrokid.tsv",
    [
      ["Reporting Date", "day"],
      ["Sale Month", "month"],
      ["Store", "text", "Spotify Tidal"],
      ["Title", "text"],
      ["Quantity", "count"],
      ["Song/Album", "text", "Song Album"],
      ["Country of Sale", "text", "US JP"],
      ["Earnings (USD)", "amount"],
    ],
  ],
  [
    "tunecore.csv",
    [
      ["Sales Period", "day"],
      ["Posted Date", "day"],
      ["Store Name", "text", "Spotify Tidal"],
      ["Country Of Sale", "text", "US JP"],
      ["Song Title", "text"],
      ["# Units Sold", "count"],
      ["Total Earned", "amount"],
      ["Currency", "text", "USD USD"],
    ],
  ],
];

/** A day of 2026 by its number. */
const dayOf = (number: number): string => new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10);

const EDITS = fc.record({
  separator: fc.constantFrom(",", ";", "\t"),
  decimal: fc.constantFrom(".", ","),
  decimals: fc.constantFrom(0, 2, 3, 6),
  groups: fc.constantFrom("", ".", ",", " "),
  dates: fc.constantFrom("iso", "d/m", "m/d", "d.m", "slashes"),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  isQuoted: fc.boolean(),
  above: fc.constantFrom("", "Mira Lin\n\n"),
  encoding: fc.constantFrom<"utf8" | "utf16le">("utf8", "utf16le"),
  extra: fc.constantFrom("", "", "", "", "", "Note", "Note", "Country", "Store", "Date", "Gender", "平台"),
  order: fc.nat(1000),
});

/** A file, and what it holds. */
export interface EditedExport {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Of counts and amounts, in the order of the layout's columns; of amounts in the decimals that the file has. */
  readonly sums: readonly number[];
  /** First and last day, where the first column is one. */
  readonly window: { readonly from: string; readonly to: string } | undefined;
}

/** Any export of any format after any of the edits. */
export const EDITED_EXPORT: fc.Arbitrary<EditedExport> = fc
  .record({
    layout: fc.constantFrom(...LAYOUTS),
    edits: EDITS,
    start: fc.nat(300),
    values: fc.array(fc.array(fc.oneof(fc.nat(3000), fc.nat(3_000_000)), { minLength: 8, maxLength: 8 }), {
      minLength: 1,
      maxLength: 5,
    }),
  })
  .map(({ layout: [name, columns], edits, start, values }) => {
    const rows = values.map((numbers, row) =>
      columns.map(([, type, words], place): Cell => {
        const value = numbers[place] ?? 0;
        if (type === "day") return { day: dayOf(start + row * (1 + ((values[0]?.[0] ?? 0) % 9))) };
        if (type === "month") return { month: dayOf(start).slice(0, 7) };
        if (type === "count") return { units: value };
        if (type === "amount") return { micros: value * 10 ** (6 - edits.decimals) };
        return { text: words?.split(" ")[value % 2] ?? `T${row}` };
      }),
    );
    const places = columns.map((_, place) => (place * 7 + edits.order) % columns.length);
    const order = new Set(places).size === columns.length ? places : columns.map((_, place) => place);
    const table = [
      [...order.map((place) => columns[place]?.[0] ?? ""), ...(edits.extra === "" ? [] : [edits.extra])],
      ...rows.map((cells) => [
        ...order.map((place) => written(cells[place] as Cell, edits)),
        ...(edits.extra === "" ? [] : ["x"]),
      ]),
    ];
    const quoted = (cell: string): string =>
      edits.isQuoted || cell.includes(edits.separator) ? `"${cell}"` : cell;
    const text = table.map((cells) => cells.map(quoted).join(edits.separator) + edits.lineEnd).join("");
    const mark = edits.encoding === "utf8" ? "" : "\uFEFF";
    const sums = columns.flatMap(([header, type], place) => {
      if ((type !== "count" && type !== "amount") || header === "Radio Spins") return [];
      const parts = rows.map((cells) => {
        const cell = cells[place] as Cell;
        return "units" in cell ? cell.units : "micros" in cell ? cell.micros / 1_000_000 : 0;
      });
      return [parts.reduce((sum, part) => sum + part, 0)];
    });
    const days = rows.map(([first]) => (first !== undefined && "day" in first ? first.day : ""));
    const window = days.includes("") ? undefined : { from: days[0] ?? "", to: days.at(-1) ?? "" };
    return { name, bytes: Buffer.from(mark + edits.above + text, edits.encoding), sums, window };
  });

function written(
  cell: Cell,
  {
    decimal,
    decimals,
    groups,
    dates,
  }: { readonly decimal: string; readonly decimals: number; readonly groups: string; readonly dates: string },
): string {
  if ("text" in cell) return cell.text;
  if ("month" in cell) return cell.month;
  if ("day" in cell) {
    const [year = "", month = "", day = ""] = cell.day.split("-");
    const forms: Readonly<Record<string, string>> = {
      iso: cell.day,
      "d/m": `${day}/${month}/${year}`,
      "m/d": `${Number(month)}/${Number(day)}/${year}`,
      "d.m": `${day}.${month}.${year}`,
      slashes: `${year}/${month}/${day}`,
    };
    return forms[dates] ?? "";
  }
  // No file has one sign for both.
  const group = groups === decimal ? "" : groups;
  const grouped = (whole: string): string => whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, group);
  if ("units" in cell) return grouped(String(cell.units));
  const [whole = "", rest] = (cell.micros / 1_000_000).toFixed(decimals).split(".");
  return rest === undefined ? grouped(whole) : `${grouped(whole)}${decimal}${rest}`;
}
