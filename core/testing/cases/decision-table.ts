import type { SkillManifest } from "../../contract.ts";
import type { Decision, GuardEvent, Subject } from "../../plugin.ts";
import type { Check, JsonSchema } from "../../schema/schemas.ts";
import { derive } from "../derive.ts";
import { SecondOpinion } from "../derive/second-opinion.ts";

/** A rule that is data, with a validator of its `when` that shares no code with the guard. */
export interface DataRule {
  readonly id: string;
  readonly name: string;
  readonly on: readonly GuardEvent[];
  readonly applies: "own" | "all";
  readonly decision: Decision;
  readonly when: JsonSchema | undefined;
  readonly audited: boolean;
  readonly speaksOf: (subject: Subject) => boolean;
}

/** The rules of a manifest that decide without code. */
export function dataRules({ name: skill, rules = {} }: SkillManifest): readonly DataRule[] {
  return Object.entries(rules).flatMap(
    ([name, { on, applies = "own", decision, when, mode }]): DataRule[] => {
      if (!on || !decision) return [];
      const opinion = when && new SecondOpinion(when);
      const speaksOf = (subject: Subject): boolean => !opinion || opinion.accepts(subject);
      return [
        { id: `${skill}/${name}`, name, on, applies, decision, when, audited: mode === "audit", speaksOf },
      ];
    },
  );
}

/** One subject, and which rules speak of it as the second validator has it. */
export interface TableRow {
  readonly subject: Subject;
  readonly speaking: readonly DataRule[];
}

/**
 * The decision table of rules: from the `when` of each a subject that it speaks of and one that it does not, for each
 * event, and those of the rule's own tables. Only what `fits` as a guard request is in it.
 */
export function decisionTable(
  skill: string,
  rules: readonly DataRule[],
  given: readonly Subject[],
  fits: Check,
): readonly TableRow[] {
  const seen = new Set<string>();
  const rows: TableRow[] = [];
  const add = (subject: Subject): void => {
    const text = JSON.stringify(subject);
    if (seen.has(text) || fits(subject)) return;
    seen.add(text);
    rows.push({
      subject,
      speaking: rules.filter((rule) => hears(rule, subject, skill) && rule.speaksOf(subject)),
    });
  };
  for (const subject of given) add(subject);
  for (const rule of rules) {
    // Of values made for another schema the second validator says what the rule's own makes of them.
    const { accepts, refuses } = rule.when ? derive(asItems(rule.when) as JsonSchema) : NOTHING;
    for (const event of rule.on) {
      const base: Subject = {
        event,
        surface: surfaceOf(event),
        ...(isOfSkill(event) && { skill, name: "greet" }),
      };
      add(base);
      for (const { value } of [...accepts, ...refuses]) {
        if (typeof value === "object" && value !== null && !Array.isArray(value))
          add(whole({ ...base, ...value }));
      }
    }
  }
  return rows;
}

/** What is wrong with one rule. */
export interface RuleFinding {
  /** Its name in the manifest. */
  readonly rule: string;
  readonly code: "RULE_UNREACHABLE" | "RULE_BOUNDLESS" | "RULE_SHADOWED";
  readonly sentence: string;
}

/** What is wrong with rules as a table shows it: those that never speak, always speak, or never matter. */
export function findingsOf(rules: readonly DataRule[], rows: readonly TableRow[]): readonly RuleFinding[] {
  const found: RuleFinding[] = [];
  for (const rule of rules) {
    const satisfying = rows.filter(({ speaking }) => speaking.includes(rule));
    if (satisfying.length === 0) {
      const sentence = `${rule.id} is unreachable: no request was found that it speaks of.`;
      found.push({ rule: rule.name, code: "RULE_UNREACHABLE", sentence });
      continue;
    }
    if (
      rule.when &&
      rows.every(({ subject, speaking }) => speaking.includes(rule) || !rule.on.includes(subject.event))
    ) {
      const sentence = `${rule.id} speaks of everything: its \`when\` rules nothing out.`;
      found.push({ rule: rule.name, code: "RULE_BOUNDLESS", sentence });
    }
    const shadows = rules.find(
      (other) =>
        other !== rule &&
        !other.audited &&
        !rule.audited &&
        STRICT.indexOf(other.decision) > STRICT.indexOf(rule.decision) &&
        satisfying.every(({ speaking }) => speaking.includes(other)),
    );
    if (shadows) {
      const sentence = `${rule.id} is shadowed: whatever it speaks of, ${shadows.id} decides more strictly.`;
      found.push({ rule: rule.name, code: "RULE_SHADOWED", sentence });
    }
  }
  return found;
}

/** From mild to strict. Written anew, so that the guard's own order is held against it. */
const STRICT: readonly Decision[] = ["allow", "warn", "transform", "ask", "deny"];

/** What a guard has to decide at a row. */
export function decisionAt({ speaking }: TableRow): Decision {
  const decisions = speaking.filter(({ audited }) => !audited).map(({ decision }) => decision);
  return STRICT[Math.max(0, ...decisions.map((decision) => STRICT.indexOf(decision)))] ?? "allow";
}

/** A subject whose shell facts have every part: a rule names one of them, and the reader gives all. */
function whole(subject: Subject): Subject {
  const { shell } = subject;
  if (typeof shell !== "object" || shell === null) return subject;
  return { ...subject, shell: { ...EMPTY, ...shell } };
}

const EMPTY = {
  programs: [],
  writes: [],
  reads: [],
  urls: [],
  scripts: [],
  sets: [],
  uses: [],
  unknown: [],
};
const NOTHING = { accepts: [], refuses: [] };

/** A schema with `items` and `minItems` for `contains`, for which no value can be derived. */
function asItems(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asItems);
  if (typeof schema !== "object" || schema === null) return schema;
  const { contains, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [
      key,
      key === "const" || key === "enum" ? part : asItems(part),
    ]),
  );
  return contains === undefined ? rest : { items: contains, minItems: 1, ...rest };
}

function hears(rule: DataRule, { event, skill }: Subject, own: string): boolean {
  return rule.on.includes(event) && (!isOfSkill(event) || rule.applies === "all" || skill === own);
}

function isOfSkill(event: GuardEvent): boolean {
  return /^(command|route|phase)\./.test(event);
}

function surfaceOf(event: GuardEvent): Subject["surface"] {
  return event === "route.request" ? "http" : isOfSkill(event) ? "cli" : "hook";
}
