/** A table of a content, cells as plain text. */
export interface ContentTable {
  readonly kind: "table";
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A heading, a paragraph or one whole item of an outermost list, as plain text. */
export interface ContentText {
  readonly kind: "heading" | "paragraph" | "item";
  readonly text: string;
  /** The number an ordered list gives the item. */
  readonly number?: number;
}

export type ContentBlock = ContentTable | ContentText;

const ADDRESS = /\b(?:https?|ftp):\/\/[^\s<>《》（）]+/giu;

/** The words of a block without addresses and without white space around them. */
export function blockText(words: string): string {
  return (words.includes("://") ? words.replace(ADDRESS, " ") : words).trim();
}

/** The block of an item; the number where its list is ordered. */
export function itemBlock(words: string, number: number | undefined): ContentText {
  const block = { kind: "item", text: blockText(words) } as const;
  return number === undefined ? block : { ...block, number };
}
