import { inject, injectable, type CommandHandler } from "skillctl";
import type { ResetInput, ResetOutput } from "./contract.ts";
import { counted } from "./import/receipt.ts";
import { LIBRARY, type Library } from "./library/library.ts";

/** Removes all imported files; answers then come from the sample data. */
@injectable()
export class ResetCommand implements CommandHandler<ResetInput, ResetOutput> {
  constructor(@inject(LIBRARY) private readonly library: Library) {}

  async run(): Promise<ResetOutput> {
    const removed = await this.library.reset();
    const text =
      removed === 0
        ? "There was nothing to remove."
        : `Removed ${counted(removed, "file")}. Answers now come from the sample data.`;
    return { removed, text };
  }
}
