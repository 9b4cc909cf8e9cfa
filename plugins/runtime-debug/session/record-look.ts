import { SkillError, type Files } from "skillctl";

/** A record is a page of text; anything longer is something else, in bytes. */
export const MOST_RECORD_BYTES = 1024 * 1024;

/** The text of what may be somebody else's record; `undefined` for what is no plain file of at most 1 MiB to read. */
export async function recordAt(path: string, files: Files): Promise<string | undefined> {
  const facts = await files.facts(path);
  if (facts?.kind !== "file" || facts.bytes > MOST_RECORD_BYTES) return undefined;
  try {
    return await files.readText(path);
  } catch (caught) {
    // Not for this user: then it is no record of his.
    if (caught instanceof SkillError) return undefined;
    throw caught;
  }
}

/** The records in a project: their session ids with their names. */
export async function recordsIn(
  root: string,
  files: Files,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return ((await files.list(root)) ?? []).flatMap((name) => {
    const [, id] = /^debug-([a-z0-9-]+)\.md$/.exec(name) ?? [];
    return id === undefined ? [] : [{ id, name }];
  });
}
