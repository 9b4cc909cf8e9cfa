import type { ByteStream } from "../../adapters/hook-input.ts";
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
  /** Where the rules of the person and of who runs the machine stand, absolute. Default: there are none. */
  readonly ruleFiles?: Partial<Readonly<Record<"user" | "operator", string>>>;
  /** Standard input of hooks. Default: the process's own. */
  readonly standardInput?: () => ByteStream;
  /** Answers the terminal to write to. */
  readonly terminal: (progress: boolean) => Terminal;
}
