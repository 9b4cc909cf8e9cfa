import type { DataSource } from "./library/library.ts";
import type { Database } from "./database.ts";
import type { KindName } from "./export-kinds.ts";
import type { Family, Language } from "./families.ts";
import type { Section } from "./markdown.ts";
import type { Scope } from "./scope.ts";
import type { Song } from "./song-register.ts";
import type { Words } from "./words.ts";

/** The data an answer is computed from. */
export interface Holdings {
  readonly database: Database;
  readonly source: DataSource;
  readonly files: readonly { readonly name: string; readonly kind: KindName }[];
  readonly songs: readonly Song[];
  readonly sharedTitles: readonly string[];
}

/** A question, read. */
export interface Asked {
  readonly question: string;
  readonly family: Family;
  readonly language: Language;
  readonly words: Words;
  readonly song: Song | undefined;
}

/** The period of an answer, and what the reader is told of it. */
export interface Period {
  readonly scope: Scope;
  /** One paragraph: the period, how it was understood, how far the data go. */
  readonly intro: string;
}

/** What one family contributes: chapters, and what the data note says of them. */
export interface Part {
  /** The kinds of export the figures come from. */
  readonly kinds: readonly KindName[];
  readonly sections: readonly Section[];
  /** None when there are no figures. */
  readonly period: Period | undefined;
}
