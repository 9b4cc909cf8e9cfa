import type { ShellFacts } from "../contract.ts";
import type { FileEdit } from "./desk.ts";
import type { Subject } from "../plugin.ts";
import type { Audit } from "./audit.ts";
import type { Built } from "./predicate.ts";
import type { OwnRules } from "./tier.ts";

/** The parts of a guard beside the skills and their code. */
export interface GuardOptions {
  /** Rules of the working folder, the person and the machine. */
  readonly rules?: OwnRules;
  /** Finds predicates that the build compiled. Default: none. */
  readonly built?: Built;
  /** Records evaluations in which a rule spoke. Default: nowhere. */
  readonly audit?: Audit | undefined;
  /** Milliseconds since the epoch, for evaluations. */
  readonly now?: () => number;
  /**
   * The phases of skills at a folder and at the other places that a request names; with `everywhere`, also at every folder that
   * the skills list. Default: none.
   */
  readonly phases?:
    | ((
        cwd: string | undefined,
        named: readonly string[],
        options: { readonly everywhere: boolean },
      ) => Promise<readonly string[]>)
    | undefined;
  /** Reads a shell command. Default: everything about it is unknown. */
  readonly shell?: ((command: string, cwd: string | undefined) => Promise<ShellFacts>) | undefined;
  /** Computes what an edit tool would make of its files, undefined for other tools. Default: no result is known. */
  readonly edits?: ((subject: Subject) => Promise<readonly FileEdit[] | undefined>) | undefined;
  /** Names an evaluation. Default: by time, a random part and a counter. */
  readonly newId?: () => string;
}
