import type { Cell, Database } from "./database.ts";
import type { Fact } from "./facts.ts";
import type { Collection } from "./library.ts";

type Rows = Map<string, readonly Cell[]>;

/** Fills the tables from the exports. Of two rows for the same day, song or sale the one loaded later stays. */
export async function loadCollection(database: Database, { files, register }: Collection): Promise<void> {
  const tables: Readonly<Record<string, Rows>> = {
    daily_song: new Map(),
    daily_account: new Map(),
    snapshot_song: new Map(),
    video: new Map(),
    sale: new Map(),
  };
  for (const file of files) {
    for (const fact of file.facts) {
      const { table, key, cells } = placed(fact, (name) => register.idOf(name));
      tables[table]?.set(key, cells);
    }
  }
  await database.append(
    "song",
    register.songs.map(({ id, title, isrc }) => [
      ["integer", id],
      ["text", title],
      ["text", isrc],
    ]),
  );
  for (const [table, rows] of Object.entries(tables)) await database.append(table, [...rows.values()]);
}

type Name = Extract<Fact, { of: "daily-song" }>["song"];

/** Which table a fact goes to, what makes it the same row as another, and its cells. */
interface Placed {
  readonly table: string;
  readonly key: string;
  readonly cells: readonly Cell[];
}

type Placing = { readonly [Kind in Fact["of"]]: (fact: Extract<Fact, { of: Kind }>, id: number) => Placed };

const PLACING: Placing = {
  "daily-song": ({ date, plays }, id) => ({
    table: "daily_song",
    key: `${date} ${id}`,
    cells: [
      ["date", date],
      ["integer", id],
      ["count", plays],
    ],
  }),
  "daily-account": ({ date, plays, listeners, monthlyListeners, followers }) => ({
    table: "daily_account",
    key: date,
    cells: [
      ["date", date],
      ["count", plays],
      ["count", listeners],
      ["count", monthlyListeners],
      ["count", followers],
    ],
  }),
  "snapshot-song": ({ plays, releasedOn }, id) => ({
    table: "snapshot_song",
    key: String(id),
    cells: [
      ["integer", id],
      ["count", plays],
      ["date", releasedOn],
    ],
  }),
  video: ({ title, views, publishedOn }) => ({
    table: "video",
    key: `${title}\n${publishedOn ?? ""}`,
    cells: [
      ["text", title],
      ["count", views],
      ["date", publishedOn],
    ],
  }),
  sale: ({ key, month, store, country, quantity, amount, currency }, id) => ({
    table: "sale",
    key,
    cells: [
      ["date", month],
      ["text", store],
      ["text", country],
      ["integer", id],
      ["count", quantity],
      ["amount", amount],
      ["text", currency],
    ],
  }),
};

function placed<Kind extends Fact["of"]>(
  fact: Extract<Fact, { of: Kind }>,
  idOf: (name: Name) => number,
): Placed {
  const place: Placing[Kind] = PLACING[fact.of];
  return place(fact, "song" in fact ? idOf(fact.song) : 0);
}
