import type { SkillManifest } from "./contract.ts";
import type { CoreCode } from "./errors/codes.ts";

/** One skill as it is handed to a host: its manifest now, its code on demand. */
export interface HostedSkill {
  readonly manifest: SkillManifest;
  /** Folder of skill.json and SKILL.md, absolute. */
  readonly folder: string;
  /** Folder of its schemas, absolute: `<skill>/<name>` is the file `<name>.json` in it. */
  readonly schemas: string;
  /** True for the skills in the box, whose manifests the contract tests hold. */
  readonly builtin: boolean;
  /** Imports the code; answers the module. */
  readonly load: () => Promise<{ readonly default?: unknown }>;
}

/** Why a skill, or a part of one, was left out. */
export interface SkillFault {
  readonly code: CoreCode;
  readonly skill: string;
  readonly file: string;
  /** JSON pointer into the file; "" is all of it. */
  readonly pointer: string;
  readonly sentence: string;
  /** Of a circle of ports: the names of all who are in it, sorted. */
  readonly circle?: readonly string[];
}
