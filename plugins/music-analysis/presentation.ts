import { LOG, config, inject, injectable, token, type Log } from "skillctl";
import { present } from "./answer/answer.ts";
import { filterKeywords } from "./answer/keyword-filter.ts";
import type { AskOutput, Config } from "./contract.ts";
import type { ReplyData } from "./reply.ts";
import { confirmationText } from "./songs/confirmation.ts";
import type { SongEntry } from "./songs/mapping.ts";
import { bareName } from "./songs/marks.ts";
import { text } from "./texts.ts";
import { sha256 } from "./verbatim-reply-rule.ts";

export const PRESENTATION = token<Presentation>("presentation");

/** What `ask-output` lets through: an answer is not lost for an id that nobody needs. */
const MAX_ID_LENGTH = 500;

type Answer = AskOutput["answers"][number];
/** The answer about one song. */
export interface SongAnswer {
  readonly entry: SongEntry;
  readonly data: ReplyData;
}
/** A song of the question that got no answer, and why. */
export interface Unanswered {
  readonly entry: SongEntry;
  readonly code: string;
  readonly message: string;
}
/** What `ask` returns, before the requests are counted. */
export type Shown = Omit<AskOutput, "requests">;

/** What the user is shown of each kind of outcome (specification, Presentation rules). */
@injectable()
export class Presentation {
  constructor(
    @inject(config<Config>()) private readonly settings: Config,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** The content unchanged, a blank line, the hint line. */
  account(data: ReplyData): Shown {
    const answer = this.#answer(data);
    const shown = present({
      content: answer.content,
      accountWide: true,
      hintTemplate: text("account-hint"),
      placeholderName: text("generic-song-name"),
    });
    return { text: shown, kind: "account", answers: [answer] };
  }

  /** The contents unchanged, in the order of the question, and nothing else; what has no answer is said beside them. */
  songs(found: readonly SongAnswer[], unanswered: readonly Unanswered[] = []): Shown {
    const answers = found.map(({ entry: { name, songId }, data }) => ({
      ...this.#answer(data),
      song: { name: this.filtered(name), songId },
    }));
    const shown = {
      text: answers.map(({ content }) => content).join("\n\n"),
      kind: "song" as const,
      answers,
    };
    if (unanswered.length === 0) return shown;
    const missing = unanswered.map(({ entry, code, message }) => ({
      name: this.filtered(entry.name),
      code,
      message,
    }));
    for (const { name, message } of missing) this.log.notice(`${name}: ${message}`);
    return { ...shown, unanswered: missing };
  }

  /** The question which song was meant. */
  choice(songName: string, candidates: readonly SongEntry[]): Shown {
    const shown = confirmationText({ template: text("song-choice"), songName, candidates });
    return {
      text: this.filtered(shown),
      kind: "choice",
      answers: [],
      candidates: candidates.map(({ name }) => this.filtered(name)),
    };
  }

  /** The fixed line and nothing else; only the name is replaced (specification, Tier C rules 1). */
  unsupported(songName: string): Shown {
    const name = this.filtered(songName).trim() || text("unnamed-song");
    const line = text("song-unsupported-line").replaceAll("{USER_SONG_NAME}", () => bareName(name));
    return { text: line, kind: "unsupported", answers: [] };
  }

  #answer({ content: raw, sessionId, messageId }: ReplyData): Answer {
    const content = this.filtered(raw);
    return {
      content,
      contentSha256: sha256(content),
      ...(sessionId.length <= MAX_ID_LENGTH && { sessionId }),
      ...(messageId.length <= MAX_ID_LENGTH && { messageId }),
    };
  }

  /** A text without product names; how many were removed is said on standard error. */
  filtered(raw: string): string {
    const mode = this.settings.strictFilter ? "strict" : "words";
    const { text: kept, removed } = filterKeywords(raw, { keywords: this.settings.forbiddenWords, mode });
    if (removed > 0)
      this.log.notice(`${removed} product ${removed === 1 ? "name was" : "names were"} removed.`);
    return kept;
  }
}
