/** What is wrong with an expression, in short. */
export type RegionFault =
  | "native-log"
  | "not-a-probe"
  | "impure-expression"
  | "await-in-probe"
  | "may-throw"
  | "declares-name"
  | "shadows-name"
  | "foreign-address"
  | "does-not-parse";

/** A fault at a line of a text; lines count from 0. */
export interface Fault {
  readonly line: number;
  readonly code: RegionFault;
  readonly sentence: string;
}
