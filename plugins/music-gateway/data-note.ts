import type { Asked, Holdings, Part } from "./asked.ts";
import { EXPORT_KINDS, type KindName } from "./export-kinds.ts";
import { marked, type Section } from "./markdown.ts";
import { spelt } from "./periods.ts";
import { missingDays } from "./play-queries.ts";
import { titleKey } from "./song-titles.ts";
import { sentence } from "./texts.ts";
import { kindWord } from "./words.ts";

const NAMED_FILES = 3;
const NAMED_DAYS = 10;

/** The last chapter of every answer: the files, the window, what it is compared with, and the days nobody has. */
export async function dataNote(asked: Asked, holdings: Holdings, { kinds, period }: Part): Promise<Section> {
  const { words, language } = asked;
  const lines = [`- ${words.sources}${words.colon}${sources(asked, holdings, kinds)}`];
  if (period !== undefined) {
    const { range, previous } = period.scope;
    lines.push(`- ${words.window}${words.colon}${spelt(range, words.to)}`);
    lines.push(
      `- ${words.comparison}${words.colon}${previous === undefined ? words.none : spelt(previous, words.to)}`,
    );
    const isByMonth = asked.family === "regions" || asked.family === "income";
    if (!isByMonth)
      lines.push(
        `- ${words.missing}${words.colon}${listed(asked, await missingDays(holdings.database, period.scope))}`,
      );
  }
  const shared = holdings.sharedTitles.filter(
    (title) => asked.song === undefined || titleKey(asked.song.title) === titleKey(title),
  );
  if (shared.length > 0)
    lines.push(`- ${sentence("same-title", language, { NAMES: shared.map(marked).join(words.comma) })}`);
  if (holdings.source === "sample") lines.push(`- ${sentence("sample", language)}`);
  return { heading: words.note, blocks: [lines.join("\n")] };
}

function sources({ language, words }: Asked, { files }: Holdings, used: readonly KindName[]): string {
  const kinds = EXPORT_KINDS.filter(({ name }) => used.includes(name)).flatMap(({ name: kind }) => {
    const names = files.filter((file) => file.kind === kind).map(({ name }) => name);
    if (names.length === 0) return [];
    const more =
      names.length > NAMED_FILES ? `${language === "en" ? " " : ""}${words.andMore(names.length)}` : "";
    return [`${kindWord(kind, language)} (${names.slice(0, NAMED_FILES).join(words.comma)}${more})`];
  });
  if (kinds.length === 0) return words.none;
  return kinds.join(language === "zh" ? "；" : "; ");
}

function listed({ words }: Asked, days: readonly string[]): string {
  if (days.length === 0) return words.none;
  return `${days.slice(0, NAMED_DAYS).join(words.comma)}${words.days(days.length)}`;
}
