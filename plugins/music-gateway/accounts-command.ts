import { inject, injectable, type CommandHandler } from "skillctl";
import { accountOf, dataLabel } from "./accounts.ts";
import type { AccountsInput, AccountsOutput } from "./contract.ts";
import { ENGINE, type Engine } from "./engine.ts";
import { marked } from "./markdown.ts";
import { QUESTIONS_PER_DAY, QUOTA, type Quota } from "./quota.ts";

/** Shows who answers and from what. */
@injectable()
export class AccountsCommand implements CommandHandler<AccountsInput, AccountsOutput> {
  constructor(
    @inject(ENGINE) private readonly engine: Engine,
    @inject(QUOTA) private readonly quota: Quota,
  ) {}

  async run(): Promise<AccountsOutput> {
    const holdings = await this.engine.holdings();
    const accountId = accountOf(holdings.source);
    const window = (await this.engine.coverage()) ?? null;
    const files = holdings.files.map(({ name, kind }) => ({ name, kind }));
    const songs = holdings.songs.map(({ id, title }) => ({ songId: id, title }));
    const questionsUsed = await this.quota.used(accountId);
    const text = [
      `Account ${accountId}, answering from ${dataLabel(holdings.source, files.length)}`,
      `Days with figures: ${window === null ? "none" : `${window.from} to ${window.to}`}`,
      `Questions today: ${questionsUsed} of ${QUESTIONS_PER_DAY}`,
      `Files (${files.length}):`,
      ...files.map(({ name, kind }) => `  ${name} (${kind})`),
      `Songs (${songs.length}):`,
      ...songs.map(({ songId, title }) => `  ${songId}  ${marked(title)}`),
    ].join("\n");
    return {
      accountId,
      data: holdings.source,
      files,
      window,
      songs,
      questionsUsed,
      questionsPerDay: QUESTIONS_PER_DAY,
      text,
    };
  }
}
