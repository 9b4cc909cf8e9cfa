import { formatOf } from "../import/format.ts";
import { partsOf } from "../import/receipt.ts";
import { isFilledBy } from "../model.ts";
import type { Measure } from "../question/query.ts";
import type { CatalogFile, Collection } from "../store/catalog.ts";
import { textOf } from "./figures.ts";
import { missingFrom } from "./held.ts";
import type { Plan } from "./plan.ts";
import { unstatedBeside } from "./window.ts";
import type { Question, Wording } from "./wording.ts";

/** The names in receipts of the columns whose rows may hold only part of a total. */
const PARTIAL: Readonly<Partial<Record<Measure, string>>> = {
  views: "views",
  watch_hours: "watch time (hours)",
  subscribers: "subscribers",
};
const NAMED_FILES = 3;
const NAMED_DAYS = 10;

/** The lines at the end of every answer with figures: its files, and the days that are missing from them. */
export async function notesOf(question: Question, plans: readonly Plan[]): Promise<readonly string[]> {
  const { collection, reading, wording } = question;
  const files = usedFiles(question, plans);
  const lines = [wording.say("sources", { FILES: namesOf(files, wording) })];
  const slices = plans.flatMap(({ slice, period: { comparison } }) =>
    comparison?.with === "period" ? [slice, { ...slice, range: comparison }] : [slice],
  );
  for (const grain of ["day", "month"] as const) {
    const own = slices.filter(({ candidate }) => candidate.source.grain === grain);
    const missing = await Promise.all(own.map((slice) => missingFrom(collection, slice)));
    const days = [...new Set(missing.flat())].sort();
    const COUNT = String(days.length);
    const values = { DAYS: wording.list(days.slice(0, NAMED_DAYS)), COUNT };
    if (grain === "month" && days.length > 0)
      lines.push(wording.say("missing-statements", values, days.length));
    if (grain === "day" && own.length > 0) {
      const DAYS =
        days.length === 0 ? wording.say("none") : wording.say("missing-count", values, days.length);
      lines.push(wording.say("missing", { DAYS }));
    }
  }
  const left = unstatedBeside(
    collection.catalog,
    plans.map(({ slice }) => slice),
  );
  if (left.length > 0) lines.push(wording.say("unstated-windows", { FILES: wording.list(left) }));
  lines.push(...otherPlaces(question, plans));
  const refused = files.reduce((sum, file) => sum + file.refusedRows, 0);
  if (refused > 0) lines.push(wording.say("refused-rows", { COUNT: String(refused) }, refused));
  for (const { name, receipt } of files)
    for (const { column, percent } of partsOf(receipt)) {
      const measure = plans.find((plan) => column === PARTIAL[plan.measure])?.measure;
      if (measure === undefined) continue;
      const NAME = wording.measure(measure).toLowerCase();
      lines.push(wording.say("part-of-total", { FILE: name, NAME, SHARE: `${percent.toFixed(1)}%` }));
    }
  const shared = await sharedTitles(collection, plans, wording);
  if (shared.length > 0) lines.push(wording.say("same-title", { NAMES: wording.list(shared) }));
  const undated = collection.catalog.songs.filter(({ released }) => !released);
  if (reading.isByAge === true && undated.length > 0) {
    const NAMES = wording.list(undated.slice(0, NAMED_DAYS).map(({ id }) => wording.song(id)));
    lines.push(wording.say("undated-songs", { NAMES }));
  }
  if (collection.source === "sample") lines.push(wording.say("sample"));
  return lines;
}

/** Tables with plays by country, which are mentioned when the answer comes from statements. */
function otherPlaces(
  { reading, collection: { catalog }, wording }: Question,
  plans: readonly Plan[],
): readonly string[] {
  const isByCountry = ({ split, slice: { candidate, filters } }: Plan): boolean =>
    candidate.isOfStatements === true &&
    (split === "country" || reading.group === "country" || filters.countries !== undefined);
  if (!plans.some(isByCountry)) return [];
  const files = catalog.files.filter(({ kind }) => {
    const format = formatOf(kind);
    return format?.table === "place_total" && "plays" in format.columns;
  });
  if (files.length === 0) return [];
  const stores = files.flatMap(({ kind }) => formatOf(kind)?.constants?.["store"] ?? []);
  const FILES = wording.list(files.slice(0, NAMED_FILES).map(({ name }) => name));
  return [wording.say("other-places", { STORES: wording.list([...new Set(stores)]), FILES })];
}

function namesOf(files: readonly CatalogFile[], wording: Wording): string {
  const kinds = [...new Set(files.map(({ kind }) => kind))];
  if (kinds.length === 0) return wording.say("none");
  const parts = kinds.map((kind) => {
    const names = files.filter((file) => file.kind === kind).map(({ name }) => name);
    const more = names.length > NAMED_FILES ? wording.say("more-files", { COUNT: String(names.length) }) : "";
    return `${formatOf(kind)?.names[wording.language] ?? kind} (${wording.list(names.slice(0, NAMED_FILES))}${more})`;
  });
  return parts.join(wording.say("separator"));
}

/** The files of the kinds that plans read; for one song's timelines, only those of that song. */
export function usedFiles(
  { reading, collection: { catalog } }: Question,
  plans: readonly Plan[],
): readonly CatalogFile[] {
  return catalog.files.filter((file) => {
    const format = formatOf(file.kind);
    if (reading.kind === "releases") return format?.table === "song_total" || format?.table === "song_day";
    return plans.some(({ slice: { candidate, filters } }) => {
      if (format === undefined || !isFilledBy(candidate.source, file, format)) return false;
      const { songs, distributors } = filters;
      const distributor = format.constants?.["distributor"];
      if (distributor !== undefined && distributors?.includes(distributor) === false) return false;
      if (format.songInName !== true || songs === undefined) return true;
      return catalog.songs.some(({ id, title }) => songs.includes(id) && isOf(file.name, title));
    });
  });
}

/** Whether a timeline belongs to a song: its name starts with the title, with _ for forbidden characters. */
function isOf(name: string, title: string): boolean {
  const plain = (text: string): string =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const base = plain((name.split(/[/\\]/).at(-1) ?? name).split(/-timeline/iu, 1)[0] ?? "");
  return base === plain(title) || base.startsWith(`${plain(title)} `);
}

/** Songs of an answer that share a title, each with the details that distinguish it: its release day and its ISRC. */
async function sharedTitles(
  { catalog, rows }: Collection,
  plans: readonly Plan[],
  wording: Wording,
): Promise<readonly string[]> {
  const asked = new Set(plans.flatMap(({ slice }) => slice.filters.songs ?? []));
  const bySong = plans.some(({ split }) => split === "song");
  const counts = new Map<string, number>();
  for (const { title } of catalog.songs) counts.set(title, (counts.get(title) ?? 0) + 1);
  const ids = catalog.songs
    .filter(({ id, title }) => (counts.get(title) ?? 0) > 1 && (bySong || asked.has(id)))
    .map(({ id }) => id)
    .slice(0, NAMED_DAYS);
  if (ids.length === 0) return [];
  const found = await rows(
    `SELECT id::VARCHAR AS id, released_on::VARCHAR AS released, isrc FROM song WHERE id IN (${ids.join(", ")}) ORDER BY id`,
  );
  return found.map((row) => {
    const [id = "", ...apart] = ["id", "released", "isrc"].map((column) => textOf(row, column));
    return `${wording.song(id)} ${wording.list([`songId ${id}`, ...apart.filter(Boolean)])}`;
  });
}
