import { basename, resolve } from "node:path";
import type { Subject } from "skillctl";
import { languageOf } from "../probes/languages.ts";

type Facts = NonNullable<Subject["shell"]>;
type Program = Facts["programs"][number];

/** Programs that write by themselves what they are told: copies, edits, downloads. */
const WRITERS =
  /^(?:cp|mv|tee|sponge|sed|gsed|ed|ex|perl|awk|gawk|ln|link|dd|install|ginstall|rsync|scp|touch|truncate|patch|tar|bsdtar|unzip|cpio|curl|wget|split|shuf|sort|iconv|uniq|xxd|base64|gzip|gunzip|openssl)$/;
/** These write to a redirection alone. */
const READERS =
  /^(?:cat|echo|printf|e?grep|fgrep|rg|head|tail|jq|yq|tr|cut|nl|tac|rev|paste|join|comm|diff|cmp|wc|file|stat|ls|cd|env|yes|seq|date)$/;
const REMOVERS = /^(?:rm|rmdir|unlink|shred|rimraf|del-cli|trash|trash-put|find|fd|fdfind)$/;
/** Settings, and code that has been compiled, by their endings. */
const SETTINGS = /(?:^|\/)\.env(?:\.[^/]*)?$|\.(?:json[5c]?|ya?ml|toml|ini|pyc|pyo|so|node|wasm|dll|dylib)$/i;
const PACKAGES = /(?:^|\/)(?:node_modules|\.venv|venv|site-packages|vendor)(?:\/|$)/;
/** What is in these is read by people. */
const REPORTS = /(?:^|\/)(?:coverage|htmlcov|\.nyc_output|reports?|test-results|logs?)\//;

/**
 * Whether a command itself writes a path, by a redirection or with a program that copies or edits; what builds,
 * installers and test runs make is theirs. `full` is absolute.
 */
export function writesDirectly(full: string, { programs }: Pick<Facts, "programs">): boolean {
  if (programs.some((program) => WRITERS.test(program.name) && reaches(program, full))) return true;
  return !programs.some((program) => !READERS.test(program.name) && named(program).includes(full));
}

/** Whether a command, of which no part is redirected into a file, only takes a path away. */
export function onlyRemoves(full: string, { command = "", shell }: Subject): boolean {
  if (command.replaceAll(/[12&]?>>? ?(?:\/dev\/null|&[12])/g, "").includes(">")) return false;
  const reaching = (shell?.programs ?? []).filter((program) => reaches(program, full));
  return reaching.length > 0 && reaching.every(({ name }) => REMOVERS.test(name));
}

/**
 * Whether a path that git ignores may decide what the program does: code, settings, and what lies in folders of packages.
 * An installer makes such a folder itself.
 */
export function decidesWhatRuns(path: string): boolean {
  if (PACKAGES.test(path)) return !PACKAGES.test(`/${basename(path)}`);
  if (SETTINGS.test(path)) return !REPORTS.test(path);
  const language = languageOf(path);
  return language !== undefined && (language !== "html" || !REPORTS.test(path));
}

/** Whether an argument is the path or a folder that it is in. */
function reaches(program: Program, full: string): boolean {
  return named(program).some((path) => path === full || (path !== "/" && full.startsWith(`${path}/`)));
}

/** What the arguments would be as paths, also behind `of=`. */
function named({ args, cwd = "/" }: Program): readonly string[] {
  return args.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)].map((one) => resolve(cwd, one)));
}
