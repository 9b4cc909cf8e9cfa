import { SkillError, quotedName } from "skillctl";
import {
  definitionOf,
  labelOf,
  type ColumnFormat,
  type Format,
  type Layout,
  type Mapping,
} from "./formats.ts";
import type { HeaderLine } from "./header-lines.ts";
import { levelled } from "./headers.ts";
import { isHarmless, means, type Meaning } from "./meanings.ts";

/** The keys of a mapping, each with the table column and the meaning that its column names have. */
const KEYS = {
  Title: ["title", "title"],
  ISRC: ["isrc", "isrc"],
  Date: ["date", "date"],
  Month: ["month", "date"],
  Quantity: ["units", "quantity"],
  Amount: ["amount", "amount"],
  Currency: ["currency", "currency"],
  Store: ["store", "store"],
  Country: ["country", "country"],
} as const satisfies Readonly<Record<string, readonly [column: string, meaning: Meaning]>>;

type Key = keyof typeof KEYS;

/** Keys that also accept one value for the whole file. */
const FIXED: ReadonlySet<Key> = new Set(["Currency", "Store", "Country"]);

/** Titles of rows that contain the sum of the others. */
const TOTALS = ["total", "totals", "grand total", "sum", "summe", "gesamt", "总计", "總計", "合计", "合計"];

function mappedFormat(kind: string, table: "sale" | "song_day"): Format {
  return {
    kind,
    title: "Mapped table",
    names: { zh: "按列映射的表格", en: "Mapped table" },
    source: "",
    download: "",
    table,
    columns: {},
    isIgnored: () => true,
    without: new Set(),
    omit: { column: "title", values: TOTALS },
  };
}

const SALES = mappedFormat("mapped-sales", "sale");
const DAYS = mappedFormat("mapped-days", "song_day");
export const MAPPED_FORMATS: readonly Format[] = [SALES, DAYS];

/** The key under which the mapping for a header line is kept. */
export function keyOf({ names }: HeaderLine): string {
  return JSON.stringify(names);
}

/** A column of the file, or one value for all rows. */
type Target = { readonly index: number } | { readonly value: string };

/** Reads a table with its mapping. @throws SkillError `GATEWAY_FILE_UNKNOWN` if a column is missing, or a required one is not mapped. */
export function mappedLayout(lines: readonly HeaderLine[], mapping: Mapping): Layout {
  const pairs = pairsOf(mapping.columns);
  const candidates = lines.filter((line) => mapping.header === undefined || keyOf(line) === mapping.header);
  const found = candidates.map((line) => ({ line, targets: targetsIn(line, pairs) }));
  const best = found.find(({ targets }) => targets.missing.length === 0);
  if (best === undefined) {
    const [missing = ""] =
      found.map(({ targets }) => targets.missing).toSorted((a, b) => a.length - b.length)[0] ?? [];
    throw refusal(`It has no column ${quotedName(missing)}, which --map names${columnsShown(lines)}.`);
  }
  const { line, targets } = best;
  const keys = new Set(pairs.map(([key]) => key));
  const lack = lackOf(keys);
  if (lack !== undefined) throw refusal(`--map must name ${lack}.`);
  const isDaily = keys.has("Date") && keys.has("Store") && !keys.has("Amount") && !keys.has("Country");
  const base = isDaily ? DAYS : SALES;
  const columns: Record<string, ColumnFormat> = {};
  const places: Record<string, number> = {};
  const constants: Record<string, string> = isDaily ? {} : { distributor: "Mapped table" };
  for (const [key, target] of targets.found) {
    const name =
      key === "Quantity" && isDaily ? "plays" : key === "Date" && !isDaily ? "month" : KEYS[key][0];
    if ("value" in target) constants[name] = target.value;
    else {
      const definition = definitionOf(base.table, name);
      const label = labelOf(definition.type, line.cells[target.index]?.trim().slice(0, 60) ?? name);
      columns[name] = { ...definition, match: () => undefined, label, mayLack: false };
      places[name] = target.index;
    }
  }
  const { cells, names: _, ...place } = line;
  const amount = places["amount"] === undefined ? "" : (cells[places["amount"]] ?? "");
  const currency =
    constants["currency"] ?? (places["currency"] === undefined ? currencyIn(amount) : undefined);
  if (keys.has("Amount") && currency === undefined && places["currency"] === undefined)
    throw refusal("--map must name Currency, because the name of the amount column does not contain one.");
  return {
    format: { ...base, columns, constants },
    ...place,
    width: cells.length,
    columns: places,
    currency,
    mapping: { columns: mapping.columns, header: keyOf(line) },
  };
}

/** The columns of the line that is most likely the header. Lines of a file that is not a table are not shown. */
export function columnsShown(lines: readonly HeaderLine[]): string {
  const ranked = lines.map(({ cells }) => ({ cells, known: cells.filter(isColumnName).length }));
  const [best] = ranked.toSorted((left, right) => right.known - left.known);
  return best === undefined || best.known === 0 ? "" : `: ${cellsShown(best.cells)}`;
}

export function cellsShown(cells: readonly string[]): string {
  const seen = cells.slice(0, 20).map((cell) => quotedName(cell.trim().slice(0, 40)));
  const more = cells.length > seen.length ? ` and ${cells.length - seen.length} more` : "";
  return `${seen.join(", ")}${more}`;
}

function isColumnName(cell: string): boolean {
  return cell.length <= 60 && Object.values(KEYS).some(([, meaning]) => means(cell, meaning));
}

/** Whether any line has all the columns in a value of `--map`. */
export function hasColumns(lines: readonly HeaderLine[], columns: string): boolean {
  const pairs = pairsOf(columns);
  return lines.some((line) => targetsIn(line, pairs).missing.length === 0);
}

/** The parts that a mapping requires but does not have. */
function lackOf(keys: ReadonlySet<Key>): string | undefined {
  if (!keys.has("Title")) return "Title";
  if (!keys.has("Date") && !keys.has("Month")) return "Date or Month";
  if (!keys.has("Amount") && !keys.has("Quantity")) return "Amount or Quantity";
  return keys.has("Amount") || keys.has("Store") ? undefined : "Store, which a table without amounts needs";
}

function targetsIn(line: HeaderLine, pairs: readonly (readonly [Key, string])[]) {
  const found: (readonly [Key, Target])[] = [];
  const missing: string[] = [];
  for (const [key, text] of pairs) {
    const number = /^#(\d{1,4})$/u.exec(text)?.[1];
    const index = number === undefined ? line.names.indexOf(levelled(text)) : Number(number) - 1;
    const isFixed = FIXED.has(key) && (key !== "Currency" || /^[A-Za-z]{3}$/u.test(text));
    if (index >= 0 && index < line.names.length) found.push([key, { index }]);
    else if (isFixed && number === undefined)
      found.push([key, { value: key === "Currency" ? text.toUpperCase() : text }]);
    else missing.push(text);
  }
  return { found, missing };
}

/** @throws SkillError `GATEWAY_FILE_UNKNOWN` if the text is not a list of pairs. */
function pairsOf(text: string): readonly (readonly [Key, string])[] {
  const pairs = text.split(",").map((pair): readonly [Key, string] => {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, at)).trim().toLowerCase();
    const key = (Object.keys(KEYS) as Key[]).find((one) => one.toLowerCase() === name);
    const column = pair.slice(at + 1).trim();
    if (key !== undefined && column !== "") return [key, column];
    throw refusal(
      `--map does not understand ${quotedName(pair.trim())}: it takes pairs such as Title=Track name, with ${Object.keys(KEYS).join(", ")} on the left, and a column's name or its number (#3) on the right.`,
    );
  });
  const twice = pairs.find(([key], at) => pairs.findIndex(([other]) => other === key) !== at);
  if (twice !== undefined) throw refusal(`--map names ${twice[0]} twice.`);
  return pairs;
}

const CURRENCY =
  /\b(?:USD|EUR|GBP|CNY|JPY|CAD|AUD|NZD|CHF|SEK|NOK|DKK|PLN|BRL|MXN|INR|KRW|TWD|HKD|SGD|ZAR)\b/u;

function currencyIn(header: string): string | undefined {
  return CURRENCY.exec(header.toUpperCase())?.[0];
}

/** The columns of a line that match each key. */
function readingsOf({ cells }: HeaderLine): ReadonlyMap<Key, readonly number[]> {
  const all = Object.entries(KEYS).map(([key, [, meaning]]): [Key, number[]] => [
    key as Key,
    cells.flatMap((cell, index) => {
      if (!means(cell, meaning)) return [];
      if (key === "Date" || key === "Month") return isMonthly(cell) === (key === "Month") ? [index] : [];
      // "Net revenue currency" and "revenue (%)" are not amounts.
      return (key === "Amount" || key === "Quantity") && cell.includes("%") ? [] : [index];
    }),
  ]);
  return new Map(all);
}

function isMonthly(header: string): boolean {
  return /month|quarter|year|period|月份|年份|季度|周期|期间|期間/iu.test(header);
}

/** The mapping for the first line whose column names are unambiguous. */
export function guessedMapping(lines: readonly HeaderLine[]): Mapping | undefined {
  for (const line of lines) {
    const readings = readingsOf(line);
    const isOpen = [...readings.values()].some((places) => places.length > 1);
    const hasTwoPeriods = readings.get("Date")?.length === 1 && readings.get("Month")?.length === 1;
    const keys = [...readings].filter(([, places]) => places.length === 1).map(([key]) => key);
    const read = new Set([...readings.values()].flat());
    const isWhole = line.cells.every((cell, index) => read.has(index) || isHarmless(cell));
    if (isOpen || hasTwoPeriods || !isWhole || lackOf(new Set(keys)) !== undefined) continue;
    const amount = readings.get("Amount")?.[0];
    const isPriced =
      amount === undefined || keys.includes("Currency") || currencyIn(line.cells[amount] ?? "") !== undefined;
    if (isPriced) return { columns: textOf(line, readings), header: keyOf(line) };
  }
  return undefined;
}

/** The pairs for a line, each with the first matching column. */
function textOf(line: HeaderLine, readings: ReadonlyMap<Key, readonly number[]>): string {
  return [...readings]
    .flatMap(([key, [index]]) => (index === undefined ? [] : [`${key}=${columnText(line, index)}`]))
    .join(",");
}

/** A column's name if a shell and `--map` accept it unchanged, otherwise its number. */
function columnText({ cells, names }: HeaderLine, index: number): string {
  const cell = (cells[index] ?? "").trim();
  const isPlain = /^[\p{L}\p{N}][\p{L}\p{N} ()./_-]{0,39}$/u.test(cell);
  return isPlain && names.indexOf(names[index] ?? "") === index ? cell : `#${index + 1}`;
}

/** The keys for which a table has no column, and the command that supplies them; empty if its column names are unclear. */
export function mapOption(lines: readonly HeaderLine[], file: string): string {
  let lacking = "";
  for (const line of lines) {
    const readings = new Map(readingsOf(line));
    if (readings.get("Month")?.length !== 0) readings.set("Date", []);
    const keys = [...readings].filter(([, places]) => places.length > 0).map(([key]) => key);
    const lack = lackOf(new Set(keys));
    const amount = readings.get("Amount")?.[0];
    const hasCurrency =
      keys.includes("Currency") || amount === undefined || currencyIn(line.cells[amount] ?? "") !== undefined;
    const rest = [
      ...(lack === undefined ? [] : [{ lack, key: "Store", value: "Spotify" }]),
      ...(hasCurrency ? [] : [{ lack: "Currency", key: "Currency", value: "USD" }]),
    ];
    const said = rest.map((one) => ` The file has no column for ${one.lack}.`).join("");
    if (lack !== undefined && !lack.startsWith("Store")) {
      // A table of figures has more than one known column name.
      if (lacking === "" && keys.length > 1) lacking = said;
      continue;
    }
    const values = rest.map(({ value }) => value).join(" and ");
    const own = values === "" ? "" : `, with its own value in place of ${values}`;
    const text = [textOf(line, readings), ...rest.map(({ key, value }) => `${key}=${value}`)].join(",");
    return `${said} To import it as it is, map its columns${own}: \`skillctl run music-gateway import --map "${text}" ${shellName(file)}\``;
  }
  return lacking;
}

function shellName(file: string): string {
  return /^[\w./-]+$/u.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`;
}

function refusal(sentence: string): SkillError {
  return new SkillError("GATEWAY_FILE_UNKNOWN", sentence, {
    hint: "docs/music-gateway.md says what --map takes.",
  });
}
