import type { Word as WordNode } from "unbash";
import type { Word } from "./programs/effects.ts";
import type { Piece } from "./word-fields.ts";

/** What stands in place of an expansion: a text, or several (`$@`, arrays; `undefined` when not known). */
export type Expansion = { readonly value: Word } | { readonly items: readonly Word[] | undefined };

/** How the words within `${…}` are read. */
export type Operand = (word: WordNode) => readonly Piece[];
