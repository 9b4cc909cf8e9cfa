import type { Asked, Holdings, Part } from "./asked.ts";
import { audiencePart } from "./audience-part.ts";
import { dataNote } from "./data-note.ts";
import { familyOf, languageOf } from "./families.ts";
import { rendered, type Section } from "./markdown.ts";
import { playsPart } from "./play-parts.ts";
import { incomePart, regionsPart } from "./sale-parts.ts";
import type { Song } from "./song-register.ts";
import { sentence } from "./texts.ts";
import { wordsOf } from "./words.ts";

/**
 * The Markdown answer to a question about the account, or about one song. The same data and question give the
 * same bytes: the clock is never asked.
 */
export async function answerTo(
  question: string,
  song: Song | undefined,
  holdings: Holdings,
): Promise<string> {
  const language = languageOf(question);
  const asked: Asked = { question, family: familyOf(question), language, words: wordsOf(language), song };
  const part = await partOf(asked, holdings);
  const note = await dataNote(asked, holdings, part);
  return rendered([...part.sections, ...closing(asked), note], language === "zh");
}

async function partOf(asked: Asked, holdings: Holdings): Promise<Part> {
  if (asked.family === "regions") return regionsPart(asked, holdings);
  if (asked.family === "income") return incomePart(asked, holdings);
  if (asked.family === "fans") return audiencePart(asked, holdings);
  return playsPart(asked, holdings);
}

/** After an overview: what else can be asked, and that the question was not understood where it was not. */
function closing({ family, language, words }: Asked): readonly Section[] {
  if (family !== "overview" && family !== "unknown") return [];
  const blocks = [sentence("can-ask", language)];
  if (family === "unknown") blocks.unshift(sentence("unknown-question", language));
  return [{ heading: words.ask, blocks }];
}
