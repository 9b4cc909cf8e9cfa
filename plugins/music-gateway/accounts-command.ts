import { inject, injectable, type CommandHandler } from "skillctl";
import { accountOf, dataLabel } from "./accounts.ts";
import type { AccountsInput, AccountsOutput } from "./contract.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";

/** Shows who answers and from what. */
@injectable()
export class AccountsCommand implements CommandHandler<AccountsInput, AccountsOutput> {
  constructor(@inject(COLLECTIONS) private readonly collections: Collections) {}

  async run(): Promise<AccountsOutput> {
    return this.collections.use(({ source, catalog }) => {
      const accountId = accountOf(source);
      const ranges = Object.values(catalog.days);
      const from = ranges.map((range) => range.from).toSorted()[0];
      const to = ranges
        .map((range) => range.to)
        .toSorted()
        .at(-1);
      const window = from === undefined || to === undefined ? null : { from, to };
      const files = catalog.files.map(({ name, kind }) => ({ name, kind }));
      const songs = catalog.songs.map(({ id, title }) => ({ songId: id, title }));
      const text = [
        `Account ${accountId}, answering from ${dataLabel(source, files.length)}`,
        `Days with figures: ${window === null ? "none" : `${window.from} to ${window.to}`}`,
        `Files (${files.length}):`,
        ...files.map(({ name, kind }) => `  ${name} (${kind})`),
        `Songs (${songs.length}):`,
        ...songs.map(
          ({ songId, title }) => `  ${songId}  ${title.startsWith("《") ? title : `《${title}》`}`,
        ),
      ].join("\n");
      return { accountId, data: source, files, window, songs, text };
    });
  }
}
