import type { SkillManifest } from "./contract.ts";
import type { CoreCode } from "./errors/codes.ts";

/** A skill as it is passed to a host: its manifest, and its code on demand. */
export interface HostedSkill {
  readonly manifest: SkillManifest;
  /** Folder of skill.json and SKILL.md, absolute. */
  readonly folder: string;
  /** Folder of its schemas, absolute: `<skill>/<name>` is the file `<name>.json` in it. */
  readonly schemas: string;
  /** True for skills of this package, whose manifests the contract tests check. */
  readonly builtin: boolean;
  /** Imports the code; returns the module. */
  readonly load: () => Promise<{ readonly default?: unknown }>;
}

/** The reason why a skill or a part of one was left out. */
export interface SkillFault {
  readonly code: CoreCode;
  readonly skill: string;
  readonly file: string;
  /** JSON pointer into the file; "" is the whole file. */
  readonly pointer: string;
  readonly sentence: string;
  /** Of a cycle of ports: the names of its skills, sorted. */
  readonly circle?: readonly string[];
}
