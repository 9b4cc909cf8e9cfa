import {
  FILES,
  PROGRAMS,
  inject,
  injectable,
  token,
  type Files,
  type Programs,
  type Subject,
} from "skillctl";
import { WORKTREE, type Worktree } from "../worktree/worktree.ts";
import { SITES, shutIn, type Site, type Sites } from "./sites.ts";
import type { Objection } from "./verdict.ts";

/** Why a call does not keep to the evidence gate, of one session. */
export interface Breach extends Objection {
  /** Whether the call adds a file; everything else changes one. */
  readonly isNewFile: boolean;
  readonly site: Site;
}

/**
 * What a call surely does to code while no log line has confirmed a cause (specification, Gates 1): an editor that leaves a
 * file other than with probes, a command that names a file of the project as what it writes. What is merely possible
 * passes: the look at the work tree after the call finds what it did. Several rules ask about the same call; it is looked at once.
 */
@injectable()
export class CodeGate {
  readonly #known = new WeakMap<Subject, Promise<readonly Breach[]>>();

  constructor(
    @inject(SITES) private readonly sites: Sites,
    @inject(FILES) private readonly files: Files,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(WORKTREE) private readonly worktree: Worktree,
  ) {}

  /** In no order; none when nothing stands against the call. @throws SkillError as `Sites.of` does, and `PROGRAM_FAILED` */
  of(subject: Subject): Promise<readonly Breach[]> {
    const known = this.#known.get(subject) ?? this.#look(subject);
    this.#known.set(subject, known);
    return known;
  }

  async #look(subject: Subject): Promise<readonly Breach[]> {
    const found: Breach[] = [];
    const { CodeRefusals } = await import("./code-refusals.ts");
    const refusals = new CodeRefusals(this.files, this.programs, this.worktree);
    for (const site of await this.sites.of(subject))
      // All of them hold: each has its own text before.
      for (const session of shutIn(site))
        for (const { sentence, isNewFile = false } of await refusals.of(subject, site, session))
          found.push({ decision: "deny", sentence, isNewFile, site, session });
    return found;
  }
}

export const CODE_GATE = token<CodeGate>("code-gate");
