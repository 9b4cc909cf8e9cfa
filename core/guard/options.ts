import type { ShellFacts } from "../contract.ts";
import type { Audit } from "./audit.ts";
import type { Built } from "./predicate.ts";
import type { OwnRules } from "./tier.ts";

/** What a guard has beside the skills and their code. */
export interface GuardOptions {
  /** Rules of the working folder, the person and the machine. */
  readonly rules?: OwnRules;
  /** Default: the build compiled none. */
  readonly built?: Built;
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
