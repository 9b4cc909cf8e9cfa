import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import type { Rule } from "../core/contract.ts";
import type { Decision, Subject as Request } from "../core/plugin.ts";
import { partsOf, type RuleParts } from "./guard-parts.ts";
import { strictest } from "./guard-strictness.ts";

const SET = "forty";
const AGENT = { type: "Agent", id: "agent" };
const CALL = { type: "Action", id: "tool.pre" };

/**
 * The rules in Cedar, parsed once: each forbids, and the decision is the strictest of those that did. Cedar has `like`
 * and no regular expressions, and none over the members of a set: lists come as lines of one text.
 */
export function cedarDecision(rules: Readonly<Record<string, Rule>>): (request: Request) => Decision {
  const staticPolicies = Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, policyOf(partsOf(rule))]),
  );
  const parsed = cedar.preparsePolicySet(SET, { staticPolicies });
  if (parsed.type === "failure")
    throw new Error(`Cedar refuses the rules: ${JSON.stringify(parsed.errors[0])}`);
  return ({ tool = "", name = "", cwd = "", command = "", paths = [], urls = [] }) => {
    const answer = cedar.statefulIsAuthorized({
      principal: AGENT,
      action: CALL,
      resource: { type: "Tool", id: name },
      context: { tool, name, cwd, command: ` ${command} `, paths: lines(paths), urls: lines(urls) },
      preparsedPolicySetId: SET,
      entities: [],
    });
    if (answer.type === "failure") throw new Error(`Cedar cannot say: ${JSON.stringify(answer.errors[0])}`);
    return strictest(answer.response.diagnostics.reason.map((id) => rules[id]?.decision ?? "deny"));
  };
}

function policyOf({ tool, property, condition }: RuleParts): string {
  const value = `context.${property}`;
  const test =
    condition.kind === "in"
      ? condition.values.map((one) => `${value} == ${JSON.stringify(one)}`).join(" || ")
      : condition.kind === "differs"
        ? `!(${value} like ${JSON.stringify(likeOf(condition.pattern))})`
        : `${value} like ${JSON.stringify(likeOf(condition.pattern))}`;
  return `forbid(principal, action, resource) when { context.tool == ${JSON.stringify(tool)} && (${test}) };`;
}

/** What `like` has for the patterns of these rules. */
function likeOf(pattern: string): string {
  return pattern
    .replace("(^|[ ;&|])", "* ")
    .replace("\\b", " *")
    .replace("(/|$)", "/*")
    .replace("\\.", ".")
    .replace(/^\//, "*/")
    .replace(/^\^https:(.*)$/, "*\nhttps:$1*")
    .replace(/^\^(.*)$/, "$1*");
}

function lines(texts: readonly string[]): string {
  return `\n${texts.join("\n")}\n`;
}
