import type { OwnRule, Rule, SkillManifest } from "../contract.ts";
import { nearest } from "../nearest.ts";
import { isObject } from "../schema/json.ts";
import type { JsonSchema } from "../schema/schemas.ts";

/** A fault of a rule. */
export interface RuleFinding {
  /** Its name. */
  readonly rule: string;
  readonly code: "RULE_UNREACHABLE" | "RULE_LIFTS_NOTHING";
  readonly sentence: string;
}

/** Properties with absolute paths; a pattern that begins with a letter or a dot matches none. */
const ABSOLUTE = new Set(["paths", "cwd"]);
const RELATIVE = /^\^(?:\\\.|[\w])/;

/** Rules whose `when` cannot match any request. `request` is the schema `core/guard-request`. */
export function unreachableRules(
  owner: string,
  rules: Readonly<Record<string, Pick<Rule, "when">>>,
  request: JsonSchema,
): readonly RuleFinding[] {
  return Object.entries(rules).flatMap(([rule, { when }]): readonly RuleFinding[] => {
    const why = impossible(when, request, "");
    return why === undefined
      ? []
      : [{ rule, code: "RULE_UNREACHABLE", sentence: `${owner}/${rule} never applies: ${why}` }];
  });
}

/** The reason why a part of a predicate cannot match. `name` is its property; "" is the request itself. */
function impossible(when: unknown, request: unknown, name: string): string | undefined {
  if (!isObject(when) || !isObject(request)) return undefined;
  const { const: fixed, enum: listed, properties, required, pattern } = when;
  const known = isObject(request["properties"]) ? request["properties"] : {};
  if (request["additionalProperties"] === false) {
    const named = [...Object.keys(properties ?? {}), ...((required ?? []) as readonly string[])];
    const odd = named.find((key) => !Object.hasOwn(known, key));
    if (odd !== undefined) {
      const guess = nearest(odd, Object.keys(known));
      return `${name === "" ? "a request" : name} has no ${odd}${guess === undefined ? "." : `; did you mean ${guess}?`}`;
    }
  }
  const values = Array.isArray(listed) ? listed : fixed === undefined ? [] : [fixed];
  const possible = request["enum"];
  if (values.length > 0 && Array.isArray(possible) && !values.some((value) => possible.includes(value)))
    return `${name} is never ${values.map((value) => JSON.stringify(value)).join(" or ")}, but one of ${possible.join(", ")}.`;
  if (ABSOLUTE.has(name) && typeof pattern === "string" && RELATIVE.test(pattern))
    return `${name} are absolute, and ${pattern} fits relative ones only.`;
  const below = [
    ...Object.entries(isObject(properties) ? properties : {}).map(
      ([key, part]) =>
        () =>
          impossible(part, known[key], key),
    ),
    ...["items", "contains"].map((key) => () => impossible(when[key], request["items"], name)),
    ...[when["allOf"], when["anyOf"]].flat().map((part) => () => impossible(part, request, name)),
  ];
  for (const look of below) {
    const why = look();
    if (why !== undefined) return why;
  }
  return undefined;
}

/** The rules that `lifts` can refer to. */
export interface RuleSurroundings {
  readonly skills: readonly { readonly manifest: SkillManifest }[];
  /** Own rules of lower tiers, by `<tier>/<rule>`. */
  readonly lower: Readonly<Record<string, OwnRule>>;
  /** Names of the rules of the core. */
  readonly core: readonly string[];
}

/** Entries of `lifts`, in one skillctl.json, that have no effect because their rule does not exist or never asks. */
export function idleLifts(
  tier: string,
  rules: Readonly<Record<string, OwnRule>>,
  surroundings: RuleSurroundings,
): readonly RuleFinding[] {
  return Object.entries(rules).flatMap(([rule, { lifts = [] }]) =>
    lifts.flatMap((id): readonly RuleFinding[] => {
      const why = whyNot(id, surroundings);
      return why === undefined
        ? []
        : [{ rule, code: "RULE_LIFTS_NOTHING", sentence: `${tier}/${rule} lifts ${id}, ${why}.` }];
    }),
  );
}

/** The reason why a rule cannot be lifted; undefined if it can. */
function whyNot(id: string, { skills, lower, core }: RuleSurroundings): string | undefined {
  const [owner = "", name = ""] = id.split("/");
  if (owner === "core")
    return core.includes(name) ? "which is a rule of the core and cannot be lifted" : "which does not exist";
  const skill = skills.find(({ manifest }) => manifest.name === owner);
  const rules = skill?.manifest.rules ?? {};
  const rule = Object.hasOwn(rules, name) ? rules[name] : Object.hasOwn(lower, id) ? lower[id] : undefined;
  if (!rule) return skill ? "which does not exist" : "which no hosted skill has";
  const { decision } = rule;
  if (decision === undefined || decision === "ask") return undefined;
  return `which decides ${decision}: only a question can be answered`;
}
