import { dirname, resolve } from "node:path";
import type { Configuration } from "../contract.ts";
import type { OwnRules } from "../guard/tier.ts";
import { SkillError, jsonFault } from "../errors/skill-error.ts";
import { isObject } from "../schema/json.ts";
import type { Check } from "../schema/schemas.ts";
import { readRegularFile } from "./regular-file.ts";

/** What skillctl.json says, with absolute paths. */
export interface ReadConfiguration {
  /** Folders of foreign skills, absolute. */
  readonly plugins: readonly string[];
  /** Settings by skill, not yet checked against the skills' schemas. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Rules of this place, where it has any. */
  readonly rules?: NonNullable<OwnRules["workspace"]>;
}

/** What counts when there is no skillctl.json. */
export const EMPTY_CONFIGURATION: ReadConfiguration = { plugins: [], config: {} };

/**
 * Reads a configuration file; relative plugin paths are resolved against the file.
 * @throws SkillError `CONFIG_INVALID` with a pointer, `FILE_UNREADABLE`.
 */
export function readConfiguration(file: string, check: Check): ReadConfiguration {
  const value = parsed(file);
  const fault = check(value);
  if (fault) {
    const misplaced = fault.keyword === "not" && /^\/rules\/[^/]+$/.test(fault.pointer);
    const sentence = misplaced
      ? `${fault.pointer}/lifts belongs to a rule that decides allow only.`
      : fault.sentence;
    throw new SkillError("CONFIG_INVALID", `${file}: ${sentence}`, {
      file,
      pointer: fault.pointer,
      hint: "It may have `plugins`, a list of folders, `config`, settings by skill, and `rules`.",
    });
  }
  const { plugins = [], config = {}, rules } = value as Configuration;
  return { plugins: plugins.map((path) => resolve(dirname(file), path)), config, ...(rules && { rules }) };
}

/** Of a file that cannot be used: its rules that ask or deny and are sound by themselves, in words of skillctl. */
export function tighteningRules(file: string, check: Check): NonNullable<OwnRules["workspace"]> {
  let value: unknown;
  try {
    value = parsed(file);
  } catch {
    return {};
  }
  const rules = isObject(value) && isObject(value["rules"]) ? value["rules"] : {};
  const message = `A rule in ${file} says so; its own words are not told, since the file is broken.`;
  const sound = Object.entries(rules).flatMap(([name, rule]) => {
    if (!isObject(rule) || (rule["decision"] !== "ask" && rule["decision"] !== "deny")) return [];
    const { agentMessage: _, when, ...kept } = rule;
    const held = { ...kept, ...(when !== undefined && { when }), message };
    const one = { rules: { [name]: held } };
    return check(one) ? [] : [one.rules];
  });
  return Object.assign({}, ...sound) as NonNullable<OwnRules["workspace"]>;
}

function parsed(file: string): unknown {
  let text: string;
  try {
    text = readRegularFile(file).toString("utf8");
  } catch (cause) {
    if (cause instanceof SkillError) throw cause;
    throw new SkillError(
      "FILE_UNREADABLE",
      `${file} cannot be read (${(cause as NodeJS.ErrnoException).code}).`,
      {
        cause,
        file,
      },
    );
  }
  const json = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(json);
  } catch (caught) {
    throw new SkillError("CONFIG_INVALID", `${file} is no JSON: ${jsonFault(caught, json)}.`, {
      file,
      pointer: "",
      hint: "Mend the file, or move it away.",
    });
  }
}
