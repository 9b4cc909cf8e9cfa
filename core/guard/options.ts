import type { ShellFacts } from "../contract.ts";
import type { Audit } from "./audit.ts";
import type { PlannedRule } from "./planned-rule.ts";
import type { Test } from "./predicate.ts";
import type { OwnRules } from "./tier.ts";

/** What a guard has beside the skills and their code. */
export interface GuardOptions {
  /** Rules of the working folder, the person and the machine. */
  readonly rules?: OwnRules;
  /** The compiled `when` of a rule that the build compiled; undefined where it did not. Default: of none. */
  readonly built?: ((planned: PlannedRule) => Promise<Test | undefined>) | undefined;
  /** Where evaluations are kept in which a rule spoke. Default: nowhere. */
  readonly audit?: Audit | undefined;
  /** Milliseconds since the epoch, for evaluations. */
  readonly now?: () => number;
  /**
   * The phases that skills are in at a folder, and at what else a request names; `everywhere`: at all that they list.
   * Default: none is known.
   */
  readonly phases?:
    | ((
        cwd: string | undefined,
        named: readonly string[],
        options: { readonly everywhere: boolean },
      ) => Promise<readonly string[]>)
    | undefined;
  /** Reads a shell command. Default: nobody reads it, and everything about it is unknown. */
  readonly shell?: ((command: string, cwd: string | undefined) => Promise<ShellFacts>) | undefined;
  /** Names an evaluation. Default: by time, chance and a count. */
  readonly newId?: () => string;
}
