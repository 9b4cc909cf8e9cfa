/**
 * What is taken out of a tree at once, and the new files in it: the outermost new folder in which nothing may stay, with a
 * slash at the end, else the file itself. `old` are the folders that were there; `staying` files and folders that may stay.
 */
export function removals(
  wrong: readonly string[],
  old: ReadonlySet<string>,
  staying: Iterable<string>,
): ReadonlyMap<string, readonly string[]> {
  const held = new Set(old);
  for (const path of staying) for (const folder of foldersOf(path)) held.add(folder);
  const groups = new Map<string, string[]>();
  for (const path of wrong) {
    const whole = foldersOf(path).find((folder) => !held.has(folder)) ?? path;
    const group = groups.get(whole);
    if (group) group.push(path);
    else groups.set(whole, [path]);
  }
  return groups;
}

/** The folders of a path from the outermost, with a slash at the end; one that is a folder itself is the last. */
export function foldersOf(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) found.push(path.slice(0, at + 1));
  return found;
}
