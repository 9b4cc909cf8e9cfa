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
import { finds, readsDeep } from "./recursive-readers.ts";

const ALLOW: Verdict = { decision: "allow" };
/** Parts of an input that hold patterns of names. */
const GLOBS = ["glob", "globs", "include", "includes", "include_pattern", "paths", "patterns"];
/** A pattern of names that token.json is none of. */
const NARROW = /^[^!]*\.(?!json$)[a-z0-9]+$/i;

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
