import { inside } from "./inside.ts";

/** Variables with which a program reads, runs, writes or takes for the project something else than its words say. */
const ALWAYS =
  /^(?:GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|CONFIG(?:_.*)?|EXTERNAL_DIFF|EXEC_PATH|TEMPLATE_DIR|SSH_COMMAND|ASKPASS)|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PROMPT_COMMAND|PERL5OPT|PERL5DB|RUBYOPT|PYTHON(?:STARTUP|BREAKPOINT|PYCACHEPREFIX|HOME|USERBASE)|PYTEST_(?:ADDOPTS|PLUGINS)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|TAR_OPTIONS|ZIPOPT|UNZIP|GZIP|G?MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES|NODE_(?:REDIRECT_WARNINGS|COMPILE_CACHE)|GCONV_PATH|CURL_HOME|OPENSSL_CONF|DEPENDENCIES_OUTPUT|SUNPRO_DEPENDENCIES|GCC_EXEC_PREFIX|COMPILER_PATH|(?:npm_config|NPM_CONFIG)_(?:script_shell|SCRIPT_SHELL|node_options|NODE_OPTIONS|shell|SHELL|git|GIT|prefix|PREFIX|userconfig|USERCONFIG|globalconfig|GLOBALCONFIG|init_module))$/;
/** Programs that others start: those that only show something are no matter. */
const PROGRAMS = /^(?:(?:GIT_)?(?:SEQUENCE_)?(?:PAGER|EDITOR)|VISUAL|MANPAGER)$/;
const SHOWS = /^(?:|:|true|cat|less|more|bat|most)(?:\s+-\S+)*$/;
const LOADS =
  /(?:^|\s)(?:--?(?:require|import|loader|experimental-loader|eval|env-file|redirect-warnings|cpu-prof-dir|heap-prof-dir|report-dir\w*|diagnostic-dir|trace-event-file-pattern|tls-keylog)\b|-r\b|-e\b)/;
/** Flags of Go that name a program or another set of files. */
const GO = /(?:^|\s)--?(?:toolexec|exec|overlay|modfile|vettool)\b/;
/** Folders in which a language looks for modules before all others. */
const MODULES = /^(?:PYTHONPATH|NODE_PATH|PERL5LIB|RUBYLIB|CLASSPATH|GOPATH|GEM_HOME)$/;
/** Where programs find the settings of the user. */
const HOMES = /^(?:HOME|XDG_CONFIG_HOME|USERPROFILE)$/;
/** Programs that do as settings in the home folder say. */
const SETTLED = /^(?:git|npm|npx|pnpm|yarn|make|curl|wget|pytest|pip3?|cargo|mvn|gradle)$/;

/**
 * The name of the first variable that changes what programs do; `sets` are `NAME=value`, `programs` the names of those that the command
 * starts. Without `root`, the folder of the project, every absolute folder counts as one of elsewhere.
 */
export function riskyVariable(
  sets: readonly string[],
  { root, programs = [] }: { readonly root?: string; readonly programs?: readonly string[] } = {},
): string | undefined {
  const isElsewhere = (folder: string) =>
    /(?:^|\/)\.\.(?:\/|$)/.test(folder) ||
    (/^[/~]/.test(folder) && (root === undefined || inside(root, folder) === undefined));
  const risky = sets.find((set) => {
    const [name, value] = parted(set);
    if (ALWAYS.test(name)) return true;
    if (PROGRAMS.test(name)) return !SHOWS.test(value);
    if (name === "NODE_OPTIONS") return LOADS.test(value);
    if (name === "GOFLAGS") return GO.test(value);
    if (MODULES.test(name)) return value.split(":").some(isElsewhere);
    if (name === "LESS") return /-[a-zA-Z]*[oO]|log-file|lesskey/i.test(value);
    // They name a file that is written.
    if (name.startsWith("GIT_TRACE")) return !/^(?:|0|1|2|true|false)$/i.test(value);
    if (name === "NODE_V8_COVERAGE") return value !== "" && !isElsewhere(value);
    if (HOMES.test(name)) return programs.some((program) => SETTLED.test(program));
    return name === "PATH" && value.split(":").some(isLoose);
  });
  return risky === undefined ? undefined : parted(risky)[0];
}

export function parted(set: string): readonly [name: string, value: string] {
  const [name = "", ...rest] = set.split("=");
  return [name, rest.join("=")];
}

/** A folder that somebody may have put a program in just now: a relative one, or one of temporary files. */
function isLoose(folder: string): boolean {
  if (folder.endsWith("node_modules/.bin")) return false;
  return !/^[/~$]/.test(folder) || /^\/(?:tmp|var\/tmp|dev\/shm)(?:\/|$)/.test(folder);
}
