/** A program that a shell starts. */
interface Started {
  readonly name: string;
  readonly args: readonly string[];
}

/** Options with which a program reads all that lies in a folder, hidden files too. `always`: without any. */
const HIDDEN = /^(--hidden|--unrestricted|-[a-zA-Z]*[.uH][a-zA-Z.]*)$/;
const RECURSIVE = /^(-[a-zA-Z]*[rR][a-zA-Z]*|--(dereference-)?recursive|--directories=recurse)$/;
const COPYING = /^(-[a-zA-Z]*[rRa][a-zA-Z]*|--(recursive|archive))$/;
const RUNNING = /^-(exec|execdir|ok|okdir)$/;
const READERS: readonly (readonly [names: string, option: RegExp | undefined])[] = [
  ["grep egrep fgrep ggrep zgrep diff gdiff", RECURSIVE],
  ["rg ripgrep ag ugrep", HIDDEN],
  ["rgrep ack tar gtar bsdtar zip 7z 7za 7zz rsync scp cpio pax restic borg", undefined],
  ["cp gcp", COPYING],
  ["git", /^(--no-index|--work-tree(=.*)?|add)$/],
  ["find gfind bfs", RUNNING],
];
const BY_NAME = new Map(
  READERS.flatMap(([names, option]) => names.split(" ").map((name) => [name, option] as const)),
);

/** A pattern of names that token.json is none of. */
const NARROW = /^[^!]*\.(?!json$)[a-z0-9]+$/i;
const NAMED = /^(?:-i?name|-g|--glob|--include)$/;
const NAMED_WITH = /^--(?:include|glob)=(.*)$/;
const ELSE = new Set(["-o", "-or", "!", "-not", ",", "("]);
const EXCLUDED = /^--exclude(-dir)?=\.svc-login$/;

/** Whether a program reads what stands in the files of a folder, those of a hidden folder in it too. */
export function readsDeep({ name, args }: Started): boolean {
  if (!BY_NAME.has(name)) return false;
  const option = BY_NAME.get(name);
  return (!option || args.some((word) => option.test(word))) && !leavesOut(args);
}

/** Whether a program names files of a folder and hidden folders in it, for another one to read. */
export function finds({ name, args }: Started): boolean {
  if (name === "fd" || name === "fdfind") return args.some((word) => HIDDEN.test(word));
  return /^(g?find|bfs)$/.test(name) && !leavesOut(args);
}

/** Whether all that it looks for has another ending than token.json, or the folder is excluded. */
function leavesOut(args: readonly string[]): boolean {
  if (args.some((word) => EXCLUDED.test(word))) return true;
  const patterns = args.flatMap((word, index) => {
    const [, joined] = NAMED_WITH.exec(word) ?? [];
    return joined ?? (NAMED.test(word) ? (args[index + 1] ?? "") : []);
  });
  return (
    patterns.length > 0 && patterns.every((one) => NARROW.test(one)) && !args.some((word) => ELSE.has(word))
  );
}
