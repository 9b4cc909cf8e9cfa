import { forEachChild, parse } from "unbash";

/** The grammar of Bash, loaded for what is more than a line of plain words: it is two thirds of what reads a command. */
export const GRAMMAR = { parse, forEachChild };
export type Grammar = typeof GRAMMAR;
