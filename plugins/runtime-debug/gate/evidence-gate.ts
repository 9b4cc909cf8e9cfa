import { FILES, inject, injectable, token } from "skillctl";
import type { Files, RuleHandler, Subject, Verdict } from "skillctl";
import { WORKTREE, type Worktree } from "../worktree/worktree.ts";
import { SITES, shutIn, type Site, type Sites } from "./sites.ts";
import { verdictOf, type Objection } from "./verdict.ts";

/** Why a call does not keep to the evidence gate, of one session. */
interface Breach extends Objection {
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
    const refusals = new CodeRefusals(this.files, this.worktree);
    for (const site of await this.sites.of(subject))
      // All of them hold: each has its own text before.
      for (const session of shutIn(site))
        for (const { sentence, isNewFile = false } of await refusals.of(subject, site, session))
          found.push({ decision: "deny", sentence, isNewFile, site, session });
    return found;
  }
}

export const CODE_GATE = token<CodeGate>("code-gate");

/** Nothing but probes comes into the code before log lines have confirmed a cause (specification, Gates 1). */
@injectable()
export class EvidenceGate implements RuleHandler {
  constructor(@inject(CODE_GATE) private readonly gate: CodeGate) {}

  /** @throws SkillError as `CodeGate.of` does: then the rule has denied. */
  async judge(subject: Subject): Promise<Verdict> {
    const breaches = (await this.gate.of(subject)).filter(({ isNewFile }) => !isNewFile);
    return verdictOf(
      breaches,
      "No log line has confirmed a cause yet, so only probes may be added to the code.",
      `No log line has confirmed a cause yet: in ${breaches[0]?.site.root ?? ""} only probes may be added, whichever tool it is.`,
    );
  }
}

/** No new files in the code while it is instrumented (specification, Rules on instrumentation 2). */
@injectable()
export class NewFileGate implements RuleHandler {
  constructor(@inject(CODE_GATE) private readonly gate: CodeGate) {}

  /** @throws SkillError as `CodeGate.of` does: then the rule has denied. */
  async judge(subject: Subject): Promise<Verdict> {
    const all = await this.gate.of(subject);
    const breaches = all.filter(({ isNewFile }) => isNewFile);
    return verdictOf(
      breaches,
      "Instrumentation adds no files to the project.",
      `Instrumentation adds no files to the project: write it outside of ${breaches[0]?.site.root ?? ""}.`,
      // Then the evidence gate denies too.
      { isLast: breaches.length === all.length },
    );
  }
}
