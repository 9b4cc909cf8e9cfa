/** Variables with which a program reads, runs or takes for the project something else than its words say. */
const ALWAYS =
  /^(?:GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|CONFIG(?:_.*)?|EXTERNAL_DIFF|EXEC_PATH|TEMPLATE_DIR|SSH_COMMAND|ASKPASS)|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PROMPT_COMMAND|PERL5OPT|PERL5DB|RUBYOPT|PYTHONSTARTUP|PYTHONBREAKPOINT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS)$/;
/** Programs that others start: those that only show something are no matter. */
const PROGRAMS = /^(?:(?:GIT_)?(?:SEQUENCE_)?(?:PAGER|EDITOR)|VISUAL|MANPAGER)$/;
const SHOWS = /^(?:|:|true|cat|less|more|bat|most)(?:\s+-\S+)*$/;
const LOADS = /(?:^|\s)(?:--?(?:require|import|loader|experimental-loader|eval|env-file)\b|-r\b|-e\b)/;
/** The name of the first variable that changes what programs do; `sets` are `NAME=value`. */
export function riskyVariable(sets: readonly string[]): string | undefined {
  const risky = sets.find((set) => {
    const [name, value] = parted(set);
    if (ALWAYS.test(name)) return true;
    if (PROGRAMS.test(name)) return !SHOWS.test(value);
    if (name === "NODE_OPTIONS") return LOADS.test(value);
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
