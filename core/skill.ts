import type { SkillManifest } from "./contract.ts";
import type { CoreCode } from "./errors/codes.ts";

/** A skill for a host: its manifest, and its code on demand. */
export interface HostedSkill {
  readonly manifest: SkillManifest;
  /** Folder of skill.json and SKILL.md, absolute. */
  readonly folder: string;
  /** Folder of its schemas, absolute: `<skill>/<name>` is the file `<name>.json` in it. */
  readonly schemas: string;
  /** True for skills of this package alone, whose schemas its build has compiled. */
  readonly builtin: boolean;
  /** Imports the code on first use. The default export of the module is the plugin. */
  readonly load: () => Promise<{ readonly default?: unknown }>;
  /** A sentence about code that is older than the TypeScript that it is compiled from. @internal */
  readonly staleBuild?: () => Promise<string | undefined>;
  /** Set for a folder with a SKILL.md and no manifest; the summary in `manifest` is its description. @internal */
  readonly document?: PlainDocument;
}

/** The part of a manifest that `skillctl list` shows. */
export type SkillSummary = Pick<SkillManifest, "name" | "summary">;

/** The file with the code of a skill, as its manifest names it; undefined for one with data only. */
export function moduleOf({
  plugin,
  commands,
  routes,
  rules = {},
  provides = [],
}: Partial<SkillManifest>): string | undefined {
  const handled = [...Object.keys({ ...commands, ...routes }), ...provides].length > 0;
  const isCode = handled || Object.values(rules).some(({ handler }) => handler);
  return plugin ?? (isCode ? "./plugin.js" : undefined);
}

/** The content of a folder with a SKILL.md and no manifest, as it was read. None of it is run. */
export interface PlainDocument {
  /** The instructions: all text after the front matter, and the names of the other files. */
  readonly body: string;
  /** The other fields of the front matter. They are shown and have no effect. */
  readonly fields: Readonly<Record<string, string>>;
  /** The files by path in the folder; each with its SHA-256 if only this content is trusted. */
  readonly files: Readonly<Record<string, string | undefined>>;
}

/** The compiled code of a skill in TypeScript, compared with its source. */
export interface BuildState {
  /** Relative to the folder, with `/`. */
  readonly source: string;
  /** The file that the compiler makes from it. */
  readonly made: string;
  /** `present`: the code is not older than any source. */
  readonly state: "present" | "older" | "missing";
  /** The remedy, as a part of a sentence. */
  readonly remedy: string;
}

/** The reason why a skill was left out. */
export interface SkillFault {
  readonly code: CoreCode;
  /** The name of the skill. */
  readonly skill: string;
  /** Absolute. */
  readonly file: string;
  /** JSON pointer into the file; `""` is the whole file. */
  readonly pointer: string;
  readonly sentence: string;
  /** If the ports of skills form a cycle: the names of the skills, sorted. */
  readonly circle?: readonly string[];
}
