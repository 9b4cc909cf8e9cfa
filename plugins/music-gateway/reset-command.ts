import { inject, injectable, type CommandHandler } from "skillctl";
import type { ResetInput, ResetOutput } from "./contract.ts";
import { counted } from "./import/receipt.ts";
import { LIBRARY, type Library } from "./library/library.ts";

/** Removes all imported files; the sample answers again. */
@injectable()
export class ResetCommand implements CommandHandler<ResetInput, ResetOutput> {
  constructor(@inject(LIBRARY) private readonly library: Library) {}

  async run(): Promise<ResetOutput> {
    const removed = await this.library.reset();
    const text =
      removed === 0
        ? "There was nothing to remove."
        : `Removed ${counted(removed, "file")}. Sample data answer now.`;
    return { removed, text };
  }
}
