import type { Day } from "./day.ts";

/** How a file names a song. `order` tells several songs of one title in one table apart, from 0. */
export interface SongName {
  readonly title: string;
  readonly isrc?: string;
  readonly order?: number;
  /** The title comes from a file name, in which some characters are replaced. */
  readonly isFromFileName?: boolean;
}

/** One row of an export, in the terms of the tables of database.ts. */
export type Fact =
  | { readonly of: "daily-song"; readonly song: SongName; readonly date: Day; readonly plays: number }
  | {
      readonly of: "daily-account";
      readonly date: Day;
      readonly plays: number;
      readonly listeners: number;
      readonly monthlyListeners?: number;
      readonly followers: number;
    }
  | {
      readonly of: "snapshot-song";
      readonly song: SongName;
      readonly plays: number;
      readonly releasedOn?: Day;
    }
  | { readonly of: "video"; readonly title: string; readonly publishedOn?: Day; readonly views: number }
  | {
      readonly of: "sale";
      readonly song: SongName;
      /** First day of the month of sale. */
      readonly month: Day;
      readonly store: string;
      /** ISO 3166 code as the statement has it. */
      readonly country: string;
      readonly quantity: number;
      /** Decimal text, at most nine places. */
      readonly amount: string;
      /** ISO 4217. */
      readonly currency: string;
      /** Tells equal rows of one file apart and finds the same row in another file. */
      readonly key: string;
    };

/** A row that cannot be read, and why. `row` counts from 1 after the header. */
export interface RefusedRow {
  readonly row: number;
  readonly reason: string;
}

/** What was read out of one file of a known kind. */
export interface FileFacts {
  readonly facts: readonly Fact[];
  readonly refused: readonly RefusedRow[];
}

/** Rows of one file by column. Column names are as `levelledHeader` makes them. */
export type Row = Readonly<Record<string, string | undefined>>;
