import type { Rule } from "../core/contract.ts";

/** One of the forty rules as other engines take it: a kind of tool, and one condition on one property. */
export interface RuleParts {
  readonly tool: string;
  readonly property: string;
  readonly condition:
    | { readonly kind: "matches" | "holds" | "differs"; readonly pattern: string }
    | { readonly kind: "in"; readonly values: readonly string[] };
}

interface Part {
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly contains?: { readonly pattern: string };
  readonly not?: { readonly pattern: string };
}

/** @throws Error for a rule that is built in another way. */
export function partsOf({ when }: Rule): RuleParts {
  const { tool, ...others } = (when?.["properties"] ?? {}) as Readonly<Record<string, Part>>;
  const [[property, part] = ["", {}]] = Object.entries(others);
  const { pattern = part.contains?.pattern ?? part.not?.pattern } = part;
  const values = part.enum ?? (part.const === undefined ? undefined : [part.const]);
  if (tool?.const === undefined || (!values && pattern === undefined))
    throw new Error(`This rule cannot be translated: ${JSON.stringify(when)}`);
  const kind = part.contains ? "holds" : part.not ? "differs" : "matches";
  return {
    tool: tool.const,
    property,
    condition: values ? { kind: "in", values } : { kind, pattern: pattern ?? "" },
  };
}
