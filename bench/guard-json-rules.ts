import { Engine } from "json-rules-engine";
import type { Rule } from "../core/contract.ts";
import type { Decision, Subject as Request } from "../core/plugin.ts";
import { partsOf } from "./guard-parts.ts";
import { strictest } from "./guard-strictness.ts";

/** The rules in json-rules-engine: events carry the decisions. */
export function jsonRulesDecision(
  rules: Readonly<Record<string, Rule>>,
): (request: Request) => Promise<Decision> {
  const engine = new Engine([], { allowUndefinedFacts: true });
  const matches = (value: unknown, pattern: RegExp): boolean =>
    typeof value === "string" && pattern.test(value);
  engine.addOperator("matches", matches);
  engine.addOperator(
    "differs",
    (value: unknown, pattern: RegExp) => value !== undefined && !matches(value, pattern),
  );
  engine.addOperator(
    "holds",
    (value: unknown, pattern: RegExp) => Array.isArray(value) && value.some((one) => matches(one, pattern)),
  );
  for (const rule of Object.values(rules)) {
    const { tool, property, condition } = partsOf(rule);
    const value = condition.kind === "in" ? condition.values : new RegExp(condition.pattern, "u");
    engine.addRule({
      conditions: {
        all: [
          { fact: "tool", operator: "equal", value: tool, priority: 2 },
          { fact: property, operator: condition.kind, value },
        ],
      },
      event: { type: rule.decision ?? "deny" },
    });
  }
  return async (request) => {
    const { events } = await engine.run({ ...request });
    return strictest(events.map(({ type }) => type as Decision));
  };
}
