import { dirname, resolve } from "node:path";
import type { Configuration, OwnRule } from "../contract.ts";
import type { OwnRules } from "../guard/rules.ts";
import { SkillError } from "../errors/skill-error.ts";
import { jsonFault } from "./json-fault.ts";
import { isObject, parsedJson } from "../schema/json.ts";
import type { Check } from "../schema/schemas.ts";
import { MAX_SETTINGS_BYTES, readRegularFile } from "./regular-file.ts";
import { quotedName } from "../quoted-name.ts";

// Not imported: see standard-streams.ts.
const { statSync } = process.getBuiltinModule("node:fs");

/** The content of skillctl.json, with absolute paths. */
export interface ReadConfiguration {
  /** Folders of third-party skills, absolute. */
  readonly plugins: readonly string[];
  /** Settings by skill, not yet validated. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The hosted skills that are offered. Default: all. */
  readonly skills?: NonNullable<Configuration["skills"]>;
  /** Rules of this file, if it has any. */
  readonly rules?: NonNullable<OwnRules["workspace"]>;
  /** The address of the database of the person's state. */
  readonly state?: string;
}

/**
 * Reads a configuration file; relative plugin paths are resolved against the file. Only `isOwn`, the person's own file, may have `state`.
 * @throws SkillError `CONFIG_INVALID` with a pointer, `FILE_UNREADABLE`.
 */
export function readConfiguration(file: string, check: Check, isOwn = false): ReadConfiguration {
  const value = parsed(file);
  const excess = excessOf(value);
  if (excess !== undefined)
    throw new SkillError("CONFIG_INVALID", `${quotedName(file)}: ${excess}.`, {
      file,
      pointer: "/rules",
      hint: FEWER,
    });
  const fault = check(value);
  if (fault) {
    const misplaced = fault.keyword === "not" && /^\/rules\/[^/]+$/.test(fault.pointer);
    const sentence = misplaced
      ? `${fault.pointer}/lifts belongs to a rule that decides allow only.`
      : fault.sentence;
    throw new SkillError("CONFIG_INVALID", `${quotedName(file)}: ${sentence}`, {
      file,
      pointer: fault.pointer,
      hint: 'Its properties: "plugins" (a list of folders), "config" (an object with the settings of each skill), "skills" (an object such as {"only": ["NAME"]}) and "rules" (an object).',
    });
  }
  const { plugins = [], config = {}, skills, rules, state } = value as Configuration;
  if (state !== undefined && !isOwn)
    throw new SkillError("CONFIG_INVALID", `${quotedName(file)} may not have \`state\`.`, {
      file,
      pointer: "/state",
      hint: "Move it into your own settings (docs/shared-state.md), or set SKILLCTL_STATE.",
    });
  const folders = plugins.map((path) => resolve(dirname(file), path));
  const further = {
    ...(skills && { skills }),
    ...(rules && { rules }),
    ...(state !== undefined && { state }),
  };
  return { plugins: folders, config, ...further };
}

/** The only rule of a file whose rules are unknown: it denies everything. */
export const RULES_UNKNOWN = "rules-unknown";

/** Limits for the rules of one file, so that preparing and evaluating them takes less than 1 s. */
const MOST_RULES = 64;
const MOST_WHEN_CHARACTERS = 32_768;
const FEWER = "Remove rules, or make their `when` shorter.";

/** The limit that the rules of a file exceed. Checked before the schema, which is slow for many rules. */
function excessOf(value: unknown): string | undefined {
  const rules = isObject(value) && isObject(value["rules"]) ? Object.values(value["rules"]) : [];
  if (rules.length > MOST_RULES) return `it has ${rules.length} rules; the limit is ${MOST_RULES}`;
  const characters = rules.reduce(
    (sum: number, rule) => sum + (isObject(rule) ? lengthOf(rule["when"]) : 0),
    0,
  );
  if (characters <= MOST_WHEN_CHARACTERS) return undefined;
  return `the \`when\` of its rules have more than ${MOST_WHEN_CHARACTERS} characters together`;
}

/** Number of characters; infinite for a value that is nested deeper than the stack. */
function lengthOf(value: unknown): number {
  try {
    return JSON.stringify(value ?? "").length;
  } catch {
    return Infinity;
  }
}

/** Events before an action, where a denial prevents it. */
const PREVENTING: OwnRule["on"] = [
  "prompt.submit",
  "tool.pre",
  "command.pre",
  "route.request",
  "output.pre",
  "phase.enter",
  "phase.leave",
];

/**
 * Those rules of a broken file that are valid by themselves and ask or deny, with a message of skillctl. If the file
 * exceeds a limit, one rule that denies everything, because a denying rule must not disappear.
 */
export function tighteningRules(file: string, check: Check): NonNullable<OwnRules["workspace"]> {
  let value: unknown;
  try {
    value = parsed(file);
  } catch {
    return isTooLong(file) ? denying(`it has over ${MAX_SETTINGS_BYTES} bytes`) : {};
  }
  const excess = excessOf(value);
  if (excess !== undefined) return denying(excess);
  const rules = isObject(value) && isObject(value["rules"]) ? value["rules"] : {};
  const message =
    "A rule in skillctl.json of this folder decides this; its message is omitted, since the file is invalid.";
  const sound = Object.values(rules).flatMap((rule, index) => {
    if (!isObject(rule) || (rule["decision"] !== "ask" && rule["decision"] !== "deny")) return [];
    const { agentMessage: _, when, ...kept } = rule;
    const held = { ...kept, ...(when !== undefined && { when }), message };
    const one = { rules: { [`rule-${index + 1}`]: held } };
    return check(one) ? [] : [one.rules];
  });
  return Object.assign({}, ...sound) as NonNullable<OwnRules["workspace"]>;
}

function denying(excess: string): NonNullable<OwnRules["workspace"]> {
  const message = `skillctl.json of this folder cannot be used: ${excess}. Until it is repaired everything is denied, because its rules are unknown.`;
  return { [RULES_UNKNOWN]: { on: PREVENTING, decision: "deny", message } };
}

function isTooLong(file: string): boolean {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size > MAX_SETTINGS_BYTES;
  } catch {
    return false;
  }
}

function parsed(file: string): unknown {
  let text: string;
  try {
    text = readRegularFile(file).toString("utf8");
  } catch (cause) {
    if (cause instanceof SkillError) throw cause;
    throw new SkillError(
      "FILE_UNREADABLE",
      `${quotedName(file)} cannot be read (${(cause as NodeJS.ErrnoException).code}).`,
      {
        cause,
        file,
      },
    );
  }
  try {
    return parsedJson(text);
  } catch {
    // The error of the parser quotes the file, which may be a link to another one.
    throw new SkillError("CONFIG_INVALID", `${quotedName(file)} is not JSON: ${jsonFault(text)}.`, {
      file,
      pointer: "",
      hint: "Repair the file or move it away.",
    });
  }
}
