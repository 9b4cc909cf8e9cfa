import type { SkillError } from "../errors/skill-error.ts";

/** What goes out in one commit of a journal, and the promise of all who wait for it. */
export class Batch {
  bytes = 0;
  /** Its last bytes. */
  tail: Uint8Array = new Uint8Array();
  resolve!: () => void;
  reject!: (error: SkillError) => void;
  readonly settled = new Promise<void>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}
