import type { Precompiled } from "../../schema/schemas.ts";
import type { HostedSkill } from "../../skill.ts";
import type { Terminal } from "./verb.ts";

/** What the program hands to its command line. */
export interface Surroundings {
  readonly version: string;
  readonly builtin: readonly HostedSkill[];
  readonly precompiled: Precompiled | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly workingFolder: string;
  /** How this program is started, for commands that go on in the background. Default: they cannot. */
  readonly ownProgram?: readonly string[];
  /** Answers the terminal to write to. */
  readonly terminal: (progress: boolean) => Terminal;
}
