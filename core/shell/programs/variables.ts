import type { Word } from "./effects.ts";
import type { Scene } from "./scene.ts";

/** What the value of a variable is to the programs that get it: where they look for programs, code they run or load, a text for a shell, an address. */
export type Meaning = "program" | "code" | "shell" | "address" | undefined;

/** Their value is a command that some program hands to a shell. */
const COMMANDS =
  /^(?:EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|FCEDIT|LESSOPEN|LESSCLOSE|RSYNC_RSH|RUSTC_WRAPPER|SSH_ASKPASS|SUDO_ASKPASS|GIT_(?:PAGER|EDITOR|SEQUENCE_EDITOR|SSH_COMMAND|SSH|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND))$/;
const PLAIN_COMMAND = /^(?:\S*\/)?(?:cat|less|more|true|:|vim?|nano|emacs|code(?: --wait)?)$/;
/** Whatever they say is run, or loaded into programs. */
const CODE =
  /^(?:BASH_ENV|ENV|PROMPT_COMMAND|LD_(?:PRELOAD|AUDIT)|DYLD_INSERT_LIBRARIES|PERL5(?:OPT|DB)|RUBYOPT|PYTHON(?:STARTUP|BREAKPOINT)|GIT_(?:CONFIG_(?:PARAMETERS|COUNT|KEY_\d+|VALUE_\d+)|TEMPLATE_DIR|EXEC_PATH)|CLASSPATH_PREFIX|ZDOTDIR|BASH_FUNC_.*|(?:npm_config|NPM_CONFIG)_(?:script.shell|node.options|shell|git)|CARGO_(?:BUILD_RUSTC|TARGET_\w*RUNNER|ALIAS)\w*|LUA_INIT|R_PROFILE\w*|VIMINIT|EXINIT)$/;
/** They are run when they say certain things. */
const CODE_WHEN: readonly (readonly [names: RegExp, says: RegExp])[] = [
  [/^NODE_OPTIONS$/, /--?(?:r\b|require|import|loader|experimental-loader|eval|e\b)/],
  [
    /^(?:_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS)$/,
    /-(?:javaagent|agent|Xbootclasspath)/,
  ],
  [/^PS[0-4]$/, /[$`]/],
  [/^GIT_CONFIG(?:_GLOBAL|_SYSTEM)?$/, /^(?!\/dev\/null$)./],
  [/^(?:DYLD|LD)_LIBRARY_PATH$/, /(?:^|:)(?:\.|[^/:]|\/tmp\b)/],
];
const PROGRAM_FOLDERS =
  /^(\/(usr|bin|sbin|opt|nix|snap|home\/linuxbrew)(\/|$)|.*\/(node_modules\/\.bin|\.?venv\/bin|\.?env\/bin|go\/bin|\.[\w-]+(\/[\w.@-]+)*\/s?bin)\/?$)/;

/** What a variable means for the programs that follow, whichever they are; `undefined` for nothing out of the ordinary. */
export function meaningOf(name: string, value: Word): Meaning {
  const { text } = value;
  if (name === "PATH" || name === "path") return isUsualPath(value) ? undefined : "program";
  if (text === "") return undefined;
  if (CODE.test(name)) return "code";
  if (CODE_WHEN.some(([names, says]) => names.test(name) && (text === undefined || says.test(text))))
    return "code";
  if (COMMANDS.test(name)) return PLAIN_COMMAND.test(text ?? "") ? undefined : "shell";
  return text !== undefined && /^(?:https?|all)_proxy$/i.test(name) ? "address" : undefined;
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

/** A variable given to programs (`NAME=value`): it is told, and so is what its value starts. */
export function environment(word: Word | undefined, scene: Scene): void {
  if (word === undefined) return;
  scene.set(word);
  const [, name = "", known = ""] = /^(\w+)=([^]*)$/.exec(word.text ?? word.known ?? "") ?? [];
  const value: Word = word.text === undefined ? { text: undefined, known } : { text: known };
  const meaning = meaningOf(name, value);
  if (meaning === "program" || meaning === "code") scene.unknown(meaning);
  else if (meaning === "shell") scene.shell(value);
  else if (meaning === "address") scene.url(value);
}
