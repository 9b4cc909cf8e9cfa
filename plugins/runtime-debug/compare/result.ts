import type { CompareOutput } from "../contract.ts";

/** What the comparison of two runs answers, without a picture. */
export type ComparisonResult = Omit<CompareOutput, "svg">;
