import { forEachChild, parse } from "unbash";

/** The grammar of Bash. It is loaded only for commands that `plainScript` cannot read: it is most of the code of this folder. */
export const GRAMMAR = { parse, forEachChild };
export type Grammar = typeof GRAMMAR;
