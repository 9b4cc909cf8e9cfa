import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestHost } from "skillctl/testing";
import { SKILLS } from "../../../contract-tests/harness.ts";

/** The days of May 2026 that the files have: from the first to the sixteenth. */
const DAYS = Array.from({ length: 16 }, (_, place) => place + 1);
const dated = (day: number): string => `2026-05-${String(day).padStart(2, "0")}`;
const lines = (...rows: readonly string[]): string => `${rows.join("\n")}\n`;

const SALE_COLUMNS =
  "Reporting Date\tSale Month\tStore\tArtist\tTitle\tISRC\tQuantity\tSong/Album\tCountry of Sale\tEarnings";
const sale = (month: string, title: string, of: string, country: string, quantity: number, amount: string) =>
  ["2026-06-01", month, "Spotify", "Me", title, "", quantity, of, country, amount].join("\t");

const FILES: Readonly<Record<string, string>> = {
  "Me-audience-timeline.csv": lines(
    "date,listeners,monthly listeners,streams,followers",
    ...DAYS.map((day) => `${dated(day)},${day * 10},${500 + day},${day * 100},${1000 + day}`),
  ),
  "海盐-timeline.csv": lines("date,streams", ...DAYS.slice(0, 15).map((day) => `${dated(day)},${day * 10}`)),
  // A later download repeats two days, and its values win.
  "海盐-timeline (1).csv": lines(
    "date,streams",
    ...[14, 15, 16].map((day) => `${dated(day)},${day * 10 + 1}`),
  ),
  "风筝-timeline.csv": lines(
    "date,streams",
    ...DAYS.filter((day) => day !== 11).map((day) => `${dated(day)},${day === 12 ? '"1,234"' : 5}`),
  ),
  "statement.tsv": lines(
    `${SALE_COLUMNS} (USD)`,
    sale("2026-04", "海盐", "Song", "US", 7, "0.07"),
    sale("2026-05", "海盐", "Song", "US", 100, "1.004"),
    sale("2026-05", "海盐", "Song", "JP", 50, "0.506"),
    sale("2026-05", "风筝", "Song", "US", 30, "0.30"),
  ),
  "statement-euro.tsv": lines(`${SALE_COLUMNS} (EUR)`, sale("2026-05", "海盐", "Song", "DE", 10, "2.50")),
};

/** A user who has imported these files; the clock stands still. A file that is refused fails the import. */
export async function own(
  t: { readonly after: (close: () => Promise<void>) => void },
  files: Readonly<Record<string, string | Uint8Array>> = FILES,
  now = "2026-11-01T09:00:00Z",
) {
  const host = await createTestHost({ skills: SKILLS, now });
  t.after(host.close);
  for (const [name, content] of Object.entries(files))
    await writeFile(join(host.environment.workingFolder, name), content);
  const run = <Output>(skill: string, command: string, input: object): Promise<Output> =>
    host.run({ skill, command, input }) as Promise<Output>;
  if (Object.keys(files).length > 0) await run("music-gateway", "import", { files: ["."] });
  const ask = async (question: string): Promise<string> =>
    (await run<{ readonly text: string }>("music-analysis", "ask", { question })).text;
  return { host, run, ask };
}
