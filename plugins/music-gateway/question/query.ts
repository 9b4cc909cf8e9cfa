import type { Query } from "../contract.ts";

/** A query as defined by schemas/music-gateway/query.json. */
export type { Query } from "../contract.ts";
export type Kind = NonNullable<Query["kind"]>;
export type Language = NonNullable<Query["language"]>;
export type Measure = NonNullable<Query["measures"]>[number];
export type Split = NonNullable<Query["split"]>;
export type Order = NonNullable<Query["order"]>;
export type Filters = NonNullable<Query["filters"]>;
export type Comparison = NonNullable<Query["comparison"]>["with"];

/** Splits by the calendar, from the shortest step. */
export const STEPS = ["day", "week", "month", "quarter", "year"] as const satisfies readonly Split[];

export function isStep(split: string | undefined): split is (typeof STEPS)[number] {
  return STEPS.some((step) => step === split);
}

/** Whether rows are ordered by the change of a figure: in per cent, or as a difference. */
export function isOfChange(order: Order | undefined): boolean {
  return order === "growth" || order === "fall" || order === "gain" || order === "loss";
}
