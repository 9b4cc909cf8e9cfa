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
import type { SessionEntry } from "../session/entry.ts";
import { WORKTREE, type Worktree } from "../worktree/worktree.ts";
import type { Breach, GateParts } from "./breach.ts";
import { SITES, shutIn, type Site, type Sites } from "./sites.ts";

/**
 * What calls of tools would do to code while no log line has confirmed a cause (specification, Gates 1). Several rules
 * ask about the same call; it is looked at once.
 */
@injectable()
export class ShutGate {
  readonly #known = new WeakMap<Subject, Promise<readonly Breach[]>>();
  readonly #parts: GateParts;

  constructor(
    @inject(SITES) private readonly sites: Sites,
    @inject(FILES) files: Files,
    @inject(PROGRAMS) programs: Programs,
    @inject(WORKTREE) worktree: Worktree,
  ) {
    this.#parts = { files, programs, worktree };
  }

  /** In no order; none when nothing stands against the call. @throws SkillError as `Sites.of` does, and `PROGRAM_FAILED` */
  of(subject: Subject): Promise<readonly Breach[]> {
    const known = this.#known.get(subject) ?? this.#look(subject);
    this.#known.set(subject, known);
    return known;
  }

  async #look(subject: Subject): Promise<readonly Breach[]> {
    const found: Breach[] = [];
    for (const site of await this.sites.of(subject)) {
      const shut = shutIn(site);
      // All of them hold: each has its own text before.
      for (const session of shut) found.push(...(await this.#breaches(subject, site, session)));
    }
    return found;
  }

  async #breaches(subject: Subject, site: Site, session: SessionEntry): Promise<readonly Breach[]> {
    if (subject.tool === "shell") {
      const { shellBreaches } = await import("./shell-breaches.ts");
      return shellBreaches(subject, site, session, this.#parts);
    }
    const { toolBreaches } = await import("./tool-breaches.ts");
    return toolBreaches(subject, site, session, this.#parts);
  }
}

export const SHUT_GATE = token<ShutGate>("shut-gate");
