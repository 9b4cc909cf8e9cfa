import { baseName } from "./paths.ts";
import type { Word } from "./programs/effects.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";

/** Their value is a command that some program runs. */
const COMMANDS = new Set(
  (
    "EDITOR VISUAL PAGER MANPAGER BROWSER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS " +
    "GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND SSH_ASKPASS SUDO_ASKPASS LESSOPEN LESSCLOSE RSYNC_RSH FCEDIT RUSTC_WRAPPER"
  ).split(" "),
);

/** Whatever they say is run, or loaded into programs. */
const CODE = new Set(
  (
    "BASH_ENV ENV PROMPT_COMMAND LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES PERL5OPT PERL5DB RUBYOPT PYTHONSTARTUP " +
    "PYTHONBREAKPOINT GIT_CONFIG_PARAMETERS GIT_TEMPLATE_DIR GIT_EXEC_PATH CLASSPATH_PREFIX ZDOTDIR"
  ).split(" "),
);

/** They are run when they say certain things. */
const CODE_WHEN: readonly (readonly [RegExp, RegExp])[] = [
  [/^NODE_OPTIONS$/, /--?(r\b|require|import|loader|experimental-loader|eval|e\b)/],
  [
    /^(_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS)$/,
    /-(javaagent|agent|Xbootclasspath)/,
  ],
  [/^PS[0-4]$/, /[$`]/],
  [/^GIT_CONFIG_(COUNT|KEY_\d+|VALUE_\d+)$/, /^/],
  [/^GIT_CONFIG(_GLOBAL|_SYSTEM)?$/, /^(?!\/dev\/null$)./],
  [/^BASH_FUNC_/, /^/],
  [/^(DYLD|LD)_LIBRARY_PATH$/, /(^|:)(\.|[^/:]|\/tmp\b)/],
];

const PROGRAM_FOLDERS =
  /^(\/(usr|bin|sbin|opt|nix|snap|home\/linuxbrew)(\/|$)|.*\/(node_modules\/\.bin|\.?venv\/bin|\.?env\/bin|go\/bin|\.[\w-]+(\/[\w.@-]+)*\/s?bin)\/?$)/;

/** What it means for the programs that follow when a variable gets a value. */
export function toldBy(name: string, value: Word, reader: Reader, state: ShellState): void {
  const { facts } = reader;
  const { text } = value;
  if (name === "PATH" || name === "path") {
    if (!isUsualPath(value)) facts.unknown("program");
    return;
  }
  if (CODE.has(name)) {
    if (text !== "") facts.unknown("code");
    return;
  }
  for (const [names, says] of CODE_WHEN) {
    if (names.test(name) && (text === undefined || says.test(text))) facts.unknown("code");
  }
  if (!COMMANDS.has(name) || text === "") return;
  if (text === undefined) facts.unknown("code");
  else if (!/^(cat|less|more|true|:|vim?|nano|emacs|code( --wait)?)$/.test(baseName(text))) {
    reader.deeper(() => reader.text(text, state.clone()));
  }
}

/** Folders of programs in front of what stood there: in use everywhere, and no way to put a program in another's place. */
function isUsualPath({ text, known = "" }: Word): boolean {
  const whole = text ?? known;
  const folders = whole.split(":").filter((folder) => folder !== "");
  // What is not known at the end is what PATH was before.
  if (text === undefined && known !== "" && !known.endsWith(":")) return false;
  if (text !== undefined && /(^:|::|:$)/.test(text)) return false;
  return folders.every((folder) => PROGRAM_FOLDERS.test(folder));
}
