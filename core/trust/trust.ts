import { dirname } from "node:path";
import type { ReadConfiguration } from "../adapters/configuration.ts";
import type { OwnRule } from "../contract.ts";
import { SkillError, described } from "../errors/skill-error.ts";
import { contentOf, keepRecord, recordOf, type TrustRecord } from "../adapters/trust-records.ts";
import { quotedName } from "../quoted-name.ts";

/** What a folder brings by its skillctl.json that waits for the person's word (docs/guards.md, Trust). */
export interface Brought {
  /** Folders of skills, absolute. */
  readonly plugins: readonly string[];
  /** Skills that it has settings for. */
  readonly config: readonly string[];
  /** Rules that allow, and words of rules. */
  readonly rules: readonly string[];
}

/** A folder whose word does not count yet. */
export interface Waiting extends Brought {
  /** Absolute. */
  readonly folder: string;
  /** `changed`: it was trusted as it was before. */
  readonly state: "new" | "changed";
  /** Why it cannot be trusted as it is. */
  readonly reason?: string;
}

/** What counts of a skillctl.json, and what waits. */
export interface Weighed {
  readonly configuration: ReadConfiguration;
  readonly waiting?: Waiting;
}

/** What of a skillctl.json needs trust. */
export function broughtBy({ plugins, config, rules = {} }: ReadConfiguration): Brought {
  return { plugins, config: Object.keys(config), rules: Object.keys(rules) };
}

/**
 * `named`: folders of skills that the person names too, and that so need no trust. Nothing is hashed for a folder that
 * brings nothing, or of which nothing was said.
 */
export function weighed(
  file: string,
  configuration: ReadConfiguration,
  stateFolder: string,
  named: readonly string[] = [],
): Weighed {
  const plugins = configuration.plugins.filter((path) => !named.includes(path));
  const brought = broughtBy({ ...configuration, plugins });
  if (Object.values(brought).every((list: readonly unknown[]) => list.length === 0)) return { configuration };
  const folder = dirname(file);
  const record = recordOf(folder, stateFolder);
  let reason: string | undefined;
  try {
    if (record && contentOf(file, configuration.plugins).hash === record.hash) return { configuration };
  } catch (caught) {
    reason = described(caught);
  }
  const state = record ? "changed" : "new";
  const waiting: Waiting = { ...brought, folder, state, ...(reason !== undefined && { reason }) };
  return { configuration: tightening(configuration), waiting };
}

/** Trusts what a folder brings now. @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE` */
export async function trust(
  file: string,
  { plugins }: ReadConfiguration,
  stateFolder: string,
): Promise<TrustRecord & { readonly files: number }> {
  const content = contentOf(file, plugins);
  return { ...(await keepRecord(dirname(file), content, stateFolder)), files: content.files };
}

/**
 * The part of a skillctl.json that counts without trust: rules that ask or deny, by their number in the file. Models read the
 * names and messages of rules, so those of a folder that is not trusted are left out.
 */
function tightening({ rules = {} }: ReadConfiguration): ReadConfiguration {
  const held = Object.values(rules).flatMap((rule, index): readonly (readonly [string, OwnRule])[] => {
    if (rule.decision !== "ask" && rule.decision !== "deny") return [];
    const { agentMessage: _, ...kept } = rule;
    const message = `Rule ${index + 1} of skillctl.json in this folder says so; its name and words wait for \`skillctl trust\`.`;
    return [[`rule-${index + 1}`, { ...kept, message }]];
  });
  return { plugins: [], config: {}, ...(held.length > 0 && { rules: Object.fromEntries(held) }) };
}

/** One line for the person and the model: counts, and no name that the folder has chosen but its own, quoted. */
export function waitingLine({ folder, plugins, config, rules, state, reason }: Waiting): string {
  const parts = [
    plugins.length > 0 && `${plugins.length} skill folder${plugins.length > 1 ? "s" : ""}`,
    config.length > 0 && `settings of ${config.length} skill${config.length > 1 ? "s" : ""}`,
    rules.length > 0 && `${rules.length} rule${rules.length > 1 ? "s" : ""}`,
  ].filter((part) => part !== false);
  const what = state === "new" ? "is not trusted" : "has changed since it was trusted";
  const why = reason === undefined ? "" : " It cannot be trusted as it is.";
  return `${quotedName(folder)} ${what}: ${parts.join(", ")} of its skillctl.json must wait (only what its rules ask or deny counts).${why} To look: skillctl trust --list; to accept: skillctl trust\n`;
}

/** @throws SkillError `PLUGIN_MISSING` when what was trusted at the start is not what is there now */
export function stillTrusted(file: string, configuration: ReadConfiguration, stateFolder: string): void {
  if (!weighed(file, configuration, stateFolder).waiting) return;
  throw new SkillError("PLUGIN_MISSING", `${quotedName(dirname(file))} has changed since it was trusted.`, {
    file,
    hint: "Look at the change, then: skillctl trust",
  });
}
