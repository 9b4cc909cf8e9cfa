import { forEachChild, parse } from "unbash";

/**
 * The grammar of Bash, most of the code of this folder. It is loaded only for commands that `plainScript` cannot read.
 */
export const GRAMMAR = { parse, forEachChild };
export type Grammar = typeof GRAMMAR;
