import type { Word } from "./effects.ts";
import type { Scene } from "./scene.ts";

/** Variables whose value some program hands to a shell. */
const SHELL_TEXT =
  /^(?:GIT_(?:PAGER|EDITOR|SEQUENCE_EDITOR|SSH_COMMAND|SSH|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|SSH_ASKPASS|PROMPT_COMMAND|LESSOPEN|LESSCLOSE|CC|CXX|RUSTC_WRAPPER)$/;
/** Variables that make programs run code: loaders, start-up files, places where programs are looked for. */
const CODE =
  /^(?:LD_(?:PRELOAD|LIBRARY_PATH|AUDIT)|DYLD_\w+|BASH_ENV|ENV|ZDOTDIR|SHELLOPTS|BASH_FUNC_.*|PYTHON(?:PATH|STARTUP|HOME|INSPECT)|PERL5(?:LIB|OPT|DB)|RUBY(?:OPT|LIB)|NODE_PATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|MAKEFLAGS|GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|CONFIG\w*|EXEC_PATH|TEMPLATE_DIR)|IFS|(?:npm_config|NPM_CONFIG)_(?:script.shell|node.options|shell|git|prefix|userconfig|globalconfig|registry)|GOFLAGS|CARGO_(?:BUILD_RUSTC|TARGET_\w*RUNNER|ALIAS)\w*|LUA_INIT|R_PROFILE\w*|PHPRC|PHP_INI_SCAN_DIR|OPENSSL_CONF|VIMINIT|EXINIT)$/;
/** Options of Node that load no code. */
const NODE_PLAIN =
  /^(?:--(?:max-old-space-size=\d+|max-http-header-size=\d+|no-warnings|enable-source-maps|trace-[\w-]+|unhandled-rejections=\w+|inspect(?:-brk)?(?:=[\w.:]+)?|experimental-(?!loader)[\w-]+|conditions=[@\w/-]+|stack-trace-limit=\d+|no-deprecation|dns-result-order=\w+|openssl-legacy-provider))?$/;

/** A variable given to programs (`NAME=value`): it is told, and so is what its value starts. */
export function environment(word: Word | undefined, scene: Scene): void {
  if (word === undefined) return;
  scene.set(word);
  const [, name = "", known = ""] = /^(\w+)=([^]*)$/.exec(word.text ?? word.known ?? "") ?? [];
  const value: Word = word.text === undefined ? { text: undefined, known } : { text: known };
  variable(name, value, scene);
}

/** What the value of a variable makes programs do, whichever program is started with it. */
export function variable(name: string, value: Word, scene: Scene): void {
  if (value.text === "") return;
  if (name === "PATH") scene.unknown("program");
  else if (name === "NODE_OPTIONS") {
    if (!(value.text ?? "?").split(/\s+/).every((option) => NODE_PLAIN.test(option))) scene.unknown("code");
  } else if (CODE.test(name)) scene.unknown("code");
  else if (SHELL_TEXT.test(name)) scene.shell(value);
  else if (/^(?:https?|all)_proxy$/i.test(name)) scene.url(value);
}
