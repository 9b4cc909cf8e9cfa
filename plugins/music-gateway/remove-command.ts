import { SkillError, quotedName, inject, injectable, nearest, type CommandHandler } from "skillctl";
import { basename } from "node:path";
import type { RemoveInput, RemoveOutput } from "./contract.ts";
import { counted } from "./import/receipt.ts";
import { safeName } from "./import/names.ts";
import type { Holdings, KeptFile } from "./library/holdings.ts";
import { LIBRARY, type Library } from "./library/library.ts";

/** Removes imported files, by name or by the number shown by `files`. */
@injectable()
export class RemoveCommand implements CommandHandler<RemoveInput, RemoveOutput> {
  constructor(@inject(LIBRARY) private readonly library: Library) {}

  /** @throws SkillError `GATEWAY_FILE_UNKNOWN` for a missing file, or a name that several files share. */
  async run({ files }: RemoveInput): Promise<RemoveOutput> {
    return this.library.change(async (now) => {
      const removed = [...new Set(files.flatMap((word) => filesOf(word, now)))];
      const names = removed.map(({ name }) => name);
      const left = now.files.length - removed.length;
      const rest = left === 0 ? "Nothing is imported now." : `${counted(left, "file")} left.`;
      const text = `Removed ${names.map(quotedName).join(", ")}. ${rest}`;
      return { removed, result: () => ({ removed: names, left, text }) };
    });
  }
}

/** The file with a name or number, or the files from a zip folder with that name. */
function filesOf(word: string, { files }: Holdings): readonly KeptFile[] {
  const name = safeName(basename(word));
  const folder = files.filter(({ from }) => from === name);
  if (folder.length > 0) return folder;
  const named = files.filter((file) => file.name === name);
  if (named.length > 1) {
    const numbers = named.map(({ id }) => id).join(", ");
    throw new SkillError(
      "GATEWAY_FILE_UNKNOWN",
      `${named.length} files were imported as ${quotedName(name)}.`,
      {
        hint: `Use the numbers of the files to remove: ${numbers}.`,
      },
    );
  }
  const found = named[0] ?? files.find(({ id }) => String(id) === word.replace(/^#/u, ""));
  if (found !== undefined) return [found];
  const guess = nearest(
    name,
    files.map((file) => file.name),
  );
  throw new SkillError("GATEWAY_FILE_UNKNOWN", `${quotedName(name)} is not an imported file.`, {
    hint: `${guess === undefined ? "" : `Did you mean ${quotedName(guess)}? `}\`skillctl run music-gateway files\` lists them.`,
  });
}
