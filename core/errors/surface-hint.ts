import type { SkillError } from "./skill-error.ts";

/** How a surface refers its callers to more information. The core and plugins write no hints for a particular surface. */
export interface SurfaceTerms {
  /** Where the input of a command is described: the hint for an input that does not fit. */
  readonly input: string | undefined;
  /** Tells the caller how the question of a rule can be answered. */
  readonly question: string;
  /** How an evaluation of the guard is looked up. */
  readonly evaluation: (id: string) => string;
}

/** The hint of an error, completed in the terms of the surface that reports it. */
export function hintOf({ code, hint, evaluation }: SkillError, terms: SurfaceTerms): string | undefined {
  const base = hint ?? (code === "INPUT_INVALID" ? terms.input : undefined);
  const parts = [
    code === "GUARD_ASKS" ? terms.question : undefined,
    base,
    evaluation === undefined ? undefined : terms.evaluation(evaluation),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(" ");
}
