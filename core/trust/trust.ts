import { dirname } from "node:path";
import type { ReadConfiguration } from "../adapters/configuration.ts";
import type { OwnRule } from "../contract.ts";
import { SkillError, described } from "../errors/skill-error.ts";
import {
  contentOf,
  installCommand,
  isUninstalled,
  keepRecord,
  recordOf,
  type TrustRecord,
} from "../adapters/trust-records.ts";
import { quotedName } from "../quoted-name.ts";

/** The parts of a skillctl.json that need trust (docs/guards.md, Trust). */
export interface Contribution {
  /** Folders of skills, absolute. */
  readonly plugins: readonly string[];
  /** Skills with settings in the file. */
  readonly config: readonly string[];
  /** Names of rules: those that allow or warn wait, and so do the messages of all. */
  readonly rules: readonly string[];
}

/** A folder whose contribution does not count yet. */
export interface PendingTrust extends Contribution {
  /** Absolute. */
  readonly folder: string;
  /** `changed`: an earlier content was trusted. */
  readonly state: "new" | "changed";
  /** The reason why the content cannot be trusted, if there is one. */
  readonly reason?: string;
  /** The command that accepts the content. */
  readonly accept: string;
  /** The number of installed skills whose folders are missing, for example in a clone. */
  readonly uninstalled: number;
  /** The command that installs them. */
  readonly install: string;
}

/** The part of a skillctl.json that counts, and the part that is not trusted yet. */
export interface Assessment {
  readonly configuration: ReadConfiguration;
  readonly waiting?: PendingTrust;
}

/** The parts of a configuration that need trust. */
export function contributionOf({ plugins, config, rules = {} }: ReadConfiguration): Contribution {
  return { plugins, config: Object.keys(config), rules: Object.keys(rules) };
}

/**
 * Splits a configuration by trust. `named`: folders of skills that the person names too, which need no trust. Files are hashed
 * only if the folder contributes something and has a record. `accept`: the command that a person types to trust the folder.
 */
export function assess(
  file: string,
  configuration: ReadConfiguration,
  stateFolder: string,
  named: readonly string[] = [],
  accept = "skillctl trust",
): Assessment {
  const plugins = configuration.plugins.filter((path) => !named.includes(path));
  const contribution = contributionOf({ ...configuration, plugins });
  if (Object.values(contribution).every((list: readonly unknown[]) => list.length === 0))
    return { configuration };
  const folder = dirname(file);
  const record = recordOf(folder, stateFolder);
  let reason: string | undefined;
  try {
    if (record && contentOf(file, configuration.plugins).hash === record.hash) return { configuration };
  } catch (caught) {
    reason = described(caught);
  }
  const state = record ? "changed" : "new";
  const waiting: PendingTrust = {
    ...contribution,
    folder,
    state,
    accept,
    uninstalled: plugins.filter(isUninstalled).length,
    install: installCommand(folder, stateFolder),
    ...(reason !== undefined && { reason }),
  };
  return { configuration: tightening(configuration), waiting };
}

/** Trusts the present content of a folder. @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE` */
export async function trust(
  file: string,
  { plugins }: ReadConfiguration,
  stateFolder: string,
): Promise<Omit<TrustRecord, "files"> & { readonly files: number }> {
  const content = contentOf(file, plugins);
  const record = await keepRecord(dirname(file), content, stateFolder);
  return { ...record, files: Object.keys(content.files).length - 1 };
}

/** A file whose content is not the one that was trusted. */
export interface FileChange {
  /** Relative to the folder. */
  readonly file: string;
  readonly change: "changed" | "added" | "removed";
}

/**
 * The files that differ from those that a record covers, by name; undefined for a record of an earlier version, which does not
 * name them. @throws SkillError `FILE_UNREADABLE`
 */
export function changesSince(
  { files: before }: TrustRecord,
  file: string,
  { plugins }: ReadConfiguration,
): readonly FileChange[] | undefined {
  if (before === undefined) return undefined;
  return changesBetween(before, contentOf(file, plugins).files);
}

/** The differences of two sets of files, each by its name. */
export function changesBetween(
  before: Readonly<Record<string, string | undefined>>,
  now: Readonly<Record<string, string | undefined>>,
): readonly FileChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return names.flatMap((name): FileChange[] => {
    if (before[name] === now[name]) return [];
    const change = before[name] === undefined ? "added" : now[name] === undefined ? "removed" : "changed";
    return [{ file: name, change }];
  });
}

/**
 * The part of a skillctl.json that counts without trust: rules that ask or deny, by their number in the file. Models read the
 * names and messages of rules, so those of a folder that is not trusted are left out. The choice of skills counts: it lifts no
 * rule.
 */
function tightening({ skills, rules = {} }: ReadConfiguration): ReadConfiguration {
  const held = Object.values(rules).flatMap((rule, index): readonly (readonly [string, OwnRule])[] => {
    if (rule.decision !== "ask" && rule.decision !== "deny") return [];
    const { agentMessage: _, ...kept } = rule;
    const message = `Rule ${index + 1} of skillctl.json in this folder decides this; its name and message are shown only after \`skillctl trust\`.`;
    return [[`rule-${index + 1}`, { ...kept, message }]];
  });
  const kept = { plugins: [], config: {}, ...(skills && { skills }) };
  return { ...kept, ...(held.length > 0 && { rules: Object.fromEntries(held) }) };
}

/** One line for the person and the model: the counts, and of names only the path of the folder, quoted. */
export function waitingLine(pending: PendingTrust): string {
  const { folder, plugins, config, rules, state, reason, accept, uninstalled, install } = pending;
  const parts = [
    plugins.length > 0 && `${plugins.length} skill folder${plugins.length > 1 ? "s" : ""}`,
    config.length > 0 && `settings of ${config.length} skill${config.length > 1 ? "s" : ""}`,
    rules.length > 0 && `${rules.length} rule${rules.length > 1 ? "s" : ""}`,
  ].filter((part) => part !== false);
  const what = state === "new" ? "is not trusted" : "has changed since it was trusted";
  const why = reason === undefined ? "" : " It cannot be trusted as it is.";
  const away = `${uninstalled} installed ${uninstalled === 1 ? "skill is" : "skills are"} missing.`;
  const next = uninstalled > 0 ? ` ${away} To install: ${install}; to look` : " To look";
  return `${quotedName(folder)} ${what}: ${parts.join(", ")} of its skillctl.json cannot be used yet, and its rules only ask or deny.${why}${next}: skillctl trust --list; to accept: ${accept}\n`;
}

/** @throws SkillError `PLUGIN_MISSING` when the content is no longer the one that was trusted at the start */
export function stillTrusted(file: string, configuration: ReadConfiguration, stateFolder: string): void {
  if (!assess(file, configuration, stateFolder).waiting) return;
  throw new SkillError("PLUGIN_MISSING", `${quotedName(dirname(file))} has changed since it was trusted.`, {
    file,
    hint: "Look at the change, then: skillctl trust",
  });
}
