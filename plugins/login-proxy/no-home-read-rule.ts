import { posix } from "node:path";
import {
  ENVIRONMENT,
  FILES,
  inject,
  injectable,
  type Environment,
  type Files,
  type RuleHandler,
  type Subject,
  type Verdict,
} from "skillctl";

type Program = NonNullable<Subject["shell"]>["programs"][number];

const ALLOW: Verdict = { decision: "allow" };
/** Parts of an input that hold patterns of names. */
const GLOBS = ["glob", "globs", "include", "includes", "include_pattern", "paths", "patterns"];
/** A pattern of names that token.json is none of. */
const NARROW = /^[^!]*\.(?!json$)[a-z0-9]+$/i;

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

const NAMED = /^(?:-i?name|-g|--glob|--include)$/;
const NAMED_WITH = /^--(?:include|glob)=(.*)$/;
const ELSE = new Set(["-o", "-or", "!", "-not", ",", "("]);
const EXCLUDED = /^--exclude(-dir)?=\.svc-login$/;

/**
 * A folder that holds ~/.svc-login stands for it where a program reads everything in a folder: the home folder of the
 * user, and each above it (specification, Authentication 4). Searches by a tool are asked about.
 */
@injectable()
export class NoHomeReadRule implements RuleHandler {
  constructor(
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(FILES) private readonly files: Pick<Files, "realPath">,
  ) {}

  readonly judge = async (subject: Subject): Promise<Verdict> => {
    const { home } = this.environment;
    const real = await this.files.realPath(home).catch(() => undefined);
    const homes = [home, real ?? home].map(plain);
    return subject.tool === "shell" ? ofShell(subject, homes) : ofSearch(subject, homes);
  };
}

function ofShell({ shell }: Subject, homes: readonly string[]): Verdict {
  if (!shell) return ALLOW;
  const { programs, reads, unknown } = shell;
  const isRead = reads.some((path) => holds(path, homes)) && programs.some(readsDeep);
  const isFound =
    unknown.includes("read") &&
    programs.some(
      (program) =>
        finds(program) &&
        program.args.some((word) => !word.startsWith("-") && holds(at(program.cwd, word), homes)),
    );
  return isRead || isFound ? { decision: "deny" } : ALLOW;
}

function ofSearch(
  { input, name = "", origin, paths = [], cwd = "/" }: Subject,
  homes: readonly string[],
): Verdict {
  const given = (typeof input === "object" && input !== null ? input : {}) as Readonly<
    Record<string, unknown>
  >;
  const globs = GLOBS.flatMap((key) => given[key]).filter((one) => typeof one === "string");
  const base = typeof given["path"] === "string" ? at(cwd, given["path"]) : cwd;
  const within = globs.filter((one) => !one.startsWith("!")).map((one) => folderOf(at(base, one)));
  if (within.some((path) => homes.some((home) => inside(path, `${home}/.svc-login`))))
    return { decision: "deny" };
  if (showsNames(given["output_mode"], name, origin)) return ALLOW;
  if (globs.length > 0 && globs.every((one) => NARROW.test(one))) return ALLOW;
  if (typeof given["type"] === "string" && given["type"] !== "json") return ALLOW;
  const folders = [...(paths.length === 0 ? [base] : paths.map(folderOf)), ...within];
  return folders.some((path) => holds(path, homes)) ? { decision: "ask" } : ALLOW;
}

/** Whether a search tells which files there are, and not what stands in them. */
function showsNames(mode: unknown, name: string, origin: string | undefined): boolean {
  if (mode === undefined) return name === "Grep" && origin === "hook:claude-code";
  return mode === "files_with_matches" || mode === "count";
}

/** The folder below which a pattern looks: its beginning up to the first part with a wildcard. */
function folderOf(pattern: string): string {
  const parts = pattern.split("/");
  const wild = parts.findIndex((part) => /[*?[{]/.test(part));
  return wild < 0 ? pattern : parts.slice(0, wild).join("/") || "/";
}

function at(folder = "/", path = ""): string {
  const written = path.replaceAll("\\", "/");
  return /^[a-z]:/i.test(written) ? posix.normalize(written) : posix.resolve(folder, written);
}

/** Whether a folder is one of the homes, or above it. */
function holds(path: string, homes: readonly string[]): boolean {
  return homes.some((home) => inside(home, path));
}

function inside(path: string, folder: string): boolean {
  const [low, high] = [plain(path), plain(folder)];
  return high === "" || low === high || low.startsWith(`${high}/`);
}

/** A path for comparing: with /, in small letters, without a / at its end. */
function plain(path: string): string {
  return path.replaceAll("\\", "/").toLowerCase().replace(/\/+$/, "");
}

/** Whether a program reads what stands in the files of a folder, those of a hidden folder in it too. */
function readsDeep({ name, args }: Program): boolean {
  if (!BY_NAME.has(name)) return false;
  const option = BY_NAME.get(name);
  return (!option || args.some((word) => option.test(word))) && !leavesOut(args);
}

/** Whether a program names files of a folder and hidden folders in it, for another one to read. */
function finds({ name, args }: Program): boolean {
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
