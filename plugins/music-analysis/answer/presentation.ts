import { createHash } from "node:crypto";
import { inject, injectable, token } from "skillctl";
import type { AskOutput } from "../contract.ts";
import type { ReplyData } from "../client.ts";
import { listedNames, type SongEntry } from "../songs/song.ts";
import { bareName, withSongName } from "../songs/title-marks.ts";
import { sentence, text, type Language } from "../texts.ts";
import { PRODUCT_NAMES, type ProductNames } from "./product-names.ts";
import { topSong } from "./top-song.ts";

export const PRESENTATION = token<Presentation>("presentation");

/** What `ask-output` lets through: an answer is not lost for an id that nobody needs. */
const MAX_ID_LENGTH = 500;

type Answer = AskOutput["answers"][number];
/** What came of the question about one song: an answer, or why there is none. */
export type SongOutcome = { readonly entry: SongEntry } & (
  | { readonly data: ReplyData }
  | { readonly code: string; readonly message: string }
);
/** What `ask` returns, before the requests are counted. */
export type Shown = Omit<AskOutput, "requests">;

/** What the user is shown of each kind of outcome (specification, Presentation rules). */
@injectable()
export class Presentation {
  constructor(@inject(PRODUCT_NAMES) private readonly products: ProductNames) {}

  /** The content unchanged, a blank line, the hint line. */
  account(data: ReplyData): Shown {
    const answer = this.#answer(data);
    return { text: withHint(answer.content), kind: "account", answers: [answer] };
  }

  /** The contents unchanged, in the order of the question; in place of one that is missing, why. */
  songs(outcomes: readonly SongOutcome[], language: Language): Shown {
    const answers: Answer[] = [];
    const unanswered: NonNullable<AskOutput["unanswered"]>[number][] = [];
    const parts = outcomes.map((outcome) => {
      const name = this.products.without(outcome.entry.name);
      if ("data" in outcome) {
        const answer = this.#answer(outcome.data);
        answers.push({ ...answer, song: { name, songId: outcome.entry.songId } });
        return answer.content;
      }
      const { code, message } = outcome;
      unanswered.push({ name, code, message });
      return `${withSongName("《{NAME}》", "{NAME}", name)}${language === "zh" ? "：" : ": "}${message}`;
    });
    const shown = { text: parts.join("\n\n"), kind: "song" as const, answers };
    return unanswered.length === 0 ? shown : { ...shown, unanswered };
  }

  /** The question which of similar songs was meant. */
  choice(songName: string, candidates: readonly SongEntry[]): Shown {
    const names = listedNames(candidates);
    const list = names.map((name, place) => `${place + 1}. ${name}`).join("\n");
    const [before = "", after = ""] = text("song-choice")
      .split("{CANDIDATES}")
      .map((part) => withSongName(part, "{USER_SONG_NAME}", songName));
    const labels = candidates.map(({ name }, place) => {
      const listed = names[place] ?? "";
      const note = listed.slice(withSongName("《{NAME}》", "{NAME}", name).length);
      return this.products.without(name + note);
    });
    return {
      text: this.products.shown(before + list + after),
      kind: "choice",
      answers: [],
      candidates: labels,
    };
  }

  /** The question which song is meant, where none is named. */
  which(language: Language): Shown {
    return { text: sentence("which-song", language), kind: "choice", answers: [] };
  }

  /** The fixed line and nothing else; only the name is replaced (specification, Tier C rules 1). */
  unsupported(songName: string): Shown {
    const name = bareName(this.products.shown(songName).trim() || text("unnamed-song"));
    const line = text("song-unsupported-line").replaceAll("{USER_SONG_NAME}", () => name);
    return { text: line, kind: "unsupported", answers: [] };
  }

  #answer({ content: raw, sessionId, messageId }: ReplyData): Answer {
    const content = this.products.shown(raw);
    return {
      content,
      contentSha256: sha256(content),
      ...(sessionId.length <= MAX_ID_LENGTH && { sessionId }),
      ...(messageId.length <= MAX_ID_LENGTH && { messageId }),
    };
  }
}

/** A content about the account with the hint line, which names its top song (specification, Presentation rule 3). */
export function withHint(content: string): string {
  const name = topSong(content) ?? text("generic-song-name");
  return content + blankLineAfter(content) + withSongName(text("account-hint"), "{TOP_SONG_NAME}", name);
}

/** SHA-256 of a text in UTF-8, hexadecimal. */
export function sha256(content: string): string {
  return createHash("sha256").update(content, "utf8").digest("hex");
}

/**
 * What makes one blank line after a content that must stay as it is: line ends are only added, in the content's own kind.
 * A line of mere spaces at the end becomes the blank line; a content that ends in blank lines gets nothing.
 */
function blankLineAfter(content: string): string {
  const lines = content.split(/\r\n|\n|\r/u);
  // Behind a lone \r a \n would make one line end of two.
  const lineEnd = content.endsWith("\r") ? "\r" : (/\r\n|\n|\r/u.exec(content)?.[0] ?? "\n");
  const last = lines.at(-1) ?? "";
  if (last.trim() !== "") return lineEnd + lineEnd;
  return last === "" && lines.at(-2)?.trim() === "" ? "" : lineEnd;
}
