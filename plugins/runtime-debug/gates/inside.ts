/** How two spellings of a path are held for one: Unicode composed (UAX 15), letters without case. */
function folded(path: string): string {
  return path.replaceAll("\\", "/").normalize("NFC").toLowerCase();
}

/**
 * A path as seen from a folder, with `/`; "" is the folder itself, `undefined` what lies outside. Where file systems
 * differ in what they take for the same name, it is inside: letter case and the form of accents do not count.
 */
export function inside(folder: string, path: string): string | undefined {
  const [base, full] = [folder.replace(/[/\\]+$/, ""), path.replace(/(?<=.)[/\\]+$/, "")];
  if (full.startsWith(`${base}/`)) return full.slice(base.length + 1);
  if (full === base) return "";
  const [foldedBase, foldedFull] = [folded(base), folded(full)];
  if (foldedFull === foldedBase) return "";
  return foldedFull.startsWith(`${foldedBase}/`) ? foldedFull.slice(foldedBase.length + 1) : undefined;
}

/** Whether a path is a folder that holds another one, or is it. */
export function holds(path: string, folder: string): boolean {
  return inside(path === "/" ? "" : path, folder) !== undefined;
}

/** Whether two names are the same on some file system. */
export function sameName(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

/** Whether a path goes by way of a process: where that leads is known when it runs (proc(5)). */
export function throughProcess(path: string): boolean {
  return /^\/proc\/(?:[^/]+\/task\/)?[^/]+\/(?:cwd|root|fd)(?:\/|$)/.test(path);
}
