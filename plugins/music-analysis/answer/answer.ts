import { withSongName } from "../songs/marks.ts";
import { topSong } from "./top-song.ts";

/** What an answer is shown from. */
export interface AnswerParts {
  /** `data.content`, after the keyword filter. */
  readonly content: string;
  /** Whether the question was sent without a song id. */
  readonly accountWide: boolean;
  /** The manifest's text, with `{TOP_SONG_NAME}`. */
  readonly hintTemplate: string;
  /** What stands for the name where the content names no song. */
  readonly placeholderName: string;
  /** At most one short sentence before the content; none when empty. */
  readonly leadIn?: string;
}

const TOP_SONG_NAME = "{TOP_SONG_NAME}";

/**
 * The exact text a person is shown: the lead-in and a blank line if there is one, the content character for
 * character, and after an account-wide answer a blank line and the hint line with the content's top song
 * (spec music-analysis, Presentation rules 1 and 3). Without a lead-in the content is a prefix of the text.
 */
export function present({
  content,
  accountWide,
  hintTemplate,
  placeholderName,
  leadIn = "",
}: AnswerParts): string {
  const shown = leadIn === "" ? content : `${leadIn}\n\n${content}`;
  if (!accountWide) return shown;
  const hint = withSongName(hintTemplate, TOP_SONG_NAME, topSong(content) ?? placeholderName);
  return `${shown}${blankLineAfter(content)}${hint}`;
}

/**
 * What makes one blank line after a content that must stay as it is: line ends are only added, in the content's
 * own kind. A line of mere spaces at the end becomes the blank line. A content that already ends in one or more
 * blank lines gets nothing, so more than one blank line stays more than one.
 */
export function blankLineAfter(content: string): string {
  const lines = content.split(/\r\n|\n|\r/u);
  // Behind a lone \r a \n would make one line end of two.
  const lineEnd = content.endsWith("\r") ? "\r" : (/\r\n|\n|\r/u.exec(content)?.[0] ?? "\n");
  const last = lines.at(-1) ?? "";
  const before = lines.at(-2);
  if (last.trim() !== "") return lineEnd + lineEnd;
  return last === "" && before?.trim() === "" ? "" : lineEnd;
}
