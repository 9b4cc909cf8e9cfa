import { join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { Environment } from "../ports/environment.ts";
import type { Files } from "../ports/files.ts";
import type { DocumentName, State } from "../ports/state.ts";
import { checkKeepMs, checkName, jsonOf } from "./state-bounds.ts";
import { readShelf, shelfText, valueOf } from "./state-shelf.ts";
import { VersionedTexts } from "./versioned-texts.ts";

/** What the documents are kept in. */
export interface StateFilesPorts {
  readonly files: Files;
  readonly clock: Clock;
  readonly environment: Environment;
}

/**
 * Documents in files of the state folder: `documents/<collection>/<shelf>/<version>.txt`. The id's hash says on which
 * of 256 shelves a document stands, so that no folder is ever removed. One whose time has passed goes with the next
 * write to its shelf, and each update looks through one further shelf of the collection for such.
 */
export function stateFiles({ files, clock, environment }: StateFilesPorts): State {
  const texts = new VersionedTexts(files);

  const folderOf = ({ collection }: DocumentName) => join(environment.stateFolder, "documents", collection);
  const place = (name: DocumentName) => {
    // Not imported: see standard-streams.ts.
    const { createHash } = process.getBuiltinModule("node:crypto");
    const key = createHash("sha256").update(name.id).digest("hex");
    const folder = folderOf(name);
    return { key, folder, shelf: join(folder, key.slice(0, 2)) };
  };

  const tidy = async (folder: string): Promise<void> => {
    try {
      const shelves = ((await files.list(folder)) ?? []).filter((name) => /^[0-9a-f]{2}$/.test(name));
      const chosen = shelves[Math.floor(Math.random() * shelves.length)];
      if (chosen === undefined) return;
      await texts.change(join(folder, chosen), (text) => shelfText(readShelf(text, clock.now())));
    } catch (caught) {
      // Whoever needs that shelf is told; this document is not on it, and is written.
      if (!(caught instanceof SkillError)) throw caught;
    }
  };

  return {
    read: async (name) => {
      checkName(name);
      // Most collections are never written to, and a hash takes longer than a look.
      if (!(await files.list(folderOf(name)))) return undefined;
      const { key, shelf } = place(name);
      return valueOf(readShelf(await texts.read(shelf), clock.now()), key);
    },
    update: async (name, keepMs, change) => {
      checkName(name);
      checkKeepMs(keepMs);
      const { key, folder, shelf } = place(name);
      let value: unknown;
      await texts.change(shelf, (text) => {
        const now = clock.now();
        const documents = readShelf(text, now);
        const current = valueOf(documents, key);
        value = change(current);
        if (value === current) return text;
        const changed = new Map(documents);
        if (value === undefined) changed.delete(key);
        else changed.set(key, { until: now + keepMs, json: jsonOf(name, value) });
        return shelfText(changed);
      });
      await tidy(folder);
      return value;
    },
  };
}
