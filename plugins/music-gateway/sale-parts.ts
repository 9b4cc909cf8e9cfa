import type { Asked, Holdings, Part } from "./asked.ts";
import type { KindName } from "./export-kinds.ts";
import { change, count, grouped, marked, share, table } from "./markdown.ts";
import { monthsAsked } from "./periods.ts";
import { numberOf, textOf } from "./result-row.ts";
import { incomeByMonth, incomeBySong, regionsIn, statementCoverage } from "./sale-queries.ts";
import { sentence } from "./texts.ts";

const STATEMENTS: readonly KindName[] = ["distrokid-statement"];

/** Plays by country of sale, out of the statements. */
export async function regionsPart(asked: Asked, { database }: Holdings): Promise<Part> {
  const { words, language } = asked;
  const data = await statementCoverage(database);
  if (data === undefined) return plain(words.regions, sentence("no-statement", language));
  const period = monthsAsked(asked, data);
  if (typeof period === "string") return plain(words.period, period);
  const rows = await regionsIn(database, period.scope);
  const cells = rows.map((row) => [
    String(numberOf(row, "rank")),
    placeName(textOf(row, "country"), asked),
    count(numberOf(row, "plays")),
    share(numberOf(row, "share")),
    change(numberOf(row, "change")),
  ]);
  const block = cells.length === 0 ? sentence("no-sales-of-song", language) : table(words.region, cells);
  return { kinds: STATEMENTS, sections: [{ heading: words.regions, blocks: [period.intro, block] }], period };
}

/** Income by month and by song, each currency for itself. */
export async function incomePart(asked: Asked, { database }: Holdings): Promise<Part> {
  const { words, language } = asked;
  const data = await statementCoverage(database);
  if (data === undefined) return plain(words.income, sentence("no-statement", language));
  const period = monthsAsked(asked, data);
  if (typeof period === "string") return plain(words.period, period);
  const months = (await incomeByMonth(database, period.scope)).map((row) => [
    textOf(row, "month"),
    textOf(row, "currency"),
    count(numberOf(row, "quantity")),
    grouped(textOf(row, "amount")),
  ]);
  const intro = period.intro;
  if (months.length === 0) {
    return {
      kinds: STATEMENTS,
      sections: [{ heading: words.income, blocks: [intro, sentence("no-sales-of-song", language)] }],
      period,
    };
  }
  const songs = (await incomeBySong(database, period.scope)).map((row) => [
    String(numberOf(row, "rank")),
    marked(textOf(row, "title")),
    String(numberOf(row, "id")),
    textOf(row, "currency"),
    grouped(textOf(row, "amount")),
  ]);
  const income = {
    heading: words.income,
    blocks: [intro, table(words.incomeMonth, months), sentence("currencies", language)],
  };
  return {
    kinds: STATEMENTS,
    sections: [income, { heading: words.incomeSongs, blocks: [table(words.incomeSong, songs)] }],
    period,
  };
}

function plain(heading: string, block: string): Part {
  return { kinds: STATEMENTS, sections: [{ heading, blocks: [block] }], period: undefined };
}

/** A country's name in the language of the answer with its code; the bare code where no name is known. */
function placeName(code: string, { language, words }: Asked): string {
  if (!/^[A-Z]{2}$/.test(code)) return code === "" ? words.unknownPlace : code;
  const name = new Intl.DisplayNames([language === "zh" ? "zh-CN" : "en"], { type: "region" }).of(code);
  return name === undefined || name === code ? code : `${name} (${code})`;
}
